#include "backends/cuda/listing/call_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "backends/cuda/kernels/convolution_kernel.h"
#include "backends/cuda/kernels/library_convolution.h"
#include "backends/cuda/kernels/matrix_kernel.h"
#include "backends/cuda/kernels/matrix_product.h"
#include "backends/cuda/kernels/tile_text.h"
#include "backends/cuda/tuning/tuning.h"
#include "backends/running_call.h"
#include "ir/call_types.h"
#include "ops/convolution_call.h"

namespace glint::cuda {
namespace {

/// What is given under a name, or in its place; null: nothing.
const ScheduleArgument* argument_of(const LibraryCall& call, size_t place, std::string_view name) {
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const ScheduleNamedArgument& each = call.arguments[i];
    if (each.name.empty() ? i == place : each.name == name) return &each.value;
  }
  return nullptr;
}

/// `mm_epilogue` and `convolution` both have it third.
bool has_bias(const LibraryCall& call) {
  const ScheduleArgument* given = argument_of(call, 2, "bias");
  return given != nullptr && given->is_value();
}

EpilogueForm epilogue_of(const LibraryCall& call) {
  const ScheduleArgument* given = argument_of(call, 3, "activation");
  const auto* activation = given == nullptr ? nullptr : given->get_if<std::string>();
  return {.adds = has_bias(call),
          .activation = activation == nullptr ? std::string_view("none") : *activation};
}

/// Products of matrices, as sizes say.
struct Products {
  SymInt products = 1;
  SymInt rows;
  SymInt columns;

  SymInt tiles(int64_t side) const {
    return products * ceil_divide(rows, side) * ceil_divide(columns, side);
  }
  /// The tile that they take; nothing where sizes are known only by a launch.
  std::optional<size_t> usual(std::span<const MatrixTile> of) const {
    if (!products.is_constant() || !rows.is_constant() || !columns.is_constant())
      return std::nullopt;
    const TiledProducts known{products.constant(), rows.constant(), columns.constant()};
    const int part = known.usual_part(of.back().part);
    const auto found =
        std::ranges::find_if(of, [&](const MatrixTile& tile) { return tile.part == part; });
    return static_cast<size_t>(found - of.begin());
  }
};

TileKernel tile_kernel(std::string entry, std::string source, const Products& products,
                       const MatrixTile& tile) {
  return {{std::move(entry), std::move(source), products.tiles(tile.side()).text(), kTileThreads},
          tile.side()};
}

CallKernels product_kernels(const TensorType& out, const EpilogueForm& form) {
  const size_t rank = out.rank();
  const Products products{rank == 3 ? out.sizes[0] : 1, out.sizes[rank - 2], out.sizes[rank - 1]};
  const std::span<const MatrixTile> tiles = matrix_tiles(out.dtype);
  CallKernels kernels{.usual = products.usual(tiles)};
  for (const MatrixTile& tile : tiles)
    kernels.by_tile.push_back(tile_kernel(
        matrix_product_entry(tile), matrix_product_text(out.dtype, form, tile), products, tile));
  return kernels;
}

/// A product for each group, of the shape of what is computed: that of the weights has their
/// windows as columns, the others what lies at the places of all images.
Products window_products(ConvolutionPass pass, const LibraryCall& call, const TensorType& out) {
  const ScheduleArgument* given = argument_of(call, ops::groups_place(pass), "groups");
  const auto* groups = given == nullptr ? nullptr : given->get_if<SymInt>();
  const bool is_weight = pass == ConvolutionPass::kOfWeight;
  Products products{.products = groups == nullptr ? SymInt(1) : *groups,
                    .rows = out.sizes[is_weight ? 0 : 1],
                    .columns = out.sizes[is_weight ? 1 : 0]};
  products.rows = floor_divide(products.rows, products.products);
  for (size_t dim = 2; dim < out.rank(); ++dim) products.columns *= out.sizes[dim];
  return products;
}

CallKernels convolution_kernels(ConvolutionForm form, const Products& products) {
  CallKernels kernels{.usual = products.usual(convolution_tiles())};
  for (const MatrixTile& tile : convolution_tiles()) {
    form.part = tile.part;
    kernels.by_tile.push_back(
        tile_kernel(convolution_entry(form.pass), convolution_text(form), products, tile));
  }
  return kernels;
}

}  // namespace

std::string extent_text(const std::array<uint32_t, 3>& sizes) {
  if (sizes[2] > 1) return fmt::format("{} x {} x {}", sizes[0], sizes[1], sizes[2]);
  return sizes[1] > 1 ? fmt::format("{} x {}", sizes[0], sizes[1]) : std::to_string(sizes[0]);
}

CallKernels kernels_of(const Schedule& schedule, const LibraryCall& call) {
  const std::string& target = call.target.text();
  const TensorType& out = schedule[call.outputs[0]].type;
  if (target == "mm" || target == "bmm" || target == "mm_epilogue")
    return product_kernels(out, epilogue_of(call));
  const std::optional<ConvolutionPass> pass = ops::convolution_pass(target);
  if (!pass) return {};
  return convolution_kernels({.pass = *pass,
                              .dtype = out.dtype,
                              .dims = static_cast<int>(out.rank()) - 2,
                              .has_bias = *pass == ConvolutionPass::kForward && has_bias(call)},
                             window_products(*pass, call, out));
}

const TileKernel* CallKernels::find(const CallKernel& kernel) const {
  const auto found = std::ranges::find_if(by_tile, [&](const TileKernel& tile) {
    return tile.entry == kernel.entry && tile.source == kernel.source;
  });
  return found == by_tile.end() ? nullptr : &*found;
}

std::optional<CallRuns> runs_of(const Schedule& schedule, const LibraryCall& call, bool is_tuned) {
  const CallLaunches* launches = find_launches({call_text(schedule, call), is_tuned});
  if (launches == nullptr) return std::nullopt;
  CallRuns runs;
  runs.library = launches->library;
  for (const CallLaunches::Each& each : launches->kernels) {
    runs.all.push_back({each.entry, *each.source, extent_text(each.grid),
                        each.block[0] * each.block[1] * each.block[2], each.dynamic_shared});
    if (each.run == launches->runs) runs.last.push_back(runs.all.back());
  }
  return runs;
}

std::string_view library_for(const Schedule& schedule, const LibraryCall& call) {
  const CallKernels kernels = kernels_of(schedule, call);
  const DType dtype = schedule[call.outputs[0]].type.dtype;
  const Result<Gpu*>& gpu = open_gpu();
  if (kernels.by_tile.empty() || !gpu || !is_floating(dtype)) return {};
  if (ops::convolution_pass(call.target.text())) return usable_cudnn() != nullptr ? kDnnName : "";
  return multiplies_by_library(dtype) ? kLibraryWay : "";
}

}  // namespace glint::cuda
