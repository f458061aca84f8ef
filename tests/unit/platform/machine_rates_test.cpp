#include "core/platform/machine_rates.h"

#include <catch2/catch.hpp>

#include "core/support/thread_pool.h"

namespace glint {
namespace {

TEST_CASE("the machine is measured once for each number of threads") {
  const int before = num_threads();
  set_num_threads(1);
  const MachineRates& alone = machine_rates();
  CHECK(alone.threads == 1);
  // No machine on which this runs copies less than a hundred megabytes a second, or multiplies as
  // slowly; none keeps a hundred terabytes a second.
  CHECK(alone.peak > 1e8);
  CHECK(alone.peak < 1e14);
  REQUIRE(alone.bandwidths.size() >= 2);
  for (size_t i = 0; i < alone.bandwidths.size(); ++i) {
    CHECK(alone.bandwidths[i].rate > 1e8);
    CHECK(alone.bandwidths[i].rate < 1e14);
    if (i == 0) continue;
    CHECK(alone.bandwidths[i - 1].bytes < alone.bandwidths[i].bytes);
    CHECK(alone.bandwidths[i - 1].rate >= alone.bandwidths[i].rate);
  }
  const MachineRates first = alone;
  CHECK(machine_rates().peak == first.peak);
  set_num_threads(2);
  CHECK(machine_rates().threads == 2);
  set_num_threads(1);
  CHECK(machine_rates().bandwidths.back().rate == first.bandwidths.back().rate);
  const MachineRates& again = measure_again();
  CHECK(again.peak >= first.peak);
  for (size_t i = 0; i < first.bandwidths.size(); ++i)
    CHECK(again.bandwidths[i].rate >= first.bandwidths[i].rate);
  set_num_threads(before);
}

}  // namespace
}  // namespace glint
