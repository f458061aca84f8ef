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
  for (double rate : {alone.memory, alone.cache, alone.peak}) {
    CHECK(rate > 1e8);
    CHECK(rate < 1e14);
  }
  const MachineRates first = alone;
  CHECK(machine_rates().peak == first.peak);
  set_num_threads(2);
  CHECK(machine_rates().threads == 2);
  set_num_threads(1);
  CHECK(machine_rates().memory == first.memory);
  set_num_threads(before);
}

}  // namespace
}  // namespace glint
