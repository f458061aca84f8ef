#include "backends/cuda/listing/gpu_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "backends/cuda/compile/compile_cuda.h"
#include "backends/cuda/compile/nvrtc.h"
#include "backends/cuda/compile/register_counts.h"
#include "backends/cuda/device/launch_log.h"
#include "backends/cuda/listing/listing.h"
#include "backends/cuda/simulator/report.h"
#include "backends/cuda/simulator/stepper.h"
#include "backends/statement_margin.h"

namespace glint::cuda {
namespace {

using simulator::Counts;

constexpr std::string_view kNothing =
    "nothing ran on a simulated GPU yet; start with GLINT_GPU=sim, and use tensors on `cuda`";
/// The first lanes whose registers are shown, where they are not all alike.
constexpr uint32_t kShownLanes = 4;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string_view line_at(const std::vector<std::string_view>& lines, uint32_t number) {
  return number == 0 || number > lines.size() ? std::string_view() : lines[number - 1];
}

/// A line of the text itself; 0 of a header's.
uint32_t line_in_text(const simulator::Program& program, simulator::SourceLine at) {
  const bool is_own =
      at.file < program.files.size() && program.files[at.file].ends_with(kSourceName);
  return is_own ? at.line : 0;
}

std::vector<const LoggedKernel*> named(std::string_view name) {
  std::vector<const LoggedKernel*> found;
  for (const LoggedKernel& each : launch_log().kernels())
    if (each.program->name.starts_with(name)) found.push_back(&each);
  return found;
}

/// The kernel of that text; null where it did not run.
const LoggedKernel* logged(std::string_view entry, std::string_view source) {
  const auto is_it = [&](const LoggedKernel& each) {
    return each.program->name == entry && *each.source == source;
  };
  const auto found = std::ranges::find_if(launch_log().kernels(), is_it);
  return found == launch_log().kernels().end() ? nullptr : &*found;
}

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

/// As `:kernels` says them, if NVRTC makes machine code of the kernel; else what its PTX asks for.
RegisterCount registers_of(const LoggedKernel& kernel) {
  const simulator::Program& program = *kernel.program;
  const auto assembled = assembled_registers(*kernel.source, program.target, program.name);
  return assembled ? RegisterCount{*assembled} : RegisterCount{program.live_registers, true};
}

/// `20 registers, 64 bytes of shared memory, 100 % occupancy, limited by warps`.
std::string needs_text(const LoggedKernel& kernel) {
  const simulator::Program& program = *kernel.program;
  const RegisterCount registers = registers_of(kernel);
  const simulator::Occupancy fits =
      simulator::occupancy(simulator::find_architecture(program.target),
                           {kernel.launch.block.total(), registers.count,
                            program.shared_bytes + kernel.launch.dynamic_shared});
  return fmt::format("{} registers{}, {} bytes of shared memory, {} occupancy, limited by {}",
                     registers.text(), registers.is_estimate ? " by its PTX, an estimate" : "",
                     program.shared_bytes + kernel.launch.dynamic_shared, percent(fits.part),
                     fits.limit);
}

/// What ran, how, and a row for each line of its source; `places[n - 1]` is where line n comes
/// from.
std::vector<StageLine> kernel_counts(const LoggedKernel& kernel,
                                     const std::vector<std::vector<Span>>& places) {
  const simulator::Program& program = *kernel.program;
  std::vector<StageLine> lines;
  lines.push_back({fmt::format("{}: {} launch{}, the last of {} blocks of {} threads; {}",
                               program.name, kernel.launches, kernel.launches == 1 ? "" : "es",
                               extent_text(kernel.launch.grid), extent_text(kernel.launch.block),
                               needs_text(kernel)),
                   {}});
  if (!kernel.fault.empty()) {
    const std::string fault = "the last launch ended before its end: " + kernel.fault;
    for (const std::string_view line : lines_of(fault)) lines.push_back({std::string(line), {}});
    if (kernel.report.counts.empty()) return lines;
  }
  lines.push_back({fmt::format("{:>9} {:>11} {:>9} {:>6} {:>9} {:>9}  {}", "warps", "lanes",
                               "sectors", "used", "conflicts", "divergent", "source"),
                   {}});
  const std::vector<std::string_view> source = lines_of(*kernel.source);
  // In a text of Glint's own the functions in front of the kernel are no more than its vocabulary.
  const auto counts = kernel.is_written_by_hand
                          ? simulator::counts_by_source(program, kernel.report)
                          : simulator::counts_by_entry_line(program, kernel.report);
  for (const simulator::SourceCounts& each : counts) {
    if (each.counts.executed == 0) continue;
    const uint32_t line = line_in_text(program, each.line);
    const bool is_known = line != 0 && line <= source.size();
    lines.push_back({count_row(each.counts, is_known ? source[line - 1] : "(of no line)"),
                     line != 0 && line <= places.size() ? places[line - 1] : std::vector<Span>()});
  }
  lines.push_back({count_row(kernel.report.total, "all"), {}});
  return lines;
}

/// Walks one warp, and says what each instruction wrote.
class Walk {
 public:
  /// `lanes`: that the warp has.
  Walk(const LoggedKernel& kernel, simulator::Stepper& stepper, uint32_t lanes)
      : program_(*kernel.program),
        stepper_(stepper),
        lanes_(lanes),
        ptx_(lines_of(*kernel.ptx)),
        source_(lines_of(*kernel.source)) {}

  WarpWalk walk(std::string title, size_t limit) {
    WarpWalk walk = {std::move(title), {}, {}};
    for (size_t i = 0; i < limit && stepper_.next(); ++i) walk.steps.push_back(step());
    if (stepper_.next()) walk.end = fmt::format("... after {} instructions", limit);
    if (stepper_.fault()) walk.end = stepper_.fault()->text();
    return walk;
  }

 private:
  WarpStep step() {
    const simulator::InstructionInfo& info = program_.info[*stepper_.next()];
    WarpStep step;
    const uint32_t line = line_in_text(program_, info.source);
    if (line != shown_line_ && line != 0) {
      shown_line_ = line;
      step.source = fmt::format("{:>4}  {}", shown_line_, line_at(source_, shown_line_));
    }
    std::string_view instruction = line_at(ptx_, info.place.line);
    instruction.remove_prefix(std::min(instruction.find_first_not_of("\t "), instruction.size()));
    const uint32_t active = stepper_.active();
    stepper_.step();
    std::string shown(instruction);
    for (char& c : shown)
      if (c == '\t') c = ' ';
    step.instruction = fmt::format("      {:08x}  {:<44}{}", active, shown, written(info));
    return step;
  }

  /// `%r3 = 0, 1, 2, 3 ... 31`, `%r4 = 8 in all`: what the instruction wrote, in the first lanes
  /// and the last.
  std::string written(const simulator::InstructionInfo& info) const {
    std::string text;
    for (const uint32_t which : info.writes) {
      const simulator::Register& reg = program_.registers[which];
      text += fmt::format("  {} = {}", reg.name, values(reg));
    }
    return text;
  }

  std::string values(const simulator::Register& reg) const {
    const std::string first = stepper_.text(reg, 0);
    bool all_alike = true;
    for (uint32_t lane = 1; lane < lanes_; ++lane)
      all_alike = all_alike && stepper_.text(reg, lane) == first;
    if (all_alike) return first + " in all";
    std::string text = first;
    for (uint32_t lane = 1; lane < std::min(kShownLanes, lanes_); ++lane)
      text += ", " + stepper_.text(reg, lane);
    return lanes_ <= kShownLanes ? text : text + " ... " + stepper_.text(reg, lanes_ - 1);
  }

  const simulator::Program& program_;
  simulator::Stepper& stepper_;
  uint32_t lanes_;
  std::vector<std::string_view> ptx_, source_;
  uint32_t shown_line_ = 0;
};

std::string no_such(std::string_view kernel) {
  if (launch_log().kernels().empty()) return std::string(kNothing);
  std::string names;
  for (const LoggedKernel& each : launch_log().kernels())
    names += (names.empty() ? "" : ", ") + each.program->name;
  return fmt::format("no kernel `{}` ran; those that did: {}", kernel, names);
}

Result<WarpWalk> walk_of(const LoggedKernel& kernel, const WarpChoice& choice) {
  const uint64_t warps_of_block =
      (kernel.launch.block.total() + simulator::kLanes - 1) / simulator::kLanes;
  const uint64_t block = choice.warp / warps_of_block;
  const auto warp = static_cast<uint32_t>(choice.warp % warps_of_block);
  std::deque<std::vector<std::byte>> bytes;
  const simulator::Memory memory = simulated_memory().clone(bytes);
  auto stepper =
      simulator::Stepper::make(*kernel.program, memory, kernel.launch, kernel.options, block, warp);
  if (!stepper) return stepper.error();
  const auto threads_left =
      static_cast<uint32_t>(kernel.launch.block.total() - uint64_t{warp} * simulator::kLanes);
  const uint32_t lanes = std::min(simulator::kLanes, threads_left);
  std::string title = fmt::format(
      "{}, block {}, warp {}: line, active lanes, instruction, registers of lanes 0 to {}",
      kernel.program->name, block, warp, std::min(kShownLanes, lanes) - 1);
  if (lanes > kShownLanes) title += fmt::format(" and {}", lanes - 1);
  return Walk(kernel, **stepper, lanes).walk(std::move(title), choice.limit);
}

}  // namespace

bool has_run(std::string_view kernel) {
  return !named(kernel).empty();
}

std::string gpu_text(std::string_view kernel) {
  const std::vector<const LoggedKernel*> found = named(kernel);
  if (found.empty()) return no_such(kernel) + "\n";
  std::string text;
  for (const LoggedKernel* each : found) {
    if (!text.empty()) text += "\n";
    for (const StageLine& line : kernel_counts(*each, {})) text += line.text + "\n";
  }
  return text;
}

std::vector<StageLine> counted_lines(std::string_view entry, std::string_view source) {
  const LoggedKernel* found = logged(entry, source);
  return found == nullptr ? std::vector<StageLine>() : kernel_counts(*found, {});
}

std::vector<StageLine> counted_lines(const CompiledKernel& compiled, const Kernel& kernel) {
  const CompiledModule& module = *compiled.module;
  const LoggedKernel* found = logged(compiled.entry, module.source);
  if (found == nullptr) return {};
  // Only lines of this kernel are counted, whatever else was compiled with it.
  std::vector<std::vector<Span>> places;
  for (const SourceLine& line : module.lines) {
    places.emplace_back();
    if (line.statement >= kernel.statements.size()) continue;
    if (const KernelOrigin* origin = origin_of(kernel, line.statement))
      places.back() = origin->spans;
  }
  return kernel_counts(*found, places);
}

Result<WarpWalk> walk_warp(std::string_view kernel, const WarpChoice& choice) {
  const std::vector<const LoggedKernel*> found = named(kernel);
  if (found.empty()) return Error{no_such(kernel)};
  const LoggedKernel* last = found.front();
  for (const LoggedKernel* each : found)
    if (each->last > last->last) last = each;
  return walk_of(*last, choice);
}

Result<std::vector<WarpWalk>> walk_warps(const Schedule& schedule, const ScheduleTuning* tuning,
                                         const WarpChoice& choice) {
  const KernelCuts cuts = cuts_of(schedule, tuning);
  const auto compiled = compile_cuda(cuts.kernels, {.shapes = cuts.shapes});
  if (!compiled) return compiled.error();
  std::vector<WarpWalk> walks;
  for (const CompiledKernel& each : *compiled) {
    const LoggedKernel* ran = logged(each.entry, each.module->source);
    if (ran == nullptr) continue;
    auto walk = walk_of(*ran, choice);
    if (!walk) return walk.error();
    walks.push_back(std::move(*walk));
  }
  return walks;
}

}  // namespace glint::cuda
