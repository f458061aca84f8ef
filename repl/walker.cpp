#include "repl/walker.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "repl/columns.h"
#include "repl/render/colour.h"
#include "repl/terminal.h"

namespace glint {
namespace {

constexpr std::string_view kKeysLine = "q leaves, Right and Left step, Home and End jump";

/// A tab would take an unknown number of columns.
std::string fitted(std::string text, size_t columns) {
  std::ranges::replace(text, '\t', ' ');
  return std::string(fitting(text, columns - 1));
}

/// A step's line in pieces, where it does not fit into its row: it stands below the list as well.
std::vector<std::string> too_wide(std::string_view line, size_t columns) {
  std::vector<std::string> pieces;
  if (fitted(std::string(line), columns - 2).size() == line.size()) return pieces;
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  while (!line.empty()) {
    pieces.emplace_back(fitting(line, columns - 1));
    line.remove_prefix(std::max<size_t>(1, pieces.back().size()));
  }
  return pieces;
}

/// The steps around one of them that fit into `height` lines: first and one past the last.
std::pair<size_t, size_t> window(size_t at, size_t count, size_t height) {
  size_t begin = at > height / 2 ? at - height / 2 : 0;
  size_t end = std::min(count, begin + height);
  return {end > height ? end - height : 0, end};
}

}  // namespace

WalkPosition::WalkPosition(const std::vector<Walk>& walks) : walks_(&walks) {
  for (size_t walk = 0; walk < walks.size(); ++walk)
    for (size_t step = 0; step < walks[walk].steps.size(); ++step) places_.emplace_back(walk, step);
}

bool WalkPosition::act(const Key& key) {
  bool goes_on = false, goes_back = false;
  switch (key.kind) {
    case KeyKind::kRight:
    case KeyKind::kDown:
    case KeyKind::kEnter:
      goes_on = true;
      break;
    case KeyKind::kLeft:
    case KeyKind::kUp:
    case KeyKind::kBackspace:
      goes_back = true;
      break;
    case KeyKind::kHome:
      at_ = 0;
      break;
    case KeyKind::kEnd:
      at_ = places_.empty() ? 0 : places_.size() - 1;
      break;
    case KeyKind::kText:
      if (key.text == "q") return false;
      goes_on = key.text == " " || key.text == "n";
      goes_back = key.text == "p";
      break;
    case KeyKind::kControl:
      if (key.text == "c" || key.text == "d") return false;
      break;
    case KeyKind::kEscape:
    case KeyKind::kEndOfInput:
      return false;
    default:
      break;
  }
  if (goes_on && at_ + 1 < places_.size()) ++at_;
  if (goes_back && at_ > 0) --at_;
  return true;
}

std::vector<std::string> WalkPosition::view(size_t columns, size_t height) const {
  if (places_.empty()) return {"there is no step"};
  const Walk& shown = walk();
  const size_t step = places_[at_].second;
  std::vector<std::string> details = too_wide(shown.steps[step].line, columns);
  std::ranges::copy(shown.steps[step].details, std::back_inserter(details));
  const bool ends = step + 1 == shown.steps.size() && !shown.end.empty();
  const size_t others = 4 + (ends ? 1 : 0);
  const size_t room = std::max<size_t>(height, others + 2) - others;
  const size_t most_details = std::min(details.size(), std::max<size_t>(1, room * 2 / 3));
  auto [begin, end] = window(step, shown.steps.size(), std::max<size_t>(1, room - most_details));
  std::vector<std::string> lines = {
      fitted(fmt::format("{}   {} of {}", shown.title, step + 1, shown.steps.size()), columns)};
  for (size_t i = begin; i < end; ++i)
    lines.push_back(fitted((i == step ? "> " : "  ") + shown.steps[i].line, columns));
  lines.emplace_back();
  for (size_t i = 0; i < most_details; ++i) {
    bool last = i + 1 == most_details && most_details < details.size();
    lines.push_back(last ? fmt::format("... {} more lines", details.size() - i)
                         : fitted(details[i], columns));
  }
  if (ends) lines.push_back(fitted(shown.end, columns));
  lines.push_back(fitted(std::string(kKeysLine), columns));
  return lines;
}

void walk_on_terminal(const std::vector<Walk>& walks) {
  std::optional<RawMode> raw(std::in_place);
  KeyReader keys(read_terminal_byte);
  WalkPosition position(walks);
  std::vector<size_t> drawn;  // how wide each line is: a terminal that was narrowed has broken it
  Key key;
  do {
    const size_t columns = render::terminal_width();
    if (key.kind == KeyKind::kControl && key.text == "z") {
      raw.reset();
      stop_until_continued();
      raw.emplace();
      drawn.clear();
    }
    size_t rows = 0;
    for (size_t width : drawn) rows += std::max<size_t>(1, (width + columns - 1) / columns);
    std::string out = rows > 0 ? fmt::format("\r\x1b[{}A\x1b[J", rows) : "\r";
    drawn.clear();
    for (const std::string& line : position.view(columns, render::terminal_height() - 1)) {
      out += line + "\r\n";
      drawn.push_back(display_width(line));
    }
    write_to_terminal(out);
    key = keys.read();
  } while (position.act(key));
}

std::string walk_text(const Walk& walk) {
  std::string text;
  for (const WalkStep& step : walk.steps) {
    text += step.line + "\n";
    for (const std::string& detail : step.details) text += "    " + detail + "\n";
  }
  return walk.end.empty() ? text : text + walk.end + "\n";
}

}  // namespace glint
