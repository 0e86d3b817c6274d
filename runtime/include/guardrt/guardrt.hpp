// SPDX-License-Identifier: Apache-2.0
//
// guardrt for C++17: move-only owners over guardrt.h. Header-only; nothing here adds a driver call.
//
// A call that fails throws grt::error, except in destructors: a guard's destructor releases it, and a failure
// there is seen by the next access of the buffer (it is poisoned). Call release() to get the status at once.
// Declare guards after what they guard and let them die after the enqueue: scopes do the rest.
//
// `site` parameters are for checked mode's reports: pass GRT_SITE where the line matters.
#ifndef GUARDRT_GUARDRT_HPP
#define GUARDRT_GUARDRT_HPP

#include <guardrt/guardrt.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace grt
{

class error : public std::runtime_error
{
  public:
    explicit error(grt_status status)
        : std::runtime_error(std::string(grt_status_name(status)) + ": " + grt_status_text(status) + " " +
                             grt_error_detail()),
          status_(status)
    {
    }
    grt_status status() const noexcept
    {
        return status_;
    }

  private:
    grt_status status_;
};

inline void check(grt_status status)
{
    if (status != GRT_OK)
        throw error(status);
}

// Owns one C object; `Destroy` ends it. Move-only.
template <typename T, grt_status (*Destroy)(T *)> class owner
{
  public:
    owner() noexcept = default;
    explicit owner(T *object) noexcept : object_(object)
    {
    }
    owner(owner &&other) noexcept : object_(other.detach())
    {
    }
    owner &operator=(owner &&other) noexcept
    {
        if (this != &other) {
            destroy();
            object_ = other.detach();
        }
        return *this;
    }
    owner(const owner &) = delete;
    owner &operator=(const owner &) = delete;
    ~owner()
    {
        destroy();
    }
    T *get() const noexcept
    {
        return object_;
    }
    // Hands the object to the caller, who must destroy it.
    T *detach() noexcept
    {
        return std::exchange(object_, nullptr);
    }
    // Destroys the object now. On failure it stays owned.
    grt_status close() noexcept
    {
        grt_status status = Destroy(object_);
        if (status == GRT_OK)
            object_ = nullptr;
        return status;
    }
    explicit operator bool() const noexcept
    {
        return object_ != nullptr;
    }

  private:
    void destroy() noexcept
    {
        // A destructor cannot report; what fails here (a guard still held) stays with the device and is
        // reported by closing it.
        grt_status ignored = Destroy(object_);
        (void)ignored;
        object_ = nullptr;
    }
    T *object_ = nullptr;
};

class stream : public owner<grt_stream, grt_stream_destroy>
{
  public:
    using owner::owner;
    void *native() const noexcept
    {
        return grt_stream_native(get());
    }
    void synchronize() const
    {
        check(grt_stream_synchronize(get()));
    }
    void wait(const stream &other) const
    {
        check(grt_stream_wait(get(), other.get()));
    }
};

class device : public owner<grt_device, grt_device_close>
{
  public:
    using owner::owner;
    static device open(grt_backend backend = GRT_BACKEND_DEFAULT, int ordinal = 0)
    {
        grt_device *opened = nullptr;
        check(grt_device_open(backend, ordinal, &opened));
        return device(opened);
    }
    stream create_stream(int priority = 0) const
    {
        grt_stream *created = nullptr;
        check(grt_stream_create(get(), priority, &created));
        return stream(created);
    }
    stream wrap_stream(void *native) const
    {
        grt_stream *wrapped = nullptr;
        check(grt_stream_wrap(get(), native, &wrapped));
        return stream(wrapped);
    }
    void synchronize() const
    {
        check(grt_device_synchronize(get()));
    }
    grt_device_info describe() const noexcept
    {
        return grt_device_describe(get());
    }
};

// A view of elements of type T. A value, as grt_view is.
template <typename T> class view
{
    static_assert(std::is_trivially_copyable<T>::value, "device memory holds trivially copyable elements");

  public:
    explicit view(grt_view bytes) noexcept : bytes_(bytes)
    {
    }
    grt_view bytes() const noexcept
    {
        return bytes_;
    }
    std::size_t size() const noexcept
    {
        return bytes_.size / sizeof(T);
    }
    // The address alone: printing and comparing. Enqueue work only under a guard or a launch access.
    T *address() const noexcept
    {
        return static_cast<T *>(grt_view_address(bytes_));
    }
    view slice(std::size_t first, std::size_t count) const
    {
        grt_view part{};
        check(grt_view_slice(bytes_, first * sizeof(T), count * sizeof(T), &part));
        return view(part);
    }
    // Two disjoint views, [0, at) and [at, size()).
    std::pair<view, view> split(std::size_t at) const
    {
        grt_view left{}, right{};
        check(grt_split(bytes_, at * sizeof(T), &left, &right));
        return {view(left), view(right)};
    }

  private:
    grt_view bytes_;
};

inline grt_status destroy_buffer(grt_buffer *buffer)
{
    return grt_buffer_destroy_at(nullptr, buffer);
}

// Owns device or pinned host memory for elements of type T.
template <typename T> class buffer : public owner<grt_buffer, destroy_buffer>
{
  public:
    using owner<grt_buffer, destroy_buffer>::owner;
    buffer(const stream &on, std::size_t count, const char *site = nullptr)
        : owner<grt_buffer, destroy_buffer>(create(on.get(), count, site))
    {
    }
    static buffer pinned(const device &on, std::size_t count, const char *site = nullptr)
    {
        grt_buffer *created = nullptr;
        check(grt_buffer_create_host_at(site, on.get(), count * sizeof(T), &created));
        return buffer(created);
    }
    std::size_t size() const noexcept
    {
        return grt_buffer_size(this->get()) / sizeof(T);
    }
    grt::view<T> all() const noexcept
    {
        return grt::view<T>(grt_buffer_view(this->get()));
    }

  private:
    static grt_buffer *create(grt_stream *on, std::size_t count, const char *site)
    {
        grt_buffer *created = nullptr;
        check(grt_buffer_create_at(site, on, count * sizeof(T), &created));
        return created;
    }
};

inline grt_status release_guard(grt_guard *guard)
{
    return grt_release_at(nullptr, guard);
}

// A held guard. T is const for a read guard, so its pointer cannot be handed to a kernel that writes.
template <typename T> class guard : public owner<grt_guard, release_guard>
{
  public:
    using owner<grt_guard, release_guard>::owner;
    T *pointer() const noexcept
    {
        return static_cast<T *>(grt_guard_pointer(this->get()));
    }
    // Publishes now; the guard is gone afterwards.
    grt_status release(const char *site = nullptr) noexcept
    {
        return grt_release_at(site, this->detach());
    }
    // Gives it up when nothing was enqueued.
    grt_status cancel(const char *site = nullptr) noexcept
    {
        return grt_cancel_at(site, this->detach());
    }
};

template <typename T> using read_guard = guard<const T>;
template <typename T> using write_guard = guard<T>;

template <typename T>
[[nodiscard]] read_guard<T> acquire_read(const stream &on, view<T> of, const char *site = nullptr)
{
    grt_guard *held = nullptr;
    check(grt_acquire_read_at(site, on.get(), of.bytes(), &held));
    return read_guard<T>(held);
}

template <typename T>
[[nodiscard]] write_guard<T> acquire_write(const stream &on, view<T> of, const char *site = nullptr)
{
    grt_guard *held = nullptr;
    check(grt_acquire_write_at(site, on.get(), of.bytes(), &held));
    return write_guard<T>(held);
}

template <typename T>
[[nodiscard]] write_guard<T> acquire_update(const stream &on, view<T> of, const char *site = nullptr)
{
    grt_guard *held = nullptr;
    check(grt_acquire_update_at(site, on.get(), of.bytes(), &held));
    return write_guard<T>(held);
}

template <typename T> [[nodiscard]] read_guard<T> acquire_host_read(view<T> of, const char *site = nullptr)
{
    grt_guard *held = nullptr;
    check(grt_acquire_host_read_at(site, of.bytes(), &held));
    return read_guard<T>(held);
}

template <typename T> [[nodiscard]] write_guard<T> acquire_host_write(view<T> of, const char *site = nullptr)
{
    grt_guard *held = nullptr;
    check(grt_acquire_host_write_at(site, of.bytes(), &held));
    return write_guard<T>(held);
}

// What a launch does with a view: grt::reads(a), grt::writes(b), grt::updates(c).
struct access {
    grt_view bytes;
    grt_arg_kind kind;
};

template <typename T> access reads(view<T> of) noexcept
{
    return {of.bytes(), GRT_ARG_READ};
}
template <typename T> access writes(view<T> of) noexcept
{
    return {of.bytes(), GRT_ARG_WRITE};
}
template <typename T> access updates(view<T> of) noexcept
{
    return {of.bytes(), GRT_ARG_UPDATE};
}

namespace detail
{
inline grt_arg to_arg(const access &of) noexcept
{
    grt_arg arg{};
    arg.as.view = of.bytes;
    arg.kind = of.kind;
    return arg;
}
template <typename T> grt_arg to_arg(const T &value) noexcept
{
    static_assert(std::is_trivially_copyable<T>::value, "kernel arguments are copied byte by byte");
    static_assert(!std::is_pointer<T>::value, "pass memory as reads(), writes() or updates()");
    grt_arg arg{};
    arg.as.value.data = &value;
    arg.as.value.size = sizeof(T);
    arg.kind = GRT_ARG_VALUE;
    return arg;
}
} // namespace detail

// grt::launch(s, kernel, config, grt::reads(a), grt::writes(b), n): arguments in the kernel's order.
template <typename... Args>
void launch(const stream &on, grt_kernel *kernel, const grt_config &config, const Args &...args)
{
    const grt_arg list[sizeof...(Args) + 1] = {detail::to_arg(args)..., grt_arg{}};
    check(grt_launch_at(nullptr, on.get(), kernel, config, sizeof...(Args), list));
}

} // namespace grt

#endif
