#include "backends/statement_margin.h"

#include <fmt/format.h>

#include <algorithm>

namespace glint {

const KernelOrigin* origin_of(const Kernel& kernel, uint32_t statement) {
  const auto* loop = kernel.statements[statement].get_if<Loop>();
  uint32_t origin = kernel.statements[statement].origin;
  for (size_t i = loop ? index(loop->end) : 0; i > statement && origin == Statement::kNoOrigin; --i)
    origin = kernel.statements[i - 1].origin;
  return origin == Statement::kNoOrigin ? nullptr : &kernel.origins[origin];
}

StageLine with_margin(std::string text, std::string_view comment, const Kernel& kernel,
                      uint32_t statement) {
  StageLine line{std::move(text), {}};
  if (statement >= kernel.statements.size()) return line;
  line.text.resize(std::max(kMarginColumn, line.text.size() + 2), ' ');
  line.text += fmt::format("{} {:>3}", comment, statement);
  const KernelOrigin* origin = origin_of(kernel, statement);
  if (origin == nullptr) return line;
  if (!origin->node.empty()) line.text += fmt::format("  %{}", origin->node);
  line.origins = origin->spans;
  return line;
}

}  // namespace glint
