#include "runtime/interpreter/recursion.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <cstdint>

#include "runtime/interpreter/machine.h"

namespace glint::runtime {
namespace {

/// The lowest address that recursion may reach on this thread.
uintptr_t lowest_address() {
  constexpr size_t kReserve = 1 << 20, kLargest = 256 << 20;
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
#ifdef __APPLE__
  auto top = reinterpret_cast<uintptr_t>(pthread_get_stackaddr_np(pthread_self()));
  uintptr_t bottom = top - pthread_get_stacksize_np(pthread_self());
#else
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return here - kReserve;
  void* lowest = nullptr;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  auto bottom = reinterpret_cast<uintptr_t>(lowest);
#endif
  // A stack without a limit of its own gets one: memory has one too.
  bottom = std::max(bottom, here - std::min<uintptr_t>(here, kLargest));
  return bottom + std::min<uintptr_t>(kReserve, (here - bottom) / 4);
}

}  // namespace

bool stack_has_room() {
  thread_local const uintptr_t kLowest = lowest_address();
  return reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) > kLowest;
}

Recursion::Recursion(Interpreter& in, std::string_view where) : in_(in) {
  uint32_t depth = ++Machine::native_depth(in);
  if (in.top_frame()) depth += in.top_frame()->depth;
  allowed_ = depth <= in.recursion_limit() && stack_has_room();
  if (!allowed_)
    in.raise("RecursionError", fmt::format("maximum recursion depth exceeded{}", where));
}

Recursion::~Recursion() {
  --Machine::native_depth(in_);
}

}  // namespace glint::runtime
