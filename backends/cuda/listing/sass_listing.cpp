// `:sass`: the machine code of a schedule's kernels, as a disassembler writes it.
//
//     //## File "glint.cu", line 31                    what nvdisasm prints: the place,
//             /*00a0*/             @P0 EXIT ;          then instructions
//
//     00a0  @P0  EXIT ;                                                     //   3  %relu
//
// Directives and what fills the code up are left out.
#include <fmt/format.h>

#include "backends/cuda/compile/compile_cuda.h"
#include "backends/cuda/compile/machine_code.h"
#include "backends/cuda/compile/number_behind.h"
#include "backends/cuda/listing/call_listing.h"
#include "backends/cuda/listing/listing.h"

namespace glint::cuda {
namespace {

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

class SassLines {
 public:
  SassLines(const CompiledModule& module, std::span<const Kernel* const> kernels)
      : kernels_(kernels), place_(module) {}

  std::vector<StageLine> list(std::string_view text) {
    for_each_line(text, [this](std::string_view line) { add(trimmed(line)); });
    return std::move(lines_);
  }

 private:
  void add(std::string_view line) {
    if (line.starts_with("//## File")) {
      // The first `line` is the place itself, the second the one that it was inlined into.
      const size_t inlined = std::min(line.find(" inlined at "), line.size());
      return place_.move_to(number_behind(line, ", line "),
                            number_behind(line.substr(inlined), ", line "));
    }
    if (line.starts_with("/*")) return add_instruction(line);
    const bool is_jump_label = line.starts_with(".L");
    if (!line.ends_with(':') || (line.starts_with('.') && !is_jump_label)) return;
    if (!is_jump_label) {
      place_.forget();
      if (!lines_.empty()) lines_.push_back({"", {}});
    }
    lines_.push_back({std::string(line), {}});
  }

  /// `/*00a0*/   @P0 EXIT ;`
  void add_instruction(std::string_view line) {
    const size_t end = line.find("*/");
    if (end == std::string_view::npos) return;
    const std::string_view offset = line.substr(2, end - 2);
    std::string_view code = trimmed(line.substr(end + 2));
    // A line of newer disassemblers may hold the code's bits alone.
    if (code.empty() || code.starts_with("/*") || code.starts_with("NOP")) return;
    std::string_view predicate;
    if (code.starts_with('@')) {
      predicate = code.substr(0, code.find(' '));
      code = trimmed(code.substr(predicate.size()));
    }
    lines_.push_back(
        placed_line(fmt::format("    {}  {:<5}{}", offset, predicate, code), place_, kernels_));
  }

  std::span<const Kernel* const> kernels_;
  ModulePlace place_;
  std::vector<StageLine> lines_;
};

Result<std::vector<StageLine>> sass_of(const CompiledModule& module,
                                       std::span<const Kernel* const> kernels) {
  auto code = machine_code(module.source, module.architecture);
  if (!code) return code.error();
  auto text = disassembly(code->cubin);
  if (!text) return text.error();
  return SassLines(module, kernels).list(*text);
}

}  // namespace

std::vector<StageLine> disassembled_lines(std::string_view text, const CompiledModule& module,
                                          std::span<const Kernel* const> kernels) {
  return SassLines(module, kernels).list(text);
}

std::vector<StageLine> sass_lines(const Schedule& schedule, const ScheduleTuning* tuning) {
  const KernelCuts cuts = cuts_of(schedule, tuning);
  if (auto tool = find_disassembler(); !tool) return missing_line("SASS", tool.error());
  std::vector<StageLine> lines;
  if (!cuts.kernels.empty()) {
    auto compiled = compile_cuda(cuts.kernels, {.shapes = cuts.shapes, .reuses_code = false});
    if (!compiled) return missing_line("SASS", compiled.error());
    auto disassembled = sass_of(*compiled->front().module, cuts.kernels);
    if (!disassembled) return missing_line("SASS", disassembled.error());
    lines = std::move(*disassembled);
  }
  return with_call_code(schedule, std::move(lines), "SASS",
                        [](const CompiledModule& module) { return sass_of(module, {}); });
}

std::vector<StageLine> sass_lines_of_text(const std::string& source,
                                          const std::string& architecture) {
  if (auto tool = find_disassembler(); !tool) return missing_line("SASS", tool.error());
  CompiledModule module;
  module.source = source;
  module.architecture = architecture;
  auto lines = sass_of(module, {});
  return lines ? std::move(*lines) : missing_line("SASS", lines.error());
}

}  // namespace glint::cuda
