#include "core/platform/machine_rates.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <vector>

#include "core/platform/gemm.h"
#include "core/support/thread_pool.h"

namespace glint {
namespace {

constexpr int64_t kMemoryBytes = int64_t(64) << 20;
constexpr int64_t kMemoryPiece = int64_t(1) << 20;
constexpr int64_t kCacheBytes = int64_t(128) << 10;  ///< of each of the two that are copied
constexpr int kCopiesInCache = 200;
constexpr int64_t kMatrix = 512;
constexpr int kRuns = 7;

/// Seconds of the fastest run; the first, which touches memory and makes code, does not count.
template <class Work>
double fastest(const Work& work) {
  work();
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < kRuns; ++i) {
    auto start = std::chrono::steady_clock::now();
    work();
    std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    least = std::min(least, spent.count());
  }
  return least;
}

double memory_rate() {
  std::vector<std::byte> from(kMemoryBytes, std::byte{1}), to(kMemoryBytes);
  double seconds = fastest([&] {
    parallel_for(0, kMemoryBytes, kMemoryPiece, [&](int64_t begin, int64_t end) {
      std::memcpy(to.data() + begin, from.data() + begin, static_cast<size_t>(end - begin));
    });
  });
  return 2.0 * kMemoryBytes / seconds;
}

double cache_rate(int threads) {
  std::vector<std::byte> memory(static_cast<size_t>(2 * kCacheBytes * threads), std::byte{1});
  double seconds = fastest([&] {
    parallel_for(0, threads, 1, [&](int64_t begin, int64_t end) {
      for (int64_t part = begin; part < end; ++part) {
        std::byte* from = memory.data() + part * 2 * kCacheBytes;
        std::byte* to = from + kCacheBytes;
        // There and back, so that no copy is one that need not be done.
        for (int i = 0; i < kCopiesInCache; ++i)
          std::memcpy(i % 2 ? from : to, i % 2 ? to : from, kCacheBytes);
      }
    });
  });
  return 2.0 * kCacheBytes * kCopiesInCache * threads / seconds;
}

double peak_rate() {
  std::vector<float> a(kMatrix * kMatrix, 1.0F), b(a), c(a);
  GemmProblem problem;
  problem.m = problem.n = problem.k = kMatrix;
  problem.a = {a.data(), kMatrix, 1};
  problem.b = {b.data(), kMatrix, 1};
  problem.c = {c.data(), kMatrix, 1};
  return 2.0 * kMatrix * kMatrix * kMatrix / fastest([&] { gemm(problem); });
}

}  // namespace

const MachineRates& machine_rates() {
  static std::map<int, MachineRates> kept;
  const int threads = num_threads();
  MachineRates& rates = kept[threads];
  if (rates.peak == 0.0) rates = {memory_rate(), cache_rate(threads), peak_rate(), threads};
  return rates;
}

}  // namespace glint
