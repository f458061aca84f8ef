#include "backends/cuda/kernels/product_epilogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <vector>

#include "backends/cuda/codegen/definitions.h"
#include "backends/cuda/codegen/kernel_writer.h"
#include "backends/cuda/kernels/element_words.h"
#include "backends/cuda/launch/text_kernel.h"
#include "core/support/check.h"
#include "ops/rows/row_kernels.h"

namespace glint::cuda {
namespace {

constexpr uint32_t kThreads = 256;

constexpr std::string_view kFunction = R"(
__device__ inline {held} finished({held} total, const {memory}* added, int64 place, {held} alpha,
                                {held} beta) {{
  const {held} x = {sum};
{statements}}}
)";

constexpr std::string_view kKernel = R"(
extern "C" __global__ void __launch_bounds__(256)
finish_product({memory}* out, int64 count, int64 rows, int64 columns,
               {parameters}) {{
  for (int64 i = (int64)blockIdx.x * 256 + threadIdx.x; i < count; i += (int64)gridDim.x * 256) {{
    const int64 row = i / columns;
    const int64 place = row / rows * added_step + row % rows * added_row + i % columns * added_column;
    out[i] = {result};
  }}
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

DType held_for(DType dtype) {
  return dtype == DType::kFloat64 ? dtype : DType::kFloat32;
}

std::string sum_text(const ElementWords& element, const EpilogueForm& form) {
  const std::string_view total = form.scales ? "alpha * total" : "total";
  if (!form.adds) return std::string(total);
  return fmt::format("{} + {}{}", total, form.scales ? "beta * " : "",
                     element.read("added[place]"));
}

}  // namespace

bool ProductEpilogue::adds_row() const {
  if (added == nullptr || beta != 1) return false;
  const auto repeats = [this](int64_t dim) {
    return added->size(dim) == 1 || added->stride(dim) == 0;
  };
  return repeats(-2) && (added->rank() < 3 || repeats(0)) &&
         (added->size(-1) == 1 || added->stride(-1) == 1);
}

std::string epilogue_text(DType dtype, const EpilogueForm& form) {
  const ElementWords element(dtype);
  const DType held = held_for(dtype);
  Definitions definitions;
  definitions.memory(dtype);
  const std::string statements = ActivationText(definitions, held).write(form.activation);
  std::string text;
  for (const std::string& line : definitions.lines()) text += line + "\n";
  return text + fmt::format(kFunction, fmt::arg("held", value_type(held)),
                            fmt::arg("memory", element.memory()),
                            fmt::arg("sum", sum_text(element, form)),
                            fmt::arg("statements", statements));
}

std::string epilogue_parameters(DType dtype) {
  return fmt::format(
      "const {0}* __restrict__ added, int64 added_step, int64 added_row, int64 added_column, {1} "
      "alpha, {1} beta",
      ElementWords(dtype).memory(), value_type(held_for(dtype)));
}

void add_epilogue_arguments(const ProductEpilogue& epilogue, DType dtype,
                            std::vector<GpuArgument>& arguments) {
  const Tensor* added = epilogue.added;
  const auto stride = [added](int64_t dim) {
    return gpu_argument(added != nullptr && added->rank() + dim >= 0 ? added->stride(dim)
                                                                     : int64_t{0});
  };
  arguments.push_back(address(added, "added"));
  for (const int64_t dim : {-3, -2, -1}) arguments.push_back(stride(dim));
  for (const double factor : {epilogue.alpha, epilogue.beta})
    arguments.push_back(dtype == DType::kFloat64 ? gpu_argument(factor)
                                                 : gpu_argument(static_cast<float>(factor)));
}

void finish(const Tensor& product, const ProductEpilogue& epilogue) {
  const ElementWords element(product.dtype());
  const std::string value =
      fmt::format("finished({}, added, place, alpha, beta)", element.read("out[i]"));
  const std::string text = epilogue_text(product.dtype(), form_of(epilogue)) +
                           fmt::format(kKernel, fmt::arg("memory", element.memory()),
                                       fmt::arg("parameters", epilogue_parameters(product.dtype())),
                                       fmt::arg("result", element.write(value)));
  const int64_t blocks = std::min((product.numel() + kThreads - 1) / kThreads, kMostBlocks);
  std::vector<GpuArgument> arguments = {address(product, "out"), gpu_argument(product.numel()),
                                        gpu_argument(product.size(-2)),
                                        gpu_argument(product.size(-1))};
  add_epilogue_arguments(epilogue, product.dtype(), arguments);
  text_kernel(text, "finish_product").launch(blocks, kThreads, std::move(arguments));
}

}  // namespace glint::cuda
