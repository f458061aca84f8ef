// What a region ran on, as it was: for `:diverge` and `:step`, which run it again.
#pragma once

#include <utility>
#include <vector>

#include "backends/backend.h"
#include "core/tensor/copy.h"
#include "runtime/capture/region.h"

namespace glint {

/// A run of it may write what the region writes: those are copies.
struct KeptInputs {
  std::vector<Tensor> written;
  std::vector<RunInput> inputs;

  explicit KeptInputs(const capture::LastRun& on) {
    written.reserve(on.written.size());
    for (const Tensor& input : on.inputs) inputs.push_back({&input.impl(), nullptr});
    for (const auto& [number, before] : on.written) {
      written.push_back(clone(before));
      inputs[number].tensor = &written.back().impl();
    }
    for (const double& number : on.numbers) inputs.push_back({nullptr, &number});
  }
};

}  // namespace glint
