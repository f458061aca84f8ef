// What went wrong in a launch: the first fault of the lowest block, with its place.
//
//     scale.cu:7: out of bounds: an access of 4 bytes reads byte 4096 of `x`, which has 4096
//         out[i] = x[i];
//       thread (0, 0, 0) of block (4, 0, 0) of `scale`, ld.global.f32, line 41 of the PTX
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "backends/cuda/simulator/module.h"
#include "backends/cuda/simulator/source_trail.h"

namespace glint::simulator {

enum class FaultKind : uint8_t {
  kOutOfBounds,    ///< an access outside every buffer, or a write to constant memory
  kMisaligned,     ///< an address that is no multiple of the access' size
  kRace,           ///< two threads at one byte of shared memory, one writing, no barrier between
  kUninitialised,  ///< a read of shared memory that nobody wrote
  kBarrier,        ///< a barrier or warp exchange that not all reach
  kTrap,           ///< the kernel's own `trap`
  kAssert,         ///< the kernel's own `assert`
  kEndless,        ///< the limit of instructions is reached
};
std::string_view fault_name(FaultKind kind);

/// A place in a grid or a block.
using Index3 = std::array<uint32_t, 3>;

struct Fault {
  FaultKind kind = FaultKind::kTrap;
  std::string message;
  Index3 block = {};
  Index3 thread = {};
  std::string kernel;
  std::string opcode;  ///< `ld.global.f32`
  Place place;         ///< in the PTX text
  SourceTrail at;

  /// Message and place, as above; the message alone of what no instruction is to blame for.
  std::string text() const;
};

}  // namespace glint::simulator
