// Loaded in front of the C library (LD_PRELOAD), it counts how often a process asks for memory and
// writes the count to standard error at the end, for `allocation_test.py`.
//
//     allocations 80352

#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace {

std::atomic<unsigned long> asked = 0;

/// The C library's own function of this name.
template <class Function>
Function* original(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

struct Report {
  ~Report() { std::fprintf(stderr, "allocations %lu\n", asked.load()); }
} report;

}  // namespace

extern "C" {

void* malloc(size_t size) {
  static auto* next = original<void*(size_t)>("malloc");
  ++asked;
  return next(size);
}

void* aligned_alloc(size_t alignment, size_t size) {
  static auto* next = original<void*(size_t, size_t)>("aligned_alloc");
  ++asked;
  return next(alignment, size);
}

int posix_memalign(void** memory, size_t alignment, size_t size) {
  static auto* next = original<int(void**, size_t, size_t)>("posix_memalign");
  ++asked;
  return next(memory, alignment, size);
}

void* realloc(void* memory, size_t size) {
  static auto* next = original<void*(void*, size_t)>("realloc");
  ++asked;
  return next(memory, size);
}
}
