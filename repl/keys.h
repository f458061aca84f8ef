// Bytes from a terminal to keys: control characters, escape sequences, UTF-8, bracketed paste.
//
//     "\x1b[A" -> kUp      "\x7f" -> kBackspace      "\x1b[200~ ... \x1b[201~" -> kPaste, with text
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace glint {

enum class KeyKind : uint8_t {
  kText,   ///< one character, in `text`
  kPaste,  ///< pasted text, in `text`, line ends made `\n`
  kEnter,
  kNewLine,  ///< Alt-Enter: a line break wherever the cursor is
  kTab,
  kBackTab,
  kBackspace,
  kDelete,
  kLeft,
  kRight,
  kUp,
  kDown,
  kWordLeft,
  kWordRight,
  kHome,
  kEnd,
  kControl,  ///< Ctrl with the lower-case letter in `text`
  kAlt,      ///< Alt with the character in `text`
  kEndOfInput,
  kUnknown,
};

struct Key {
  KeyKind kind = KeyKind::kUnknown;
  std::string text = {};
};

/// Reads keys from a source of bytes.
class KeyReader {
 public:
  /// `next_byte(wait)` gives the next byte; with `wait` false only if it is there at once.
  explicit KeyReader(std::function<std::optional<unsigned char>(bool wait)> next_byte)
      : next_byte_(std::move(next_byte)) {}
  Key read();

 private:
  Key read_escape();
  Key read_sequence();
  Key read_paste();
  Key read_character(unsigned char first);

  std::function<std::optional<unsigned char>(bool wait)> next_byte_;
};

}  // namespace glint
