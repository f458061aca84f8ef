#include "repl/keys.h"

#include <map>
#include <utility>

namespace glint {
namespace {

/// The final parts of `ESC [` and `ESC O` sequences.
const std::map<std::string, KeyKind, std::less<>>& sequences() {
  using enum KeyKind;
  static const std::map<std::string, KeyKind, std::less<>> table = {
      {"A", kUp},           {"B", kDown},        {"C", kRight},        {"D", kLeft},
      {"H", kHome},         {"F", kEnd},         {"1~", kHome},        {"4~", kEnd},
      {"7~", kHome},        {"8~", kEnd},        {"3~", kDelete},      {"Z", kBackTab},
      {"1;5C", kWordRight}, {"1;5D", kWordLeft}, {"1;3C", kWordRight}, {"1;3D", kWordLeft},
      {"5C", kWordRight},   {"5D", kWordLeft},
  };
  return table;
}

constexpr unsigned char kEscape = 0x1b;
constexpr std::string_view kPasteEnd = "\x1b[201~";

size_t continuation_bytes(unsigned char first) {
  if (first >= 0xf0) return 3;
  if (first >= 0xe0) return 2;
  return first >= 0xc0 ? 1 : 0;
}

bool is_text(unsigned char byte) {
  return (byte >= 0x20 && byte != 0x7f) || byte == '\t' || byte == '\r' || byte == '\n';
}

/// Line ends of every kind made `\n`.
std::string with_line_ends(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' && i > 0 && text[i - 1] == '\r') continue;
    out += text[i] == '\r' ? '\n' : text[i];
  }
  return out;
}

}  // namespace

std::optional<unsigned char> KeyReader::next_byte(Wait wait) {
  if (pushed_back_) return std::exchange(pushed_back_, std::nullopt);
  return source_(wait);
}

Key KeyReader::read() {
  std::optional<unsigned char> byte = next_byte(Wait::kForKey);
  if (!byte) return {KeyKind::kEndOfInput};
  switch (*byte) {
    case '\r':
    case '\n':
      return read_enter();
    case '\t':
      return {KeyKind::kTab};
    case 0x7f:
    case 0x08:
      return {KeyKind::kBackspace};
    case kEscape:
      return read_escape();
    default:
      break;
  }
  if (*byte == 0) return {KeyKind::kUnknown};
  if (*byte < 0x20) return {KeyKind::kControl, std::string(1, static_cast<char>('a' + *byte - 1))};
  return read_character(*byte);
}

Key KeyReader::read_enter() {
  std::string text = "\r";
  std::optional<unsigned char> byte = next_byte(Wait::kNot);
  for (; byte && is_text(*byte); byte = next_byte(Wait::kBriefly)) text += static_cast<char>(*byte);
  pushed_back_ = byte;
  text = with_line_ends(text);
  return text == "\n" ? Key{KeyKind::kEnter} : Key{KeyKind::kPaste, text};
}

Key KeyReader::read_character(unsigned char first) {
  std::string text(1, static_cast<char>(first));
  for (size_t i = continuation_bytes(first); i > 0; --i) {
    std::optional<unsigned char> byte = next_byte(Wait::kForever);
    if (!byte) return {KeyKind::kEndOfInput};
    text += static_cast<char>(*byte);
  }
  return {KeyKind::kText, text};
}

Key KeyReader::read_escape() {
  std::optional<unsigned char> byte = next_byte(Wait::kBriefly);
  if (!byte) return {KeyKind::kEscape};
  if (*byte == '[' || *byte == 'O') return read_sequence();
  if (*byte == '\r' || *byte == '\n') return {KeyKind::kNewLine};
  return {KeyKind::kAlt, std::string(1, static_cast<char>(*byte))};
}

Key KeyReader::read_sequence() {
  std::string sequence;
  while (sequence.size() < 16) {
    std::optional<unsigned char> byte = next_byte(Wait::kBriefly);
    if (!byte) return {KeyKind::kUnknown};
    sequence += static_cast<char>(*byte);
    if (*byte >= 0x40 && *byte <= 0x7e) break;
  }
  if (sequence == "200~") return read_paste();
  auto found = sequences().find(sequence);
  return {found == sequences().end() ? KeyKind::kUnknown : found->second};
}

Key KeyReader::read_paste() {
  std::string text;
  while (!text.ends_with(kPasteEnd)) {
    std::optional<unsigned char> byte = next_byte(Wait::kForever);
    if (!byte) return {KeyKind::kEndOfInput};
    text += static_cast<char>(*byte);
  }
  text.resize(text.size() - kPasteEnd.size());
  return {KeyKind::kPaste, with_line_ends(text)};
}

}  // namespace glint
