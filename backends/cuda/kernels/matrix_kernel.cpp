#include "backends/cuda/kernels/matrix_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "backends/cuda/codegen/wrap_line.h"
#include "backends/cuda/compile/compile_cuda.h"
#include "backends/cuda/compile/shared_bytes.h"
#include "backends/cuda/device/launch_entry.h"
#include "backends/cuda/kernels/element_words.h"
#include "backends/cuda/kernels/tile_text.h"
#include "backends/cuda/launch/text_kernel.h"

namespace glint::cuda {
namespace {

constexpr std::string_view kBody = R"(
// out[p, i, j] = sum over k of a[p, i, k] * b[p, k, j]; a block makes a tile of {side} by {side}.
extern "C" __global__ void __launch_bounds__(256)
{entry}(const {memory}* __restrict__ a, const {memory}* __restrict__ b,
        {memory}* __restrict__ out, int64 rows, int64 columns, int64 inner,
        int64 a_step, int64 a_row, int64 a_column, int64 b_step, int64 b_row,
        int64 b_column, int64 out_step, int64 out_row, int64 out_column,
        {parameters}) {{
{tiles}
  const int64 across = (columns + kSide - 1) / kSide;
  const int64 down = (rows + kSide - 1) / kSide;
  const int64 product = blockIdx.x / (across * down);
  const int64 top = blockIdx.x / across % down * kSide;
  const int64 left = blockIdx.x % across * kSide;
  a += product * a_step;
  b += product * b_step;
  out += product * out_step;
  added += product * added_step;
  // Neighbouring threads read neighbours in memory.
  const bool a_in_order = a_column == 1;
  const bool b_in_order = b_column == 1;
  const int a_i = a_in_order ? y : x;
  const int a_k = a_in_order ? x : y;
  const int b_k = b_in_order ? y : x;
  const int b_j = b_in_order ? x : y;
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
{steps}
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

std::vector<GpuArgument> arguments_of(const Tensor& a, const Tensor& b, const Tensor& out,
                                      const ProductEpilogue& epilogue) {
  std::vector<GpuArgument> arguments = {address(a, "a"), address(b, "b"), address(out, "out")};
  for (const int64_t size : {out.size(-2), out.size(-1), a.size(-1)})
    arguments.push_back(gpu_argument(size));
  for (const Tensor* tensor : {&a, &b, &out}) {
    const int64_t step = tensor->rank() == 3 ? tensor->stride(0) : 0;
    for (const int64_t stride : {step, tensor->stride(-2), tensor->stride(-1)})
      arguments.push_back(gpu_argument(stride));
  }
  add_epilogue_arguments(epilogue, out.dtype(), arguments);
  return arguments;
}

TiledProducts products_of(const Tensor& out) {
  return {
      .products = out.rank() == 3 ? out.size(0) : 1, .rows = out.size(-2), .columns = out.size(-1)};
}

}  // namespace

std::string matrix_product_entry(MatrixTile tile) {
  return tile.part == 1 ? "matrix_product" : fmt::format("matrix_product_{0}x{0}", tile.side());
}

std::span<const MatrixTile> matrix_tiles(DType dtype) {
  static constexpr MatrixTile kTiles[] = {{1}, {2}, {4}, {8}};
  // The largest keeps 64 sums in a thread's registers, where they are 32 bits each.
  const bool is_wide = !is_floating(dtype) || dtype == DType::kFloat64;
  return std::span(kTiles).first(is_wide ? 3 : 4);
}

MatrixTile usual_tile(const Tensor& out) {
  return {products_of(out).usual_part(matrix_tiles(out.dtype()).back().part)};
}

std::string matrix_product_text(DType dtype, const EpilogueForm& form, MatrixTile tile) {
  const ElementWords element(dtype);
  const TileText tiles(dtype, tile.part);
  const bool finishes = !form.is_empty();
  const std::string total = tiles.total();
  const std::string finished =
      fmt::format("finished({}, added, at * added_row + along * added_column, alpha, beta)", total);
  const auto read = [&](std::string_view place) { return tiles.factor(element.read(place)); };
  return wrapped_text(
      (finishes ? epilogue_text(dtype, form) : element.definitions()) + tiles.sizes() +
      fmt::format(kBody, fmt::arg("side", tile.side()),
                  fmt::arg("entry", matrix_product_entry(tile)),
                  fmt::arg("memory", element.memory()), fmt::arg("sum", tiles.sum()),
                  fmt::arg("parameters", epilogue_parameters(dtype)),
                  fmt::arg("tiles", tiles.memory()), fmt::arg("steps", tiles.steps()),
                  fmt::arg("from_a", read("a[(top + i) * a_row + (k + a_k) * a_column]")),
                  fmt::arg("from_b", read("b[(k + b_k) * b_row + (left + j) * b_column]")),
                  fmt::arg("result", element.write(finishes ? finished : total))));
}

Result<CompiledKernel> compiled_product(DType dtype, const EpilogueForm& form, MatrixTile tile) {
  auto module = compiled_module(matrix_product_text(dtype, form, tile));
  if (!module) return module.error();
  CompiledKernel kernel;
  kernel.entry = matrix_product_entry(tile);
  kernel.threads = kTileThreads;
  kernel.shared_bytes = shared_bytes((*module)->ptx, kernel.entry);
  kernel.elements = static_cast<uint32_t>(tile.part * tile.part);
  kernel.module = std::move(*module);
  return kernel;
}

MatrixLaunch matrix_launch(const Tensor& a, const Tensor& b, const Tensor& out,
                           const ProductEpilogue& epilogue, MatrixTile tile) {
  using Key = std::tuple<DType, bool, bool, std::string, int>;
  static auto& kernels = *new std::map<Key, const TextKernel*>;
  const EpilogueForm form = form_of(epilogue);
  const TextKernel*& known =
      kernels[{out.dtype(), form.adds, form.scales, std::string(form.activation), tile.part}];
  if (known == nullptr)
    known = &text_kernel(matrix_product_text(out.dtype(), form, tile), matrix_product_entry(tile));
  MatrixLaunch made{known->entry()};
  made.launch.grid[0] = static_cast<uint32_t>(products_of(out).tiles(tile.part));
  made.launch.block[0] = kTileThreads;
  made.launch.arguments = arguments_of(a, b, out, epilogue);
  return made;
}

void multiply_by_kernel(const Tensor& a, const Tensor& b, const Tensor& out,
                        const ProductEpilogue& epilogue, std::optional<MatrixTile> tile) {
  if (out.numel() == 0) return;
  const MatrixLaunch made = matrix_launch(a, b, out, epilogue, tile.value_or(usual_tile(out)));
  launch_entry(made.entry, made.launch);
}

}  // namespace glint::cuda
