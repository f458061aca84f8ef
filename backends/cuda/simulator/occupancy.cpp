#include "backends/cuda/simulator/occupancy.h"

#include <algorithm>
#include <charconv>

namespace glint::simulator {
namespace {

constexpr Architecture kArchitectures[] = {
    {"sm_75", 32, 16, 65536, 65536, 65536},    {"sm_80", 64, 32, 65536, 167936, 166912},
    {"sm_86", 48, 16, 65536, 102400, 101376},  {"sm_87", 48, 16, 65536, 167936, 166912},
    {"sm_89", 48, 24, 65536, 102400, 101376},  {"sm_90", 64, 32, 65536, 233472, 232448},
    {"sm_100", 64, 32, 65536, 233472, 232448}, {"sm_120", 48, 24, 65536, 102400, 101376},
};

uint32_t number_of(std::string_view target) {
  const size_t digits = target.find_first_of("0123456789");
  uint32_t number = 0;
  if (digits != std::string_view::npos) {
    std::from_chars(target.data() + digits, target.data() + target.size(), number);
  }
  return number;
}

uint32_t round_up(uint32_t value, uint32_t unit) {
  return (value + unit - 1) / unit * unit;
}

// A multiprocessor hands out registers by 256 to a warp, shared memory by 128 bytes, and keeps 1
// KiB of it for each block.
constexpr uint32_t kRegisterUnit = 256;
constexpr uint32_t kSharedUnit = 128;
constexpr uint32_t kSharedReserved = 1024;
constexpr uint32_t kWarp = 32;
constexpr uint32_t kLeastRegisters = 16;

}  // namespace

const Architecture& find_architecture(std::string_view target) {
  const Architecture* found = &kArchitectures[0];
  for (const Architecture& row : kArchitectures) {
    if (number_of(row.name) <= number_of(target)) found = &row;
  }
  return *found;
}

Occupancy occupancy(const Architecture& architecture, const BlockNeeds& needs) {
  const uint32_t warps = std::max(round_up(needs.threads, kWarp) / kWarp, 1u);
  const uint32_t registers =
      round_up(std::max(needs.registers, kLeastRegisters) * kWarp, kRegisterUnit);
  const uint32_t shared = round_up(needs.shared_bytes + kSharedReserved, kSharedUnit);
  struct Limit {
    uint32_t blocks;
    std::string_view name;
  };
  const Limit limits[] = {
      {architecture.warps / warps, "warps"},
      {architecture.blocks, "blocks"},
      {architecture.registers / registers / warps, "registers"},
      {architecture.shared_bytes / shared, "shared memory"},
  };
  const Limit& least =
      *std::min_element(std::begin(limits), std::end(limits),
                        [](const Limit& a, const Limit& b) { return a.blocks < b.blocks; });
  Occupancy result;
  result.blocks = least.blocks;
  result.warps = least.blocks * warps;
  result.part = static_cast<double>(result.warps) / architecture.warps;
  result.limit = least.name;
  return result;
}

}  // namespace glint::simulator
