#include "repl/keys.h"

#include <map>

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

}  // namespace

Key KeyReader::read() {
  std::optional<unsigned char> byte = next_byte_(true);
  if (!byte) return {KeyKind::kEndOfInput};
  switch (*byte) {
    case '\r':
    case '\n':
      return {KeyKind::kEnter};
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

Key KeyReader::read_character(unsigned char first) {
  std::string text(1, static_cast<char>(first));
  for (size_t i = continuation_bytes(first); i > 0; --i) {
    std::optional<unsigned char> byte = next_byte_(true);
    if (!byte) return {KeyKind::kEndOfInput};
    text += static_cast<char>(*byte);
  }
  return {KeyKind::kText, text};
}

Key KeyReader::read_escape() {
  std::optional<unsigned char> byte = next_byte_(false);
  if (!byte) return {KeyKind::kUnknown};
  if (*byte == '[' || *byte == 'O') return read_sequence();
  if (*byte == '\r' || *byte == '\n') return {KeyKind::kNewLine};
  return {KeyKind::kAlt, std::string(1, static_cast<char>(*byte))};
}

Key KeyReader::read_sequence() {
  std::string sequence;
  while (sequence.size() < 16) {
    std::optional<unsigned char> byte = next_byte_(false);
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
    std::optional<unsigned char> byte = next_byte_(true);
    if (!byte) return {KeyKind::kEndOfInput};
    text += static_cast<char>(*byte == '\r' ? '\n' : *byte);
  }
  text.resize(text.size() - kPasteEnd.size());
  return {KeyKind::kPaste, text};
}

}  // namespace glint
