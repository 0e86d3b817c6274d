// SPDX-License-Identifier: Apache-2.0
// When objects begin and end in C++: scopes, temporaries, lifetime extension, parameters, results.
struct Guard {
    int *p;
    explicit Guard(int);
    Guard(const Guard &);
    Guard(Guard &&) noexcept;
    ~Guard();
    Guard &operator=(Guard &&);
    int *get() const;
    explicit operator bool() const;
    operator int *() const;
};
struct Pair {
    int *first;
    Guard second;
};
Guard make(int);
Pair make_pair();
void use(const int *, int = 3);
int by_value(Guard);
void by_reference(const Guard &);

int *temporaries(int n)
{
    int *p = make(1).get();
    use(make(2).get());
    make(3);
    Guard(4);
    Guard{5};
    by_reference(make(6));
    by_value(make(7));
    int *converted = Guard(8);
    int *maybe = n && make(9) ? make(10).get() : p;
    use(converted, n);
    return maybe;
}

int extension(int n)
{
    const Guard &kept = make(1);
    Guard &&moved = make(2);
    const Guard &member = make_pair().second;
    int *lost = make_pair().first;
    const int &number = n + 1;
    const Guard &either = n ? make(3) : make(4);
    use(kept.get());
    use(moved.p, number);
    use(member.p);
    use(either.p);
    use(lost);
    return number;
}

int scopes(int n)
{
    if (Guard g = make(1))
        n = 1;
    else
        n = 2;
    if (int k = n; Guard g = make(k))
        return k;
    switch (Guard g = make(2); n) {
    case 1:
        return 7;
    default:
        break;
    }
    while (Guard w = make(n)) {
        Guard inner(n);
        if (n == 3)
            break;
        if (n == 4)
            continue;
    }
    for (Guard f = make(5); f; n++)
        if (n)
            Guard(6).get();
    return n;
}

Guard result_elided(int n)
{
    return make(n);
}

Guard result_named(int n)
{
    Guard a = make(n), b(2);
    if (n)
        return a;
    return b;
}

Guard result_moved(Guard given, Pair &pair)
{
    if (given)
        return given;
    return static_cast<Guard &&>(pair.second);
}

const Guard &result_reference(const Pair &pair)
{
    Guard local(1);
    return pair.second;
}

void objects(Guard &other)
{
    Guard copy = other, moved = static_cast<Guard &&>(other), brace{3};
    Guard many[2] = {make(1), Guard(2)};
    Pair pair = {other.p, make(3)}, second{nullptr, Guard(4)};
    copy = make(4);
    by_value(copy);
    by_value(static_cast<Guard &&>(copy));
    auto [first, guard] = make_pair();
    auto &[same_first, same_guard] = pair;
    use(first);
    use(guard.get());
    use(same_first);
    use(many[1].p);
    static Guard once(9);
    use(once.p);
}

void heap(int n)
{
    Guard *one = new Guard(n);
    Guard *many = new Guard[3]{Guard(1), Guard(2), Guard(3)};
    int *plain = new int(n);
    delete one;
    delete[] many;
    delete plain;
}
