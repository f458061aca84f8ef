#include "repl/walker.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "repl/columns.h"
#include "repl/render/colour.h"
#include "repl/render/text.h"
#include "repl/terminal.h"

namespace glint {
namespace {

constexpr std::string_view kKeysLine = "q leaves, Right and Left step, Home, End and a number jump";
constexpr std::string_view kMoreKeysLine =
    "l and L go to lines of the source, b and B to barriers, shuffles and stores";

/// A tab would take an unknown number of columns.
std::string fitted(std::string text, size_t columns) {
  std::ranges::replace(text, '\t', ' ');
  return std::string(fitting(text, columns - 1));
}

/// Where somebody stands is seen, however long the title is.
std::string title_line(const std::string& title, const std::string& place, size_t columns) {
  if (columns <= 2 * place.size()) return fitted(title + place, columns);
  return fitted(title, columns - place.size()) + place;
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

/// A list's rows around one of them that fit into `height` lines: first and one past the last.
std::pair<size_t, size_t> window(size_t at, size_t count, size_t height) {
  size_t begin = at > height / 2 ? at - height / 2 : 0;
  size_t end = std::min(count, begin + height);
  return {end > height ? end - height : 0, end};
}

/// The list of steps around one of them, in so many lines, with what stands above each.
std::vector<std::string> list_around(const Walk& walk, size_t step, size_t height) {
  std::vector<std::string> rows;
  size_t row = 0;
  // No more than these can be seen.
  const size_t begin = step > height ? step - height : 0;
  for (size_t i = begin; i < std::min(walk.steps.size(), step + height); ++i) {
    if (!walk.steps[i].above.empty()) rows.push_back("  " + walk.steps[i].above);
    if (i == step) row = rows.size();
    rows.push_back((i == step ? "> " : "  ") + walk.steps[i].line);
  }
  const auto [first, last] = window(row, rows.size(), height);
  return {rows.begin() + static_cast<ptrdiff_t>(first),
          rows.begin() + static_cast<ptrdiff_t>(last)};
}

bool begins_line(const WalkStep& step) {
  return !step.above.empty();
}
bool is_seen(const WalkStep& step) {
  return step.is_seen;
}
bool has_lines(const Walk& walk) {
  return std::ranges::any_of(walk.steps, begins_line);
}

bool is_digit(const Key& key) {
  return key.kind == KeyKind::kText && key.text.size() == 1 && key.text[0] >= '0' &&
         key.text[0] <= '9';
}

}  // namespace

WalkPosition::WalkPosition(const std::vector<Walk>& walks) : walks_(&walks) {
  for (size_t walk = 0; walk < walks.size(); ++walk)
    for (size_t step = 0; step < walks[walk].steps.size(); ++step) places_.emplace_back(walk, step);
}

bool WalkPosition::act(const Key& key) {
  if (act_on_number(key)) return true;
  switch (key.kind) {
    case KeyKind::kRight:
    case KeyKind::kDown:
    case KeyKind::kEnter:
      go(true);
      break;
    case KeyKind::kLeft:
    case KeyKind::kUp:
    case KeyKind::kBackspace:
      go(false);
      break;
    case KeyKind::kHome:
      at_ = 0;
      break;
    case KeyKind::kEnd:
      at_ = places_.empty() ? 0 : places_.size() - 1;
      break;
    case KeyKind::kText:
      return act_on_letter(key.text);
    case KeyKind::kControl:
      return key.text != "c" && key.text != "d";
    case KeyKind::kEscape:
    case KeyKind::kEndOfInput:
      return false;
    default:
      break;
  }
  return true;
}

bool WalkPosition::act_on_letter(std::string_view letter) {
  if (letter == "q") return false;
  if (letter == " " || letter == "n") go(true);
  if (letter == "p") go(false);
  if (letter == "l") jump(true, begins_line);
  if (letter == "L") jump(false, begins_line);
  if (letter == "b") jump(true, is_seen);
  if (letter == "B") jump(false, is_seen);
  return true;
}

bool WalkPosition::act_on_number(const Key& key) {
  constexpr size_t kMostDigits = 9;
  if (is_digit(key)) {
    if (number_.size() < kMostDigits) number_ += key.text;
    return true;
  }
  if (number_.empty()) return false;
  if (key.kind == KeyKind::kBackspace) {
    number_.pop_back();
    return true;
  }
  const std::string number = std::exchange(number_, {});
  if (key.kind != KeyKind::kEnter) return key.kind == KeyKind::kEscape;
  go_to(std::stoull(number));
  return true;
}

void WalkPosition::go(bool onwards) {
  if (onwards && at_ + 1 < places_.size()) ++at_;
  if (!onwards && at_ > 0) --at_;
}

void WalkPosition::go_to(uint64_t number) {
  if (places_.empty()) return;
  const uint64_t first = walk().first;
  const uint64_t last = walk().steps.size() - 1;
  at_ = at_ - places_[at_].second + std::min(number > first ? number - first : 0, last);
}

void WalkPosition::jump(bool onwards, bool (*is_one)(const WalkStep&)) {
  if (places_.empty() || !has_lines(walk())) return;
  const auto is_edge = [&] {
    const size_t at = places_[at_].second;
    return onwards ? at + 1 == walk().steps.size() : at == 0;
  };
  do go(onwards);
  while (!is_one(step()) && !is_edge());
}

std::vector<std::string> WalkPosition::view(size_t columns, size_t height) const {
  if (places_.empty()) return {"there is no step"};
  const Walk& shown = walk();
  const size_t at = places_[at_].second;
  std::vector<std::string> details = too_wide(step().line, columns);
  std::ranges::copy(step().details, std::back_inserter(details));
  std::vector<std::string> below;
  if (at + 1 == shown.steps.size())
    for (const std::string_view line : render::lines_of(shown.end)) below.emplace_back(line);
  if (has_lines(shown)) below.emplace_back(kMoreKeysLine);
  below.push_back(number_.empty() ? std::string(kKeysLine)
                                  : fmt::format("to {}, with Enter", number_));
  const size_t others = 3 + below.size();
  const size_t room = std::max<size_t>(height, others + 2) - others;
  const size_t most_details = std::min(details.size(), std::max<size_t>(1, room * 2 / 3));
  const std::string all = shown.all.empty() ? std::to_string(shown.steps.size()) : shown.all;
  std::vector<std::string> lines = {
      title_line(shown.title, fmt::format("   {} of {}", shown.first + at, all), columns)};
  for (std::string& row : list_around(shown, at, std::max<size_t>(1, room - most_details)))
    lines.push_back(fitted(std::move(row), columns));
  lines.emplace_back();
  for (size_t i = 0; i < most_details; ++i) {
    bool last = i + 1 == most_details && most_details < details.size();
    lines.push_back(last ? fmt::format("... {} more lines", details.size() - i)
                         : fitted(details[i], columns));
  }
  for (std::string& line : below) lines.push_back(fitted(std::move(line), columns));
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
    if (!step.above.empty()) text += step.above + "\n";
    text += step.line + "\n";
    for (const std::string& detail : step.details) text += "    " + detail + "\n";
  }
  return walk.end.empty() ? text : text + walk.end + "\n";
}

}  // namespace glint
