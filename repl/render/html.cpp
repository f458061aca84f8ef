#include "repl/render/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "repl/render/code.h"
#include "repl/render/text.h"

namespace glint::render {
namespace {

constexpr std::string_view kTable =
    "<table class=\"glint-code\" style=\"border-collapse: collapse\">\n";
constexpr std::string_view kCell = "text-align: left; padding: 0 1em 0 0; white-space: pre";

/// Notebooks pad it, and wrap it in the middle of a word; the same stands in `glint/_bench.py`.
constexpr std::string_view kPre = "<pre style=\"padding: 0; white-space: pre; overflow-x: auto\">";

/// As dark as the notebook: JupyterLab says so in an attribute, VS Code in a class.
constexpr std::string_view kSchemes =
    ".glint-code { color-scheme: light; }\n"
    "[data-jp-theme-light=\"false\"] .glint-code, .vscode-dark .glint-code { color-scheme: dark; "
    "}\n";

/// A longer line of a stage, one of few, would push the places of all out of view.
constexpr size_t kWidestCell = 88;

/// Notebooks centre their cells, and wrap them.
std::string cell(std::string_view html, std::string_view element = "td") {
  return fmt::format("<{0} style=\"{1}; font-family: monospace\">{2}</{0}>", element, kCell, html);
}

/// A line that goes over the columns and does not widen them; an empty one is as high as others.
std::string wide_row(std::string_view html) {
  return fmt::format(
      "<tr><td colspan=\"3\" style=\"{}; font-family: monospace; max-width: 0\">{}</td></tr>\n",
      kCell, html.empty() ? "&nbsp;" : html);
}

std::string piece_html(const CodePiece& piece) {
  const std::string_view name = colour_table()[static_cast<size_t>(piece.colour)].html_class;
  const std::string text = escaped(piece.text);
  return name.empty() ? text : fmt::format("<span class=\"{}\">{}</span>", name, text);
}

std::string code_html(std::string_view code, Language language) {
  std::string html;
  for (const CodePiece& piece : code_pieces(code, language)) html += piece_html(piece);
  return html;
}

std::string_view without_blanks_behind(std::string_view text) {
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

/// Whether it ends with its place and its node, `5:22 %mul`. Among such lines those of the schedule
/// are no rows of the table.
bool is_of_kernel(const StageLine& line) {
  const std::string_view said = own_margin(line);
  return said.find('%') != std::string_view::npos && !said.starts_with("from ");
}

/// The longest of the lines, if most are nearly as long; else all but a tenth fit.
size_t widest_of(const std::vector<size_t>& widths) {
  if (widths.empty()) return 0;
  const size_t most = column_behind(widths), longest = std::ranges::max(widths);
  return longest <= most + most / 3 ? longest : most;
}

/// The lines of a stage as rows.
class StageTable {
 public:
  StageTable(const std::vector<StageLine>& lines, const SourceMap& sources, Language language,
             SourceId main)
      : lines_(lines), sources_(sources), language_(language), main_(main) {
    is_of_kernels_ = std::ranges::any_of(lines, is_of_kernel);
    std::vector<size_t> widths;
    for (const StageLine& line : lines)
      if (is_placed(line)) widths.push_back(code_of(line).size());
    widest_ = std::max(kWidestCell, widest_of(widths));
  }

  std::string html() const {
    std::string rows = fmt::format("<style>\n{}{}</style>\n{}", kSchemes, colour_styles(), kTable);
    for (const StageLine& line : lines_) rows += row(line);
    return rows + "</table>\n";
  }

 private:
  static bool is_placed(const StageLine& line) {
    return !line.origins.empty() && line.origins.front().known();
  }

  std::string_view code_of(const StageLine& line) const {
    return without_blanks_behind(parts_of(line, language_).code);
  }

  /// Its place, behind what the line itself says beside its code, without the sign of a comment.
  std::string margin_of(const StageLine& line) const {
    std::string_view margin = parts_of(line, language_).margin;
    const std::string_view comment = language_info(language_).comment;
    if (!comment.empty() && margin.starts_with(comment)) margin.remove_prefix(comment.size());
    const Span& span = line.origins.front();
    const std::string place = fmt::format("{}:{}", span.line, span.column);
    if (!own_margin(line).empty()) return std::string(margin);
    return margin.empty() ? place : fmt::format("{}  {}", margin, place);
  }

  std::string row(const StageLine& line) const {
    if (!is_placed(line)) return wide_row(code_html(line.text, language_));
    const std::string_view code = code_of(line), said = own_margin(line);
    const std::string margin = margin_of(line);
    const std::string source =
        sources_.text_of(line.origins.front()) + elsewhere(line, sources_, main_);
    const bool is_wide =
        code.size() > widest_ || said.starts_with("from ") || (is_of_kernels_ && said.empty());
    const std::string shown = code_html(code, language_);
    if (is_wide) return wide_row(shown + faint(fmt::format("   {}   {}", margin, source)));
    return "<tr>" + cell(shown) + cell(faint(margin)) + cell(faint(source)) + "</tr>\n";
  }

  static std::string faint(std::string_view text) { return piece_html({text, Colour::kFaint}); }

  const std::vector<StageLine>& lines_;
  const SourceMap& sources_;
  const Language language_;
  const SourceId main_;
  bool is_of_kernels_ = false;
  size_t widest_ = 0;
};

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
    text += cell(escaped(without_blanks_behind(part)), element);
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

std::string html_of(const std::vector<StageLine>& lines, const SourceMap& sources,
                    Language language, SourceId main) {
  return StageTable(lines, sources, language, main).html();
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
