// Code made at run time, called so that a crash in it ends the call and not the program.
//
//     if (auto fault = recovery::guarded([](void* kernel) { call(kernel); }, &kernel))
//       ...                              what it was to write is void
//
// The recovery point is the call: what crashes in it (`kCrashes`) jumps back out of the signal's
// handler, on any thread. So the call must own nothing: no memory, no lock, no object with a
// destructor. Generated kernels are such code.
//
// Off until it is asked for: a script pays nothing, and dies of a crash as any program does.
#pragma once

#include <array>
#include <csignal>
#include <optional>
#include <string>

namespace glint::recovery {

/// The signals of a crash.
inline constexpr std::array<int, 4> kCrashes = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

struct Fault {
  int signal = 0;  ///< SIGINT: the call was left for the sake of Ctrl-C
  void* address = nullptr;
};

/// `SIGSEGV at 0x10`
std::string text_of(const Fault& fault);

inline bool is_on = false;
inline bool enabled() {
  return is_on;
}
/// From now on calls are guarded.
void enable();

/// Runs it; what ended it before its end.
std::optional<Fault> guarded(void (*function)(void*), void* context);

/// From the handler of Ctrl-C: ends the guarded call that this thread is in. Comes back where it is
/// in none.
void leave();

}  // namespace glint::recovery
