#include "core/support/thread_pool.h"

#include <immintrin.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/support/environment.h"
#include "core/support/signals_blocked.h"

namespace glint {

namespace {

/// How often a waiting worker looks for a job before it parks: some 30 microseconds.
constexpr int kSpins = 1000;
/// Pieces a thread: more even out threads of unequal speed, fewer touch memory in longer runs.
constexpr int64_t kPiecesPerThread = 4;

int default_threads() {
  std::string asked = environment::value(environment::Variable::kThreads).value_or("");
  const char* general = std::getenv("OMP_NUM_THREADS");
  if (asked.empty() && general) asked = general;
  if (int count = std::atoi(asked.c_str()); count > 0) return count;
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) return std::max(CPU_COUNT(&allowed), 1);
  return std::max(int(std::thread::hardware_concurrency()), 1);
}

thread_local bool t_inside = false;

struct Job {
  RangeFunction function = nullptr;
  void* context = nullptr;
  int64_t end = 0;
  int64_t piece = 0;
};

/// The job board. The caller writes `job_`, opens the board and bumps `generation_`; workers that
/// see it enter (`active_`), claim pieces from `next_` and leave. The caller closes the board and
/// waits until nobody is inside: only then may the next job be written.
class Pool {
 public:
  /// Signals (Ctrl-C) are the main thread's, which must wake from its reads.
  explicit Pool(int workers) {
    SignalsBlocked blocked;
    for (int i = 0; i < workers; ++i) threads_.emplace_back([this] { work(); });
  }
  ~Pool() {
    stop_ = true;
    announce();
    for (std::thread& thread : threads_) thread.join();
  }

  void run(const Job& job, int64_t begin) {
    job_ = job;
    next_.store(begin, std::memory_order_relaxed);
    open_.store(true);
    announce();
    t_inside = true;
    claim_pieces();
    t_inside = false;
    open_.store(false);
    for (int spins = 0; active_.load() != 0; ++spins) {
      _mm_pause();
      if (spins > 20 * kSpins) std::this_thread::yield();
    }
  }

 private:
  void announce() {
    generation_.fetch_add(1);
    if (parked_.load() != 0) generation_.notify_all();
  }

  void claim_pieces() {
    for (;;) {
      int64_t begin = next_.fetch_add(job_.piece, std::memory_order_relaxed);
      if (begin >= job_.end) return;
      job_.function(job_.context, begin, std::min(begin + job_.piece, job_.end));
    }
  }

  void work() {
    t_inside = true;
    uint32_t seen = 0;
    while (!stop_) {
      seen = wait_for_news(seen);
      active_.fetch_add(1);
      if (open_.load()) claim_pieces();
      active_.fetch_sub(1);
    }
  }

  uint32_t wait_for_news(uint32_t seen) {
    for (int i = 0; i < kSpins; ++i) {
      if (uint32_t now = generation_.load(std::memory_order_acquire); now != seen) return now;
      _mm_pause();
    }
    parked_.fetch_add(1);
    generation_.wait(seen);
    parked_.fetch_sub(1);
    return generation_.load(std::memory_order_acquire);
  }

  Job job_;
  alignas(64) std::atomic<uint32_t> generation_ = 0;
  alignas(64) std::atomic<int64_t> next_ = 0;
  alignas(64) std::atomic<int> active_ = 0;
  std::atomic<bool> open_ = false;
  std::atomic<int> parked_ = 0;
  std::atomic<bool> stop_ = false;
  std::vector<std::thread> threads_;
};

int g_threads = 0;  // 0: not asked for yet
std::unique_ptr<Pool> g_pool;

}  // namespace

int num_threads() {
  if (g_threads == 0) [[unlikely]]
    g_threads = default_threads();
  return g_threads;
}

void set_num_threads(int count) {
  count = std::max(count, 1);
  if (count == g_threads) return;
  g_pool.reset();
  g_threads = count;
}

bool in_parallel_loop() {
  return t_inside;
}

void parallel_ranges(int64_t begin, int64_t end, int64_t grain, RangeFunction function,
                     void* context) {
  int64_t grains = (end - begin + grain - 1) / grain;
  int threads = num_threads();
  if (grains < 2 || threads == 1 || t_inside) {
    if (begin < end) function(context, begin, end);
    return;
  }
  if (!g_pool) g_pool = std::make_unique<Pool>(threads - 1);
  int64_t pieces = std::min<int64_t>(grains, threads * kPiecesPerThread);
  int64_t piece = (grains + pieces - 1) / pieces * grain;
  g_pool->run({function, context, end, piece}, begin);
}

}  // namespace glint
