// Runs a kernel on the simulated device.
//
//     Memory memory;
//     const uint64_t x = memory.add("x", host_x, 4096);
//     Result<LoadedModule> module = LoadedModule::load(ptx, memory);
//     Result<Program> scale = module->program("scale");
//     Launch launch{.grid = {4}, .block = {256}, .arguments = {argument(x), argument(1024)}};
//     Result<LaunchResult> result = run(*scale, memory, launch);
//     if (result->fault) fmt::print("{}", result->fault->text());
//
// Blocks are independent and run on all cores, unless the kernel may have them meet in global
// memory: then they run in order, so that results are the same each time (grid_runner.h). The warps
// of a block take turns, each until it waits at a barrier.
#pragma once

#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/cuda/simulator/counts.h"
#include "backends/cuda/simulator/fault.h"
#include "backends/cuda/simulator/memory.h"
#include "backends/cuda/simulator/occupancy.h"
#include "backends/cuda/simulator/program.h"
#include "backends/cuda/simulator/warp.h"

namespace glint::simulator {

class ReachedBytes;

/// The bytes of one kernel argument.
using Argument = std::vector<std::byte>;
template <class T>
Argument argument(const T& value) {
  Argument bytes(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

struct Launch {
  Extent3 grid = {};
  Extent3 block = {};
  uint32_t dynamic_shared = 0;
  std::vector<Argument> arguments = {};
  /// What the buffers are called whose addresses arguments are, by these, for messages.
  std::map<uint64_t, std::string> buffers = {};
};

struct LaunchOptions {
  bool check_shared = true;  ///< races and uninitialised reads of shared memory
  bool check_races = true;   ///< of these two, the races
  /// Whether a barrier is at fault where a thread has ended without reaching it. Without, it waits
  /// for the others only, as the hardware does.
  bool ended_threads_miss = true;
  uint64_t block_budget = 1ull << 32;  ///< instructions of warps, until a block counts as endless
  /// The same of blocks that do nothing but look at memory: they count as ones that wait for ever.
  uint64_t quiet_budget = 1ull << 27;
  ReachedBytes* reached = nullptr;  ///< where its bytes of global memory are noted, if anywhere
};

struct LaunchReport {
  std::vector<Counts> counts;  ///< beside the program's code
  Occupancy occupancy;
  Counts total;
};

struct LaunchResult {
  LaunchReport report;
  std::optional<Fault> fault;
  std::string printed;  ///< by the blocks up to the one at fault; see system_calls.h
};

inline uint64_t block_count(const Launch& launch) {
  return uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
}
/// How many of its blocks a multiprocessor holds at once, by what the text asks for.
Occupancy occupancy_of(const Program& program, const Launch& launch);
/// Checks a launch's sizes and arguments, and lays the arguments out as the kernel reads them.
Result<std::vector<std::byte>> check_launch(const Program& program, const Launch& launch);

/// The error says what is wrong with the launch itself: sizes, arguments. Where the user asks for
/// an end first (`interruption::requested`) a result says how far it came.
Result<LaunchResult> run(const Program& program, const Memory& memory, const Launch& launch,
                         const LaunchOptions& options = {});

/// A module whose variables have their place in a memory, for as long as it lives.
class LoadedModule {
 public:
  /// What is wrong is told with lines of the source that the PTX was made of, if it is given.
  static Result<LoadedModule> load(std::string_view ptx, Memory& memory, SourceText source = {});
  LoadedModule(LoadedModule&&) = default;
  LoadedModule& operator=(LoadedModule&&) = delete;
  ~LoadedModule();

  Result<Program> program(std::string_view entry) const {
    return link_program(module_, entry, addresses_);
  }
  const Module& module() const { return module_; }
  /// The device address of a variable in global or constant memory.
  std::optional<uint64_t> address(std::string_view variable) const;

 private:
  LoadedModule(Module module, Memory& memory);

  Module module_;
  Memory* memory_;
  VariableAddresses addresses_;
  std::vector<std::unique_ptr<std::byte[]>> bytes_;
};

}  // namespace glint::simulator
