// A variable that has another value for as long as a scope lasts.
//
//     const Temporarily quiet(settings.warns, false);
#pragma once

#include <utility>

namespace glint {

template <class T>
class Temporarily {
 public:
  /// The value that it has may be changed meanwhile; it is put back all the same.
  explicit Temporarily(T& variable) : variable_(variable), before_(variable) {}
  Temporarily(T& variable, T value)
      : variable_(variable), before_(std::exchange(variable, std::move(value))) {}
  ~Temporarily() { variable_ = std::move(before_); }
  Temporarily(const Temporarily&) = delete;
  Temporarily& operator=(const Temporarily&) = delete;

 private:
  T& variable_;
  T before_;
};

}  // namespace glint
