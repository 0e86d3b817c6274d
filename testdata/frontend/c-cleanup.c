// SPDX-License-Identifier: Apache-2.0
// __attribute__((cleanup)): every way out of a scope runs it, newest first.
typedef struct guard {
    int id;
} guard;
int acquire(guard *);
void release(guard *);
void release_any(void *);
#define SCOPED __attribute__((cleanup(release)))
#define CLEANED(f) __attribute__((__cleanup__(f)))

int ways_out(int n)
{
    SCOPED guard outer;
    if (acquire(&outer))
        return -1;
    for (int i = 0; i < n; i++) {
        CLEANED(release_any) guard inner = {i};
        if (i == 2)
            continue;
        if (i == 3)
            break;
        if (i == 4)
            goto out;
        if (i == 5)
            return inner.id;
    }
out:
    return outer.id;
}
