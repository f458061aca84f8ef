#include "repl/line_editor.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "repl/clauses.h"
#include "repl/columns.h"
#include "repl/indentation.h"
#include "repl/pasted.h"
#include "repl/render/colour.h"
#include "repl/terminal.h"

namespace glint {
namespace {

std::string common_prefix(const std::vector<std::string>& words) {
  std::string prefix = words.front();
  for (const std::string& word : words) {
    auto [end, unused] = std::mismatch(prefix.begin(), prefix.end(), word.begin(), word.end());
    prefix.erase(end, prefix.end());
  }
  return prefix;
}

/// As many of them as fit into so many rows; then, how many more there are.
std::string in_columns(const std::vector<std::string>& words, size_t columns, size_t rows) {
  size_t widest = 0;
  for (const std::string& word : words) widest = std::max(widest, display_width(word));
  const size_t per_row = std::max<size_t>(1, columns / (widest + 2));
  const bool all = words.size() <= per_row * rows;
  const size_t shown = all ? words.size() : per_row * (rows - 1);
  std::string out;
  for (size_t i = 0; i < shown; ++i) {
    out += words[i];
    bool row_ends = (i + 1) % per_row == 0 || i + 1 == shown;
    out += row_ends ? "\r\n" : std::string(widest + 2 - display_width(words[i]), ' ');
  }
  return all ? out : out + fmt::format("... and {} more\r\n", words.size() - shown);
}

}  // namespace

LineEditor::LineEditor(EditorHooks hooks, History& history)
    : hooks_(std::move(hooks)), history_(history), keys_(read_terminal_byte) {}

ReadResult LineEditor::read(const std::string& prompt, const std::string& continuation) {
  prompt_ = prompt;
  continuation_ = continuation;
  interactive_ = usable_terminal();
  return interactive_ ? read_raw() : read_plain();
}

ReadResult LineEditor::read_plain() {
  bool show_prompt = ::isatty(STDIN_FILENO) != 0;
  std::string text;
  for (;;) {
    if (show_prompt) write_prompt(text.empty() ? prompt_ : continuation_);
    std::string line = hooks_.read_line();
    if (hooks_.take_interrupt()) {
      write_prompt("\n");
      return {ReadOutcome::kInterrupted};
    }
    if (line.empty()) {
      return text.empty() ? ReadResult{ReadOutcome::kEndOfInput}
                          : ReadResult{ReadOutcome::kEntry, text};
    }
    for (char end : {'\n', '\r'})
      if (line.ends_with(end)) line.pop_back();
    text += (text.empty() ? "" : "\n") + line;
    if (hooks_.state(text) == EntryState::kComplete) return {ReadOutcome::kEntry, text};
  }
}

ReadResult LineEditor::read_raw() {
  raw_.emplace();
  buffer_.set("");
  history_position_ = history_.size();
  history_prefix_.reset();
  drawn_ = {};
  top_line_ = 0;
  std::optional<ReadResult> result = next_pasted();
  while (!result) {
    draw(Extent::kScreen);
    result = handle(keys_.read());
  }
  finish_drawing();
  raw_.reset();
  if (result->outcome == ReadOutcome::kEntry) history_.add(result->text);
  return *result;
}

std::optional<ReadResult> LineEditor::next_pasted() {
  if (pasted_.complete.empty()) {
    buffer_.insert(std::exchange(pasted_.rest, {}));
    return std::nullopt;
  }
  buffer_.set(pasted_.complete.front());
  pasted_.complete.erase(pasted_.complete.begin());
  return ReadResult{ReadOutcome::kEntry, buffer_.text()};
}

void LineEditor::drop_pasted() {
  pasted_ = {};
}

std::optional<ReadResult> LineEditor::handle(const Key& key) {
  bool walks_history = key.kind == KeyKind::kUp || key.kind == KeyKind::kDown ||
                       (key.kind == KeyKind::kControl && (key.text == "p" || key.text == "n"));
  if (!walks_history) history_prefix_.reset();
  bool after_indent = std::exchange(indented_, false);
  switch (key.kind) {
    case KeyKind::kText:
      // A line that comes with an indentation of its own keeps that one.
      if (after_indent && key.text == " ")
        while (!buffer_.line_before_cursor().empty()) buffer_.delete_left();
      // A bracket that closes goes back to the line that opened it.
      if (after_indent && (key.text == ")" || key.text == "]" || key.text == "}"))
        buffer_.indent_line(indent_of_closer(buffer_.before_cursor()));
      buffer_.insert(key.text);
      if (key.text == ":" && buffer_.at_end()) buffer_.set(with_clause_placed(buffer_.text()));
      break;
    case KeyKind::kPaste:
      return paste(key.text);
    case KeyKind::kEnter:
      return enter();
    case KeyKind::kNewLine:
      begin_line();
      break;
    case KeyKind::kBackTab:
      buffer_.move_line_out(4);
      break;
    case KeyKind::kTab:
      complete();
      break;
    case KeyKind::kBackspace: {
      std::string_view before = buffer_.line_before_cursor();
      bool only_indent = !before.empty() && before.find_first_not_of(' ') == std::string_view::npos;
      size_t count = only_indent ? (before.size() - 1) % 4 + 1 : 1;
      for (size_t i = 0; i < count; ++i) buffer_.delete_left();
      break;
    }
    case KeyKind::kDelete:
      buffer_.delete_right();
      break;
    case KeyKind::kLeft:
      buffer_.move_left();
      break;
    case KeyKind::kRight:
      buffer_.move_right();
      break;
    case KeyKind::kWordLeft:
      buffer_.move_word_left();
      break;
    case KeyKind::kWordRight:
      buffer_.move_word_right();
      break;
    case KeyKind::kHome:
      buffer_.move_line_start();
      break;
    case KeyKind::kEnd:
      buffer_.move_line_end();
      break;
    case KeyKind::kUp:
      if (!buffer_.move_up()) history_back();
      break;
    case KeyKind::kDown:
      if (!buffer_.move_down()) history_forward();
      break;
    case KeyKind::kControl:
      return handle_control(key.text[0]);
    case KeyKind::kAlt:
      handle_alt(key.text[0]);
      break;
    case KeyKind::kEndOfInput:
      return ReadResult{ReadOutcome::kEndOfInput};
    case KeyKind::kEscape:
    case KeyKind::kUnknown:
      break;
  }
  return std::nullopt;
}

std::optional<ReadResult> LineEditor::handle_control(char letter) {
  switch (letter) {
    case 'a':
      buffer_.move_line_start();
      break;
    case 'b':
      buffer_.move_left();
      break;
    case 'c':
      return ReadResult{ReadOutcome::kInterrupted};
    case 'd':
      if (buffer_.empty()) return ReadResult{ReadOutcome::kEndOfInput};
      buffer_.delete_right();
      break;
    case 'e':
      buffer_.move_line_end();
      break;
    case 'f':
      buffer_.move_right();
      break;
    case 'k':
      buffer_.kill_to_line_end();
      break;
    case 'l':
      write_to_terminal("\x1b[2J\x1b[H");
      drawn_ = {};
      break;
    case 'n':
      if (!buffer_.move_down()) history_forward();
      break;
    case 'p':
      if (!buffer_.move_up()) history_back();
      break;
    case 'r':
      return search_history();
    case 'u':
      buffer_.kill_to_line_start();
      break;
    case 'w':
      buffer_.kill_word_left();
      break;
    case 'y':
      buffer_.yank();
      break;
    case 'z':
      suspend();
      break;
    default:
      break;
  }
  return std::nullopt;
}

void LineEditor::handle_alt(char letter) {
  if (letter == 'b') buffer_.move_word_left();
  if (letter == 'f') buffer_.move_word_right();
  if (letter == 'd') buffer_.kill_word_right();
}

std::optional<ReadResult> LineEditor::enter() {
  bool may_run = buffer_.at_end() || buffer_.text().find('\n') == std::string::npos;
  // What ran once needs no empty line to say that it is whole.
  const bool recalled =
      history_position_ < history_.size() && history_[history_position_] == buffer_.text();
  const std::string whole = buffer_.text() + (recalled ? "\n" : "");
  if (may_run && hooks_.state(whole) == EntryState::kComplete)
    return ReadResult{ReadOutcome::kEntry, buffer_.text()};
  begin_line();
  return std::nullopt;
}

void LineEditor::begin_line() {
  // In front of a line's text a line is opened above it, which stays as it is.
  if (buffer_.stands_before_text()) return buffer_.open_line_above();
  size_t indent = indent_behind(buffer_.before_cursor());
  buffer_.delete_spaces_right();
  buffer_.insert("\n" + std::string(indent, ' '));
  indented_ = indent > 0;
}

std::optional<ReadResult> LineEditor::paste(const std::string& text) {
  std::string clean = without_prompts(buffer_.empty() ? without_margin(text) : text);
  bool splits = buffer_.at_end() && clean.find('\n') != std::string::npos;
  buffer_.insert(clean);
  if (!splits) return std::nullopt;
  pasted_ = split_pasted(buffer_.text(), [this](const std::string& entry) {
    return hooks_.state(entry) == EntryState::kComplete;
  });
  buffer_.set("");
  return next_pasted();
}

void LineEditor::complete() {
  std::string_view before = buffer_.line_before_cursor();
  if (before.find_first_not_of(' ') == std::string_view::npos) {
    buffer_.insert(std::string(4 - before.size() % 4, ' '));
    return;
  }
  Completion completion = hooks_.complete(buffer_.text(), buffer_.cursor());
  if (completion.candidates.empty()) return;
  std::string prefix = common_prefix(completion.candidates);
  bool longer = prefix.size() > buffer_.cursor() - completion.begin;
  if (longer || completion.candidates.size() == 1) {
    buffer_.replace_before_cursor(completion.begin, prefix);
    return;
  }
  // The entry and what was printed last stay in sight.
  const size_t rows = std::max<size_t>(3, render::terminal_height() / 2);
  draw_message(in_columns(completion.candidates, render::terminal_width(), rows));
}

void LineEditor::history_back() {
  if (!history_prefix_) history_prefix_ = buffer_.text();
  size_t found = history_.previous_with_prefix(*history_prefix_, history_position_);
  if (found == History::npos) return;
  history_position_ = found;
  buffer_.set(history_[found]);
}

void LineEditor::history_forward() {
  if (!history_prefix_) return;
  size_t found = history_.next_with_prefix(*history_prefix_, history_position_);
  history_position_ = found == History::npos ? history_.size() : found;
  buffer_.set(found == History::npos ? *history_prefix_ : history_[found]);
}

std::optional<ReadResult> LineEditor::search_history() {
  std::string wanted;
  std::string original = buffer_.text();
  std::string saved_prompt = prompt_;
  searches_ = true;
  size_t position = history_.size();
  std::optional<Key> last;
  for (;;) {
    prompt_ = "(search) `" + wanted + "`: ";
    draw(Extent::kScreen);
    Key key = keys_.read();
    if (key.kind == KeyKind::kUnknown) continue;  // the window has another size
    bool again = key.kind == KeyKind::kControl && key.text == "r";
    if (key.kind == KeyKind::kText)
      wanted += key.text;
    else if (key.kind == KeyKind::kBackspace && !wanted.empty())
      wanted.resize(previous_stop(wanted, wanted.size()));
    else if (!again) {
      last = key;
      break;
    }
    size_t found = history_.search(wanted, again ? position : history_.size());
    if (found == History::npos) continue;
    position = history_position_ = found;
    buffer_.set(history_[found]);
  }
  prompt_ = saved_prompt;
  searches_ = false;
  bool cancelled = last->kind == KeyKind::kControl && (last->text == "c" || last->text == "g");
  if (!cancelled) return handle(*last);
  buffer_.set(original);
  history_position_ = history_.size();
  return std::nullopt;
}

size_t LineEditor::Drawn::cursor_row(size_t columns) const {
  size_t row = cursor / columns;
  for (size_t width : lines_above) row += width / columns + 1;
  return row;
}

std::pair<size_t, size_t> LineEditor::lines_in_sight(const std::vector<size_t>& rows) {
  const size_t height = render::terminal_height(), cursor_line = buffer_.cursor_line();
  const auto taken = [&](size_t first, size_t end) {
    return std::accumulate(rows.begin() + static_cast<long>(first),
                           rows.begin() + static_cast<long>(end), size_t{0});
  };
  top_line_ = std::min(top_line_, cursor_line);
  while (top_line_ < cursor_line && taken(top_line_, cursor_line + 1) > height) ++top_line_;
  if (taken(0, rows.size()) <= height) top_line_ = 0;
  size_t end = cursor_line + 1;
  while (end < rows.size() && taken(top_line_, end + 1) <= height) ++end;
  return {top_line_, end};
}

void LineEditor::draw(Extent extent) {
  const size_t columns = render::terminal_width();
  std::vector<std::string> plain = split_lines(buffer_.text());
  std::vector<std::string> shown = split_lines(hooks_.highlight(buffer_.text()));
  std::vector<size_t> widths, rows;
  // What is searched for stands before the first line that is in sight, whichever that is.
  const auto lead_of = [&](size_t line) -> const std::string& {
    return line == 0 || (searches_ && line == top_line_) ? prompt_ : continuation_;
  };
  const auto measure = [&] {
    widths.clear();
    rows.clear();
    for (size_t i = 0; i < plain.size(); ++i) {
      widths.push_back(display_width(lead_of(i)) + display_width(with_tabs_expanded(plain[i])));
      rows.push_back(widths.back() / columns + 1);
    }
  };
  measure();
  std::pair<size_t, size_t> lines = {0, plain.size()};
  if (extent == Extent::kScreen) lines = lines_in_sight(rows);
  if (searches_) measure();  // the first line in sight may be another one now
  auto [first, end] = lines;
  std::string out;
  // A terminal that was made wider or narrower has broken the lines anew.
  if (size_t row = drawn_.cursor_row(columns)) out += fmt::format("\x1b[{}A", row);
  drawn_ = {};
  // Each line is cleared behind its text: to clear the screen from its first cell on would make
  // some terminals keep what stood there among the lines scrolled out.
  out += '\r';
  const size_t cursor_line = buffer_.cursor_line();
  size_t drawn_rows = 0;
  for (size_t i = first; i < end; ++i) {
    if (i > first) out += "\r\n";
    out += lead_of(i);
    out += with_tabs_expanded(i < shown.size() ? shown[i] : plain[i]);
    if (i < cursor_line) drawn_.lines_above.push_back(widths[i]);
    if (widths[i] > 0 && widths[i] % columns == 0) out += " \r";  // it fills the row
    out += i + 1 < end ? "\x1b[K" : "\x1b[J";
    drawn_rows += rows[i];
  }
  const std::string before = with_tabs_expanded(buffer_.line_before_cursor());
  drawn_.cursor = display_width(lead_of(cursor_line)) + display_width(before);
  if (size_t below = drawn_rows - 1 - drawn_.cursor_row(columns))
    out += fmt::format("\x1b[{}A", below);
  out += "\r";
  if (size_t column = drawn_.cursor % columns) out += fmt::format("\x1b[{}C", column);
  write_to_terminal(out);
}

void LineEditor::suspend() {
  leave_drawing();
  raw_.reset();
  stop_until_continued();
  raw_.emplace();
}

void LineEditor::draw_message(const std::string& message) {
  leave_drawing();
  write_to_terminal(message);
}

void LineEditor::leave_drawing() {
  TextBuffer kept = buffer_;
  finish_drawing();
  buffer_ = std::move(kept);
}

void LineEditor::finish_drawing() {
  buffer_.move_end();
  draw(Extent::kEntry);
  write_to_terminal("\r\n");
  drawn_ = {};
}

}  // namespace glint
