#include "backends/cuda/simulator/stepper.h"

#include <fmt/format.h>

#include <cstring>

#include "backends/cuda/simulator/block_runner.h"

namespace glint::simulator {

Stepper::Stepper(const Program& program, std::vector<std::byte> parameters, uint32_t warp)
    : program_(program), parameters_(std::move(parameters)), warp_(warp) {}

Stepper::~Stepper() = default;

Result<std::unique_ptr<Stepper>> Stepper::make(const Program& program, const Memory& memory,
                                               const Launch& launch, const LaunchOptions& options,
                                               uint64_t block, uint32_t warp) {
  Result<std::vector<std::byte>> parameters = check_launch(program, launch);
  if (!parameters) return parameters.error();
  if (block >= block_count(launch) || warp * kLanes >= launch.block.total()) {
    return Error{fmt::format("`{}` has no warp {} in block {}", program.name, warp, block)};
  }
  std::unique_ptr<Stepper> stepper(new Stepper(program, std::move(*parameters), warp));
  stepper->runner_ =
      std::make_unique<BlockRunner>(program, memory, launch, options, stepper->parameters_);
  stepper->runner_->start(block);
  return stepper;
}

const Warp& Stepper::warp() const {
  return runner_->block().warps[warp_];
}

bool Stepper::step() {
  return runner_->step(warp_);
}

std::optional<uint32_t> Stepper::next() const {
  if (warp().state == WarpState::kDone || warp().state == WarpState::kFaulted) return std::nullopt;
  return warp().pc;
}

uint32_t Stepper::active() const {
  if (!next()) return 0;
  const Instruction& instruction = program_.code[warp().pc];
  const auto* guard = reinterpret_cast<const uint32_t*>(warp().registers + instruction.guard);
  return warp().active & (*guard ^ instruction.guard_flip);
}

const std::optional<Fault>& Stepper::fault() const {
  return runner_->block().fault;
}

uint64_t Stepper::bits(const Register& reg, uint32_t lane) const {
  const size_t width = size_of(reg.type);
  uint64_t bits = 0;
  if (reg.type == Type::kPred) {
    std::memcpy(&bits, warp().registers + reg.offset, width);
    return bits >> lane & 1;
  }
  std::memcpy(&bits, warp().registers + reg.offset + lane * width, width);
  return bits;
}

}  // namespace glint::simulator
