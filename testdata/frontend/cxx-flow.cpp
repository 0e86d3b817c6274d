// SPDX-License-Identifier: Apache-2.0
// Control flow that C has not: range-for, try, throw, if constexpr, operators of user types.
struct Guard {
    Guard(int);
    ~Guard();
    int value;
    Guard operator+(const Guard &) const;
    Guard &operator++();
    int operator[](int) const;
    Guard *operator->();
    bool operator!=(const Guard &) const;
    int operator*() const;
};
bool operator==(const Guard &, int);
struct Range {
    Guard begin() const;
    Guard end() const;
    ~Range();
};
Range make_range();
void use(int);
[[noreturn]] void fail(const char *);

int ranges(int (&array)[4])
{
    int sum = 0;
    for (int v : array)
        sum += v;
    for (int &v : array) {
        if (v)
            continue;
        v = 1;
    }
    for (auto v : make_range())
        use(v);
    return sum;
}

int exceptions(int n)
{
    Guard outer(n);
    try {
        Guard inner(1);
        if (n == 3)
            throw n;
        use(inner.value);
    } catch (const int &e) {
        return e;
    } catch (...) {
        throw;
    }
    if (n > 9)
        throw Guard(2);
    if (n > 8)
        fail("too large");
    return n;
}

int operators(Guard a, Guard b)
{
    int n = a[2] + (a + b).value + a->value;
    ++a;
    if (a == 3 || a != b)
        n = *b;
    return n;
}

template <bool Quick> int chosen(int n)
{
    if constexpr (Quick)
        return n;
    else
        return n + 1;
}
int both()
{
    return chosen<true>(1) + chosen<false>(2);
}

enum class Mode { fast, slow };
int members(Guard &g, int Guard::*field, int (Guard::*method)(int) const, Mode mode)
{
    if (mode == Mode::slow)
        return g.*field;
    return (g.*method)(4);
}

namespace outer {
namespace {
int hidden(int n)
{
    return n;
}
} // namespace
inline namespace v1 {
struct Thing {
    static int count;
    static int next() { return count++; }
    int self(int n) { return hidden(n) + next(); }
};
} // namespace v1
} // namespace outer
