// bytes whose every byte gets another form: by a table, or as two digits.
#include <cstdlib>
#include <numeric>

#include "runtime/interpreter/builtins_bytes.h"

namespace glint::runtime {

Value bytes_value(std::string data) {
  return Value(make_ref<BytesObject>(std::move(data)));
}

bool bytes_argument(NativeCall& call, size_t index, std::string_view& out) {
  if (auto* bytes = call[index].try_as<BytesObject>()) return out = bytes->data, true;
  call.raise("TypeError",
             fmt::format("a bytes-like object is required, not '{}'", type_name(call[index])));
  return false;
}

namespace {

constexpr size_t kBytes = 256;

/// The sign between groups of digits, where one is given; false where it is no sign.
bool separator_argument(NativeCall& call, std::string_view& out) {
  const Value& given_sign = call[1];
  if (!given(given_sign)) return true;
  int64_t length = length_of(call.interpreter, given_sign);
  if (length < 0) return false;
  auto* bytes = given_sign.try_as<BytesObject>();
  if (length != 1) {
    call.raise("ValueError", "sep must be length 1.");
  } else if (!bytes && !is_str(given_sign)) {
    call.raise("TypeError", "sep must be str or bytes.");
  } else if (out = bytes ? std::string_view(bytes->data) : view_of(given_sign);
             static_cast<unsigned char>(out[0]) >= 0x80) {
    call.raise("ValueError", "sep must be ASCII.");
  } else {
    return true;
  }
  return false;
}

/// The groups are counted from the right, from the left where their size is negative.
Value bytes_hex(NativeCall& call) {
  std::string_view separator, data = call[0].as<BytesObject>()->data;
  int64_t size = 1;
  if (!separator_argument(call, separator) || !int_argument(call, 2, size)) return Value();
  std::string out;
  for (size_t i = 0; i < data.size(); ++i) {
    size_t from_end = size < 0 ? i : data.size() - i;
    bool starts_group = i > 0 && size != 0 && from_end % static_cast<size_t>(std::abs(size)) == 0;
    if (starts_group) out += separator;
    out += fmt::format("{:02x}", static_cast<unsigned char>(data[i]));
  }
  return str_value(std::move(out));
}

Value bytes_fromhex(NativeCall& call) {
  std::string_view text;
  if (!text_argument(call, 1, text)) return Value();
  auto value_of = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  std::string data;
  for (size_t i = 0; i < text.size();) {
    if (std::string_view(" \t\n\r\v\f").find(text[i]) != std::string_view::npos) {
      ++i;
      continue;
    }
    // The place that is named is that of the first sign that is no digit.
    size_t wrong = value_of(text[i]) < 0 ? i : i + 1;
    if (wrong == i || wrong == text.size() || value_of(text[wrong]) < 0)
      return call.raise(
          "ValueError",
          fmt::format("non-hexadecimal number found in fromhex() arg at position {}", wrong));
    data += static_cast<char>(value_of(text[i]) * 16 + value_of(text[i + 1]));
    i += 2;
  }
  return bytes_value(std::move(data));
}

Value bytes_maketrans(NativeCall& call) {
  std::string_view from, to;
  if (!bytes_argument(call, 0, from) || !bytes_argument(call, 1, to)) return Value();
  if (from.size() != to.size())
    return call.raise("ValueError", "maketrans arguments must have same length");
  std::string table(kBytes, '\0');
  std::iota(table.begin(), table.end(), '\0');
  for (size_t i = 0; i < from.size(); ++i) table[static_cast<unsigned char>(from[i])] = to[i];
  return bytes_value(std::move(table));
}

Value bytes_translate(NativeCall& call) {
  std::string_view table, dropped, data = call[0].as<BytesObject>()->data;
  if (!call[1].is_none()) {
    if (!bytes_argument(call, 1, table)) return Value();
    if (table.size() != kBytes)
      return call.raise("ValueError", "translation table must be 256 characters long");
  }
  if (given(call[2]) && !bytes_argument(call, 2, dropped)) return Value();
  std::string out;
  for (char c : data) {
    if (dropped.find(c) != std::string_view::npos) continue;
    out += table.empty() ? c : table[static_cast<unsigned char>(c)];
  }
  return bytes_value(std::move(out));
}

constexpr NativeDefinition kMethods[] = {
    {"hex(self, /, sep=..., bytes_per_sep=1)", bytes_hex, kPure, "as hexadecimal text"},
    {"translate(self, table, /, delete=...)", bytes_translate, kPure, "each byte as a table says"},
};
constexpr NativeDefinition kStaticMethods[] = {
    {"maketrans(frm, to, /)", bytes_maketrans, kPure, "a table for translate"},
};
constexpr NativeDefinition kClassMethods[] = {
    {"fromhex(cls, string, /)", bytes_fromhex, kPure, "the bytes of hexadecimal text"},
};

}  // namespace

void install_bytes_mappings(Interpreter& in) {
  ClassObject& cls = *in.classes().bytes;
  in.add_methods(cls, kMethods);
  add_static_methods(cls, kStaticMethods);
  add_class_methods(cls, kClassMethods);
}

}  // namespace glint::runtime
