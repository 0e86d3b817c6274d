// SPDX-License-Identifier: Apache-2.0
// A file with a missing header, an undeclared function and a vexing parse: what can be lowered is.
#include "not_there.h"

struct Guard {
    Guard(int *);
    Guard();
    ~Guard();
};
int work(int *);

int whole(int *p)
{
    Guard g(p);
    return work(p);
}

int broken(int *p)
{
    undeclared(p, 3);
    Missing m(p);
    return work(p);
}

int vexing()
{
    Guard g();
    return work(nullptr);
}
