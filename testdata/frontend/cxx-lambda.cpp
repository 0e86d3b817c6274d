// SPDX-License-Identifier: Apache-2.0
// Lambdas: captures are fields of a closure, the body is a function of its own.
struct Guard {
    int *p;
    Guard(const Guard &);
    ~Guard();
    int *get() const;
};
void use(const int *);
template <class F> int call(F f)
{
    return f(2);
}

struct Owner {
    int *data;
    int total;
    int sum(int n)
    {
        auto all = [this, n] { return total + n; };
        auto implicit = [=]() mutable { return data; };
        use(implicit());
        return all();
    }
};

int captures(const Guard &guard, int n, int *raw)
{
    auto by_reference = [&](int k) {
        use(raw);
        n += k;
        return n;
    };
    auto by_value = [=](int k) { return *raw + n + k; };
    auto mixed = [guard, &n, q = raw + 1] { n = *q + *guard.get(); };
    auto generic = [](auto value) { return value + 1; };
    auto nested = [&] { return [&] { return n; }(); };
    mixed();
    by_reference(3);
    return call(by_value) + generic(4) + nested();
}
