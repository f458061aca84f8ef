// Library steps of a schedule: the operator's own eager kernel, on the schedule's memory.
#pragma once

#include <functional>
#include <span>

#include "backends/backend.h"

namespace glint {

/// Calls the operator `call.target` and leaves its results in the ready outputs. `tensor` gives the
/// tensor on a schedule's memory. Returns what went wrong, if something did.
RunStatus call_library(const LibraryCall& call, std::span<const int64_t> symbols,
                       const std::function<Tensor(TensorId)>& tensor);

}  // namespace glint
