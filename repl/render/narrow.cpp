#include "repl/render/narrow.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "repl/render/colour.h"
#include "repl/render/text.h"

namespace glint::render {
namespace {

constexpr std::string_view kPoints = "...";
constexpr std::string_view kSourceColumn = "  source";
constexpr size_t kIndent = 4;

using Lines = std::vector<StageLine>;
using Iterator = Lines::iterator;

bool is_gap(std::string_view text, size_t at) {
  return text.substr(at, 2) == "  ";
}

/// Behind the first column of a table: a gap that all lines have; npos where there is none.
size_t end_of_first_column(Iterator begin, Iterator end) {
  for (size_t at = 1; at + 2 < begin->text.size(); ++at)
    if (std::all_of(begin, end, [&](const StageLine& each) { return is_gap(each.text, at); }))
      return at;
  return std::string::npos;
}

/// Behind the lines that are as wide as the first, and too wide; none of them is indented.
Iterator end_of_table(Iterator begin, Iterator end, size_t columns) {
  const size_t width = begin->text.size();
  if (width <= columns) return begin;
  return std::find_if(begin, end, [&](const StageLine& each) {
    return each.text.size() != width || each.text.starts_with(' ');
  });
}

void add_folded(Iterator begin, Iterator end, size_t at, Lines& to) {
  size_t blanks = std::string::npos;
  for (Iterator line = begin; line != end; ++line)
    blanks = std::min(blanks, line->text.find_first_not_of(' ', at) - at);
  for (Iterator line = begin; line != end; ++line) {
    std::string first = line->text.substr(0, at);
    first.erase(first.find_last_not_of(' ') + 1);
    to.push_back({std::move(first), {}});
    to.push_back({std::string(kIndent, ' ') + line->text.substr(at + blanks), line->origins});
  }
}

/// The counts of a source's lines, up to where an empty line or the text ends: of blanks that all
/// of them have before the source one stays, and the source is cut.
Iterator add_counts(Iterator begin, Iterator all, size_t columns, Lines& to) {
  const Iterator end =
      std::find_if(begin, all, [](const StageLine& each) { return each.text.empty(); });
  const size_t source = begin->text.size() - kSourceColumn.size() + 2;
  std::string kept(source, ' ');
  for (Iterator line = begin; line != end; ++line)
    for (size_t at = 0; at < std::min(source, line->text.size()); ++at)
      if (line->text[at] != ' ') kept[at] = 'x';
  for (Iterator line = begin; line != end; ++line) {
    std::string text;
    for (size_t at = 0; at < line->text.size(); ++at)
      if (at >= source || kept[at] != ' ' || (at > 0 && kept[at - 1] != ' '))
        text += line->text[at];
    if (text.size() > columns) text = cut_to(text, columns);
    to.push_back({std::move(text), line->origins});
  }
  return end;
}

/// What a column stands before that continues on the next line: the last one of several, or a few
/// blanks.
size_t indent_of(std::string_view line, size_t columns) {
  const size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const size_t gap = line.substr(0, columns / 2).rfind("  ");
  return gap != std::string_view::npos && gap > begin ? gap + 2 : begin + kIndent;
}

}  // namespace

size_t fitting_width() {
  return isatty(STDOUT_FILENO) != 0 ? terminal_width() : 0;
}

std::string cut_to(std::string_view text, size_t columns) {
  size_t at = 0;
  for (size_t seen = 0; at < text.size(); ++at) {
    const bool begins = (static_cast<unsigned char>(text[at]) & 0xc0) != 0x80;
    if (begins && seen++ + kPoints.size() == columns) break;
  }
  return std::string(text.substr(0, at)) + std::string(kPoints);
}

Lines narrowed(Lines lines, size_t columns) {
  if (columns == 0) return lines;
  Lines narrow;
  for (Iterator line = lines.begin(); line != lines.end();) {
    const Iterator end = end_of_table(line, lines.end(), columns);
    const size_t at = end - line < 2 ? std::string::npos : end_of_first_column(line, end);
    if (at != std::string::npos) {
      add_folded(line, end, at, narrow);
      line = end;
      continue;
    }
    if (line->text.ends_with(kSourceColumn))
      line = add_counts(line, lines.end(), columns, narrow);
    else
      narrow.push_back(std::move(*line++));
  }
  return narrow;
}

std::string narrowed(std::string_view text, size_t columns) {
  Lines lines;
  for (const std::string_view line : lines_of(text)) lines.push_back({std::string(line), {}});
  std::string narrow;
  for (const StageLine& line : narrowed(std::move(lines), columns)) narrow += line.text + "\n";
  return narrow;
}

std::string folded(std::string_view text, size_t columns) {
  std::string folded;
  for (std::string_view line : lines_of(text)) {
    const size_t indent = columns == 0 ? 0 : indent_of(line, columns);
    std::string begin;
    while (columns != 0 && begin.size() + line.size() > columns) {
      const size_t blank = line.rfind(' ', columns - begin.size());
      if (blank == std::string_view::npos || blank <= indent) break;
      folded += begin + std::string(line.substr(0, line.find_last_not_of(' ', blank) + 1)) + "\n";
      line.remove_prefix(blank + 1);
      begin = std::string(indent, ' ');
    }
    folded += begin + std::string(line) + "\n";
  }
  return folded;
}

}  // namespace glint::render
