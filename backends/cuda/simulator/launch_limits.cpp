#include "backends/cuda/simulator/launch_limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/simulator/launch.h"

namespace glint::simulator {
namespace {

constexpr uint32_t kMostThreads = 1024;
constexpr Extent3 kMostBlock = {1024, 1024, 64};
constexpr Extent3 kMostGrid = {0x7fffffff, 65535, 65535};
constexpr uint32_t kMostStaticShared = 48 * 1024;
/// What an assembler gives a thread at most; what the text asks for beyond lies in local memory.
constexpr uint32_t kMostRegisters = 255;

std::string text(const Extent3& extent) {
  return fmt::format("({}, {}, {})", extent.x, extent.y, extent.z);
}

std::optional<Error> check_extent(const Program& program, std::string_view what,
                                  const Extent3& extent, const Extent3& most) {
  for (size_t axis = 0; axis < 3; ++axis) {
    if (extent[axis] != 0 && extent[axis] <= most[axis]) continue;
    return Error{fmt::format("`{}` cannot be launched with a {} of {}: its {} goes from 1 to {}",
                             program.name, what, text(extent), "xyz"[axis], most[axis])};
  }
  return std::nullopt;
}

std::optional<Error> check_bounds(const Program& program, const Extent3& block) {
  const LaunchBounds& bounds = program.bounds;
  const Extent3 required = {bounds.required[0], bounds.required[1], bounds.required[2]};
  if (required.x != 0 && block != required) {
    return Error{fmt::format("`{}` cannot be launched with a block of {}: it is made for one of {}",
                             program.name, text(block), text(required))};
  }
  if (bounds.most_threads != 0 && block.total() > bounds.most_threads) {
    return Error{
        fmt::format("a block of `{}` has {} threads, of which its __launch_bounds__ allow "
                    "{}",
                    program.name, block.total(), bounds.most_threads)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> check_launch_sizes(const Program& program, const Launch& launch) {
  if (auto error = check_extent(program, "grid", launch.grid, kMostGrid)) return error;
  if (auto error = check_extent(program, "block", launch.block, kMostBlock)) return error;
  const uint32_t threads = launch.block.total();
  if (threads > kMostThreads) {
    return Error{fmt::format("a block of `{}` has {} threads, of which there can be {}",
                             program.name, threads, kMostThreads)};
  }
  if (auto error = check_bounds(program, launch.block)) return error;
  const uint64_t shared = uint64_t{program.shared_bytes} + launch.dynamic_shared;
  const Architecture& architecture = find_architecture(program.target);
  if (shared > architecture.block_shared_bytes) {
    return Error{
        fmt::format("a block of `{}` asks for {} bytes of shared memory, of which {} has {}",
                    program.name, shared, architecture.name, architecture.block_shared_bytes)};
  }
  return std::nullopt;
}

std::optional<Error> check_registers(const Program& program, const Launch& launch,
                                     uint32_t registers) {
  const LaunchBounds& bounds = program.bounds;
  if (bounds.most_threads != 0 || bounds.required[0] != 0) return std::nullopt;
  registers = std::min(registers, kMostRegisters);
  if (bounds.most_registers != 0) registers = std::min(registers, bounds.most_registers);
  const Architecture& architecture = find_architecture(program.target);
  const uint32_t threads = launch.block.total();
  const Occupancy fits = occupancy(architecture, {.threads = threads, .registers = registers});
  if (fits.blocks != 0 || fits.limit != "registers") return std::nullopt;
  return Error{
      fmt::format("too many resources requested for launch: `{}` needs {} registers a "
                  "thread, and {} threads of a block have {} in all; __launch_bounds__({}) "
                  "makes them fit",
                  program.name, registers, threads, architecture.registers, threads)};
}

std::optional<Error> check_static_shared(std::string_view entry, uint64_t bytes) {
  if (bytes <= kMostStaticShared) return std::nullopt;
  return Error{fmt::format("Entry function '{}' uses too much shared data ({:#x} bytes, {:#x} max)",
                           entry, bytes, kMostStaticShared)};
}

}  // namespace glint::simulator
