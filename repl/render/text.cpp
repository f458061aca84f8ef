#include "repl/render/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "repl/render/code.h"
#include "repl/render/narrow.h"

namespace glint::render {
namespace {

size_t characters(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::string place_text(const Span& span) {
  return fmt::format("{}:{}", span.line, span.column);
}

/// From a line's end to a column that it does not reach, else so many blanks.
std::string gap_to(size_t column, size_t width, size_t least) {
  return std::string(width + least <= column ? column - width : least, ' ');
}

struct Columns {
  size_t place = 0;   ///< of lines that do not say it themselves
  size_t source = 0;  ///< behind what lines say, `5:22 %mul`
};

Columns columns_of(const std::vector<StageLine>& lines) {
  std::vector<size_t> bare, said;
  for (const StageLine& line : lines) {
    const std::string_view margin = own_margin(line);
    if (line.origins.empty() || margin.starts_with("from ")) continue;
    (margin.empty() ? bare : said).push_back(characters(line.text));
  }
  return {column_behind(std::move(bare)), column_behind(std::move(said))};
}

/// What stands behind a line whose place is known.
std::string beside(const StageLine& line, const SourceMap& sources, SourceId main,
                   const Columns& columns) {
  const Span& span = line.origins.front();
  const size_t width = characters(line.text);
  std::string text;
  if (std::string_view said = own_margin(line); said.empty())
    text = gap_to(columns.place, width, 2) + fmt::format("{:<7}", place_text(span));
  else
    text = gap_to(said.starts_with("from ") ? 0 : columns.source, width, 3);
  text += sources.text_of(span);
  std::string_view file = sources.name(span.source);
  bool elsewhere = main != SourceId::kNone && span.source != main;
  if (elsewhere) text += fmt::format("   in {}", file.substr(file.rfind('/') + 1));
  return text;
}

/// What stands beside a line, as far as there is room; where it is hardly any, nothing.
std::string fitted(std::string beside, size_t line, size_t width) {
  constexpr size_t kLeast = 8;
  if (width == 0 || line + characters(beside) <= width) return beside;
  const size_t gap = beside.find_first_not_of(' ');
  return line + gap + kLeast > width ? "" : cut_to(beside, width - line);
}

/// A line and what stands beside it. Control characters, of the script's strings, are none.
std::string shown(const StageLine& line, const std::string& beside, const TextStyle& style) {
  if (!style.has_colours) return with_controls_escaped(line.text + beside);
  const auto [code, margin] = parts_of(line, style.language);
  const std::string faint = with_controls_escaped(std::string(margin) + beside);
  const std::string text = painted(code_pieces(with_controls_escaped(code), style.language));
  return faint.empty() ? text : text + coloured(faint, Colour::kFaint);
}

}  // namespace

size_t column_behind(std::vector<size_t> widths) {
  if (widths.empty()) return 0;
  std::ranges::sort(widths);
  const size_t widest = widths.back() + 3;
  return widest <= kWidestColumn ? widest : widths[(widths.size() - 1) * 9 / 10] + 3;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
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

std::string_view own_margin(const StageLine& line) {
  if (line.origins.empty() || !line.origins.front().known()) return {};
  const std::string_view text = line.text;
  const std::string place = place_text(line.origins.front());
  const size_t gap = text.rfind("  ");
  const std::string_view tail = gap == std::string_view::npos ? text : text.substr(gap + 2);
  const bool tells = tail.starts_with("from ") && tail.find(" " + place) != std::string_view::npos;
  if (tells || tail.starts_with(place + " ")) return tail;
  return text.ends_with(" " + place) ? text.substr(text.size() - place.size()) : "";
}

std::string text_of(const std::vector<StageLine>& given, const SourceMap* sources,
                    const TextStyle& style) {
  const std::vector<StageLine> lines = narrowed(given, style.width);
  const Columns columns = columns_of(lines);
  // Of code what stands beside it is half of what is shown.
  const bool is_cut =
      style.language == Language::kKernels || style.language == language_of(Stage::kGpu);
  std::string out;
  for (const StageLine& line : lines) {
    const bool is_placed = sources && !line.origins.empty() && line.origins.front().known();
    std::string source = is_placed ? beside(line, *sources, style.main, columns) : "";
    if (is_cut && own_margin(line).empty())
      source = fitted(std::move(source), characters(line.text), style.width);
    out += shown(line, source, style) + '\n';
  }
  return out;
}

}  // namespace glint::render
