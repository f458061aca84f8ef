#include "backends/statement_margin.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

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

std::string with_margin(std::string text, std::string_view comment, uint32_t number,
                        std::string_view line) {
  text.resize(std::max(kMarginColumn, text.size() + 2), ' ');
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return text + fmt::format("{} {:>3}  {}", comment, number, line);
}

std::string_view without_margin(std::string_view text, std::string_view comment) {
  if (statement_in_margin(text, comment))
    text = text.substr(0, text.rfind(std::string(comment) + " "));
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

std::optional<uint32_t> statement_in_margin(std::string_view text, std::string_view comment) {
  const size_t at = text.rfind(std::string(comment) + " ");
  if (at == std::string_view::npos || at < kMarginColumn) return std::nullopt;
  const size_t begin = text.find_first_not_of(' ', at + comment.size());
  if (begin == std::string_view::npos) return std::nullopt;
  uint32_t number = 0;
  const auto read = std::from_chars(text.data() + begin, text.data() + text.size(), number);
  return read.ec == std::errc() ? std::optional(number) : std::nullopt;
}

}  // namespace glint
