#include "repl/render/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace glint::render {
namespace {

size_t characters(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

}  // namespace

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string with_controls_escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    const bool controls = (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f;
    if (controls)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += c;
  }
  return out;
}

std::string heading(std::string_view title) {
  return fmt::format("== {}\n", title);
}

bool is_heading(std::string_view line) {
  return line.starts_with("== ");
}

std::string wrapped(std::string_view lead, const std::vector<std::string>& items, size_t width) {
  std::string text(lead);
  size_t column = lead.size();
  bool first = true;
  for (const std::string& item : items) {
    if (!first && column + 1 + item.size() > width) {
      text += '\n' + std::string(lead.size(), ' ');
      column = lead.size();
      first = true;
    }
    if (!first) text += ' ';
    text += item;
    column += item.size() + (first ? 0 : 1);
    first = false;
  }
  return text + '\n';
}

std::string text_of(const std::vector<StageLine>& lines, const SourceMap* sources, SourceId main) {
  size_t column = 0;
  for (const StageLine& line : lines) {
    if (!line.origins.empty()) column = std::max(column, characters(line.text));
  }
  column = std::min(column + 3, kWidestColumn);
  std::string out;
  for (const StageLine& line : lines) {
    out += line.text;
    if (sources && !line.origins.empty() && line.origins.front().known()) {
      const Span& span = line.origins.front();
      size_t width = characters(line.text);
      std::string place = fmt::format("{}:{}", span.line, span.column);
      if (line.text.ends_with("  " + place)) {  // the IR's own text says it already
        out += "   ";
      } else {
        out += std::string(width < column ? column - width : 2, ' ');
        out += fmt::format("{:<7}", place);
      }
      out += sources->text_of(span);
      std::string_view file = sources->name(span.source);
      bool elsewhere = main != SourceId::kNone && span.source != main;
      if (elsewhere) out += fmt::format("   in {}", file.substr(file.rfind('/') + 1));
    }
    out += '\n';
  }
  return with_controls_escaped(out);  // of the script's strings
}

std::string text_of(const Artifact& artifact, const SourceMap* sources) {
  return text_of(artifact.lines(), sources, artifact.definition.source);
}

}  // namespace glint::render
