#include "backends/cuda/matrix_kernel.h"

#include <fmt/format.h>

#include <map>
#include <tuple>

#include "backends/cuda/element_words.h"
#include "backends/cuda/text_kernel.h"

namespace glint::cuda {
namespace {

constexpr int64_t kTile = 16;
constexpr uint32_t kThreads = kTile * kTile;

constexpr std::string_view kBody = R"(
// out[p, i, j] = sum over k of a[p, i, k] * b[p, k, j]; a block makes a tile of 16 by 16.
extern "C" __global__ void __launch_bounds__(256)
matrix_product(const {memory}* __restrict__ a, const {memory}* __restrict__ b,
               {memory}* __restrict__ out, int64 rows, int64 columns, int64 inner,
               int64 a_step, int64 a_row, int64 a_column, int64 b_step, int64 b_row,
               int64 b_column, int64 out_step, int64 out_row, int64 out_column,
               const {memory}* __restrict__ bias) {{
  // One more than a row holds: a column's elements are then in different banks.
  __shared__ {sum} tile_a[16][17];
  __shared__ {sum} tile_b[16][17];
  const int x = threadIdx.x % 16;
  const int y = threadIdx.x / 16;
  const int64 across = (columns + 15) / 16;
  const int64 down = (rows + 15) / 16;
  const int64 product = blockIdx.x / (across * down);
  const int64 top = blockIdx.x / across % down * 16;
  const int64 left = blockIdx.x % across * 16;
  a += product * a_step;
  b += product * b_step;
  out += product * out_step;
  // Neighbouring threads read neighbours in memory.
  const bool a_in_order = a_column == 1;
  const bool b_in_order = b_column == 1;
  const int a_i = a_in_order ? y : x;
  const int a_k = a_in_order ? x : y;
  const int b_k = b_in_order ? y : x;
  const int b_j = b_in_order ? x : y;
  {sum} total = 0;
  for (int64 k = 0; k < inner; k += 16) {{
    tile_a[a_i][a_k] = top + a_i < rows && k + a_k < inner
                           ? {from_a} : ({sum})0;
    tile_b[b_k][b_j] = k + b_k < inner && left + b_j < columns
                           ? {from_b} : ({sum})0;
    __syncthreads();
    for (int step = 0; step < 16; ++step)
      total = {combine};
    __syncthreads();
  }}
  if (top + y < rows && left + x < columns)
    out[(top + y) * out_row + (left + x) * out_column] = {result};
}}
)";

/// The type of sums, and a step of one. Integers wrap.
struct Words {
  std::string sum;
  std::string step;
};
Words words_of(DType dtype) {
  const char* factors = "tile_a[y][step], tile_b[step][x]";
  if (dtype == DType::kFloat64) return {"double", fmt::format("fma({}, total)", factors)};
  if (is_floating(dtype)) return {"float", fmt::format("fmaf({}, total)", factors)};
  return {"uint64", "tile_a[y][step] * tile_b[step][x] + total"};
}

std::vector<GpuArgument> arguments_of(const Tensor& a, const Tensor& b, const Tensor& out,
                                      const Tensor* bias) {
  const auto address = [](const Tensor& tensor) {
    return reinterpret_cast<uint64_t>(tensor.raw_data());
  };
  std::vector<GpuArgument> arguments = {gpu_argument(address(a), "a"),
                                        gpu_argument(address(b), "b"),
                                        gpu_argument(address(out), "out")};
  for (const int64_t size : {out.size(-2), out.size(-1), a.size(-1)})
    arguments.push_back(gpu_argument(size));
  for (const Tensor* tensor : {&a, &b, &out}) {
    const int64_t step = tensor->rank() == 3 ? tensor->stride(0) : 0;
    for (const int64_t stride : {step, tensor->stride(-2), tensor->stride(-1)})
      arguments.push_back(gpu_argument(stride));
  }
  arguments.push_back(gpu_argument(bias != nullptr ? address(*bias) : 0, "bias"));
  return arguments;
}

}  // namespace

std::string matrix_product_text(DType dtype, const EpilogueForm& form) {
  const ElementWords element(dtype);
  const Words words = words_of(dtype);
  const bool finishes = form.has_bias || form.activation != "none";
  const std::string result = finishes             ? std::string("finished(total, bias, left + x)")
                             : is_floating(dtype) ? std::string("total")
                                                  : fmt::format("({})total", element.memory());
  const auto read = [&](std::string_view place) {
    return fmt::format("({})", words.sum) + element.read(place);
  };
  return (finishes ? epilogue_text(dtype, form) : element.definitions()) +
         fmt::format(kBody, fmt::arg("memory", element.memory()), fmt::arg("sum", words.sum),
                     fmt::arg("from_a", read("a[(top + a_i) * a_row + (k + a_k) * a_column]")),
                     fmt::arg("from_b", read("b[(k + b_k) * b_row + (left + b_j) * b_column]")),
                     fmt::arg("combine", words.step), fmt::arg("result", element.write(result)));
}

void multiply_by_kernel(const Tensor& a, const Tensor& b, const Tensor& out,
                        const ProductEpilogue& epilogue) {
  if (out.numel() == 0) return;
  using Key = std::tuple<DType, bool, std::string>;
  static auto& kernels = *new std::map<Key, const TextKernel*>;
  const EpilogueForm form = form_of(epilogue);
  const TextKernel*& known = kernels[{out.dtype(), form.has_bias, std::string(form.activation)}];
  if (known == nullptr)
    known = &text_kernel(matrix_product_text(out.dtype(), form), "matrix_product");
  const int64_t products = out.rank() == 3 ? out.size(0) : 1;
  const int64_t tiles = (out.size(-2) + kTile - 1) / kTile * ((out.size(-1) + kTile - 1) / kTile);
  known->launch(products * tiles, kThreads, arguments_of(a, b, out, epilogue.bias));
}

}  // namespace glint::cuda
