// Ctrl-C, as stages below the interpreter see it: what takes its time looks whether it was asked to
// end, and ends.
//
//     if (interruption::requested()) return Error{...};      nothing of it is used
//
// The interpreter raises the KeyboardInterrupt, and takes the request back.
#pragma once

#include <atomic>
#include <exception>

namespace glint::interruption {

inline std::atomic<bool> flag{false};

/// From a signal handler.
inline void request() {
  flag.store(true, std::memory_order_relaxed);
}
inline bool requested() {
  return flag.load(std::memory_order_relaxed);
}
inline void take_back() {
  flag.store(false, std::memory_order_relaxed);
}

/// Thrown by what has no other way to end.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

/// Ends what many steps make, between two of them.
inline void check() {
  if (requested()) throw Interrupted();
}

}  // namespace glint::interruption
