// Objects that count their references, and the smart pointer `Ref` that does the counting.
//
// Tensors, storages and every object of the language share this header, so that a value of the
// interpreter can hold any of them. Counting is not atomic: objects belong to the thread that runs
// the program; worker threads see raw memory only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace glint {

/// What an object is, for one-compare type tests. Each layer takes its own range: the tensor
/// library owns 1 to 15, the interpreter all from 16 on. 0 is an object that nobody asks.
using ObjectKind = uint16_t;
inline constexpr ObjectKind kOpaqueKind = 0;
inline constexpr ObjectKind kTensorKind = 1;
inline constexpr ObjectKind kFirstInterpreterKind = 16;

class RefCounted {
 public:
  explicit RefCounted(ObjectKind kind = kOpaqueKind) : kind_(kind) {}
  virtual ~RefCounted() = default;
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;

  ObjectKind kind() const { return kind_; }
  uint32_t ref_count() const { return refs_; }
  void retain() { ++refs_; }
  void release() {
    if (--refs_ == 0) destroy();
  }

 protected:
  /// Frees the object when its last reference goes; override it to recycle memory.
  virtual void destroy() { delete this; }

  uint32_t refs_ = 0;
  ObjectKind kind_;
  /// Free for the layer that owns the kind.
  uint16_t flags_ = 0;
};

/// An owning pointer to a `RefCounted`; may be null.
template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  explicit Ref(T* object) : object_(object) {
    if (object_) object_->retain();
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <class U>
    requires std::is_convertible_v<U*, T*>
  Ref(const Ref<U>& other) : Ref(other.get()) {}
  template <class U>
    requires std::is_convertible_v<U*, T*>
  Ref(Ref<U>&& other) noexcept : object_(other.leak()) {}
  ~Ref() {
    if (object_) object_->release();
  }
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }

  /// Gives up the reference without releasing it.
  T* leak() { return std::exchange(object_, nullptr); }

  T* get() const { return object_; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }
  bool operator==(const Ref& other) const { return object_ == other.object_; }

 private:
  T* object_ = nullptr;
};

template <class T, class... Args>
Ref<T> make_ref(Args&&... args) {
  return Ref<T>(new T(std::forward<Args>(args)...));
}

}  // namespace glint
