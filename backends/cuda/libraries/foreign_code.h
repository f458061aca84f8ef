// Around calls of NVIDIA's libraries, which do things to a process that we undo or pass over.
//
//     const ForeignCode foreign;
//     void* library = dlopen(...);
//
// What the process does on signals stays as it was: NVRTC's compiler puts handlers of its own in
// place, and Ctrl-C would be lost. The leak check of a sanitized build passes over what is kept.
#pragma once

#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#endif

#include <csignal>

namespace glint::cuda {

class ForeignCode {
 public:
  ForeignCode() {
    for (int number = 1; number < kCount; ++number) sigaction(number, nullptr, &actions_[number]);
  }
  ~ForeignCode() {
    for (int number = 1; number < kCount; ++number) sigaction(number, &actions_[number], nullptr);
  }
  ForeignCode(const ForeignCode&) = delete;
  ForeignCode& operator=(const ForeignCode&) = delete;

 private:
  static constexpr int kCount = 32;
  struct sigaction actions_[kCount] = {};
#if __has_feature(address_sanitizer)
  __lsan::ScopedDisabler no_leaks_;
#endif
};

}  // namespace glint::cuda
