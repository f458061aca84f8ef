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
  kPaste,  ///< pasted text, in `text`, line ends made `\n`; bracketed, or known by its speed
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
  kEscape,   ///< Esc alone
  kEndOfInput,
  kUnknown,
};

struct Key {
  KeyKind kind = KeyKind::kUnknown;
  std::string text = {};
};

/// How long to wait for a byte: of a new key, for which a signal may stand, until it comes; of the
/// same key until it comes, or as long as the rest of a sequence may take, or not.
enum class Wait : uint8_t { kForKey, kForever, kBriefly, kNot };

/// Reads keys from a source of bytes.
class KeyReader {
 public:
  using NextByte = std::function<std::optional<unsigned char>(Wait)>;
  explicit KeyReader(NextByte next_byte) : source_(std::move(next_byte)) {}
  Key read();

 private:
  std::optional<unsigned char> next_byte(Wait wait);
  /// Enter; with text right behind it, which no hand types, a paste that begins with a line end.
  Key read_enter();
  Key read_escape();
  Key read_sequence();
  Key read_paste();
  Key read_character(unsigned char first);

  NextByte source_;
  std::optional<unsigned char> pushed_back_;
};

}  // namespace glint
