#include "core/platform/machine_rates.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "core/platform/gemm.h"
#include "core/support/thread_pool.h"

namespace glint {
namespace {

constexpr int64_t kKiB = int64_t(1) << 10, kMiB = int64_t(1) << 20;
/// For each thread: what its own caches hold, one after the other.
constexpr int64_t kThreadBytes[] = {32 * kKiB, 256 * kKiB, kMiB, 4 * kMiB};
/// For all: what they share, if anything.
constexpr int64_t kSharedBytes[] = {32 * kMiB, 128 * kMiB};
/// A run goes over what is small until it has moved so much.
constexpr int64_t kRunBytes = 32 * kMiB;
constexpr int64_t kMatrix = 512;
constexpr int kRuns = 5;

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

/// Of a loop by all threads, each over its own part of so many bytes: the better of a copy and of a
/// comparison, which reads both halves.
double bandwidth(int64_t bytes, int threads) {
  const auto half = static_cast<size_t>(bytes / threads / 2);
  const int64_t times = std::max<int64_t>(1, kRunBytes / bytes);
  std::vector<std::byte> memory(2 * half * static_cast<size_t>(threads), std::byte{1});
  const auto timed = [&](const auto& pass) {
    return fastest([&] {
      parallel_for(0, threads, 1, [&](int64_t begin, int64_t end) {
        for (int64_t part = begin; part < end; ++part) {
          std::byte* first = memory.data() + static_cast<size_t>(part) * 2 * half;
          for (int64_t i = 0; i < times; ++i) pass(first, first + half);
        }
      });
    });
  };
  std::atomic<bool> differ = false;
  const double copied = timed([&](std::byte* a, std::byte* b) { std::memcpy(b, a, half); });
  const double compared = timed([&](std::byte* a, std::byte* b) {
    if (std::memcmp(a, b, half) != 0) differ.store(true, std::memory_order_relaxed);
  });
  return static_cast<double>(memory.size()) * static_cast<double>(times) /
         std::min(copied, differ ? copied : compared);
}

std::vector<Bandwidth> bandwidths(int threads) {
  std::vector<Bandwidth> found;
  for (int64_t bytes : kThreadBytes) found.push_back({bytes * threads});
  for (int64_t bytes : kSharedBytes)
    if (bytes > found.back().bytes) found.push_back({bytes});
  for (Bandwidth& each : found) each.rate = bandwidth(each.bytes, threads);
  return found;
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

MachineRates& kept_rates() {
  static std::map<int, MachineRates> kept;
  return kept[num_threads()];
}

}  // namespace

const MachineRates& machine_rates() {
  const MachineRates& rates = kept_rates();
  return rates.threads == num_threads() && rates.peak > 0.0 ? rates : measure_again();
}

const MachineRates& measure_again() {
  MachineRates& rates = kept_rates();
  rates.threads = num_threads();
  rates.peak = std::max(rates.peak, peak_rate());
  std::vector<Bandwidth> found = bandwidths(rates.threads);
  for (size_t i = 0; i < rates.bandwidths.size(); ++i)
    found[i].rate = std::max(found[i].rate, rates.bandwidths[i].rate);
  // What fits a smaller cache is no slower there than in a larger one.
  for (size_t i = found.size() - 1; i > 0; --i)
    found[i - 1].rate = std::max(found[i - 1].rate, found[i].rate);
  rates.bandwidths = std::move(found);
  return rates;
}

}  // namespace glint
