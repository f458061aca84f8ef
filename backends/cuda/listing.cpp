// The glass: a schedule's kernels as CUDA C++ and as PTX, line by line with what each came from.
//
// PTX names lines of the CUDA C++ (`.loc`); a line that was inlined there counts for the line of
// the kernel that called it.
#include <fmt/format.h>

#include "backends/cuda/compile_cuda.h"
#include "backends/statement_margin.h"

namespace glint::cuda {
namespace {

std::vector<const Kernel*> kernels_of(const Schedule& schedule) {
  std::vector<const Kernel*> kernels;
  for (const Kernel& kernel : schedule.kernels) kernels.push_back(&kernel);
  return kernels;
}

template <class F>
void for_each_line(std::string_view text, const F& visit) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// The number behind a word, `inlined_at 1 ` and the like; 0 if it is not there.
uint32_t number_behind(std::string_view text, std::string_view word) {
  const size_t at = text.find(word);
  if (at == std::string_view::npos) return 0;
  return static_cast<uint32_t>(
      std::strtoul(std::string(text.substr(at + word.size())).c_str(), nullptr, 10));
}

std::vector<Span> compiled_origin(const Error& error) {
  if (!error.span.known()) return {};
  return {error.span};
}

/// Lines of PTX and where each stands in the source.
class PtxLines {
 public:
  explicit PtxLines(const CompiledModule& module, const Schedule& schedule)
      : module_(module), schedule_(schedule) {}

  std::vector<StageLine> list() {
    for_each_line(module_.ptx, [this](std::string_view line) { add(line); });
    return std::move(lines_);
  }

 private:
  void add(std::string_view line) {
    std::string text;
    for (const char c : line) text += c == '\t' ? std::string("    ") : std::string(1, c);
    if (line.find(".loc") != std::string_view::npos) {
      note_location(line);
      return;
    }
    const bool is_instruction = line.starts_with('\t') &&
                                line.find(';') != std::string_view::npos &&
                                !line.starts_with("\t.");
    if (line.starts_with('}')) at_ = {};
    if (!is_instruction || at_.kernel >= schedule_.kernels.size())
      lines_.push_back({std::move(text), {}});
    else
      lines_.push_back(
          with_margin(std::move(text), "//", schedule_.kernels[at_.kernel], at_.statement));
  }

  /// `.loc 1 12 5` or `.loc 1 3 9, function_name $L__info0, inlined_at 1 12 5`.
  void note_location(std::string_view line) {
    const uint32_t inlined = number_behind(line, "inlined_at 1 ");
    const uint32_t own = number_behind(line, ".loc\t1 ") + number_behind(line, ".loc 1 ");
    const SourceLine here = source_line(own);
    const SourceLine caller = source_line(inlined);
    if (here.statement != SourceLine::kNone)
      at_ = here;
    else if (caller.statement != SourceLine::kNone)
      at_ = caller;
  }
  SourceLine source_line(uint32_t number) const {
    if (number == 0 || number > module_.lines.size()) return {};
    return module_.lines[number - 1];
  }

  const CompiledModule& module_;
  const Schedule& schedule_;
  SourceLine at_;
  std::vector<StageLine> lines_;
};

}  // namespace

std::vector<StageLine> cuda_lines(const Schedule& schedule) {
  const std::vector<const Kernel*> kernels = kernels_of(schedule);
  if (kernels.empty()) return {};
  const WrittenProgram program = write_program(kernels, {});
  std::vector<StageLine> lines;
  for_each_line(program.source, [&](std::string_view text) {
    const SourceLine from = program.lines[lines.size()];
    StageLine line{std::string(text), {}};
    if (from.kernel < kernels.size() && from.statement != SourceLine::kNone) {
      const KernelOrigin* origin = origin_of(*kernels[from.kernel], from.statement);
      if (origin != nullptr) line.origins = origin->spans;
    }
    lines.push_back(std::move(line));
  });
  return lines;
}

std::vector<StageLine> ptx_lines(const Schedule& schedule) {
  const std::vector<const Kernel*> kernels = kernels_of(schedule);
  if (kernels.empty()) return {};
  auto compiled = compile_cuda(kernels, {.reuses_code = false});
  if (!compiled)
    return {{"no PTX: " + compiled.error().message, compiled_origin(compiled.error())}};
  return PtxLines(*compiled->front().module, schedule).list();
}

}  // namespace glint::cuda
