// SPDX-License-Identifier: Apache-2.0
// Statements of C: every way control can go.
int step(int);
void stop(void) __attribute__((noreturn));

int branches(int a, int b, const int *p)
{
    if (a && (b || !p))
        return 1;
    else if (a > 3 || *p == 2)
        a = b ? a : b;
    int both = a && b;
    return both ?: a;
}

int loops(int n)
{
    int sum = 0;
    for (int i = 0, j = 9; i < n && j; i++, --j) {
        if (i == 2)
            continue;
        while (sum < n)
            if (step(sum++))
                break;
    }
    for (;;)
        if (!step(sum))
            break;
    for (; sum < n;)
        sum += 2;
    for (;; sum <<= 1)
        if (sum > 9)
            return sum;
    do
        sum--;
    while (sum > 0);
    return sum;
}

int cases(int n)
{
    int r;
    switch (n) {
        int inside;
    case 1:
        r = 10;
    case 2 ... 4:
        inside = r = 20;
        break;
    case -7: {
        int block = n;
        switch (block) {
        default:
            return 5;
        }
    }
    default:
        r = 0;
    case 9:
        r++;
    }
    return r;
}

int jumps(int n)
{
    int r = 0;
again:
    if (n > 5)
        goto out;
    {
        int inner = n;
        if (inner < 0)
            goto out;
        r += inner;
        n++;
        goto again;
    }
out:
    return r;
}

int into_scope(int n)
{
    if (n)
        goto inside;
    {
        int x;
    inside:
        x = n;
        n = x + 1;
    }
    return n;
}

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        int try_rc = (call);                                                                                 \
        if (try_rc)                                                                                          \
            return try_rc;                                                                                   \
    } while (0)

int macros(int n)
{
    TRY(step(n));
    if (!n)
        stop();
    TRY(step(n + 1));
    return 0;
}

int expressions(int n, int *p, unsigned long address)
{
    int comma = (step(1), step(2));
    int value = ({
        int t = n;
        t += 2;
        t * 2;
    });
    int old = p[n]++, changed = --*p;
    void *back = (void *)(address + 8 * sizeof(int));
    p += 3;
    *(p + 1) = ~n ^ -old;
    return comma + value + changed + (back != 0);
}
