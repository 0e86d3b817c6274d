// SPDX-License-Identifier: Apache-2.0
// The table of all checks and what `guardlint explain` says of each.
#include "checks/checks.h"

#include <string.h>

static const struct gl_check checks[] = {
#define GL_CHECK(id, name, group, is_on, severity, summary, explanation, bad, good)                          \
    {name, group, is_on, severity, summary, explanation, bad, good},
#include "checks/checks.def"
#undef GL_CHECK
};

size_t gl_check_count(void)
{
    return GL_COUNT(checks);
}

const struct gl_check *gl_check_at(size_t index)
{
    return &checks[index];
}

const struct gl_check *gl_check_find(const char *name)
{
    for (size_t i = 0; i < GL_COUNT(checks); i++)
        if (strcmp(checks[i].name, name) == 0)
            return &checks[i];
    return NULL;
}
