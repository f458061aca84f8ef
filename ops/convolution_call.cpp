#include "ops/convolution_call.h"

#include <algorithm>
#include <array>

#include "core/tensor/copy.h"
#include "ops/call.h"
#include "ops/infer.h"
#include "ops/layout.h"

namespace glint::ops {

namespace {

struct PassOperator {
  std::string_view name;
  ConvolutionPass pass;
  size_t windows;  ///< where stride, padding and dilation begin
  size_t groups;
};

constexpr PassOperator kOperators[] = {
    {"convolution", ConvolutionPass::kForward, 3, 8},
    {"convolution_of_input", ConvolutionPass::kOfInput, 3, 6},
    {"convolution_of_weight", ConvolutionPass::kOfWeight, 3, 6},
};

const PassOperator& operator_of(ConvolutionPass pass) {
  return kOperators[static_cast<size_t>(pass)];
}

/// A number for each dimension that windows move in.
std::vector<int64_t> numbers(const Argument& given, size_t dims) {
  std::vector<int64_t> made;
  for (const SymInt number : as_ints(given)) made.push_back(number.constant());
  if (made.size() == 1) made.resize(dims, made[0]);
  return made;
}

ConvolutionWindows windows_of(const PassOperator& of, Arguments arguments, size_t dims) {
  return {.stride = numbers(arguments[of.windows], dims),
          .padding = numbers(arguments[of.windows + 1], dims),
          .dilation = numbers(arguments[of.windows + 2], dims),
          .groups = as_constant(arguments[of.groups])};
}

/// The sizes of a result, where those of the input, the weight and the windows fit together.
std::optional<Dims> result_sizes(const Dims& input, const Dims& weight,
                                 const ConvolutionWindows& windows) {
  const auto& [stride, padding, dilation, groups] = windows;
  const size_t dims = input.size() - 2;
  const bool fits = weight.size() == input.size() && stride.size() == dims &&
                    padding.size() == dims && dilation.size() == dims && groups >= 1 &&
                    input[1] == weight[1] * groups && weight[0] % groups == 0;
  if (!fits) return std::nullopt;
  Dims made = {input[0], weight[0]};
  for (size_t i = 0; i < dims; ++i) {
    if (stride[i] < 1 || padding[i] < 0 || dilation[i] < 1) return std::nullopt;
    const int64_t reach = (weight[2 + i] - 1) * dilation[i] + 1,
                  room = input[2 + i] + 2 * padding[i] - reach;
    if (room < 0) return std::nullopt;
    made.push_back(room / stride[i] + 1);
  }
  return made;
}

bool has_library(DType dtype) {
  return dtype == DType::kFloat32 || dtype == DType::kBFloat16;
}

bool is_near(const Argument& argument, DType dtype) {
  const Tensor* tensor = argument.get_if<Tensor>();
  return tensor != nullptr && tensor->dtype() == dtype && tensor->device().is_cpu();
}

/// One tiny image is a product of its windows in PyTorch as well: the same sums in the same order
/// print the same last digits.
bool is_product_in_torch(const ConvolutionCall& call) {
  constexpr int64_t kTiny = 16 * 1024;
  const auto& [input, weight, result, bias] = call.tensors;
  return input->size(0) == 1 && call.windows.groups == 1 &&
         result->numel() * weight->numel() < kTiny * weight->size(0);
}

/// Whether a bias is missing, or one that has an element for each output.
bool suits_outputs(const Argument& bias, int64_t outputs, DType dtype) {
  if (bias.is_none()) return true;
  return is_near(bias, dtype) && bias.tensor().rank() == 1 && bias.tensor().size(0) == outputs;
}

/// The sizes of what is computed, where the arguments are such as the library may take.
std::optional<Dims> sizes_for_library(const PassOperator& of, Arguments arguments) {
  const DType dtype = arguments[0].tensor().dtype();
  if (!has_library(dtype) || !is_near(arguments[0], dtype) || !is_near(arguments[1], dtype))
    return std::nullopt;
  const Dims first(arguments[0].tensor().sizes()), second(arguments[1].tensor().sizes());
  if (first.size() < 3 || first.size() > 5) return std::nullopt;
  const ConvolutionWindows windows = windows_of(of, arguments, first.size() - 2);
  if (of.pass == ConvolutionPass::kForward) {
    if (as_bool(arguments[6]) || second.size() != first.size() ||
        !suits_outputs(arguments[2], second[0], dtype))
      return std::nullopt;
    return result_sizes(first, second, windows);
  }
  Dims computed;
  for (const SymInt size : as_ints(arguments[2])) computed.push_back(size.constant());
  if (computed.size() != first.size()) return std::nullopt;
  const bool is_of_input = of.pass == ConvolutionPass::kOfInput;
  const auto given =
      result_sizes(is_of_input ? computed : second, is_of_input ? second : computed, windows);
  if (!given || !same_dims(*given, first)) return std::nullopt;
  return computed;
}

}  // namespace

std::optional<ConvolutionPass> convolution_pass(std::string_view name) {
  const auto found = std::ranges::find(kOperators, name, &PassOperator::name);
  if (found == std::end(kOperators)) return std::nullopt;
  return found->pass;
}

size_t groups_place(ConvolutionPass pass) {
  return operator_of(pass).groups;
}

ConvolutionCall convolution_call(ConvolutionPass pass, Arguments arguments, const Tensor& out) {
  const Tensor &first = arguments[0].tensor(), &second = arguments[1].tensor();
  ConvolutionCall call = {windows_of(operator_of(pass), arguments, size_t(first.rank()) - 2), {}};
  switch (pass) {
    case ConvolutionPass::kForward:
      call.tensors = {.input = &first,
                      .weight = &second,
                      .result = &out,
                      .bias = arguments[2].get_if<Tensor>()};
      break;
    case ConvolutionPass::kOfInput:
      call.tensors = {.input = &out, .weight = &second, .result = &first};
      break;
    case ConvolutionPass::kOfWeight:
      call.tensors = {.input = &second, .weight = &out, .result = &first};
      break;
  }
  return call;
}

bool convolve_into(ConvolutionPass pass, Arguments arguments, const Tensor& out) {
  if (!has_library(out.dtype())) return false;
  ConvolutionCall call = convolution_call(pass, arguments, out);
  if (is_product_in_torch(call)) return false;
  std::array<Tensor, 4> packed;
  const Tensor** all[] = {&call.tensors.input, &call.tensors.weight, &call.tensors.result,
                          &call.tensors.bias};
  for (size_t i = 0; i < packed.size(); ++i) {
    const Tensor*& each = *all[i];
    if (each == nullptr || each == &out) continue;
    packed[i] = contiguous(*each);
    each = &packed[i];
  }
  return convolve(pass, call.windows, call.tensors);
}

Outputs eager_convolution(const OpEntry& entry, Arguments arguments) {
  const ConvolutionPass pass = *convolution_pass(entry.name);
  if (const auto sizes = sizes_for_library(operator_of(pass), arguments)) {
    Tensor out = Tensor::empty(*sizes, arguments[0].tensor().dtype());
    if (convolve_into(pass, arguments, out)) return out;
  }
  return run_decomposition(entry, arguments);
}

}  // namespace glint::ops
