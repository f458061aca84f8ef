// The estimate of what a launch costs a GPU: by whichever of its parts is the narrowest.
#include <catch2/catch.hpp>

#include "backends/cuda/simulator/estimate.h"

namespace glint::simulator {
namespace {

/// 1080 blocks of 256 threads: ten of 108 multiprocessors each, which holds eight at once.
double cycles_of(const Counts& total, uint32_t blocks = 1080) {
  LaunchReport report;
  report.total = total;
  report.occupancy.blocks = 8;
  return estimated_cycles({.grid = {blocks}, .block = {256}}, report);
}

TEST_CASE("a launch costs what the busiest multiprocessor needs") {
  const uint64_t warps = 1080 * 8;
  // The 80 warps of a multiprocessor do 1000 instructions each, 4 a cycle.
  CHECK(cycles_of({.executed = warps * 1000}) == Approx(80 * 1000 / 4.0));
  // All sectors together, where each multiprocessor has few.
  CHECK(cycles_of({.sectors = 34000}) == Approx(1000));
  CHECK(cycles_of({.shared_passes = 108 * 700}) == Approx(700));
  // Two rounds of blocks, whose warps wait for ten accesses each.
  CHECK(cycles_of({.requests = warps * 10}) == Approx(2 * 10 * 100));
}

TEST_CASE("a block more than there are multiprocessors costs as much as another round of them") {
  CHECK(cycles_of({.shared_passes = 108 * 700}, 108) == Approx(700));
  CHECK(cycles_of({.shared_passes = 109 * 700}, 109) == Approx(2 * 700));
}

}  // namespace
}  // namespace glint::simulator
