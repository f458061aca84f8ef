#include "backends/cuda/simulator/source_trail.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "backends/cuda/simulator/program.h"

namespace glint::simulator {
namespace {

/// A header's name as `#include` has it: behind the folder of headers, or the file's alone.
std::string include_name(std::string_view path) {
  constexpr std::string_view kFolder = "/include/";
  const size_t folder = path.rfind(kFolder);
  if (folder != std::string_view::npos) return std::string(path.substr(folder + kFolder.size()));
  return std::string(path.substr(path.rfind('/') + 1));
}

std::string file_name(const Program& program, uint32_t number) {
  return number < program.files.size() ? include_name(program.files[number]) : std::string();
}

/// A line of a text without what it is indented by.
std::string quoted_line(std::string_view text, uint32_t number) {
  for (; number > 1 && !text.empty(); --number)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  std::string_view line = text.substr(0, text.find('\n'));
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return std::string(line.substr(0, line.find_last_not_of(" \t\r") + 1));
}

/// `scale` of `_Z5scalePf`, the name that C++ makes of it.
std::string_view name_in_source(std::string_view name) {
  if (!name.starts_with("_Z")) return name;
  size_t length = 0;
  const auto [end, failed] = std::from_chars(name.data() + 2, name.data() + name.size(), length);
  if (failed != std::errc()) return name;
  return name.substr(static_cast<size_t>(end - name.data()), length);
}

/// The line at which a function's name stands with its parameters behind it; 0: none.
uint32_t line_of_function(std::string_view text, std::string_view name) {
  const auto is_of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const size_t behind = text.find_first_not_of(" \t", at + name.size());
    if (at > 0 && is_of_name(text[at - 1])) continue;
    if (behind != std::string_view::npos && text[behind] == '(')
      return 1 + static_cast<uint32_t>(std::ranges::count(text.substr(0, at), '\n'));
  }
  return 0;
}

SourceTrail trail_of_kernel(const Program& program) {
  SourceTrail trail;
  trail.line = line_of_function(program.source.text, name_in_source(program.name));
  if (trail.line == 0) return trail;
  trail.file = program.source.name;
  trail.quote = quoted_line(program.source.text, trail.line);
  return trail;
}

void append_quote(std::string& text, const std::string& quote) {
  if (!quote.empty()) text += "\n    " + quote;
}

}  // namespace

std::string SourceTrail::text(std::string_view message) const {
  if (line == 0) return std::string(message);
  std::string text = fmt::format("{}:{}: {}", file, line, message);
  append_quote(text, quote);
  if (called_from != 0) {
    text += fmt::format("\n  called from {}:{}", file, called_from);
    append_quote(text, caller_quote);
  }
  if (!header.empty()) text += "\n  in " + header;
  return text;
}

SourceTrail trail_of(const Program& program, const CodeLines& lines) {
  if (lines.own.line == 0) return trail_of_kernel(program);
  SourceTrail trail;
  trail.file = file_name(program, lines.own.file);
  trail.line = lines.own.line;
  if (trail.file.empty()) return {};
  if (lines.entry != lines.own) trail.called_from = lines.entry.line;
  if (lines.inner.line != 0 && lines.inner.file != lines.own.file)
    trail.header = fmt::format("{}:{}", file_name(program, lines.inner.file), lines.inner.line);
  if (trail.file == program.source.name) {
    trail.quote = quoted_line(program.source.text, trail.line);
    if (trail.called_from != 0)
      trail.caller_quote = quoted_line(program.source.text, trail.called_from);
  }
  return trail;
}

SourceTrail trail_of(const Program& program, uint32_t instruction) {
  const auto has_line = [](const InstructionInfo& info) { return info.lines.own.line != 0; };
  const auto& info = program.info;
  uint32_t at = instruction;
  while (at > 0 && !has_line(info[at])) --at;
  return trail_of(program, info[at].lines);
}

}  // namespace glint::simulator
