#include "repl/render/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "repl/render/text.h"

namespace glint::render {
namespace {

constexpr std::string_view kTable = "<table style=\"border-collapse: collapse\">\n";
constexpr std::string_view kCell = "text-align: left; padding: 0 1em 0 0; white-space: pre";

/// Notebooks pad it, and wrap it in the middle of a word; the same stands in `glint/_bench.py`.
constexpr std::string_view kPre = "<pre style=\"padding: 0; white-space: pre; overflow-x: auto\">";

/// A longer line of a stage would push the places of all out of view.
constexpr size_t kWidestCell = 88;

/// Notebooks centre their cells, and wrap them.
std::string cell(std::string_view text, std::string_view element = "td") {
  return fmt::format("<{0} style=\"{1}; font-family: monospace\">{2}</{0}>", element, kCell,
                     escaped(text));
}

/// A line that goes over the columns and does not widen them; an empty one is as high as others.
std::string wide_row(std::string_view text) {
  return fmt::format(
      "<tr><td colspan=\"3\" style=\"{}; font-family: monospace; max-width: 0\">{}</td></tr>\n",
      kCell, text.empty() ? "&nbsp;" : escaped(text));
}

/// Whether it ends with its place and its node, `5:22 %mul`. Among such lines those of the schedule
/// are no rows of the table.
bool is_of_kernel(const StageLine& line) {
  const std::string_view said = own_margin(line);
  return said.find('%') != std::string_view::npos && !said.starts_with("from ");
}

/// Where the columns begin that a line of dashes rules; empty for any other line.
std::vector<size_t> columns_of(std::string_view line) {
  std::vector<size_t> columns;
  if (line.find_first_not_of("- ") != std::string_view::npos) return columns;
  for (size_t i = 0; i < line.size(); ++i)
    if (line[i] == '-' && (i == 0 || line[i - 1] == ' ')) columns.push_back(i);
  return columns;
}

std::string row(std::string_view line, const std::vector<size_t>& columns,
                std::string_view element) {
  std::string text = "<tr>";
  for (size_t i = 0; i < columns.size(); ++i) {
    size_t begin = std::min(columns[i], line.size());
    size_t end = i + 1 < columns.size() ? columns[i + 1] : std::string_view::npos;
    std::string_view part = line.substr(begin, end - begin);
    part = part.substr(0, part.find_last_not_of(' ') + 1);
    text += cell(part, element);
  }
  return text + "</tr>\n";
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string html_of(std::string_view text) {
  return fmt::format("{}{}</pre>\n", kPre, escaped(text));
}

std::string html_of(const std::vector<StageLine>& lines, const SourceMap& sources) {
  const bool has_margins = std::ranges::any_of(lines, is_of_kernel);
  std::string text(kTable);
  for (const StageLine& line : lines) {
    std::string_view shown = line.text;
    const std::string_view said = own_margin(line);
    if (line.origins.empty() || !line.origins.front().known()) {
      text += wide_row(shown);
      continue;
    }
    const Span& span = line.origins.front();
    const std::string source(sources.text_of(span));
    if (said.starts_with("from ")) {
      text += wide_row(fmt::format("{}   {}", shown, source));
      continue;
    }
    const std::string place =
        said.empty() ? fmt::format("{}:{}", span.line, span.column) : std::string(said);
    shown.remove_suffix(said.size());
    if (shown.size() > kWidestCell || (has_margins && said.empty()))
      text += wide_row(fmt::format("{}   {}   {}", shown, place, source));
    else
      text += "<tr>" + cell(shown) + cell(place) + cell(source) + "</tr>\n";
  }
  return text + "</table>\n";
}

std::string html_of_ruled(std::string_view text) {
  std::vector<std::string_view> lines = lines_of(text);
  std::vector<size_t> columns = lines.size() > 1 ? columns_of(lines[1]) : std::vector<size_t>();
  if (columns.size() < 2) return html_of(text);
  std::string table(kTable);
  table += row(lines[0], columns, "th");
  for (size_t i = 2; i < lines.size(); ++i) table += row(lines[i], columns, "td");
  return table + "</table>\n";
}

}  // namespace glint::render
