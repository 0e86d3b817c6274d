// SPDX-License-Identifier: Apache-2.0
// Templates: instantiations where they can be seen, patterns where not.
struct Pool {
    void *take(unsigned long);
    void give(void *);
};
struct FreeIt {
    void operator()(void *p) const;
};

template <class T, class D> class Owner {
    Pool &pool;
    T *ptr;
    D del;

  public:
    Owner(Pool &from, unsigned long n) : pool(from), ptr(static_cast<T *>(from.take(n * sizeof(T)))) {}
    Owner(const Owner &) = delete;
    ~Owner()
    {
        pool.give(ptr);
        del(ptr);
    }
    T *get() const { return ptr; }
    template <class U> U *as() const { return reinterpret_cast<U *>(ptr); }
};

template <class T> T *forwarded(const Owner<T, FreeIt> &owner)
{
    return owner.get();
}

template <class T> int never_used(T &object, int n)
{
    auto p = object.data();
    object.template view<int>(n)->release();
    use_it(p, n);
    typename T::inner local(n);
    return object.count + n;
}

template <class... A> int count(A... args)
{
    return sizeof...(args);
}
template <int N> int fixed()
{
    return N + 1;
}

double *instantiate(Pool &pool)
{
    Owner<float, FreeIt> owner(pool, 4);
    float *p = forwarded(owner);
    if (p && count(1, 2.0) && fixed<3>())
        return owner.as<double>();
    return nullptr;
}
