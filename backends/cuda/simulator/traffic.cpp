#include "backends/cuda/simulator/traffic.h"

#include <algorithm>
#include <array>

#include "backends/cuda/simulator/instruction.h"

namespace glint::simulator {
namespace {

constexpr uint32_t kBanks = 32;
constexpr uint32_t kSectorBits = 5;

/// The values of some lanes, in ascending order.
struct Sorted {
  std::array<uint64_t, kLanes> values;
  uint32_t count = 0;

  void add(uint64_t value) { values[count++] = value; }
  void sort() {
    if (!std::is_sorted(values.begin(), values.begin() + count)) {
      std::sort(values.begin(), values.begin() + count);
    }
  }
};

/// Turns for the lanes of one group: the most words that one bank is asked for. One that several
/// lanes read counts once, unless each is to have it alone.
uint32_t turns(const Sorted& addresses, uint32_t words_each, bool alone) {
  std::array<uint8_t, kBanks> asked = {};
  uint64_t before = ~0ull;
  uint32_t most = 0;
  for (uint32_t i = 0; i < addresses.count; ++i) {
    const uint64_t first = addresses.values[i] / 4;
    if (first == before && !alone) continue;
    before = first;
    for (uint32_t k = 0; k < words_each; ++k) {
      const uint32_t here = ++asked[(first + k) % kBanks];
      most = std::max(most, here);
    }
  }
  return most;
}

}  // namespace

GlobalTraffic global_traffic(const uint64_t* addresses, uint32_t mask, uint32_t size) {
  Sorted sorted;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if ((mask >> lane & 1) != 0) sorted.add(addresses[lane]);
  }
  sorted.sort();
  GlobalTraffic traffic;
  uint64_t before = ~0ull;
  for (uint32_t i = 0; i < sorted.count; ++i) {
    const uint64_t address = sorted.values[i];
    traffic.bytes += address != before ? size : 0;
    traffic.sectors += (i == 0 || address >> kSectorBits != before >> kSectorBits) ? 1 : 0;
    before = address;
  }
  return traffic;
}

SharedTraffic shared_traffic(const uint64_t* addresses, uint32_t mask, uint32_t size, bool alone) {
  const uint32_t words_each = std::max(size / 4, 1u);
  const uint32_t group = kLanes / words_each;
  SharedTraffic traffic;
  for (uint32_t first = 0; first < kLanes; first += group) {
    Sorted sorted;
    for (uint32_t lane = first; lane < first + group; ++lane) {
      if ((mask >> lane & 1) != 0) sorted.add(addresses[lane]);
    }
    if (sorted.count == 0) continue;
    sorted.sort();
    traffic.passes += turns(sorted, words_each, alone);
    ++traffic.least;
  }
  return traffic;
}

}  // namespace glint::simulator
