#include "backends/cuda/matrix_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "backends/cuda/compile_cuda.h"
#include "backends/cuda/element_words.h"
#include "backends/cuda/launch_kernel.h"
#include "backends/cuda/text_kernel.h"

namespace glint::cuda {
namespace {

constexpr uint32_t kThreads = 256;
/// Tiles of which there are fewer leave multiprocessors of a large device without work.
constexpr int64_t kFewTiles = 128;

constexpr std::string_view kBody = R"(
constexpr int kPart = {part};  // rows and columns of `out` that a thread makes
constexpr int kSide = 16 * kPart;

// out[p, i, j] = sum over k of a[p, i, k] * b[p, k, j]; a block makes a tile of {side} by {side}.
extern "C" __global__ void __launch_bounds__(256)
{entry}(const {memory}* __restrict__ a, const {memory}* __restrict__ b,
        {memory}* __restrict__ out, int64 rows, int64 columns, int64 inner,
        int64 a_step, int64 a_row, int64 a_column, int64 b_step, int64 b_row,
        int64 b_column, int64 out_step, int64 out_row, int64 out_column,
        const {memory}* __restrict__ bias) {{
  // One more than a row holds: a column's elements are then in different banks.
  __shared__ {sum} tile_a[kSide][17];
  __shared__ {sum} tile_b[16][kSide + 1];
  const int x = threadIdx.x % 16;
  const int y = threadIdx.x / 16;
  const int64 across = (columns + kSide - 1) / kSide;
  const int64 down = (rows + kSide - 1) / kSide;
  const int64 product = blockIdx.x / (across * down);
  const int64 top = blockIdx.x / across % down * kSide;
  const int64 left = blockIdx.x % across * kSide;
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
  // A thread's rows and columns are 16 apart.
  {sum} totals[kPart][kPart] = {{}};
  for (int64 k = 0; k < inner; k += 16) {{
#pragma unroll
    for (int part = 0; part < kPart; ++part) {{
      const int i = a_i + 16 * part;
      const int j = b_j + 16 * part;
      tile_a[i][a_k] = top + i < rows && k + a_k < inner
                           ? {from_a} : ({sum})0;
      tile_b[b_k][j] = k + b_k < inner && left + j < columns
                           ? {from_b} : ({sum})0;
    }}
    __syncthreads();
#pragma unroll
    for (int step = 0; step < 16; ++step) {{
      {sum} row[kPart];
#pragma unroll
      for (int i = 0; i < kPart; ++i) row[i] = tile_a[y + 16 * i][step];
#pragma unroll
      for (int j = 0; j < kPart; ++j) {{
        const {sum} factor = tile_b[step][x + 16 * j];
#pragma unroll
        for (int i = 0; i < kPart; ++i) totals[i][j] = {combine};
      }}
    }}
    __syncthreads();
  }}
#pragma unroll
  for (int i = 0; i < kPart; ++i) {{
#pragma unroll
    for (int j = 0; j < kPart; ++j) {{
      const int64 at = top + y + 16 * i;
      const int64 along = left + x + 16 * j;
      if (at < rows && along < columns)
        out[at * out_row + along * out_column] = {result};
    }}
  }}
}}
)";

/// The type of sums, and a step of one. Integers wrap.
struct Words {
  std::string sum;
  std::string step;
};
Words words_of(DType dtype) {
  if (dtype == DType::kFloat64) return {"double", "fma(row[i], factor, totals[i][j])"};
  if (is_floating(dtype)) return {"float", "fmaf(row[i], factor, totals[i][j])"};
  return {"uint64", "row[i] * factor + totals[i][j]"};
}

std::vector<GpuArgument> arguments_of(const Tensor& a, const Tensor& b, const Tensor& out,
                                      const Tensor* bias) {
  std::vector<GpuArgument> arguments = {address(a, "a"), address(b, "b"), address(out, "out")};
  for (const int64_t size : {out.size(-2), out.size(-1), a.size(-1)})
    arguments.push_back(gpu_argument(size));
  for (const Tensor* tensor : {&a, &b, &out}) {
    const int64_t step = tensor->rank() == 3 ? tensor->stride(0) : 0;
    for (const int64_t stride : {step, tensor->stride(-2), tensor->stride(-1)})
      arguments.push_back(gpu_argument(stride));
  }
  arguments.push_back(address(bias, "bias"));
  return arguments;
}

std::string entry_of(MatrixTile tile) {
  return tile.part == 1 ? "matrix_product" : fmt::format("matrix_product_{0}x{0}", tile.side());
}

int64_t tile_count(const Tensor& out, MatrixTile tile) {
  const int64_t side = tile.side();
  const int64_t products = out.rank() == 3 ? out.size(0) : 1;
  return products * ((out.size(-2) + side - 1) / side) * ((out.size(-1) + side - 1) / side);
}

}  // namespace

std::span<const MatrixTile> matrix_tiles(DType dtype) {
  static constexpr MatrixTile kTiles[] = {{1}, {2}, {4}, {8}};
  // The largest keeps 64 sums in a thread's registers, where they are 32 bits each.
  const bool is_wide = !is_floating(dtype) || dtype == DType::kFloat64;
  return std::span(kTiles).first(is_wide ? 3 : 4);
}

MatrixTile usual_tile(const Tensor& out) {
  MatrixTile usual;
  for (const MatrixTile& tile : matrix_tiles(out.dtype()))
    if (std::min(out.size(-2), out.size(-1)) >= tile.side() && tile_count(out, tile) >= kFewTiles)
      usual = tile;
  return usual;
}

std::string matrix_product_text(DType dtype, const EpilogueForm& form, MatrixTile tile) {
  const ElementWords element(dtype);
  const Words words = words_of(dtype);
  const bool finishes = form.has_bias || form.activation != "none";
  const std::string total = "totals[i][j]";
  const std::string result = finishes             ? fmt::format("finished({}, bias, along)", total)
                             : is_floating(dtype) ? total
                                                  : fmt::format("({}){}", element.memory(), total);
  const auto read = [&](std::string_view place) {
    return fmt::format("({})", words.sum) + element.read(place);
  };
  return (finishes ? epilogue_text(dtype, form) : element.definitions()) +
         fmt::format(kBody, fmt::arg("part", tile.part), fmt::arg("side", tile.side()),
                     fmt::arg("entry", entry_of(tile)), fmt::arg("memory", element.memory()),
                     fmt::arg("sum", words.sum),
                     fmt::arg("from_a", read("a[(top + i) * a_row + (k + a_k) * a_column]")),
                     fmt::arg("from_b", read("b[(k + b_k) * b_row + (left + j) * b_column]")),
                     fmt::arg("combine", words.step), fmt::arg("result", element.write(result)));
}

Result<CompiledKernel> compiled_product(DType dtype, const EpilogueForm& form, MatrixTile tile) {
  auto architecture = architecture_of({});
  if (!architecture) return architecture.error();
  auto module = std::make_shared<CompiledModule>();
  module->source = matrix_product_text(dtype, form, tile);
  module->architecture = std::move(*architecture);
  auto compiled = compile_text(module->source, module->architecture);
  if (!compiled) return compiled.error();
  module->ptx = std::move(compiled->ptx);
  CompiledKernel kernel;
  kernel.entry = entry_of(tile);
  kernel.threads = kThreads;
  kernel.shared_bytes = shared_bytes(module->ptx, kernel.entry);
  kernel.elements = static_cast<uint32_t>(tile.part * tile.part);
  kernel.module = std::move(module);
  return kernel;
}

MatrixLaunch matrix_launch(const Tensor& a, const Tensor& b, const Tensor& out,
                           const ProductEpilogue& epilogue, MatrixTile tile) {
  using Key = std::tuple<DType, bool, std::string, int>;
  static auto& kernels = *new std::map<Key, const TextKernel*>;
  const EpilogueForm form = form_of(epilogue);
  const TextKernel*& known =
      kernels[{out.dtype(), form.has_bias, std::string(form.activation), tile.part}];
  if (known == nullptr)
    known = &text_kernel(matrix_product_text(out.dtype(), form, tile), entry_of(tile));
  MatrixLaunch made{known->entry()};
  made.launch.grid[0] = static_cast<uint32_t>(tile_count(out, tile));
  made.launch.block[0] = kThreads;
  made.launch.arguments = arguments_of(a, b, out, epilogue.bias);
  return made;
}

void multiply_by_kernel(const Tensor& a, const Tensor& b, const Tensor& out,
                        const ProductEpilogue& epilogue, std::optional<MatrixTile> tile) {
  if (out.numel() == 0) return;
  const MatrixLaunch made = matrix_launch(a, b, out, epilogue, tile.value_or(usual_tile(out)));
  launch_entry(made.entry, made.launch);
}

}  // namespace glint::cuda
