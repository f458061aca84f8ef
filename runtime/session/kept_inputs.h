// What a region ran on, as it was: for `:diverge` and `:step`, which run it again.
//
//     KeptInputs given(run.on);                                        // where the region ran
//     KeptInputs given(run.on, KeptInputs::Place::kProcessor);         // for the reference backend
//     executable.run(given.inputs, run.on.symbols, outputs);
//     given.write(outputs);
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "backends/backend.h"
#include "runtime/capture/region.h"

namespace glint {

/// A run of it may write what the region writes: those are copies.
struct KeptInputs {
  enum class Place : uint8_t { kWhereItRan, kProcessor };

  std::vector<Tensor> held;  ///< what the inputs are, or copies
  std::vector<RunInput> inputs;

  explicit KeptInputs(const capture::LastRun& on, Place place = Place::kWhereItRan);

  /// What the region does last: the new values of inputs go there, where outputs that are views of
  /// them see it.
  void write(std::span<const Tensor> outputs);

 private:
  std::vector<std::pair<uint32_t, uint32_t>>
      updates_;  ///< an input, and the output that it becomes
};

}  // namespace glint
