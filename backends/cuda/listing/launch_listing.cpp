// How a schedule's kernels are launched on a GPU: a row each, at the end of `:kernels` and in
// `:gpu`.
//
//     on a GPU (compute_80)  grid  block  registers  shared  occupancy      reads  writes
//     multiply_relu_sum        s0    128         20      64   100 %     64*s0 + 4    4*s0
//
// Grid and block are what the code says; registers and shared memory are NVRTC's, `-` without it,
// and `~23` is an estimate, where there is PTX of another time and no machine code.
// Occupancy is the part of a multiprocessor's warps that these leave room for. A kernel that the
// schedule launches several times, `softmax (3 launches)`, has one row, which is about each of
// them.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "backends/cuda/compile/compile_cuda.h"
#include "backends/cuda/compile/register_counts.h"
#include "backends/cuda/listing/call_listing.h"
#include "backends/cuda/listing/gpu_listing.h"
#include "backends/cuda/listing/listing.h"

namespace glint::cuda {
namespace {

using Cells = std::vector<std::string>;
using Rows = std::vector<LaunchRow>;

std::vector<Span> origins_of(const Kernel& kernel) {
  std::vector<Span> spans;
  for (const KernelOrigin& origin : kernel.origins)
    spans.insert(spans.end(), origin.spans.begin(), origin.spans.end());
  return spans;
}

/// What is known without a compiler: grid, block and the bytes that a launch moves at least.
template <class AnyKernel>
LaunchRow written_row(const Kernel& kernel, const AnyKernel& written) {
  const Traffic moved = traffic(kernel);
  return {{written.entry, written.grid.text(), std::to_string(written.threads), "-", "-", "-",
           moved.read.text(), moved.written.text()},
          origins_of(kernel)};
}

LaunchRow compiled_row(const Kernel& kernel, const CompiledKernel& compiled,
                       RegisterCounts& counts) {
  LaunchRow row = written_row(kernel, compiled);
  row.cells[4] = shared_memory(compiled).text();
  if (const auto registers = counts.of(compiled)) {
    row.cells[3] = registers->text();
    row.cells[5] = occupancy_text(compiled, registers->count);
  }
  return row;
}

std::vector<StageLine> table(const Rows& rows) {
  const Result<std::string> architecture = architecture_of({});
  std::vector<Cells> cells = {
      {architecture ? fmt::format("on a GPU ({})", *architecture) : "on a GPU", "grid", "block",
       "registers", "shared", "occupancy", "reads", "writes"}};
  for (const LaunchRow& row : rows) cells.push_back(row.cells);
  std::vector<StageLine> lines;
  for (std::string& text : aligned(cells))
    lines.push_back(
        {std::move(text), lines.empty() ? std::vector<Span>() : rows[lines.size() - 1].origins});
  return lines;
}

/// The row of a kernel that is launched several times says so: its bytes are those of one launch.
void count_launches(const Schedule& schedule, const KernelCuts& cuts, Rows& rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto launches = std::ranges::count_if(schedule.steps, [&](const Step& step) {
      const auto* launch = std::get_if<Launch>(&step.kind);
      return launch && &schedule.kernels[launch->kernel] == cuts.kernels[i];
    });
    if (launches > 1) rows[i].cells[0] += fmt::format(" ({} launches)", launches);
  }
}

/// Of a schedule's kernels; `missing` is why NVRTC did not compile them.
Rows kernel_rows(const KernelCuts& cuts, RegisterCounts& counts, std::optional<Error>& missing) {
  const std::vector<const Kernel*>& kernels = cuts.kernels;
  Rows rows;
  if (kernels.empty()) return rows;
  if (const auto compiled = compile_cuda(kernels, {.shapes = cuts.shapes})) {
    for (size_t i = 0; i < kernels.size(); ++i)
      rows.push_back(compiled_row(*kernels[i], (*compiled)[i], counts));
  } else {
    const WrittenProgram program = write_program(kernels, {}, cuts.shapes);
    for (size_t i = 0; i < kernels.size(); ++i)
      rows.push_back(written_row(*kernels[i], program.kernels[i]));
    missing = compiled.error();
  }
  return rows;
}

}  // namespace

void append_missing(std::vector<StageLine>& lines, const std::optional<Error>& missing,
                    const RegisterCounts& counts) {
  if (missing)
    std::ranges::move(missing_line("registers", *missing), std::back_inserter(lines));
  else if (counts.missing())
    std::ranges::move(
        missing_line("machine code, `~` is an estimate from the PTX", *counts.missing()),
        std::back_inserter(lines));
}

std::vector<StageLine> launch_lines(const Schedule& schedule, const ScheduleTuning* tuning) {
  RegisterCounts counts;
  std::optional<Error> missing;
  const ListedSchedule listed(schedule, tuning);
  const KernelCuts& cuts = listed.cuts;
  Rows of_cuts = kernel_rows(cuts, counts, missing);
  count_launches(schedule, cuts, of_cuts);
  Rows rows;
  for (const SchedulePart& part : parts_of(listed)) {
    if (part.call == nullptr)
      rows.push_back(std::move(of_cuts[part.cut]));
    else
      std::ranges::move(call_rows(listed, *part.call, counts, missing), std::back_inserter(rows));
  }
  std::vector<StageLine> lines;
  if (!rows.empty()) lines = table(rows);
  append_missing(lines, missing, counts);
  if (tuning != nullptr)
    std::ranges::move(tuning_lines(schedule, *tuning), std::back_inserter(lines));
  return lines;
}

std::vector<StageLine> gpu_lines(const Schedule& schedule, const ScheduleTuning* tuning) {
  std::vector<StageLine> lines = launch_lines(schedule, tuning);
  const ListedSchedule listed(schedule, tuning);
  const KernelCuts& cuts = listed.cuts;
  const auto compiled = compile_cuda(cuts.kernels, {.shapes = cuts.shapes});
  KernelSections sections(cuts.kernels.size());
  for (size_t i = 0; compiled && i < cuts.kernels.size(); ++i)
    sections.of_cuts[i] = counted_lines((*compiled)[i], *cuts.kernels[i]);
  std::vector<StageLine> counted = with_call_counts(listed, std::move(sections));
  if (lines.empty() && counted.empty()) return {{"no kernel: nothing is computed", {}}};
  if (!counted.empty()) lines.push_back({"", {}});
  std::ranges::move(counted, std::back_inserter(lines));
  return lines;
}

}  // namespace glint::cuda
