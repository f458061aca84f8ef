#include "runtime/device/joins.h"

#include <vector>

#include "backends/cuda/kernels/part_copies.h"
#include "core/tensor/views.h"
#include "ops/call.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "runtime/device/one_operator.h"

namespace glint::device {
namespace {

using ops::Arguments;
using ops::OpEntry;
using ops::Outputs;

/// Tensors for which a kernel is generated: of more there would be one for each count, and for each
/// way in which some are as large as others.
constexpr size_t kMostGenerated = 4;

bool joins_many(Arguments arguments) {
  return arguments[0].list().size() > kMostGenerated;
}

}  // namespace

Outputs cat(const OpEntry& entry, Arguments arguments) {
  if (!joins_many(arguments)) return run_operator(entry, arguments);
  const TensorType type = ops::infer(entry, ops::infer_arguments(arguments))[0];
  Tensor out = Tensor::empty(ops::constant_dims(type.sizes), type.dtype, Device::cuda());
  const int64_t dim =
      ops::wrap_dim(ops::as_constant(ops::argument(entry, arguments, "dim")), type.rank());
  std::vector<cuda::PartCopy> parts;
  int64_t at = 0;
  for (const ops::Argument& item : arguments[0].list()) {
    const Tensor& tensor = item.tensor();
    if (tensor.numel() == 0 && tensor.rank() == 1) continue;  // joins with anything
    parts.push_back({slice(out, dim, at, at + tensor.size(dim)), tensor});
    at += tensor.size(dim);
  }
  cuda::copy_parts(parts);
  return out;
}

Outputs cat_of_views(const OpEntry& entry, Arguments arguments) {
  if (!joins_many(arguments)) return run_operator(entry, arguments);
  return ops::run_decomposition(entry, with_operands_near(arguments, Device::cuda()));
}

}  // namespace glint::device
