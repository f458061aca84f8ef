#include "runtime/device/product_sums.h"

#include <optional>
#include <string_view>
#include <vector>

#include "backends/cuda/kernels/matrix_product.h"
#include "core/tensor/accelerator.h"
#include "core/tensor/copy.h"
#include "core/tensor/views.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "runtime/device/one_operator.h"

namespace glint::device {
namespace {

using ops::Arguments;
using ops::OpEntry;

/// A sum's tensors as matrices, or batches of them; the product of a vector is a column.
struct ProductSum {
  Dims sizes;  ///< of the result
  Tensor added;
  Tensor left;
  Tensor right;
};

bool multiplies(const Tensor& left, const Tensor& right, int64_t rank) {
  return left.rank() == rank && right.rank() == rank && left.size(-1) == right.size(-2) &&
         (rank == 2 || left.size(0) == right.size(0)) && is_floating(left.dtype()) &&
         left.dtype() == right.dtype();
}

bool is_column(const OpEntry& entry) {
  return std::string_view(entry.name) == "addmv";
}
Tensor as_matrix(const OpEntry& entry, const Tensor& tensor) {
  return is_column(entry) ? unsqueeze(tensor, 1) : tensor;
}

/// What is added, where the product is. Others of the processor than those without dimensions were
/// refused before.
Tensor added_of(Arguments arguments) {
  return to_device(arguments[0].tensor(), arguments[1].tensor().device());
}

/// Nothing where the operator's own rules have something to say.
std::optional<ProductSum> sum_of(const OpEntry& entry, Arguments arguments) {
  const Tensor input = added_of(arguments);
  const Tensor &left = arguments[1].tensor(), &given = arguments[2].tensor();
  if (is_column(entry) && given.rank() != 1) return std::nullopt;
  const Tensor right = as_matrix(entry, given);
  const bool is_batch = std::string_view(entry.name) == "baddbmm";
  if (!multiplies(left, right, is_batch ? 3 : 2) || input.dtype() != left.dtype())
    return std::nullopt;
  Dims sizes(left.sizes());
  if (is_column(entry))
    sizes.erase(1);
  else
    sizes[sizes.size() - 1] = right.size(-1);
  const auto common = broadcast_sizes(input.sizes(), sizes);
  if (!common || !same_dims(*common, sizes)) return std::nullopt;
  return ProductSum{sizes, as_matrix(entry, expand(input, sizes)), left, right};
}

void write_sum(const OpEntry& entry, Arguments arguments, const ProductSum& sum,
               const Tensor& out) {
  const auto factor = [&](std::string_view name) {
    return ops::as_scalar(ops::argument(entry, arguments, name)).as_double();
  };
  const double beta = factor("beta");
  cuda::multiply(
      sum.left, sum.right, as_matrix(entry, out),
      {.added = beta != 0 ? &sum.added : nullptr, .alpha = factor("alpha"), .beta = beta});
}

}  // namespace

ops::Outputs add_product(const OpEntry& entry, Arguments arguments) {
  const Device device = arguments[1].tensor().device();
  if (const std::optional<ProductSum> sum = sum_of(entry, arguments)) {
    const Tensor result = Tensor::empty(sum->sizes, sum->left.dtype(), device);
    write_sum(entry, arguments, *sum, result);
    return result;
  }
  const DefaultDeviceScope scope(device);
  std::vector<ops::Argument> near(arguments.begin(), arguments.end());
  near[0] = added_of(arguments);
  return run_operator(entry, near);
}

void add_product_into(const OpEntry& entry, Arguments arguments, std::span<const Tensor> outputs) {
  const std::optional<ProductSum> sum = sum_of(entry, arguments);
  if (sum && outputs[0].is_contiguous())
    write_sum(entry, arguments, *sum, outputs[0]);
  else
    copy(outputs[0], add_product(entry, arguments)[0]);
}

bool add_product_over(const OpEntry& entry, Arguments arguments) {
  const Tensor& target = arguments[0].tensor();
  const std::optional<ProductSum> sum = sum_of(entry, arguments);
  if (!sum || !target.is_contiguous() || !same_dims(target.sizes(), sum->sizes)) return false;
  write_sum(entry, arguments, *sum, target);
  return true;
}

}  // namespace glint::device
