// One warp of one block, an instruction at a time, with its lanes' registers to look at.
//
//     Result<std::unique_ptr<Stepper>> stepper = Stepper::make(program, memory, launch, {}, 0, 0);
//     while ((*stepper)->step()) show((*stepper)->next(), (*stepper)->active());
//
// The block's other warps run when this one waits at a barrier. Other blocks do not run: what they
// would have left in global memory is not there.
#pragma once

#include <memory>
#include <string>

#include "backends/cuda/simulator/launch.h"

namespace glint::simulator {

class BlockRunner;

class Stepper {
 public:
  /// For warp `warp` of block number `block`; the error is as that of `run`.
  static Result<std::unique_ptr<Stepper>> make(const Program& program, const Memory& memory,
                                               const Launch& launch, const LaunchOptions& options,
                                               uint64_t block, uint32_t warp);
  ~Stepper();

  /// Executes the next instruction; false when the warp has ended or is at fault.
  bool step();
  /// The number of the instruction that `step` executes next; nothing when the warp has ended.
  std::optional<uint32_t> next() const;
  /// The lanes that it executes, guard included.
  uint32_t active() const;
  const std::optional<Fault>& fault() const;

  /// A register's value in a lane; shown_values.h makes text of it.
  uint64_t bits(const Register& reg, uint32_t lane) const;

 private:
  Stepper(const Program& program, std::vector<std::byte> parameters, uint32_t warp);
  const Warp& warp() const;

  const Program& program_;
  std::vector<std::byte> parameters_;
  std::unique_ptr<BlockRunner> runner_;
  uint32_t warp_;
};

}  // namespace glint::simulator
