// `:cuda` and `:ptx`, and what the listings of generated code share.
//
// PTX names lines of the CUDA C++ (`.loc`); a line that was inlined there counts for the line of
// the kernel that called it (simulator/call_sites.h).
#include "backends/cuda/listing/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "backends/cuda/compile/compile_cuda.h"
#include "backends/cuda/listing/call_listing.h"
#include "backends/cuda/listing/text_lines.h"
#include "backends/cuda/simulator/module.h"
#include "backends/statement_margin.h"

namespace glint::cuda {
namespace {

/// Behind the indentation; most opcodes are shorter.
constexpr size_t kOperandColumn = 20;

/// For each line of PTX that is an instruction the line of the source that it belongs to; else 0.
std::vector<uint32_t> source_lines_of(const CompiledModule& module) {
  std::vector<uint32_t> lines;
  const auto parsed = simulator::parse_module(module.ptx);
  if (!parsed) return lines;
  for (const simulator::Function& function : parsed->functions) {
    TextLines of_text(parsed->files, module.is_written_by_hand);
    for (const simulator::Statement& statement : function.body) {
      const auto* instruction = std::get_if<simulator::InstructionText>(&statement);
      if (instruction == nullptr) continue;
      lines.resize(std::max(lines.size(), size_t{instruction->place.line}));
      lines[instruction->place.line - 1] =
          of_text.line_of(instruction->lines.own, instruction->lines.entry);
    }
  }
  return lines;
}

/// `scale` of the comment that NVRTC writes in front of an entry, `// .globl  scale`.
std::string_view entry_in_ptx(std::string_view line) {
  constexpr std::string_view kGlobal = "    // .globl";
  return line.starts_with(kGlobal) ? line.substr(line.rfind(' ') + 1) : std::string_view();
}

/// The PTX with each instruction's place in its margin.
std::vector<StageLine> margined_ptx(const CompiledModule& module,
                                    std::span<const Kernel* const> kernels) {
  const std::vector<uint32_t> source_lines = source_lines_of(module);
  ModulePlace place(module, kernels);
  std::vector<StageLine> lines;
  size_t number = 0;
  // Names of functions for debuggers, byte by byte, end the text.
  const std::string_view ptx = module.ptx;
  for_each_line(ptx.substr(0, ptx.find("\t.section\t.debug")), [&](std::string_view line) {
    const uint32_t source_line = number < source_lines.size() ? source_lines[number] : 0;
    ++number;
    if (line.find(".loc") != std::string_view::npos) return;
    std::string text = without_tabs(line, kOperandColumn);
    if (line.starts_with('}')) place.forget();
    place.move_to(source_line, 0);
    lines.push_back(source_line != 0 ? place.line(std::move(text))
                                     : StageLine{std::move(text), {}});
  });
  return lines;
}

}  // namespace

ModulePlace::ModulePlace(const CompiledModule& module, std::span<const Kernel* const> kernels)
    : module_(module), kernels_(kernels) {
  if (module.lines.empty()) text_ = lines_of(module.source);
}

SourceLine ModulePlace::source_line(uint32_t number) const {
  if (number == 0 || number > module_.lines.size()) return {};
  return module_.lines[number - 1];
}

void ModulePlace::move_to(uint32_t own, uint32_t caller) {
  if (own != 0 || caller != 0) line_ = own != 0 ? own : caller;
  for (const SourceLine& line : {source_line(own), source_line(caller)}) {
    if (line.statement == SourceLine::kNone) continue;
    at_ = line;
    return;
  }
}

void ModulePlace::forget() {
  at_ = {};
  line_ = 0;
}

StageLine ModulePlace::line(std::string code) const {
  if (const std::string_view line = line_at(text_, line_); !line.empty()) {
    const std::string_view shown = module_.is_written_by_hand ? line : without_margin(line, "//");
    return {with_margin(std::move(code), "//", line_, shown), {}};
  }
  if (at_.kernel >= kernels_.size()) return {std::move(code), {}};
  return with_margin(std::move(code), "//", *kernels_[at_.kernel], at_.statement);
}

std::vector<StageLine> missing_line(std::string_view what, const Error& error) {
  StageLine line{fmt::format("no {}: {}", what, error.message), {}};
  if (error.span.known()) line.origins.push_back(error.span);
  return {std::move(line)};
}

std::vector<StageLine> cuda_lines(const Schedule& schedule, const ScheduleTuning* tuning) {
  const ListedSchedule listed(schedule, tuning);
  const KernelCuts& cuts = listed.cuts;
  const WrittenProgram program = write_program(cuts.kernels, {}, cuts.shapes);
  KernelSections sections(cuts.kernels.size());
  size_t number = 0;
  for_each_line(program.source, [&](std::string_view text) {
    const SourceLine from = program.lines[number++];
    if (cuts.kernels.empty()) return;
    StageLine line{std::string(text), {}};
    if (from.kernel >= cuts.kernels.size()) return sections.shared.push_back(std::move(line));
    if (from.statement != SourceLine::kNone) {
      const KernelOrigin* origin = origin_of(*cuts.kernels[from.kernel], from.statement);
      if (origin != nullptr) line.origins = origin->spans;
    }
    sections.of_cuts[from.kernel].push_back(std::move(line));
  });
  return with_call_sources(listed, std::move(sections));
}

std::vector<StageLine> ptx_lines(const Schedule& schedule, const ScheduleTuning* tuning) {
  const ListedSchedule listed(schedule, tuning);
  const KernelCuts& cuts = listed.cuts;
  KernelSections sections(cuts.kernels.size());
  if (!cuts.kernels.empty()) {
    auto compiled = compile_cuda(cuts.kernels, {.shapes = cuts.shapes, .reuses_code = false});
    if (!compiled) return missing_line("PTX", compiled.error());
    sections.add(margined_ptx(*compiled->front().module, cuts.kernels), *compiled, entry_in_ptx);
  }
  return with_call_code(listed, std::move(sections), "PTX", ptx_lines);
}

std::vector<StageLine> ptx_lines(const CompiledModule& module) {
  return margined_ptx(module, {});
}

}  // namespace glint::cuda
