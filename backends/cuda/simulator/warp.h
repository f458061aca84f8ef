// The state of a running block: its warps, each with 32 lanes' registers and the stack by which
// lanes that a branch parted meet again, and the memory they share.
//
// A warp runs the lanes of `active` from `pc` on. Where they part, the stack takes what has to
// wait:
//
//     @%p1 bra A          lanes 0-15 go to A; the join is J
//     stack: {J, lanes 0-31}, {behind the branch, lanes 16-31, until J};  now: A, lanes 0-15, until
//     J
//
// and whenever `pc` is the place that the present lanes run until, the last entry is taken back.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "backends/cuda/simulator/counts.h"
#include "backends/cuda/simulator/fault.h"
#include "backends/cuda/simulator/instruction.h"
#include "backends/cuda/simulator/memory.h"
#include "backends/cuda/simulator/part_barriers.h"
#include "backends/cuda/simulator/undefined_values.h"

namespace glint::simulator {

struct Block;
class ReachedBytes;
class SharedChecks;
struct Program;

enum class WarpState : uint8_t { kRunning, kAtBarrier, kDone, kFaulted };

/// What becomes of the predicates that threads bring to a barrier (`__syncthreads_count`).
enum class Vote : uint8_t { kNone, kCount, kAll, kAny };

struct Waiting {
  uint32_t pc;
  uint32_t lanes;
  uint32_t until;
};

struct Warp {
  std::byte* registers = nullptr;
  Block* block = nullptr;
  uint32_t index = 0;  ///< in the block
  uint32_t pc = 0;
  uint32_t active = 0;
  uint32_t until = kNowhere;
  uint32_t born = 0;   ///< lanes that there are: the last warp may have fewer
  uint32_t alive = 0;  ///< of these, those that have not ended
  uint32_t carry = 0;  ///< of arithmetic over several words, a bit a lane
  WarpState state = WarpState::kRunning;
  uint32_t barrier = 0;        ///< the one it waits at
  uint32_t barrier_count = 0;  ///< how many threads that takes; 0: all of the block
  Vote vote = Vote::kNone;     ///< what it waits for there
  uint32_t voters = 0;         ///< the lanes that brought a predicate
  uint32_t votes = 0;          ///< those of which it is true
  uint64_t executed = 0;       ///< instructions since the block began
  uint64_t polls = 0;          ///< looks at memory, by which it may wait for others
  uint32_t epoch = 0;          ///< how often the warp's lanes have synchronised; see warp_clocks.h
  std::vector<Waiting> stack;
  UndefinedValues undefined;  ///< in its registers

  template <class T>
  T* lanes(uint32_t offset) {
    return reinterpret_cast<T*>(registers + offset);
  }
  /// A predicate: a bit a lane.
  uint32_t& predicate(uint32_t offset) { return *lanes<uint32_t>(offset); }
  void set_predicate(uint32_t offset, uint32_t value, uint32_t mask) {
    uint32_t& bits = predicate(offset);
    bits = (bits & ~mask) | (value & mask);
  }
  /// Writes the lanes of `mask`.
  template <class T>
  void write(uint32_t offset, const T* values, uint32_t mask) {
    T* to = lanes<T>(offset);
    if (mask == kAllLanes) {
      std::memcpy(static_cast<void*>(to), values, sizeof(T) * kLanes);
      return;
    }
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      if ((mask >> lane & 1) != 0) to[lane] = values[lane];
    }
  }

  /// Stops the launch: what `lane` met at the instruction.
  void fail(FaultKind kind, const Instruction& instruction, uint32_t lane, std::string message);
  /// A look at memory, by which it may wait for others.
  void poll(const Instruction& instruction, uint32_t mask);
  /// The number of an instruction in the program.
  uint32_t number_of(const Instruction& instruction) const;
  Counts& counts(const Instruction& instruction);
};

inline uint32_t first_lane(uint32_t mask) {
  return static_cast<uint32_t>(__builtin_ctz(mask));
}
inline uint32_t lane_count(uint32_t mask) {
  return static_cast<uint32_t>(__builtin_popcount(mask));
}

/// How many there are along each axis.
struct Extent3 {
  uint32_t x = 1, y = 1, z = 1;
  uint32_t operator[](size_t axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
  uint32_t total() const { return x * y * z; }
  bool operator==(const Extent3&) const = default;
};

/// Volatile reads, fences, and atomics that left memory as it was.
struct Poll {
  uint64_t count = 0;  ///< by the block so far
  const Instruction* instruction = nullptr;
  Warp* warp = nullptr;
  uint32_t lane = 0;
};

/// What the warps of a block share, and what is the block's own.
struct Block {
  const Program* program = nullptr;
  const Memory* memory = nullptr;
  const std::byte* parameters = nullptr;
  Index3 index = {};
  Extent3 size;
  Extent3 grid;
  std::vector<Warp> warps;
  std::vector<std::byte> shared;
  std::vector<std::byte> local;          ///< every thread's, one behind the other
  std::vector<Counts> counts;            ///< an entry an instruction
  std::unique_ptr<SharedChecks> checks;  ///< none: races and uninitialised reads are not looked for
  ReachedBytes* reached = nullptr;       ///< see LaunchOptions
  bool has_part_barriers = false;
  std::vector<Arrival> arrivals;  ///< at barriers for a part of the block
  std::optional<Fault> fault;
  std::string printed;                ///< by `printf`
  std::optional<uint32_t> unwritten;  ///< the byte of shared memory of an uninitialised read
  uint64_t budget = 0;                ///< instructions that the warps may still execute
  uint64_t changes = 0;               ///< of memory: what another thread may wait for
  Poll polled;                        ///< the last look at memory that a thread may wait with
  bool ended_threads_miss = true;     ///< see LaunchOptions

  uint32_t threads() const { return size.total(); }
  Index3 thread(uint32_t number) const {
    return {number % size.x, number / size.x % size.y, number / (size.x * size.y)};
  }
};

/// The warps at a barrier of predicates get what they wait for, before it lets them go.
void tell_votes(Block& block, std::span<Warp* const> warps);
/// Brings `pc` and `active` to what runs next, where lanes meet or have ended; false: none is left.
bool settle(Warp& warp);
/// Runs the warp until it ends, waits at a barrier, faults, or has run `slice` instructions.
void run_warp(Warp& warp, uint32_t slice);

}  // namespace glint::simulator
