#include "runtime/device/product_sums.h"

#include <optional>
#include <string_view>
#include <vector>

#include "backends/cuda/matrix_product.h"
#include "core/tensor/accelerator.h"
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
  Tensor result;
  Tensor out;  ///< the same as a matrix
  Tensor added;
  Tensor left;
  Tensor right;
};

bool multiplies(const Tensor& left, const Tensor& right, int64_t rank) {
  return left.rank() == rank && right.rank() == rank && left.size(-1) == right.size(-2) &&
         (rank == 2 || left.size(0) == right.size(0)) && is_floating(left.dtype()) &&
         left.dtype() == right.dtype();
}

/// Nothing where the operator's own rules have something to say.
std::optional<ProductSum> sum_of(const OpEntry& entry, const Tensor& input, Arguments arguments) {
  const std::string_view name = entry.name;
  const bool is_column = name == "addmv";
  const auto as_matrix = [is_column](const Tensor& tensor) {
    return is_column ? unsqueeze(tensor, 1) : tensor;
  };
  const Tensor &left = arguments[1].tensor(), &given = arguments[2].tensor();
  if (is_column && given.rank() != 1) return std::nullopt;
  const Tensor right = as_matrix(given);
  if (!multiplies(left, right, name == "baddbmm" ? 3 : 2) || input.dtype() != left.dtype())
    return std::nullopt;
  Dims sizes(left.sizes());
  if (is_column)
    sizes.erase(1);
  else
    sizes[sizes.size() - 1] = right.size(-1);
  const auto common = broadcast_sizes(input.sizes(), sizes);
  if (!common || !same_dims(*common, sizes)) return std::nullopt;
  const Tensor result = Tensor::empty(sizes, left.dtype(), left.device());
  return ProductSum{result, as_matrix(result), as_matrix(expand(input, sizes)), left, right};
}

}  // namespace

ops::Outputs add_product(const OpEntry& entry, Arguments arguments) {
  const Device device = arguments[1].tensor().device();
  // Others of the processor than those without dimensions were refused before.
  const Tensor input = to_device(arguments[0].tensor(), device);
  const std::optional<ProductSum> sum = sum_of(entry, input, arguments);
  if (!sum) {
    const DefaultDeviceScope scope(device);
    std::vector<ops::Argument> near(arguments.begin(), arguments.end());
    near[0] = input;
    return run_operator(entry, near);
  }
  const auto factor = [&](std::string_view name) {
    return ops::as_scalar(ops::argument(entry, arguments, name)).as_double();
  };
  const double beta = factor("beta");
  cuda::multiply(
      sum->left, sum->right, sum->out,
      {.added = beta != 0 ? &sum->added : nullptr, .alpha = factor("alpha"), .beta = beta});
  return sum->result;
}

}  // namespace glint::device
