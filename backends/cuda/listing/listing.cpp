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
#include "backends/cuda/simulator/module.h"
#include "backends/statement_margin.h"

namespace glint::cuda {
namespace {

/// For each line of PTX that is an instruction the line of the source that it belongs to; else 0.
std::vector<uint32_t> source_lines_of(const std::string& ptx) {
  std::vector<uint32_t> lines;
  const auto module = simulator::parse_module(ptx);
  if (!module) return lines;
  for (const simulator::Function& function : module->functions)
    for (const simulator::Statement& statement : function.body) {
      const auto* instruction = std::get_if<simulator::InstructionText>(&statement);
      if (instruction == nullptr) continue;
      lines.resize(std::max(lines.size(), size_t{instruction->place.line}));
      lines[instruction->place.line - 1] = instruction->lines.entry.line;
    }
  return lines;
}

/// The PTX with each instruction's statement in its margin.
std::vector<StageLine> margined_ptx(const CompiledModule& module,
                                    std::span<const Kernel* const> kernels) {
  const std::vector<uint32_t> source_lines = source_lines_of(module.ptx);
  ModulePlace place(module);
  std::vector<StageLine> lines;
  size_t number = 0;
  // Names of functions for debuggers, byte by byte, end the text.
  const std::string_view ptx = module.ptx;
  for_each_line(ptx.substr(0, ptx.find("\t.section\t.debug")), [&](std::string_view line) {
    const uint32_t source_line = number < source_lines.size() ? source_lines[number] : 0;
    ++number;
    if (line.find(".loc") != std::string_view::npos) return;
    std::string text;
    for (const char c : line) text += c == '\t' ? std::string("    ") : std::string(1, c);
    if (line.starts_with('}')) place.forget();
    place.move_to(source_line, 0);
    lines.push_back(source_line != 0 ? placed_line(std::move(text), place, kernels)
                                     : StageLine{std::move(text), {}});
  });
  return lines;
}

Result<std::vector<StageLine>> ptx_of_text(const CompiledModule& module) {
  return margined_ptx(module, {});
}

}  // namespace

KernelCuts cuts_of(const Schedule& schedule, const ScheduleTuning* tuning) {
  return cuts_of(schedule.kernels,
                 tuning == nullptr ? std::span<const LaunchShape>() : tuning->shapes);
}

SourceLine ModulePlace::source_line(uint32_t number) const {
  if (number == 0 || number > module_.lines.size()) return {};
  return module_.lines[number - 1];
}

void ModulePlace::move_to(uint32_t own, uint32_t caller) {
  for (const SourceLine& line : {source_line(own), source_line(caller)}) {
    if (line.statement == SourceLine::kNone) continue;
    at_ = line;
    return;
  }
}

StageLine placed_line(std::string text, const ModulePlace& place,
                      std::span<const Kernel* const> kernels) {
  if (place.at().kernel >= kernels.size()) return {std::move(text), {}};
  return with_margin(std::move(text), "//", *kernels[place.at().kernel], place.at().statement);
}

std::vector<StageLine> missing_line(std::string_view what, const Error& error) {
  StageLine line{fmt::format("no {}: {}", what, error.message), {}};
  if (error.span.known()) line.origins.push_back(error.span);
  return {std::move(line)};
}

std::vector<StageLine> cuda_lines(const Schedule& schedule, const ScheduleTuning* tuning) {
  const KernelCuts cuts = cuts_of(schedule, tuning);
  if (cuts.kernels.empty()) return with_call_sources(schedule, {});
  const WrittenProgram program = write_program(cuts.kernels, {}, cuts.shapes);
  std::vector<StageLine> lines;
  for_each_line(program.source, [&](std::string_view text) {
    const SourceLine from = program.lines[lines.size()];
    StageLine line{std::string(text), {}};
    if (from.kernel < cuts.kernels.size() && from.statement != SourceLine::kNone) {
      const KernelOrigin* origin = origin_of(*cuts.kernels[from.kernel], from.statement);
      if (origin != nullptr) line.origins = origin->spans;
    }
    lines.push_back(std::move(line));
  });
  return with_call_sources(schedule, std::move(lines));
}

std::vector<StageLine> ptx_lines(const Schedule& schedule, const ScheduleTuning* tuning) {
  const KernelCuts cuts = cuts_of(schedule, tuning);
  std::vector<StageLine> lines;
  if (!cuts.kernels.empty()) {
    auto compiled = compile_cuda(cuts.kernels, {.shapes = cuts.shapes, .reuses_code = false});
    if (!compiled) return missing_line("PTX", compiled.error());
    lines = margined_ptx(*compiled->front().module, cuts.kernels);
  }
  return with_call_code(schedule, std::move(lines), "PTX", ptx_of_text);
}

}  // namespace glint::cuda
