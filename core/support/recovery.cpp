#include "core/support/recovery.h"

#include <array>
#include <atomic>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace glint::recovery {
namespace {

/// Where a thread's guarded call began.
struct Point {
  sigjmp_buf place;
  void* volatile address = nullptr;
};
thread_local Point* point = nullptr;

/// What handled the signals before: the sanitizer, or nobody.
std::array<struct sigaction, kCrashes.size()> previous = {};

/// A signal that another process has sent is no crash.
bool is_crash(const siginfo_t& info) {
  return info.si_code > 0;
}

void on_crash(int signal, siginfo_t* info, void*) {
  if (point && is_crash(*info)) {
    point->address = info->si_addr;
    siglongjmp(point->place, signal);
  }
  // Somewhere else: as if this handler were not there, when the instruction is met again.
  for (size_t i = 0; i < kCrashes.size(); ++i)
    if (kCrashes[i] == signal) sigaction(signal, &previous[i], nullptr);
  if (!is_crash(*info)) raise(signal);
}

}  // namespace

std::string text_of(const Fault& fault) {
  const char* name = sigabbrev_np(fault.signal);
  std::array<char, 64> text = {};
  std::snprintf(text.data(), text.size(), "SIG%s at 0x%llx", name ? name : "?",
                static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(fault.address)));
  return text.data();
}

void enable() {
  if (is_on) return;
  is_on = true;
  struct sigaction action = {};
  action.sa_sigaction = on_crash;
  // The jump out of the handler leaves the thread's mask as it was.
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
  for (size_t i = 0; i < kCrashes.size(); ++i) sigaction(kCrashes[i], &action, &previous[i]);
}

std::optional<Fault> guarded(void (*function)(void*), void* context) {
  Point here;
  if (const int signal = sigsetjmp(here.place, 0); signal != 0) {
    point = nullptr;
    return Fault{signal, here.address};
  }
  point = &here;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  function(context);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  point = nullptr;
  return std::nullopt;
}

void leave() {
  if (point) siglongjmp(point->place, SIGINT);
}

}  // namespace glint::recovery
