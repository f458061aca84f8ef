#include "repl/text_buffer.h"

#include <algorithm>
#include <cctype>

#include "repl/columns.h"

namespace glint {
namespace {

bool is_word(char c) {
  auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) || c == '_' || byte >= 0x80;
}

}  // namespace

void TextBuffer::set(std::string text) {
  text_ = std::move(text);
  cursor_ = text_.size();
}

void TextBuffer::insert(std::string_view text) {
  text_.insert(cursor_, text);
  cursor_ += text.size();
}

void TextBuffer::replace_before_cursor(size_t begin, std::string_view text) {
  text_.replace(begin, cursor_ - begin, text);
  cursor_ = begin + text.size();
}

size_t TextBuffer::line_start(size_t position) const {
  size_t newline = position == 0 ? std::string::npos : text_.rfind('\n', position - 1);
  return newline == std::string::npos ? 0 : newline + 1;
}

size_t TextBuffer::line_end(size_t position) const {
  return std::min(text_.find('\n', position), text_.size());
}

void TextBuffer::move_left() {
  cursor_ = previous_stop(text_, cursor_);
}
void TextBuffer::move_right() {
  cursor_ = next_stop(text_, cursor_);
}

void TextBuffer::move_word_left() {
  while (cursor_ > 0 && !is_word(text_[cursor_ - 1])) --cursor_;
  while (cursor_ > 0 && is_word(text_[cursor_ - 1])) --cursor_;
}

void TextBuffer::move_word_right() {
  while (cursor_ < text_.size() && !is_word(text_[cursor_])) ++cursor_;
  while (cursor_ < text_.size() && is_word(text_[cursor_])) ++cursor_;
}

void TextBuffer::move_line_start() {
  cursor_ = line_start(cursor_);
}
void TextBuffer::move_line_end() {
  cursor_ = line_end(cursor_);
}

bool TextBuffer::move_up() {
  size_t start = line_start(cursor_);
  if (start == 0) return false;
  move_into_line(line_start(start - 1));
  return true;
}

bool TextBuffer::move_down() {
  size_t end = line_end(cursor_);
  if (end == text_.size()) return false;
  move_into_line(end + 1);
  return true;
}

void TextBuffer::move_into_line(size_t start) {
  std::string_view line = std::string_view(text_).substr(start, line_end(start) - start);
  cursor_ = start + fitting(line, display_width(line_before_cursor())).size();
}

void TextBuffer::delete_left() {
  size_t begin = previous_stop(text_, cursor_);
  text_.erase(begin, cursor_ - begin);
  cursor_ = begin;
}

void TextBuffer::delete_right() {
  text_.erase(cursor_, next_stop(text_, cursor_) - cursor_);
}

void TextBuffer::delete_spaces_right() {
  size_t end = std::min(text_.find_first_not_of(' ', cursor_), text_.size());
  text_.erase(cursor_, end - cursor_);
}

bool TextBuffer::stands_before_text() const {
  const size_t start = line_start(cursor_), end = line_end(cursor_);
  const size_t text = std::min(text_.find_first_not_of(" \t", start), end);
  return start > 0 && cursor_ <= text && text < end;
}

void TextBuffer::open_line_above() {
  text_.insert(line_start(cursor_), "\n");
  ++cursor_;
}

void TextBuffer::indent_line(size_t columns) {
  replace_before_cursor(line_start(cursor_), std::string(columns, ' '));
}

void TextBuffer::move_line_out(size_t columns) {
  const size_t start = line_start(cursor_);
  const size_t spaces = std::min(text_.find_first_not_of(' ', start), text_.size()) - start;
  const size_t taken = std::min(columns, spaces);
  text_.erase(start, taken);
  cursor_ = std::max(start, cursor_ - std::min(taken, cursor_));
}

void TextBuffer::kill(size_t begin, size_t end) {
  killed_ = text_.substr(begin, end - begin);
  text_.erase(begin, end - begin);
  cursor_ = begin;
}

void TextBuffer::kill_word_left() {
  size_t end = cursor_;
  move_word_left();
  kill(cursor_, end);
}

void TextBuffer::kill_word_right() {
  size_t begin = cursor_;
  move_word_right();
  kill(begin, cursor_);
}

void TextBuffer::kill_to_line_end() {
  size_t end = line_end(cursor_);
  kill(cursor_, end == cursor_ ? next_stop(text_, cursor_) : end);
}

void TextBuffer::kill_to_line_start() {
  kill(line_start(cursor_), cursor_);
}

size_t TextBuffer::cursor_line() const {
  return static_cast<size_t>(
      std::count(text_.begin(), text_.begin() + static_cast<long>(cursor_), '\n'));
}

std::string_view TextBuffer::line_before_cursor() const {
  size_t start = line_start(cursor_);
  return std::string_view(text_).substr(start, cursor_ - start);
}

}  // namespace glint
