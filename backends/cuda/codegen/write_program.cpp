#include "backends/cuda/codegen/write_program.h"

#include <fmt/format.h>

#include <set>

#include "backends/cuda/codegen/bind_axes.h"
#include "backends/cuda/codegen/wrap_line.h"
#include "backends/statement_margin.h"

namespace glint::cuda {
namespace {

/// What stands before the margin's column; a long name of a node makes it no narrower.
constexpr size_t kNarrowestLine = kMarginColumn - 2;

/// A line of a kernel, with what it came from behind it.
std::string with_comment(const std::string& line, uint32_t statement, const Kernel& kernel) {
  const StageLine commented = with_margin(line, "//", kernel, statement);
  std::string text = commented.text;
  if (!commented.origins.empty() && commented.origins.front().known()) {
    const Span& span = commented.origins.front();
    text += fmt::format("  {}:{}", span.line, span.column);
  }
  return text;
}

/// The same as several lines where it is too long, each with what it came from.
std::vector<std::string> commented_lines(const TextLine& line, const Kernel& kernel) {
  const std::string whole = with_comment(line.text, line.statement, kernel);
  if (whole.size() <= kWidestLine) return {whole};
  const size_t comment = with_comment("", line.statement, kernel).size();
  const size_t beside = comment > kMarginColumn ? comment - kMarginColumn + 2 : 0;
  std::vector<std::string> pieces =
      wrapped_line(line.text, std::max(kWidestLine - beside, kNarrowestLine));
  for (std::string& piece : pieces) piece = with_comment(piece, line.statement, kernel);
  return pieces;
}

std::string unlike(std::set<std::string>& taken, const std::string& wanted) {
  std::string name = wanted;
  for (int number = 1; !taken.insert(name).second; ++number)
    name = fmt::format("{}_{}", wanted, number);
  return name;
}

/// The symbols at hand, of which nothing is known but their least values: what a region's guards
/// say of sizes does not hold where another region has a kernel of the same text.
ShapeEnvironment unrelated_symbols() {
  const ShapeEnvironment& known = ShapeEnvironment::current();
  ShapeEnvironment symbols;
  for (uint32_t k = 0; k < known.symbol_count(); ++k)
    symbols.new_symbol(known.hints()[k], known.least(k));
  return symbols;
}

}  // namespace

WrittenProgram write_program(const std::vector<const Kernel*>& kernels, WriteOptions options,
                             std::span<const LaunchShape> shapes) {
  ShapeEnvironment symbols = unrelated_symbols();
  const ShapeEnvironment::Scope scope(symbols);
  WrittenProgram program;
  Definitions definitions;
  std::set<std::string> taken;
  for (size_t i = 0; i < kernels.size(); ++i) {
    if (!shapes.empty()) options.shape = shapes[i];
    const Kernel bound = bind_axes(*kernels[i], options.shape);
    const std::string entry = unlike(taken, entry_name(cut_name(*kernels[i], options.shape)));
    program.kernels.push_back(KernelWriter(bound, entry, definitions, options).write());
    program.kernels.back().moved = traffic(*kernels[i]);
  }
  const auto add = [&program](const std::string& text, SourceLine from) {
    program.source += text + "\n";
    program.lines.push_back(from);
  };
  for (const std::string& line : definitions.lines())
    for (const std::string& piece : wrapped_line(line)) add(piece, {});
  for (uint32_t k = 0; k < kernels.size(); ++k) {
    if (k > 0) add("", {});
    for (const TextLine& line : program.kernels[k].lines)
      for (const std::string& piece : commented_lines(line, *kernels[k]))
        add(piece, {k, line.statement});
  }
  return program;
}

}  // namespace glint::cuda
