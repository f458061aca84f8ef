#include "core/support/apart.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <utility>

#include "core/support/interruption.h"
#include "core/support/signals_blocked.h"

namespace glint::apart {
namespace {

std::atomic<int> left_behind{0};

struct Job {
  std::function<void()> work;
  std::exception_ptr thrown;

  std::mutex mutex;
  std::condition_variable ended;
  bool is_done = false;
  bool is_left = false;

  void run() {
    try {
      work();
    } catch (...) {
      thrown = std::current_exception();
    }
    work = nullptr;
    std::lock_guard lock(mutex);
    is_done = true;
    if (is_left) --left_behind;
    ended.notify_one();
  }

  /// Whether it came to its end before the user asked for one.
  bool wait() {
    // Ctrl-C cannot wake a waiting thread: it looks up this often.
    constexpr std::chrono::milliseconds kPatience{10};
    std::unique_lock lock(mutex);
    while (!is_done) {
      if (interruption::requested()) return false;
      ended.wait_for(lock, kPatience);
    }
    return true;
  }

  void leave() {
    std::lock_guard lock(mutex);
    is_left = !is_done;
    if (is_left) ++left_behind;
  }
};

void* run_job(void* given) {
  const std::unique_ptr<std::shared_ptr<Job>> job(static_cast<std::shared_ptr<Job>*>(given));
  (*job)->run();
  return nullptr;
}

/// A thread of its own for the job, which nobody joins.
void begin(const std::shared_ptr<Job>& job) {
  // As much as the main thread usually has, whatever the limit says: compilers recurse.
  constexpr size_t kStackBytes = size_t{8} << 20;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread = {};
  auto* given = new std::shared_ptr<Job>(job);  // the thread's
  SignalsBlocked blocked;
  const int error = pthread_create(&thread, &attributes, run_job, given);
  pthread_attr_destroy(&attributes);
  if (error != 0) run_job(given);
}

}  // namespace

void finish(std::function<void()> work) {
  std::vector<std::function<void()>> works;
  works.push_back(std::move(work));
  finish_all(std::move(works));
}

void finish_all(std::vector<std::function<void()>> works) {
  std::vector<std::shared_ptr<Job>> jobs;
  for (std::function<void()>& work : works) {
    jobs.push_back(std::make_shared<Job>());
    jobs.back()->work = std::move(work);
    begin(jobs.back());
  }
  if (!std::ranges::all_of(jobs, [](const auto& job) { return job->wait(); })) {
    for (const auto& job : jobs) job->leave();
    throw interruption::Interrupted();
  }
  for (const auto& job : jobs)
    if (job->thrown) std::rethrow_exception(job->thrown);
}

bool is_left_behind() {
  return left_behind != 0;
}

}  // namespace glint::apart
