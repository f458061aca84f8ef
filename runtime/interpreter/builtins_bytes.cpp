// bytes: how it is made, and the methods that scripts use.
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/builtins_text_algorithms.h"
#include "runtime/interpreter/builtins_utf8.h"

namespace glint::runtime {
namespace {

std::string_view self_of(NativeCall& call) {
  return call[0].as<BytesObject>()->data;
}
Value bytes_value(std::string data) {
  return Value(make_ref<BytesObject>(std::move(data)));
}

Value construct_bytes(NativeCall& call) {
  const Value& source = call[0];
  if (!given(source)) return bytes_value("");
  if (source.is<BytesObject>()) return source;
  if (is_str(source)) {
    if (!given(call[1])) return call.raise("TypeError", "string argument without an encoding");
    return bytes_value(std::string(view_of(source)));
  }
  if (source.is_integral()) {
    if (source.as_int() < 0) return call.raise("ValueError", "negative count");
    return bytes_value(std::string(static_cast<size_t>(source.as_int()), '\0'));
  }
  std::vector<Value> items;
  if (!collect(call.interpreter, source, items)) return Value();
  std::string data;
  for (const Value& item : items) {
    int64_t byte = 0;
    if (!index_of(call.interpreter, item, byte)) return Value();
    if (byte < 0 || byte > 255) return call.raise("ValueError", "bytes must be in range(0, 256)");
    data += static_cast<char>(byte);
  }
  return bytes_value(std::move(data));
}

Value bytes_decode(NativeCall& call) {
  std::string_view data = self_of(call);
  if (is_valid_utf8(data)) return str_value(std::string(data));
  if (is_str(call[2]) && view_of(call[2]) != "strict") {
    std::string out;
    for (char c : data) {
      if (static_cast<unsigned char>(c) < 0x80)
        out += c;
      else if (view_of(call[2]) == "replace")
        out += "\xef\xbf\xbd";
    }
    return str_value(std::move(out));
  }
  size_t place = 0;
  while (place < data.size() && is_valid_utf8(data.substr(0, place + 1))) ++place;
  return call.raise(
      "UnicodeDecodeError",
      fmt::format("'utf-8' codec can't decode byte 0x{:02x} in position {}: invalid "
                  "start byte",
                  static_cast<unsigned>(static_cast<unsigned char>(data[place])), place));
}

Value bytes_hex(NativeCall& call) {
  std::string out;
  for (char c : self_of(call)) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return str_value(std::move(out));
}

Value bytes_fromhex(NativeCall& call) {
  std::string_view text;
  if (!text_argument(call, 1, text)) return Value();
  std::string digits, data;
  for (char c : text)
    if (c != ' ') digits += c;
  for (size_t i = 0; i + 1 < digits.size() + 1; i += 2) {
    char* end = nullptr;
    std::string pair = digits.substr(i, 2);
    long byte = std::strtol(pair.c_str(), &end, 16);
    if (pair.size() != 2 || *end)
      return call.raise(
          "ValueError",
          fmt::format("non-hexadecimal number found in fromhex() arg at position {}", i));
    data += static_cast<char>(byte);
  }
  return bytes_value(std::move(data));
}

bool bytes_argument(NativeCall& call, size_t index, std::string_view& out) {
  if (auto* bytes = call[index].try_as<BytesObject>()) return out = bytes->data, true;
  call.raise("TypeError",
             fmt::format("a bytes-like object is required, not '{}'", type_name(call[index])));
  return false;
}

Value bytes_find(NativeCall& call) {
  std::string_view part;
  if (!bytes_argument(call, 1, part)) return Value();
  size_t found = self_of(call).find(part);
  return int_value(found == std::string_view::npos ? -1 : static_cast<int64_t>(found));
}
Value bytes_startswith(NativeCall& call) {
  std::string_view part;
  return bytes_argument(call, 1, part) ? Value(self_of(call).starts_with(part)) : Value();
}
Value bytes_endswith(NativeCall& call) {
  std::string_view part;
  return bytes_argument(call, 1, part) ? Value(self_of(call).ends_with(part)) : Value();
}
Value bytes_split(NativeCall& call) {
  std::string_view separator;
  TextPieces pieces;
  if (call[1].is_none()) {
    pieces = split_at_spaces(self_of(call), -1);
  } else {
    if (!bytes_argument(call, 1, separator)) return Value();
    if (separator.empty()) return call.raise("ValueError", "empty separator");
    pieces = split(self_of(call), separator, -1);
  }
  std::vector<Value> items;
  for (std::string_view piece : pieces) items.push_back(bytes_value(std::string(piece)));
  return Value(make_list(std::move(items)));
}
Value bytes_join(NativeCall& call) {
  std::vector<Value> items;
  if (!collect(call.interpreter, call[1], items)) return Value();
  std::string out;
  for (size_t i = 0; i < items.size(); ++i) {
    auto* piece = items[i].try_as<BytesObject>();
    if (!piece)
      return call.raise("TypeError",
                        fmt::format("sequence item {}: expected a bytes-like object, {} found", i,
                                    type_name(items[i])));
    if (i > 0) out += self_of(call);
    out += piece->data;
  }
  return bytes_value(std::move(out));
}
Value bytes_replace(NativeCall& call) {
  std::string_view from, to;
  if (!bytes_argument(call, 1, from) || !bytes_argument(call, 2, to)) return Value();
  return bytes_value(replace_all(self_of(call), from, to, -1));
}
Value bytes_strip(NativeCall& call) {
  return bytes_value(std::string(strip_left(strip_right(self_of(call), nullptr), nullptr)));
}

/// Upper and lower case of ASCII letters.
template <uint32_t (*kFunction)(uint32_t)>
Value bytes_case(NativeCall& call) {
  std::string out;
  for (char c : self_of(call))
    out += static_cast<unsigned char>(c) < 0x80
               ? static_cast<char>(kFunction(static_cast<uint32_t>(c)))
               : c;
  return bytes_value(std::move(out));
}
Value bytes_count(NativeCall& call) {
  std::string_view part;
  return bytes_argument(call, 1, part) ? int_value(count_occurrences(self_of(call), part))
                                       : Value();
}

constexpr NativeDefinition kMethods[] = {
    {"upper(self, /)", bytes_case<to_upper>, kPure, "in upper case"},
    {"lower(self, /)", bytes_case<to_lower>, kPure, "in lower case"},
    {"count(self, sub, /)", bytes_count, kPure, "how often `sub` occurs"},
    {"decode(self, /, encoding='utf-8', errors='strict')", bytes_decode, kPure, "as text"},
    {"hex(self, /)", bytes_hex, kPure, "as hexadecimal text"},
    {"find(self, sub, /)", bytes_find, kPure, "the first place, or -1"},
    {"startswith(self, prefix, /)", bytes_startswith, kPure, "whether the bytes begin so"},
    {"endswith(self, suffix, /)", bytes_endswith, kPure, "whether the bytes end so"},
    {"split(self, sep=None, /)", bytes_split, kPure, "the parts between separators"},
    {"join(self, iterable, /)", bytes_join, kPure, "the parts with these bytes between them"},
    {"replace(self, old, new, /)", bytes_replace, kPure, "each `old` replaced by `new`"},
    {"strip(self, /)", bytes_strip, kPure, "without white space around"},
};
constexpr NativeDefinition kClassMethods[] = {
    {"fromhex(cls, string, /)", bytes_fromhex, kPure, "the bytes of hexadecimal text"},
};

}  // namespace

void install_bytes(Interpreter& in) {
  ClassObject& cls = *in.classes().bytes;
  set_constructor(cls, {"bytes(source=..., encoding=..., errors=...)", construct_bytes, kPure,
                        "bytes of ints, text or a count"});
  in.add_methods(cls, kMethods);
  add_class_methods(cls, kClassMethods);
}

}  // namespace glint::runtime
