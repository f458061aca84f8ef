// Comparisons: operands are promoted to one dtype and compared there; the result is bool.
//
//     x < 0      out[i] = x[i] < 0      always false for NaN, but for `!=`
#include "ops/families.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

constexpr OpEntry kEntries[] = {
    {
        .name = "equal",
        .signature = "eq(input: Tensor, other: Tensor | Number) -> Tensor",
        .torch = "eq",
        .method = "eq",
        .operators = "__eq__",
        .doc = "True where the elements are equal.",
        .dtype_rule = DTypeRule::kBool,
        .lowering = Pointwise{ScalarFunction::kEqual},
        .forms = Forms::kInPlaceAndOut,
        .samples = binary_samples,
    },
    {
        .name = "not_equal",
        .signature = "ne(input: Tensor, other: Tensor | Number) -> Tensor",
        .torch = "ne not_equal",
        .method = "ne not_equal",
        .operators = "__ne__",
        .doc = "True where the elements differ.",
        .dtype_rule = DTypeRule::kBool,
        .lowering = Pointwise{ScalarFunction::kNotEqual},
        .forms = Forms::kInPlaceAndOut,
        .samples = binary_samples,
    },
    {
        .name = "less",
        .signature = "lt(input: Tensor, other: Tensor | Number) -> Tensor",
        .torch = "lt less",
        .method = "lt less",
        .operators = "__lt__",
        .doc = "True where input is less than other.",
        .dtype_rule = DTypeRule::kBool,
        .lowering = Pointwise{ScalarFunction::kLess},
        .forms = Forms::kInPlaceAndOut,
        .samples = binary_samples,
    },
    {
        .name = "less_equal",
        .signature = "le(input: Tensor, other: Tensor | Number) -> Tensor",
        .torch = "le less_equal",
        .method = "le less_equal",
        .operators = "__le__",
        .doc = "True where input is at most other.",
        .dtype_rule = DTypeRule::kBool,
        .lowering = Pointwise{ScalarFunction::kLessEqual},
        .forms = Forms::kInPlaceAndOut,
        .samples = binary_samples,
    },
    {
        .name = "greater",
        .signature = "gt(input: Tensor, other: Tensor | Number) -> Tensor",
        .torch = "gt greater",
        .method = "gt greater",
        .operators = "__gt__",
        .doc = "True where input is greater than other.",
        .dtype_rule = DTypeRule::kBool,
        .lowering = Pointwise{ScalarFunction::kGreater},
        .forms = Forms::kInPlaceAndOut,
        .samples = binary_samples,
    },
    {
        .name = "greater_equal",
        .signature = "ge(input: Tensor, other: Tensor | Number) -> Tensor",
        .torch = "ge greater_equal",
        .method = "ge greater_equal",
        .operators = "__ge__",
        .doc = "True where input is at least other.",
        .dtype_rule = DTypeRule::kBool,
        .lowering = Pointwise{ScalarFunction::kGreaterEqual},
        .forms = Forms::kInPlaceAndOut,
        .samples = binary_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> comparison_entries() {
  return kEntries;
}

}  // namespace glint::ops
