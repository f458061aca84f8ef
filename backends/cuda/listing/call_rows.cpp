// The rows of library calls in the table of launches.
//
//     on a GPU (compute_80)   grid  block  registers  shared  occupancy  reads  writes
//     matrix_product %addmm     56    256         32    2176      100 %  58880   51200
//     scatter_add %index_add     -      -          -       -          -  30880   25600
//
//     cuBLASLt %matmul           -      -          -       -          -  32768   16384
//
// The second one has not run yet, the third one a library does. Bytes are those that the call moves
// at least, where one kernel does all of it.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/compile/compile_cuda.h"
#include "backends/cuda/compile/shared_bytes.h"
#include "backends/cuda/listing/call_kernels.h"
#include "backends/cuda/listing/call_listing.h"
#include "ir/call_types.h"

namespace glint::cuda {
namespace {

using Cells = std::vector<std::string>;

/// Who does a call: a library, or kernels.
struct Doers {
  std::string_view library;
  std::vector<CallKernel> kernels;
};

/// Of a call that ran those of its last run, with the grid that their sizes ask for where that is
/// known of all launches; of one that did not, what it would run.
Doers doers_of(const ListedSchedule& listed, const LibraryCall& call) {
  const CallKernels tiled = kernels_of(listed.schedule, call);
  auto ran = runs_of(listed.schedule, call, listed.is_tuned());
  if (!ran) {
    const std::string_view library = library_for(listed.schedule, call);
    if (!library.empty() || tiled.by_tile.empty()) return {library, {}};
    return {{}, {tiled.shown()}};
  }
  for (CallKernel& each : ran->last)
    if (const TileKernel* known = tiled.find(each)) each.grid = known->grid;
  return {ran->library, std::move(ran->last)};
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

std::vector<Cells> rows_of(const ListedSchedule& listed, const LibraryCall& call,
                           RegisterCounts& counts, std::optional<Error>& missing) {
  const auto [library, kernels] = doers_of(listed, call);
  const size_t doers = kernels.size() + (library.empty() ? 0 : 1);
  const Cells bytes = doers > 1 ? Cells{"-", "-"} : bytes_of(listed.schedule, call);
  std::vector<Cells> rows;
  if (!library.empty() || kernels.empty()) {
    const std::string_view name = library.empty() ? call.target.text() : library;
    rows.push_back(
        joined({fmt::format("{} %{}", name, call.node), "-", "-", "-", "-", "-"}, bytes));
  }
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

std::vector<LaunchRow> call_rows(const ListedSchedule& listed, const LibraryCall& call,
                                 RegisterCounts& counts, std::optional<Error>& missing) {
  std::vector<LaunchRow> rows;
  for (Cells& cells : rows_of(listed, call, counts, missing))
    rows.push_back({std::move(cells), call.spans});
  return rows;
}

}  // namespace glint::cuda
