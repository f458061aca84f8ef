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

std::string_view file_of(const Span& span, const SourceMap& sources) {
  const std::string_view file = sources.name(span.source);
  return file.substr(file.rfind('/') + 1);
}

/// The line of the library that did what the script asks for there.
std::string by_library(const StageLine& line, const SourceMap& sources) {
  if (line.origins.size() < 2 || sources.is_library(line.origins[0].source)) return "";
  const Span& span = line.origins[1];
  if (!sources.is_library(span.source)) return "";
  return fmt::format("   by {} {}", file_of(span, sources), place_text(span));
}

}  // namespace

std::string elsewhere(const StageLine& line, const SourceMap& sources, SourceId main) {
  const Span& span = line.origins.front();
  const bool is_other = main != SourceId::kNone && span.source != main;
  const std::string in = is_other ? fmt::format("   in {}", file_of(span, sources)) : "";
  return in + by_library(line, sources);
}

namespace {

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
  return text + sources.text_of(span) + elsewhere(line, sources, main);
}

/// What is beside a line, as far as there is room: cut, its place alone, or nothing.
std::string fitted(std::string beside, size_t line, size_t width, bool has_place,
                   size_t least = 8) {
  constexpr size_t kGap = 3;
  if (width == 0 || line + characters(beside) <= width) return beside;
  size_t gap = std::min(beside.find_first_not_of(' '), beside.size());
  if (gap > kGap) beside.erase(0, gap - kGap);
  gap = std::min(gap, kGap);
  if (line + characters(beside) <= width) return beside;
  const size_t place = has_place ? std::min(beside.find(' ', gap), beside.size()) : gap;
  if (line + place + least <= width) return cut_to(beside, width - line);
  return has_place && line + place <= width ? beside.substr(0, place) : "";
}

/// The same of a table or of prose: what finds no room beside a line stands below it.
std::string fitted_or_below(std::string beside, size_t line, size_t width) {
  constexpr std::string_view kIndent = "\n      ";
  constexpr size_t kLeast = 20;
  std::string fits = fitted(beside, line, width, false, kLeast);
  if (width == 0 || !fits.empty()) return fits;
  beside.erase(0, beside.find_first_not_of(' '));
  const size_t left = width - std::min(width, kIndent.size() - 1);
  return std::string(kIndent) + (characters(beside) > left ? cut_to(beside, left) : beside);
}

/// A line that fits: prose is broken; of code the margin comes nearer, or goes.
StageLine fitted(StageLine line, const TextStyle& style) {
  constexpr size_t kSource = 20;  // room for some of what stands behind the margin
  if (style.width == 0 || characters(line.text) <= style.width) return line;
  if (style.language == Language::kNone) {
    line.text = folded(line.text, style.width);
    line.text.pop_back();  // the end of its last line
    return line;
  }
  const auto [code, margin] = parts_of(line, style.language);
  std::string text(code.substr(0, code.find_last_not_of(' ') + 1));
  const size_t width = characters(text);
  if (margin.empty() || width > style.width) return line;
  if (width + 2 + characters(margin) > style.width) return {std::move(text), {}};
  const size_t wanted = characters(margin) + kSource;
  const size_t column = wanted < style.width ? style.width - wanted : 0;
  text.append(std::max(column, width + 2) - width, ' ');
  return {text + std::string(margin), line.origins};
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
  std::vector<StageLine> lines = narrowed(given, style.width);
  for (StageLine& each : lines) each = fitted(std::move(each), style);
  const Columns columns = columns_of(lines);
  std::string out;
  for (const StageLine& line : lines) {
    const bool is_placed = sources && !line.origins.empty() && line.origins.front().known();
    std::string source = is_placed ? beside(line, *sources, style.main, columns) : "";
    if (!source.empty()) {
      const bool has_place = own_margin(line).empty();
      const size_t width = characters(line.text);
      source = style.language == Language::kNone
                   ? fitted_or_below(std::move(source), width, style.width)
                   : fitted(std::move(source), width, style.width, has_place);
    }
    out += shown(line, source, style) + '\n';
  }
  return out;
}

}  // namespace glint::render
