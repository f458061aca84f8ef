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
#include "backends/cuda/compile/nvrtc.h"
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
      : module_(module), place_(module, kernels) {}

  std::vector<StageLine> list(std::string_view text) {
    for_each_line(text, [this](std::string_view line) { add(trimmed(line)); });
    return std::move(lines_);
  }

 private:
  void add(std::string_view line) {
    if (line.starts_with("//## File")) return add_place(line);
    if (line.starts_with("/*")) return add_instruction(line);
    const bool is_jump_label = line.starts_with(".L");
    if (!line.ends_with(':') || (line.starts_with('.') && !is_jump_label)) return;
    if (!is_jump_label) {
      place_.forget();
      if (!lines_.empty()) lines_.push_back({"", {}});
    }
    lines_.push_back({std::string(line), {}});
  }

  /// `//## File "glint.cu", line 31 inlined at "glint.cu", line 40`: the place itself, and the one
  /// that it was inlined into, of which the next line says the same.
  void add_place(std::string_view line) {
    const size_t inlined = std::min(line.find(" inlined at "), line.size());
    const uint32_t own = line_in_text(line.substr(0, inlined));
    const uint32_t caller = line_in_text(line.substr(inlined));
    // Of a user's text the innermost line counts, of Glint's own that of the kernel.
    if (module_.is_written_by_hand && has_place_) return;
    has_place_ = own != 0 || caller != 0;
    place_.move_to(own, caller);
  }
  /// Of `"/tmp/glint.cu", line 31`; 0 of a header's line.
  static uint32_t line_in_text(std::string_view place) {
    const bool is_own = place.find(fmt::format("{}\"", kSourceName)) != std::string_view::npos;
    return is_own ? number_behind(place, ", line ") : 0;
  }

  /// `/*00a0*/   @P0 EXIT ;`
  void add_instruction(std::string_view line) {
    const size_t end = line.find("*/");
    if (end == std::string_view::npos) return;
    has_place_ = false;
    const std::string_view offset = line.substr(2, end - 2);
    std::string_view code = trimmed(line.substr(end + 2));
    // A line of newer disassemblers may hold the code's bits alone.
    if (code.empty() || code.starts_with("/*") || code.starts_with("NOP")) return;
    std::string_view predicate;
    if (code.starts_with('@')) {
      predicate = code.substr(0, code.find(' '));
      code = trimmed(code.substr(predicate.size()));
    }
    lines_.push_back(place_.line(fmt::format("    {}  {:<5}{}", offset, predicate, code)));
  }

  const CompiledModule& module_;
  ModulePlace place_;
  bool has_place_ = false;  ///< that of the next instruction has been read
  std::vector<StageLine> lines_;
};

/// `scale` of `scale:`, with which an entry begins.
std::string_view entry_in_sass(std::string_view line) {
  const bool is_label = line.ends_with(':') && !line.starts_with('.');
  return is_label ? line.substr(0, line.size() - 1) : std::string_view();
}

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
  const ListedSchedule listed(schedule, tuning);
  const KernelCuts& cuts = listed.cuts;
  if (auto tool = find_disassembler(); !tool) return missing_line("SASS", tool.error());
  KernelSections sections(cuts.kernels.size());
  if (!cuts.kernels.empty()) {
    auto compiled = compile_cuda(cuts.kernels, {.shapes = cuts.shapes, .reuses_code = false});
    if (!compiled) return missing_line("SASS", compiled.error());
    auto disassembled = sass_of(*compiled->front().module, cuts.kernels);
    if (!disassembled) return missing_line("SASS", disassembled.error());
    sections.add(std::move(*disassembled), *compiled, entry_in_sass);
  }
  return with_call_code(listed, std::move(sections), "SASS", sass_lines);
}

std::vector<StageLine> sass_lines(const CompiledModule& module) {
  if (auto tool = find_disassembler(); !tool) return missing_line("SASS", tool.error());
  auto lines = sass_of(module, {});
  return lines ? std::move(*lines) : missing_line("SASS", lines.error());
}

}  // namespace glint::cuda
