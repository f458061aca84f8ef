// `:cuda` and `:ptx`, and what the listings of generated code share.
//
// PTX names lines of the CUDA C++ (`.loc`); a line that was inlined there counts for the line of
// the kernel that called it.
#include "backends/cuda/listing.h"

#include <fmt/format.h>

#include "backends/cuda/call_listing.h"
#include "backends/cuda/compile_cuda.h"
#include "backends/statement_margin.h"

namespace glint::cuda {
namespace {

/// Lines of PTX and where each stands in the source.
class PtxLines {
 public:
  PtxLines(const CompiledModule& module, std::span<const Kernel* const> kernels)
      : module_(module), kernels_(kernels), place_(module) {}

  std::vector<StageLine> list() {
    for_each_line(module_.ptx, [this](std::string_view line) { add(line); });
    return std::move(lines_);
  }

 private:
  void add(std::string_view line) {
    // `.loc 1 12 5` or `.loc 1 3 9, function_name $L__info0, inlined_at 1 12 5`.
    if (line.find(".loc") != std::string_view::npos)
      return place_.move_to(number_behind(line, ".loc\t1 ") + number_behind(line, ".loc 1 "),
                            number_behind(line, "inlined_at 1 "));
    std::string text;
    for (const char c : line) text += c == '\t' ? std::string("    ") : std::string(1, c);
    const bool is_instruction = line.starts_with('\t') &&
                                line.find(';') != std::string_view::npos &&
                                !line.starts_with("\t.");
    if (line.starts_with('}')) place_.forget();
    lines_.push_back(is_instruction ? placed_line(std::move(text), place_, kernels_)
                                    : StageLine{std::move(text), {}});
  }

  const CompiledModule& module_;
  std::span<const Kernel* const> kernels_;
  ModulePlace place_;
  std::vector<StageLine> lines_;
};

Result<std::vector<StageLine>> ptx_of_text(const CompiledModule& module) {
  return PtxLines(module, {}).list();
}

}  // namespace

KernelCuts cuts_of(const Schedule& schedule, const ScheduleTuning* tuning) {
  return cuts_of(schedule.kernels,
                 tuning == nullptr ? std::span<const LaunchShape>() : tuning->shapes);
}

uint32_t number_behind(std::string_view text, std::string_view word) {
  const size_t at = text.find(word);
  if (at == std::string_view::npos) return 0;
  return static_cast<uint32_t>(
      std::strtoul(std::string(text.substr(at + word.size())).c_str(), nullptr, 10));
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
    lines = PtxLines(*compiled->front().module, cuts.kernels).list();
  }
  return with_call_code(schedule, std::move(lines), "PTX", ptx_of_text);
}

}  // namespace glint::cuda
