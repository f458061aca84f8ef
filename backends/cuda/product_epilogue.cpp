#include "backends/cuda/product_epilogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <vector>

#include "backends/cuda/definitions.h"
#include "backends/cuda/element_words.h"
#include "backends/cuda/text_kernel.h"
#include "core/support/check.h"
#include "ops/rows/row_kernels.h"

namespace glint::cuda {
namespace {

constexpr uint32_t kThreads = 256;
constexpr int64_t kMostBlocks = 1024;

constexpr std::string_view kFunction = R"(
__device__ inline {held} finished({held} total, const {memory}* bias, int64 column) {{
  const {held} x = {sum};
{statements}}}
)";

constexpr std::string_view kKernel = R"(
extern "C" __global__ void __launch_bounds__(256)
finish_product({memory}* out, const {memory}* __restrict__ bias, int64 count, int64 columns) {{
  for (int64 i = (int64)blockIdx.x * 256 + threadIdx.x; i < count; i += (int64)gridDim.x * 256)
    out[i] = {result};
}}
)";

/// Writes an activation of `x`, statement by statement, as the operators compute it.
class ActivationText {
 public:
  ActivationText(Definitions& definitions, DType held) : definitions_(definitions), held_(held) {}

  std::string write(std::string_view activation) {
    using enum ScalarFunction;
    if (activation == "none") return returned("x");
    if (activation == "relu") return returned(apply(kMaximum, {"x", number(0.0)}));
    if (activation == "sigmoid") return returned(apply(kSigmoid, {"x"}));
    if (activation == "tanh") return returned(apply(kTanh, {"x"}));
    if (activation == "gelu") {
      // x / 2 * (1 + erf(x / sqrt(2)))
      const std::string scaled = named("scaled", "x * " + number(std::numbers::sqrt2 / 2));
      const std::string bell = named("bell", apply(kErf, {scaled}));
      return returned(fmt::format("(x * {}) * ({} + {})", number(0.5), bell, number(1.0)));
    }
    check(activation == "gelu_tanh", "an epilogue's activation is one of those");
    const std::string slope = named(
        "slope",
        fmt::format("(x * x) * {} + {}", number(ops::kGeluTanhCube), number(ops::kGeluTanhSlope)));
    const std::string scaled = named("scaled", "x * " + slope);
    return returned("x * " + named("part", apply(kSigmoid, {scaled})));
  }

 private:
  std::string number(double value) const { return literal_text(value, held_); }
  std::string apply(ScalarFunction function, const std::vector<std::string>& operands) {
    return definitions_.floating(function, held_, operands);
  }
  std::string named(std::string name, const std::string& value) {
    statements_ += fmt::format("  const {} {} = {};\n", value_type(held_), name, value);
    return name;
  }
  std::string returned(const std::string& value) {
    return statements_ + fmt::format("  return {};\n", value);
  }

  Definitions& definitions_;
  DType held_;
  std::string statements_;
};

}  // namespace

std::string epilogue_text(DType dtype, const EpilogueForm& form) {
  const ElementWords element(dtype);
  const DType held = dtype == DType::kFloat64 ? dtype : DType::kFloat32;
  Definitions definitions;
  definitions.memory(dtype);
  const std::string statements = ActivationText(definitions, held).write(form.activation);
  std::string text;
  for (const std::string& line : definitions.lines()) text += line + "\n";
  return text +
         fmt::format(kFunction, fmt::arg("held", value_type(held)),
                     fmt::arg("memory", element.memory()),
                     fmt::arg("sum", form.has_bias ? "total + " + element.read("bias[column]")
                                                   : std::string("total")),
                     fmt::arg("statements", statements));
}

void finish(const Tensor& product, const ProductEpilogue& epilogue) {
  const ElementWords element(product.dtype());
  const std::string value = fmt::format("finished({}, bias, i % columns)", element.read("out[i]"));
  const std::string text = epilogue_text(product.dtype(), form_of(epilogue)) +
                           fmt::format(kKernel, fmt::arg("memory", element.memory()),
                                       fmt::arg("result", element.write(value)));
  const int64_t blocks = std::min((product.numel() + kThreads - 1) / kThreads, kMostBlocks);
  text_kernel(text, "finish_product")
      .launch(blocks, kThreads,
              {address(product, "out"), address(epilogue.bias, "bias"),
               gpu_argument(product.numel()), gpu_argument(product.size(-1))});
}

}  // namespace glint::cuda
