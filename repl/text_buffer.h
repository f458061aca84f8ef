// The text of one REPL entry while it is typed, and the cursor in it: editing without a terminal.
//
// The text may hold several lines. Positions are byte offsets that always stand between characters,
// so that moving and deleting never cut one of UTF-8 in half, nor take an accent from its letter.
//
//     buffer.insert("x = relu");   buffer.move_word_left();   buffer.kill_word_right();  // "x = "
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace glint {

class TextBuffer {
 public:
  const std::string& text() const { return text_; }
  size_t cursor() const { return cursor_; }
  bool empty() const { return text_.empty(); }
  /// Replaces everything; the cursor goes to the end.
  void set(std::string text);
  void insert(std::string_view text);
  /// Replaces [begin, cursor) with `text`, as completion does.
  void replace_before_cursor(size_t begin, std::string_view text);

  void move_left();
  void move_right();
  void move_word_left();
  void move_word_right();
  void move_line_start();
  void move_line_end();
  void move_end() { cursor_ = text_.size(); }
  /// To the line above or below, same column where it is long enough; false on the outermost line.
  bool move_up();
  bool move_down();

  void delete_left();
  void delete_right();
  void delete_spaces_right();
  /// Whether nothing but spaces stands before the cursor in its line, which is not the first one
  /// and holds text.
  bool stands_before_text() const;
  /// An empty line above the cursor's, which goes down with it.
  void open_line_above();
  /// Gives the cursor's line, in which nothing but spaces stands before it, so many of them.
  void indent_line(size_t columns);
  /// Takes up to `columns` spaces from the beginning of the cursor's line.
  void move_line_out(size_t columns);
  /// The kill commands take text out and keep it for `yank`.
  void kill_word_left();
  void kill_word_right();
  void kill_to_line_end();
  void kill_to_line_start();
  void yank() { insert(killed_); }

  /// The line that the cursor is in, counted from 0, and its text up to the cursor.
  size_t cursor_line() const;
  std::string_view line_before_cursor() const;
  std::string_view before_cursor() const { return std::string_view(text_).substr(0, cursor_); }
  bool at_end() const { return cursor_ == text_.size(); }

 private:
  size_t line_start(size_t position) const;
  size_t line_end(size_t position) const;
  /// To the cursor's column in the line that starts there, or its end.
  void move_into_line(size_t start);
  void kill(size_t begin, size_t end);

  std::string text_;
  std::string killed_;
  size_t cursor_ = 0;
};

}  // namespace glint
