// What `mode="max-autotune"` tried, at the end of `:kernels`: a row for each way, the fastest
// first.
//
//     tuned on NVIDIA H200       block     tile  elements  registers  occupancy      time
//     multiply_relu          *     512        -         4         18      100 %   3.12 us
//                        usual     256        -         4         18      100 %   3.20 us
//     64 x 64 by 64 x 64     *     256  32 x 32        4         48       62 %   9.40 us
//
// `tile` is what a block takes at a time, `elements` what a thread does.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "backends/cuda/compile/compile_cuda.h"
#include "backends/cuda/compile/register_counts.h"
#include "backends/cuda/kernels/matrix_kernel.h"
#include "backends/cuda/listing/listing.h"

namespace glint::cuda {
namespace {

using Row = std::vector<std::string>;

std::string cost_text(double cost, bool is_estimate) {
  if (is_estimate) return fmt::format("{:.0f}", cost);
  return cost < 1 ? fmt::format("{:.2f} us", 1000 * cost) : fmt::format("{:.3f} ms", cost);
}

std::string tile_text(const CompiledKernel& kernel) {
  if (kernel.rows == 0) return "-";
  return fmt::format("{} row{}", kernel.rows, kernel.rows == 1 ? "" : "s");
}

class Table {
 public:
  explicit Table(const ScheduleTuning& tuning) {
    const auto& all = tuning.kernels.empty() ? tuning.products : tuning.kernels;
    is_estimate_ = !all.empty() && all[0].is_estimate;
    const std::string title =
        is_estimate_ ? "tuned by counts, an estimate" : fmt::format("tuned on {}", tuning.device);
    rows_.push_back({title, "", "block", "tile", "elements", "registers", "occupancy",
                     is_estimate_ ? "cycles" : "time"});
  }

  void add(const Tuning& tuning, const Kernel& kernel) {
    std::vector<LaunchShape> shapes;
    for (const TuningRow& row : tuning.rows)
      shapes.push_back(parse_shape(row.way).value_or(LaunchShape()));
    const std::vector<const Kernel*> kernels(shapes.size(), &kernel);
    const auto compiled = compile_cuda(kernels, {.shapes = shapes});
    add_rows(tuning, [&](size_t i) -> Row {
      if (!compiled) return {tuning.rows[i].way, "-", "-", "-", "-"};
      const CompiledKernel& one = (*compiled)[i];
      Row row = {std::to_string(one.threads), tile_text(one), std::to_string(one.elements)};
      add_registers(row, one);
      return row;
    });
  }

  void add_product(const Tuning& tuning) {
    add_rows(tuning, [&](size_t i) -> Row {
      const std::string& way = tuning.rows[i].way;
      if (way == kLibraryWay) return {"-", way, "-", "-", "-"};
      const MatrixTile tile{std::atoi(way.c_str()) / 16};
      // The dtype stands last in the product's text; what follows the product costs few registers.
      const auto dtype = find_dtype(tuning.what.substr(tuning.what.rfind(' ') + 1));
      const auto compiled = compiled_product(dtype.value_or(DType::kFloat32), {}, tile);
      Row row = {"-", way, std::to_string(tile.part * tile.part), "-", "-"};
      if (!compiled) return row;
      row = {std::to_string(compiled->threads), way, std::to_string(compiled->elements)};
      add_registers(row, *compiled);
      return row;
    });
  }

  std::vector<StageLine> lines() const {
    std::vector<StageLine> lines;
    for (std::string& text : aligned(rows_)) lines.push_back({std::move(text), {}});
    return lines;
  }

 private:
  template <class F>
  void add_rows(const Tuning& tuning, const F& middle) {
    std::vector<size_t> order(tuning.rows.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, {}, [&](size_t i) { return tuning.rows[i].cost; });
    std::string name = tuning.what + (tuning.sizes.empty() ? "" : ", " + tuning.sizes);
    for (const size_t i : order) {
      const bool is_best = i == tuning.best();
      Row row = {std::exchange(name, ""),
                 is_best ? (i == 0 ? "* usual" : "*") : (i == 0 ? "usual" : "")};
      for (std::string& each : middle(i)) row.push_back(std::move(each));
      row.push_back(cost_text(tuning.rows[i].cost, is_estimate_));
      rows_.push_back(std::move(row));
    }
  }

  void add_registers(Row& row, const CompiledKernel& kernel) {
    const auto registers = counts_.of(kernel);
    row.push_back(registers ? registers->text() : "-");
    row.push_back(registers ? occupancy_text(kernel, registers->count) : "-");
  }

  bool is_estimate_ = false;
  std::vector<Row> rows_;
  RegisterCounts counts_;
};

}  // namespace

std::vector<StageLine> tuning_lines(const Schedule& schedule, const ScheduleTuning& tuning) {
  if (tuning.kernels.empty() && tuning.products.empty()) return {{"tuned by the first call", {}}};
  Table table(tuning);
  for (size_t i = 0; i < tuning.kernels.size() && i < schedule.kernels.size(); ++i)
    table.add(tuning.kernels[i], schedule.kernels[i]);
  for (const Tuning& product : tuning.products) table.add_product(product);
  return table.lines();
}

}  // namespace glint::cuda
