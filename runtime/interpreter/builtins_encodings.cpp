#include "runtime/interpreter/builtins_encodings.h"

#include <fmt/format.h>

#include <optional>

#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/builtins_utf8.h"

namespace glint::runtime {
namespace {

enum class Encoding : uint8_t { kUtf8, kAscii, kLatin1 };

/// By any of its names: case, `-`, `_` and spaces aside.
std::optional<Encoding> find_encoding(Interpreter& in, std::string_view given) {
  std::string name;
  for (char c : given) {
    if (c == '-' || c == '_' || c == ' ') continue;
    name += static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
  }
  if (name == "utf8" || name == "u8") return Encoding::kUtf8;
  if (name == "ascii" || name == "usascii") return Encoding::kAscii;
  if (name == "latin1" || name == "iso88591" || name == "l1" || name == "latin")
    return Encoding::kLatin1;
  in.raise("LookupError", fmt::format("unknown encoding: {}", given));
  return std::nullopt;
}

std::string_view name_of(Encoding encoding) {
  constexpr std::string_view kNames[] = {"utf-8", "ascii", "latin-1"};
  return kNames[static_cast<size_t>(encoding)];
}

bool is_surrogate(uint32_t c) {
  return c >= 0xD800 && c < 0xE000;
}

bool fits(Encoding encoding, uint32_t c) {
  switch (encoding) {
    case Encoding::kUtf8:
      return !is_surrogate(c);
    case Encoding::kAscii:
      return c < 0x80;
    case Encoding::kLatin1:
      return c < 0x100;
  }
  return false;
}

std::string escaped(uint32_t c) {
  if (c < 0x100) return fmt::format("\\x{:02x}", c);
  return c < 0x10000 ? fmt::format("\\u{:04x}", c) : fmt::format("\\U{:08x}", c);
}

/// What stands for something that cannot be said; false if the policy is to fail, or none.
bool replacement(Interpreter& in, std::string_view errors, std::string_view mark,
                 const std::string& escape, std::string& out) {
  if (errors == "ignore") return true;
  if (errors == "replace") return out += mark, true;
  if (errors == "backslashreplace") return out += escape, true;
  if (errors != "strict")
    in.raise("LookupError", fmt::format("unknown error handler name '{}'", errors));
  return false;
}

std::string_view encode_reason(Encoding encoding) {
  return encoding == Encoding::kUtf8    ? "surrogates not allowed"
         : encoding == Encoding::kAscii ? "ordinal not in range(128)"
                                        : "ordinal not in range(256)";
}

/// How many of the bytes at `at` are one character in UTF-8; 0 if they are none.
size_t utf8_length(std::string_view data, size_t at) {
  auto lead = static_cast<unsigned char>(data[at]);
  size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return is_valid_utf8(data.substr(at, size)) && at + size <= data.size() ? size : 0;
}

/// `'utf-8' codec can't decode byte 0xff in position 3: invalid start byte`.
std::string decode_problem(Encoding encoding, std::string_view data, size_t at) {
  auto lead = static_cast<unsigned char>(data[at]);
  std::string one = fmt::format(
      "'{}' codec can't decode byte 0x{:02x} in position {}: ", name_of(encoding), lead, at);
  if (encoding == Encoding::kAscii) return one + "ordinal not in range(128)";
  if (lead < 0xC2 || lead > 0xF4) return one + "invalid start byte";
  size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4, good = 1;
  while (good < size && at + good < data.size() &&
         (static_cast<unsigned char>(data[at + good]) & 0xC0) == 0x80)
    ++good;
  bool ends = at + good == data.size() && good < size;
  std::string_view why = ends ? "unexpected end of data" : "invalid continuation byte";
  if (good == 1 || !ends) return one + std::string(why);
  return fmt::format("'{}' codec can't decode bytes in position {}-{}: {}", name_of(encoding), at,
                     at + good - 1, why);
}

/// Raises for the characters from `at` on, up to the first that fits.
Value raise_unencodable(Interpreter& in, Encoding encoding, std::string_view text, size_t at,
                        int64_t place) {
  uint32_t first = decode_code_point(text, at).value;
  int64_t count = 0;
  while (at < text.size()) {
    CodePoint point = decode_code_point(text, at);
    if (fits(encoding, point.value)) break;
    at += point.size;
    ++count;
  }
  std::string what = count == 1
                         ? fmt::format("character '{}' in position {}", escaped(first), place)
                         : fmt::format("characters in position {}-{}", place, place + count - 1);
  return in.raise("UnicodeEncodeError",
                  fmt::format("'{}' codec can't encode {}: {}", name_of(encoding), what,
                              encode_reason(encoding)));
}

/// Whether the text may hold surrogates, at a glance.
bool may_hold_surrogates(std::string_view text) {
  for (size_t at = text.find('\xed'); at != std::string_view::npos;
       at = text.find('\xed', at + 1)) {
    if (at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) >= 0xa0) return true;
  }
  return false;
}

}  // namespace

bool check_encodable(Interpreter& in, std::string_view text) {
  return !may_hold_surrogates(text) || encode_text(in, text, "utf-8", "strict").defined();
}

std::string with_escapes(Interpreter& in, std::string_view text) {
  if (!may_hold_surrogates(text)) return std::string(text);
  return encode_text(in, text, "utf-8", "backslashreplace").as<BytesObject>()->data;
}

Value encode_text(Interpreter& in, std::string_view text, std::string_view encoding_name,
                  std::string_view errors) {
  std::optional<Encoding> encoding = find_encoding(in, encoding_name);
  if (!encoding) return Value();
  std::string out;
  int64_t place = 0;
  for (size_t at = 0; at < text.size(); ++place) {
    CodePoint point = decode_code_point(text, at);
    if (!fits(*encoding, point.value)) {
      if (!replacement(in, errors, "?", escaped(point.value), out)) {
        if (in.raised()) return Value();
        return raise_unencodable(in, *encoding, text, at, place);
      }
    } else if (*encoding == Encoding::kUtf8) {
      out += text.substr(at, point.size);
    } else {
      out += static_cast<char>(point.value);
    }
    at += point.size;
  }
  return Value(make_ref<BytesObject>(std::move(out)));
}

std::string usual_encoding_name(Interpreter& in, std::string_view name) {
  std::optional<Encoding> encoding = find_encoding(in, name);
  return encoding ? std::string(name_of(*encoding)) : std::string();
}

Value decode_bytes(Interpreter& in, std::string_view data, std::string_view encoding_name,
                   std::string_view errors) {
  std::optional<Encoding> encoding = find_encoding(in, encoding_name);
  if (!encoding) return Value();
  if (*encoding == Encoding::kUtf8 && is_valid_utf8(data)) return str_value(std::string(data));
  std::string out;
  for (size_t at = 0; at < data.size();) {
    auto byte = static_cast<unsigned char>(data[at]);
    if (*encoding == Encoding::kLatin1) {
      append_code_point(out, byte);
      ++at;
      continue;
    }
    size_t size = *encoding == Encoding::kAscii ? byte < 0x80 : utf8_length(data, at);
    if (size > 0) {
      out += data.substr(at, size);
      at += size;
      continue;
    }
    if (!replacement(in, errors, "\xef\xbf\xbd", escaped(byte), out)) {
      if (in.raised()) return Value();
      return in.raise("UnicodeDecodeError", decode_problem(*encoding, data, at));
    }
    ++at;
  }
  return str_value(std::move(out));
}

}  // namespace glint::runtime
