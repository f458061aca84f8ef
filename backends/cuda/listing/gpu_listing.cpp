#include "backends/cuda/listing/gpu_listing.h"

#include <fmt/format.h>

#include <map>

#include "backends/cuda/compile/compile_cuda.h"
#include "backends/cuda/compile/register_counts.h"
#include "backends/cuda/listing/text_lines.h"
#include "backends/cuda/simulator/report.h"
#include "backends/statement_margin.h"

namespace glint::cuda {
namespace {

using simulator::Counts;

std::string number(uint64_t value) {
  return value == 0 ? std::string() : std::to_string(value);
}
std::string percent(double part) {
  return fmt::format("{:.0f} %", 100 * part);
}

std::string count_row(const Counts& counts, std::string_view text) {
  std::string row =
      fmt::format("{:>9} {:>11} {:>9} {:>6} {:>9} {:>9}  {}", counts.executed, counts.lanes,
                  number(counts.sectors), counts.sectors == 0 ? "" : percent(counts.efficiency()),
                  number(counts.bank_conflicts()), number(counts.divergent), text);
  row.erase(row.find_last_not_of(' ') + 1);
  return row;
}

std::string extent_text(const simulator::Extent3& extent) {
  if (extent.z > 1) return fmt::format("{} x {} x {}", extent.x, extent.y, extent.z);
  return extent.y > 1 ? fmt::format("{} x {}", extent.x, extent.y) : std::to_string(extent.x);
}

/// `1 block`, `4 x 2 blocks`.
std::string counted(const simulator::Extent3& extent, std::string_view what) {
  return fmt::format("{} {}{}", extent_text(extent), what, extent.total() == 1 ? "" : "s");
}

/// As `:kernels` says them, if NVRTC makes machine code of the kernel; else what its PTX asks for.
RegisterCount registers_of(const LoggedKernel& kernel) {
  const simulator::Program& program = *kernel.program;
  const auto assembled = assembled_registers(*kernel.source, program.target, program.name);
  return assembled ? RegisterCount{*assembled} : RegisterCount{program.live_registers, true};
}

/// ` of compute_80`, where the table of launches is of another GPU than the one that ran it.
std::string of_target(const simulator::Program& program) {
  const auto number = [](const std::string& target) { return target.substr(target.find('_') + 1); };
  const Result<std::string> shown = architecture_of({});
  const bool is_other = shown && number(*shown) != number(program.target);
  return is_other ? fmt::format(" of compute_{}", number(program.target)) : "";
}

/// `20 registers, 64 bytes of shared memory, 100 % occupancy, limited by warps`.
std::string needs_text(const LoggedKernel& kernel) {
  const simulator::Program& program = *kernel.program;
  const RegisterCount registers = registers_of(kernel);
  const simulator::Occupancy fits =
      simulator::occupancy(simulator::find_architecture(program.target),
                           {kernel.launch.block.total(), registers.count,
                            program.shared_bytes + kernel.launch.dynamic_shared});
  return fmt::format(
      "{} registers{}{}, {} bytes of shared memory, {} occupancy, limited by {}", registers.text(),
      of_target(program), registers.is_estimate ? " by its PTX, an estimate" : "",
      program.shared_bytes + kernel.launch.dynamic_shared, percent(fits.part), fits.limit);
}

std::map<uint32_t, Counts> counts_by_line(const LoggedKernel& kernel,
                                          const simulator::LaunchReport& report) {
  const simulator::Program& program = *kernel.program;
  TextLines lines(program.files, kernel.is_written_by_hand);
  std::map<uint32_t, Counts> counts;
  for (size_t i = 0; i < report.counts.size(); ++i)
    counts[lines.line_of(program.info[i].lines.own, program.info[i].lines.entry)] +=
        report.counts[i];
  return counts;
}

using Places = std::vector<std::vector<Span>>;

/// A row for each line of a kernel's source; `places[n - 1]` is where line n comes from.
void append_rows(std::vector<StageLine>& lines, const LoggedKernel& kernel,
                 const simulator::LaunchReport& report, const Places& places) {
  lines.push_back({fmt::format("{:>9} {:>11} {:>9} {:>6} {:>9} {:>9}  {}", "warps", "lanes",
                               "sectors", "used", "conflicts", "divergent", "source"),
                   {}});
  const std::vector<std::string_view> source = lines_of(*kernel.source);
  for (const auto& [line, counts] : counts_by_line(kernel, report)) {
    if (counts.executed == 0) continue;
    const bool is_known = line != 0 && line <= source.size();
    lines.push_back({count_row(counts, is_known ? source[line - 1] : "(of no line)"),
                     line != 0 && line <= places.size() ? places[line - 1] : std::vector<Span>()});
  }
  lines.push_back({count_row(report.total, "all"), {}});
}

/// What ended the last launch before its end, and what it had done by then.
void append_fault(std::vector<StageLine>& lines, const LoggedKernel& kernel, const Places& places) {
  const std::string fault = "the last launch ended before its end: " + kernel.fault;
  for (const std::string_view line : lines_of(fault)) lines.push_back({std::string(line), {}});
  if (kernel.unfinished.total.executed == 0) return;
  lines.push_back({"what it had done by then:", {}});
  append_rows(lines, kernel, kernel.unfinished, places);
}

/// What ran, how, and what its lines did.
std::vector<StageLine> kernel_counts(const LoggedKernel& kernel, std::string_view title,
                                     const Places& places) {
  std::vector<StageLine> lines;
  lines.push_back(
      {fmt::format("{}: {} launch{}, the last of {} of {}; {}", title, kernel.launches,
                   kernel.launches == 1 ? "" : "es", counted(kernel.launch.grid, "block"),
                   counted(kernel.launch.block, "thread"), needs_text(kernel)),
       {}});
  if (!kernel.fault.empty()) append_fault(lines, kernel, places);
  if (kernel.report.counts.empty()) return lines;
  if (!kernel.fault.empty()) lines.push_back({"the launches that came to their end:", {}});
  append_rows(lines, kernel, kernel.report, places);
  return lines;
}

}  // namespace

bool has_run(const KernelChoice& choice) {
  return !kernels_that_ran(choice).empty();
}

std::string gpu_text(const KernelChoice& choice) {
  const std::vector<const LoggedKernel*> found = kernels_that_ran(choice);
  if (found.empty()) return none_ran(choice.name) + "\n";
  std::string text;
  for (const LoggedKernel* each : found) {
    if (!text.empty()) text += "\n";
    const std::string title = kernel_title(each->program->name, *each->source);
    for (const StageLine& line : kernel_counts(*each, title, {})) text += line.text + "\n";
  }
  return text;
}

std::vector<StageLine> counted_lines(std::string_view entry, std::string_view source) {
  const LoggedKernel* found = kernel_that_ran(entry, source);
  return found == nullptr ? std::vector<StageLine>() : kernel_counts(*found, entry, {});
}

std::vector<StageLine> counted_lines(const CompiledKernel& compiled, const Kernel& kernel) {
  const CompiledModule& module = *compiled.module;
  const LoggedKernel* found = kernel_that_ran(compiled.entry, module.source);
  if (found == nullptr) return {};
  // Only lines of this kernel are counted, whatever else was compiled with it.
  Places places;
  for (const SourceLine& line : module.lines) {
    places.emplace_back();
    if (line.statement >= kernel.statements.size()) continue;
    if (const KernelOrigin* origin = origin_of(kernel, line.statement))
      places.back() = origin->spans;
  }
  return kernel_counts(*found, compiled.entry, places);
}

}  // namespace glint::cuda
