#include "backends/cuda/kernels/tune_products.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "backends/cuda/device/device_memory.h"
#include "backends/cuda/tuning/tune_run.h"

namespace glint::cuda {
namespace {

std::vector<Tuning>* found_products = nullptr;

std::string_view layout_of(const Tensor& matrix) {
  if (matrix.stride(-1) == 1) return "by rows";
  return matrix.stride(-2) == 1 ? "by columns" : "strided";
}

/// `64 x 32 by 32 x 16, relu, float32`, sizes to the next power of two.
std::string text_of(const Tensor& a, const Tensor& b, const Tensor& out,
                    const ProductEpilogue& epilogue) {
  const auto sizes = [](const Tensor& matrix) {
    return fmt::format("{} x {}", rounded_size(matrix.size(-2)), rounded_size(matrix.size(-1)));
  };
  std::string text = out.rank() == 3 ? fmt::format("{} times ", rounded_size(out.size(0))) : "";
  text += fmt::format("{} by {}", sizes(a), sizes(b));
  if (epilogue.added != nullptr) text += epilogue.adds_row() ? ", bias" : ", sum";
  if (epilogue.scales()) text += ", scaled";
  if (epilogue.activation != "none") text += fmt::format(", {}", epilogue.activation);
  return text + fmt::format(", {}", dtype_name(out.dtype()));
}

std::string way_of(MatrixTile tile) {
  return fmt::format("{0} x {0}", tile.side());
}

/// The library first, if there is one and it does the product; then the usual tile and the others.
Tuning tried(const Tensor& a, const Tensor& b, const Tensor& out, const ProductEpilogue& epilogue,
             const std::function<bool()>& by_library, const std::string& what) {
  Gpu& gpu = need_gpu();
  Tuning tuning{.what = what, .is_estimate = gpu.properties().is_simulated};
  const auto add = [&tuning](std::string way, const Result<double>& cost) {
    if (!cost) fail_on_device(cost.error());
    tuning.rows.push_back({std::move(way), *cost});
  };
  if (by_library && by_library()) add(std::string(kLibraryWay), cost_of_calls(gpu, by_library));
  const MatrixTile usual = usual_tile(out);
  std::vector<MatrixTile> tiles = {usual};
  for (const MatrixTile tile : matrix_tiles(out.dtype()))
    if (tile.part != usual.part) tiles.push_back(tile);
  for (const MatrixTile tile : tiles) {
    const MatrixLaunch made = matrix_launch(a, b, out, epilogue, tile);
    add(way_of(tile), cost_of(gpu, made.entry, made.launch));
  }
  return tuning;
}

void note(const Tuning& tuning) {
  if (std::ranges::find(*found_products, tuning.what, &Tuning::what) == found_products->end())
    found_products->push_back(tuning);
}

}  // namespace

ProductTrials::Scope::Scope(std::vector<Tuning>& found)
    : outer_(std::exchange(found_products, &found)) {}

ProductTrials::Scope::~Scope() {
  found_products = outer_;
}

bool ProductTrials::at_work() {
  return found_products != nullptr;
}

std::optional<MatrixTile> tuned_product(const Tensor& a, const Tensor& b, const Tensor& out,
                                        const ProductEpilogue& epilogue,
                                        const std::function<bool()>& by_library) {
  const std::string what = text_of(a, b, out, epilogue);
  const std::string key = fmt::format("product {}\n{} and {}\n{}{}", what, layout_of(a),
                                      layout_of(b), tuned_device(), by_library ? ", library" : "");
  auto tuning = find_tuning(key);
  if (!tuning) {
    tuning = tried(a, b, out, epilogue, by_library, what);
    keep_tuning(key, *tuning);
  }
  note(*tuning);
  const std::string& best = tuning->rows[tuning->best()].way;
  if (best == kLibraryWay) return std::nullopt;
  for (const MatrixTile tile : matrix_tiles(out.dtype()))
    if (way_of(tile) == best) return tile;
  return usual_tile(out);
}

}  // namespace glint::cuda
