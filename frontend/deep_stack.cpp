#include "frontend/deep_stack.h"

#include <pthread.h>

#include <exception>

#include "core/support/check.h"

namespace glint::frontend {
namespace {

/// What is walked without further ado.
constexpr size_t kShallow = 100;
/// Address space, of which only what is touched is memory.
constexpr size_t kStackBytes = size_t{1} << 29;

/// Whether this thread is one of ours already.
thread_local bool has_room = false;

struct Errand {
  const std::function<void()>& walk;
  std::exception_ptr thrown = nullptr;
};

void* run(void* given) {
  auto* errand = static_cast<Errand*>(given);
  has_room = true;
  try {
    errand->walk();
  } catch (...) {
    errand->thrown = std::current_exception();
  }
  return nullptr;
}

}  // namespace

void with_room(size_t nesting, const std::function<void()>& walk) {
  if (nesting <= kShallow || has_room) return walk();
  Errand errand{walk};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread = {};
  int failed = pthread_create(&thread, &attributes, run, &errand);
  pthread_attr_destroy(&attributes);
  check(failed == 0, "no stack for a source of deep nesting");
  pthread_join(thread, nullptr);
  if (errand.thrown) std::rethrow_exception(errand.thrown);
}

}  // namespace glint::frontend
