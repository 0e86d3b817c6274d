// SPDX-License-Identifier: Apache-2.0
// Places, initialisers, pointers to functions in C.
struct point {
    int x, y;
};
struct box {
    struct point low, high;
    const char *name;
    union {
        int tag;
        void *owner;
    };
    float *rows[4];
};

extern struct box shared;
static const int limit = 64;
int use(const void *, ...);
struct box make(int);
typedef int (*callback)(struct box *, int);
int visit(struct box *b, int n)
{
    return b->low.x + n;
}

void initialisers(int n, float *f)
{
    struct point p = {1, n}, zero = {0}, later;
    struct box b = {.high = {.y = 2}, .name = "box", .low.x = n};
    struct box elided = {1, 2, 3, 4, "elided"};
    int grid[2][3] = {{1, 2}, {n}};
    int sparse[8] = {[2] = n, [5] = 7};
    char text[] = "hello";
    void *args[] = {&p, &f, &n};
    later = (struct point){n, n};
    struct point *kept = &(struct point){3, n};
    use(args, kept, text, sparse, grid, &b, &elided, &zero, &later);
}

void places(struct box *b, struct box copy, int n, int m)
{
    b->rows[n][2] = copy.rows[0][m + 1];
    shared.high = b->low;
    b->owner = &copy.rows[1];
    copy = *b;
    (&copy)->tag = limit;
    *b = make(n);
    use(&b->rows[n], &shared, make(1).name);
    int last = make(2).high.y;
    use(b + last);
}

int calls(callback given, struct box *b)
{
    callback chosen = given ? given : visit;
    int (*table[2])(struct box *, int) = {visit, chosen};
    return chosen(b, 1) + (*given)(b, 2) + table[1](b, 3) + visit(b, 4);
}

int statics(void)
{
    static int count = 5;
    extern int outside;
    return count++ + outside;
}
