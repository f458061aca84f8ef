// Whether tensors are equal or close: element by element, or as a whole.
//
//     isclose(x, y)      out[i] = x[i] == y[i] or |x[i] - y[i]| <= atol + rtol * |y[i]|
//     allclose(x, y)     whether that holds everywhere: True or False
#include <fmt/format.h>

#include "ops/families.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

void check_tolerance(std::string_view name, double tolerance) {
  if (tolerance >= 0) return;
  throw OpError{"RuntimeError", fmt::format("{} must be greater than or equal to zero, but got {}",
                                            name, tolerance)};
}

std::vector<OpValue> is_close(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor(), y = arguments[1].tensor();
  double relative = as_float(arguments[2]), absolute = as_float(arguments[3]);
  DType dtype = b.dtype(x);
  if (dtype != b.dtype(y))
    throw OpError{"RuntimeError", fmt::format("{} did not match {}", scalar_type_name(dtype),
                                              scalar_type_name(b.dtype(y)))};
  check_tolerance("rtol", relative);
  check_tolerance("atol", absolute);
  OpValue close = b.equal(x, y);
  if (as_bool(arguments[4]) && is_floating(dtype)) {
    OpValue both_nan = b.call("logical_and", {b.call("isnan", {x}), b.call("isnan", {y})});
    close = b.call("logical_or", {close, both_nan});
  }
  if (relative == 0 && absolute == 0) return {close};
  if (!is_floating(dtype)) {
    x = b.to(x, default_dtype());
    y = b.to(y, default_dtype());
  }
  OpValue allowed = b.add(b.call("abs", {b.multiply(y, relative)}), absolute);
  OpValue apart = b.call("abs", {b.subtract(x, y)});
  OpValue near =
      b.call("logical_and", {b.call("isfinite", {apart}), b.call("less_equal", {apart, allowed})});
  return {b.call("logical_or", {close, near})};
}

std::vector<OpValue> all_close(OpBuilder& b, OpArguments arguments) {
  std::vector<OpArgument> same(arguments.begin(), arguments.end());
  return {b.call("all", {b.call("isclose", std::move(same))})};
}

std::vector<OpValue> same_elements(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor(), y = arguments[1].tensor();
  auto left = b.sizes(x), right = b.sizes(y);
  bool same_sizes = left.size() == right.size();
  for (size_t i = 0; same_sizes && i < left.size(); ++i)
    same_sizes = decide_equal(left[i], right[i]);
  if (!same_sizes) return {b.full({}, false, DType::kBool)};
  return {b.call("all", {b.equal(x, y)})};
}

constexpr OpEntry kEntries[] = {
    {
        .name = "isclose",
        .signature = "isclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = "
                     "1e-08, equal_nan: bool = False) -> Tensor",
        .torch = "isclose",
        .method = "isclose",
        .doc = "True where the elements differ by no more than atol + rtol * abs(other).",
        .decomposition = is_close,
        .samples = same_shape_samples,
    },
    {
        .name = "allclose",
        .signature = "allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = "
                     "1e-08, equal_nan: bool = False) -> bool",
        .torch = "allclose",
        .method = "allclose",
        .doc = "Whether all elements are close, as isclose says.",
        .decomposition = all_close,
        .output_form = OutputForm::kTruth,
        .samples = same_shape_samples,
    },
    {
        .name = "same_elements",
        .signature = "equal(input: Tensor, other: Tensor) -> bool",
        .torch = "equal",
        .method = "equal",
        .doc = "Whether two tensors have the same sizes and elements.",
        .decomposition = same_elements,
        .output_form = OutputForm::kTruth,
        .samples = same_shape_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> closeness_entries() {
  return kEntries;
}

}  // namespace glint::ops
