// SPDX-License-Identifier: Apache-2.0
// What the compiler writes into classes: initialisers, member and base destructors, implicit copies and moves.
struct Handle {
    int fd;
    Handle();
    explicit Handle(int);
    Handle(const Handle &);
    Handle(Handle &&);
    Handle &operator=(const Handle &);
    ~Handle();
};
void log(const void *);

struct Base {
    Handle owned;
    virtual ~Base();
    virtual void run();
};
Base::~Base()
{
    log(this);
}

struct Derived : Base {
    Handle first, second{7};
    int count = 3;
    const int &source;
    int plain[2];
    Derived(const int &from) : second(from), source(from), plain{1, from} { run(); }
    Derived() : Derived(*new int(4)) {}
    ~Derived() override
    {
        if (count)
            return;
        log(&first);
    }
    void run() override;
};

struct Implicit { // no member of its own does anything, yet all of them do
    Handle handle;
    int *pointer = nullptr;
    Handle pair[2];
};

void implicit_members(const Implicit &other)
{
    Implicit fresh;
    Implicit copy = other;
    Implicit moved = static_cast<Implicit &&>(copy);
    fresh = moved;
    Base *base = new Derived(3);
    base->run();
    base->Base::run();
    delete base;
}

struct Plain {
    int a;
    float *b;
};
struct Wrapper {
    Plain plain;
    void set(Plain value) { plain = value; }
    Plain get() const { return plain; }
};
void plain_copies(Wrapper &w, Plain p)
{
    Plain copy = p, other{1, p.b};
    w.set(copy);
    other = w.get();
    w.plain = Plain{2};
    Wrapper second = w;
    second.set(other);
}
