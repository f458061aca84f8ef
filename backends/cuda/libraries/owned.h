// An object of a library's, dropped by the library's function.
//
//     Owned<LtLayout> layout;
//     lt.make_layout(layout.made_with(lt.drop_layout), ...);
//     lt.set_layout(layout.get(), ...);
#pragma once

#include <utility>

namespace glint::cuda {

template <class T>
class Owned {
 public:
  using Drop = int (*)(T);
  Owned() = default;
  Owned(Owned&& other) noexcept
      : object_(std::exchange(other.object_, nullptr)), drop_(other.drop_) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(object_, other.object_);
    std::swap(drop_, other.drop_);
    return *this;
  }
  ~Owned() {
    if (object_ != nullptr) drop_(object_);
  }
  /// Where a function that makes one puts it.
  T* made_with(Drop drop) {
    drop_ = drop;
    return &object_;
  }
  T get() const { return object_; }

 private:
  T object_ = nullptr;
  Drop drop_ = nullptr;
};

}  // namespace glint::cuda
