// The functions that PyTorch has of in-place forms: `torch.exp_`, `torch.nn.functional.relu_`. The
// others are methods alone: there is `x.add_(y)`, and no `torch.add_`.
//
// A leading `_` marks a name that only the library here calls, for `F.silu(x, inplace=True)`.
#pragma once

#include <algorithm>
#include <string_view>

namespace glint::ops {

struct InPlaceNames {
  std::string_view entry;  ///< the operator that the form is of
  const char* torch = "";
  const char* functional = "";
};
inline constexpr InPlaceNames kInPlaceNames[] = {
    {"relu", "relu_", "relu_"},
    {"relu6", "", "_relu6_"},
    {"silu", "", "_silu_"},
    {"leaky_relu", "", "leaky_relu_"},
    {"elu", "", "elu_"},
    {"selu", "selu_", "selu_"},
    {"celu", "celu_", "celu_"},
    {"mish", "", "_mish_"},
    {"hardsigmoid", "", "_hardsigmoid_"},
    {"hardswish", "", "_hardswish_"},
    {"threshold", "threshold_", "threshold_"},
    {"hardtanh", "", "hardtanh_"},
    {"fill", "fill_"},
    {"deg2rad", "deg2rad_"},
    {"rad2deg", "rad2deg_"},
    {"frac", "frac_"},
    {"sinc", "sinc_"},
    {"logit", "logit_"},
    {"nan_to_num", "nan_to_num_"},
    {"dropout", "dropout_", "_dropout_"},
    {"index_put", "index_put_"},
    {"xlogy", "xlogy_"},
    {"ldexp", "ldexp_"},
    {"clamp", "clamp_ clip_"},
    {"clamp_min", "clamp_min_"},
    {"clamp_max", "clamp_max_"},
    {"negative", "neg_ negative_"},
    {"abs", "abs_"},
    {"square", "square_"},
    {"reciprocal", "reciprocal_"},
    {"exp", "exp_"},
    {"exp2", "exp2_"},
    {"expm1", "expm1_"},
    {"log", "log_"},
    {"log2", "log2_"},
    {"log10", "log10_"},
    {"log1p", "log1p_"},
    {"sqrt", "sqrt_"},
    {"rsqrt", "rsqrt_"},
    {"sin", "sin_"},
    {"cos", "cos_"},
    {"tan", "tan_"},
    {"asin", "asin_ arcsin_"},
    {"acos", "acos_ arccos_"},
    {"atan", "atan_ arctan_"},
    {"sinh", "sinh_"},
    {"cosh", "cosh_"},
    {"tanh", "tanh_"},
    {"sigmoid", "sigmoid_"},
    {"erf", "erf_"},
    {"erfc", "erfc_"},
    {"asinh", "asinh_ arcsinh_"},
    {"acosh", "acosh_ arccosh_"},
    {"atanh", "atanh_ arctanh_"},
    {"floor", "floor_"},
    {"ceil", "ceil_"},
    {"trunc", "trunc_ fix_"},
    {"round", "round_"},
};

/// Empty names where PyTorch has none.
inline const InPlaceNames& in_place_names(std::string_view entry) {
  static constexpr InPlaceNames kNone = {};
  auto found = std::ranges::find(kInPlaceNames, entry, &InPlaceNames::entry);
  return found == std::end(kInPlaceNames) ? kNone : *found;
}

}  // namespace glint::ops
