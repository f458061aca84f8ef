// The rows of library calls in the table of launches.
//
//     on a GPU (compute_80)   grid  block  registers  shared  occupancy  reads  writes
//     matrix_product %addmm     56    256         32    2176      100 %  58880   51200
//     scatter_add %index_add     -      -          -       -          -  30880   25600
//
// The second one has not run yet. Bytes are those that the call moves at least, where one kernel
// does all of it.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/compile/compile_cuda.h"
#include "backends/cuda/listing/call_kernels.h"
#include "backends/cuda/listing/call_listing.h"
#include "ir/call_types.h"

namespace glint::cuda {
namespace {

using Cells = std::vector<std::string>;

/// Those that ran, with the grid that their sizes ask for where that is known of all launches; of a
/// call that did not run the one that it would launch.
std::vector<CallKernel> kernels_in_table(const Schedule& schedule, const LibraryCall& call) {
  const CallKernels tiled = kernels_of(schedule, call);
  auto launched = launched_kernels(schedule, call);
  if (!launched)
    return tiled.by_tile.empty() ? std::vector<CallKernel>()
                                 : std::vector<CallKernel>{tiled.shown()};
  for (CallKernel& each : *launched) {
    const auto known = std::ranges::find_if(tiled.by_tile, [&](const TileKernel& tile) {
      return tile.entry == each.entry && tile.source == each.source;
    });
    if (known != tiled.by_tile.end()) each.grid = known->grid;
  }
  return *launched;
}

Cells needs_of(const CallKernel& kernel, RegisterCounts& counts, std::optional<Error>& missing) {
  const auto module = compiled_module(kernel.source);
  if (module) return needs_of(kernel, *module, counts);
  missing = module.error();
  return {"-", "-", "-"};
}

Cells bytes_of(const Schedule& schedule, const LibraryCall& call) {
  const Traffic moved = traffic(schedule, call);
  return {moved.read.text(), moved.written.text()};
}

Cells joined(Cells cells, const Cells& more) {
  cells.insert(cells.end(), more.begin(), more.end());
  return cells;
}

std::vector<Cells> rows_of(const Schedule& schedule, const LibraryCall& call,
                           RegisterCounts& counts, std::optional<Error>& missing) {
  const std::vector<CallKernel> kernels = kernels_in_table(schedule, call);
  const Cells bytes = kernels.size() > 1 ? Cells{"-", "-"} : bytes_of(schedule, call);
  if (kernels.empty())
    return {joined({fmt::format("{} %{}", call.target.text(), call.node), "-", "-", "-", "-", "-"},
                   bytes)};
  std::vector<Cells> rows;
  for (const CallKernel& each : kernels) {
    const Cells begin = {fmt::format("{} %{}", each.entry, call.node), each.grid,
                         std::to_string(each.threads)};
    rows.push_back(joined(joined(begin, needs_of(each, counts, missing)), bytes));
  }
  return rows;
}

}  // namespace

Cells needs_of(const CallKernel& kernel, std::shared_ptr<const CompiledModule> module,
               RegisterCounts& counts) {
  CompiledKernel compiled;
  compiled.entry = kernel.entry;
  compiled.threads = kernel.threads;
  compiled.shared_bytes = shared_bytes(module->ptx, kernel.entry) + kernel.dynamic_shared;
  compiled.module = std::move(module);
  const auto registers = counts.of(compiled);
  return {registers ? registers->text() : "-", std::to_string(compiled.shared_bytes),
          registers ? occupancy_text(compiled, registers->count) : "-"};
}

std::vector<LaunchRow> call_rows(const Schedule& schedule, const LibraryCall& call,
                                 RegisterCounts& counts, std::optional<Error>& missing) {
  std::vector<LaunchRow> rows;
  for (Cells& cells : rows_of(schedule, call, counts, missing))
    rows.push_back({std::move(cells), call.spans});
  return rows;
}

}  // namespace glint::cuda
