// bytes: how it is made, and the methods that scripts use.
#include "runtime/interpreter/builtins_bytes.h"

#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/builtins_encodings.h"
#include "runtime/interpreter/builtins_text_algorithms.h"
#include "runtime/interpreter/builtins_utf8.h"
#include "runtime/interpreter/number_objects.h"

namespace glint::runtime {
namespace {

std::string_view self_of(NativeCall& call) {
  return call[0].as<BytesObject>()->data;
}

Value construct_bytes(NativeCall& call) {
  const Value& source = call[0];
  if (!given(source)) return bytes_value("");
  if (source.is<BytesObject>()) return source;
  if (is_str(source)) {
    if (!given(call[1])) return call.raise("TypeError", "string argument without an encoding");
    std::string_view encoding, errors = "strict";
    if (!text_argument(call, 1, encoding)) return Value();
    if (given(call[2]) && !text_argument(call, 2, errors)) return Value();
    return encode_text(call.interpreter, view_of(source), encoding, errors);
  }
  if (const Value& count = number_in(source); count.is_integral()) {
    if (count.as_int() < 0) return call.raise("ValueError", "negative count");
    return bytes_value(std::string(static_cast<size_t>(count.as_int()), '\0'));
  }
  if (source.is_object() && class_of(source)->lookup("__bytes__")) {
    Value made = call.interpreter.call_method(source, "__bytes__");
    if (made.is_undefined() || made.is<BytesObject>()) return made;
    return call.raise("TypeError",
                      fmt::format("__bytes__ returned non-bytes (type {})", type_name(made)));
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
  std::string_view encoding, errors;
  if (!text_argument(call, 1, encoding) || !text_argument(call, 2, errors)) return Value();
  return decode_bytes(call.interpreter, self_of(call), encoding, errors);
}

/// The bytes between the optional bounds, and where they begin; nothing where the start lies behind
/// the end, in which not even no bytes are found.
struct Stretch {
  std::string_view bytes;
  size_t start = 0;
};
bool stretch_of(NativeCall& call, std::optional<Stretch>& found) {
  const std::string_view all = self_of(call);
  const auto length = static_cast<int64_t>(all.size());
  int64_t start = 0, stop = 0;
  if (!bounds_arguments(call, 2, length, start, stop)) return false;
  const bool begins_behind = call[2].defined() && call[2].is_int() && call[2].as_int() > length;
  if (start <= stop && !begins_behind)
    found = Stretch{all.substr(static_cast<size_t>(start), static_cast<size_t>(stop - start)),
                    static_cast<size_t>(start)};
  return true;
}

template <bool kFromRight, bool kMust>
Value bytes_find(NativeCall& call) {
  std::string_view part;
  std::optional<Stretch> in;
  if (!bytes_argument(call, 1, part) || !stretch_of(call, in)) return Value();
  const size_t found = !in          ? std::string_view::npos
                       : kFromRight ? in->bytes.rfind(part)
                                    : in->bytes.find(part);
  if (found != std::string_view::npos) return int_value(static_cast<int64_t>(in->start + found));
  return kMust ? call.raise("ValueError", "subsection not found") : int_value(-1);
}
template <bool kFromRight>
Value bytes_partition(NativeCall& call) {
  std::string_view separator, text = self_of(call);
  if (!bytes_argument(call, 1, separator)) return Value();
  if (separator.empty()) return call.raise("ValueError", "empty separator");
  size_t found = kFromRight ? text.rfind(separator) : text.find(separator);
  std::string_view parts[] = {text, "", ""};
  if (found != std::string_view::npos) {
    parts[0] = text.substr(0, found);
    parts[1] = separator;
    parts[2] = text.substr(found + separator.size());
  } else if (kFromRight) {
    std::swap(parts[0], parts[2]);
  }
  std::vector<Value> items;
  for (std::string_view part : parts) items.push_back(bytes_value(std::string(part)));
  return Value(make_tuple(std::move(items)));
}
Value pieces_value(const TextPieces& pieces) {
  std::vector<Value> items;
  for (std::string_view piece : pieces) items.push_back(bytes_value(std::string(piece)));
  return Value(make_list(std::move(items)));
}
/// Unlike text, bytes have lines that end only at `\n`, `\r` or both.
Value bytes_splitlines(NativeCall& call) {
  int keep = truth(call.interpreter, call[1]);
  if (keep < 0) return Value();
  TextPieces lines;
  for (std::string_view text = self_of(call); !text.empty();) {
    size_t end = std::min(text.find_first_of("\r\n"), text.size());
    size_t behind = end + (text.substr(end, 2) == "\r\n" ? 2 : end < text.size() ? 1 : 0);
    lines.push_back(text.substr(0, keep == 1 ? behind : end));
    text.remove_prefix(behind);
  }
  return pieces_value(lines);
}
Value bytes_removeprefix(NativeCall& call) {
  std::string_view part, text = self_of(call);
  if (!bytes_argument(call, 1, part)) return Value();
  if (text.starts_with(part)) text.remove_prefix(part.size());
  return bytes_value(std::string(text));
}
Value bytes_removesuffix(NativeCall& call) {
  std::string_view part, text = self_of(call);
  if (!bytes_argument(call, 1, part)) return Value();
  if (text.ends_with(part)) text.remove_suffix(part.size());
  return bytes_value(std::string(text));
}
Value bytes_startswith(NativeCall& call) {
  std::string_view part;
  return bytes_argument(call, 1, part) ? Value(self_of(call).starts_with(part)) : Value();
}
Value bytes_endswith(NativeCall& call) {
  std::string_view part;
  return bytes_argument(call, 1, part) ? Value(self_of(call).ends_with(part)) : Value();
}
/// The bytes as text of which only the ASCII part has letters: others become a sign without case.
std::string as_ascii(std::string_view data) {
  std::string text(data);
  for (char& c : text)
    if (static_cast<unsigned char>(c) >= 0x80) c = '\x01';
  return text;
}

template <bool kFromRight>
Value bytes_split(NativeCall& call) {
  std::string_view separator, text = self_of(call);
  int64_t limit = -1;
  if (!int_argument(call, 2, limit)) return Value();
  if (call[1].is_none()) {
    std::string letters = as_ascii(text);
    TextPieces pieces =
        kFromRight ? split_at_spaces_from_right(letters, limit) : split_at_spaces(letters, limit);
    for (std::string_view& piece : pieces)
      piece = text.substr(static_cast<size_t>(piece.data() - letters.data()), piece.size());
    return pieces_value(pieces);
  }
  if (!bytes_argument(call, 1, separator)) return Value();
  if (separator.empty()) return call.raise("ValueError", "empty separator");
  return pieces_value(kFromRight ? split_from_right(text, separator, limit)
                                 : split(text, separator, limit));
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
/// Strips white space, or any of the given bytes.
template <bool kLeft, bool kRight>
Value bytes_strip(NativeCall& call) {
  std::string_view characters = " \t\n\r\v\f", text = self_of(call);
  if (!call[1].is_none() && !bytes_argument(call, 1, characters)) return Value();
  auto drops = [&](char c) { return characters.find(c) != std::string_view::npos; };
  while (kLeft && !text.empty() && drops(text.front())) text.remove_prefix(1);
  while (kRight && !text.empty() && drops(text.back())) text.remove_suffix(1);
  return bytes_value(std::string(text));
}

/// `width` bytes, padded on the left, the right or both sides.
template <bool kLeft, bool kRight>
Value bytes_pad(NativeCall& call) {
  int64_t width = 0;
  std::string_view fill, text = self_of(call);
  if (!int_argument(call, 1, width)) return Value();
  if (!given(call[2])) {
    fill = " ";
  } else if (!bytes_argument(call, 2, fill)) {
    return Value();
  }
  if (fill.size() != 1)
    return call.raise("TypeError", fmt::format("{}() argument 2 must be a byte string of length 1, "
                                               "not bytes",
                                               call.function->signature.name));
  auto missing =
      static_cast<size_t>(std::max<int64_t>(width - static_cast<int64_t>(text.size()), 0));
  // An odd byte goes to the left where the width is odd, as CPython has it.
  size_t left = !kLeft    ? 0
                : !kRight ? missing
                          : missing / 2 + (missing & static_cast<size_t>(width) & 1);
  return bytes_value(std::string(left, fill[0]) + std::string(text) +
                     std::string(missing - left, fill[0]));
}
Value bytes_zfill(NativeCall& call) {
  int64_t width = 0;
  if (!int_argument(call, 1, width)) return Value();
  return bytes_value(fill_zeros(self_of(call), width));
}

bool is_ascii_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
template <bool (*kQuestion)(std::string_view)>
Value bytes_test(NativeCall& call) {
  return Value(kQuestion(as_ascii(self_of(call))));
}
Value bytes_isascii(NativeCall& call) {
  for (char c : self_of(call))
    if (static_cast<unsigned char>(c) >= 0x80) return Value(false);
  return Value(true);
}
/// `title`, `capitalize`, `swapcase`: a letter's case by what stands before it.
template <bool (*kUpper)(char c, bool first, bool in_word)>
Value bytes_recase(NativeCall& call) {
  std::string out(self_of(call));
  bool in_word = false;
  for (size_t i = 0; i < out.size(); ++i) {
    bool letter = is_ascii_letter(out[i]);
    if (letter)
      out[i] = static_cast<char>(kUpper(out[i], i == 0, in_word) ? out[i] & ~0x20 : out[i] | 0x20);
    in_word = letter;
  }
  return bytes_value(std::move(out));
}
bool title_upper(char, bool, bool in_word) {
  return !in_word;
}
bool capitalize_upper(char, bool first, bool) {
  return first;
}
bool swap_upper(char c, bool, bool) {
  return c >= 'a';
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
  std::optional<Stretch> in;
  if (!bytes_argument(call, 1, part) || !stretch_of(call, in)) return Value();
  return int_value(in ? count_occurrences(in->bytes, part) : 0);
}

constexpr NativeDefinition kMethods[] = {
    {"upper(self, /)", bytes_case<to_upper>, kPure, "in upper case"},
    {"lower(self, /)", bytes_case<to_lower>, kPure, "in lower case"},
    {"count(self, sub, start=None, end=None, /)", bytes_count, kPure, "how often `sub` occurs"},
    {"decode(self, /, encoding='utf-8', errors='strict')", bytes_decode, kPure, "as text"},
    {"find(self, sub, start=None, end=None, /)", bytes_find<false, false>, kPure,
     "the first place, or -1"},
    {"rfind(self, sub, start=None, end=None, /)", bytes_find<true, false>, kPure,
     "the last place, or -1"},
    {"index(self, sub, start=None, end=None, /)", bytes_find<false, true>, kPure,
     "the first place"},
    {"rindex(self, sub, start=None, end=None, /)", bytes_find<true, true>, kPure, "the last place"},
    {"partition(self, sep, /)", bytes_partition<false>, kPure, "before, separator, behind"},
    {"rpartition(self, sep, /)", bytes_partition<true>, kPure, "the same from the right"},
    {"splitlines(self, /, keepends=False)", bytes_splitlines, kPure, "the lines"},
    {"removeprefix(self, prefix, /)", bytes_removeprefix, kPure, "without a beginning"},
    {"removesuffix(self, suffix, /)", bytes_removesuffix, kPure, "without an end"},
    {"title(self, /)", bytes_recase<title_upper>, kPure, "each word with a capital"},
    {"capitalize(self, /)", bytes_recase<capitalize_upper>, kPure, "the first with a capital"},
    {"swapcase(self, /)", bytes_recase<swap_upper>, kPure, "upper for lower and lower for upper"},
    {"startswith(self, prefix, /)", bytes_startswith, kPure, "whether the bytes begin so"},
    {"endswith(self, suffix, /)", bytes_endswith, kPure, "whether the bytes end so"},
    {"split(self, /, sep=None, maxsplit=-1)", bytes_split<false>, kPure,
     "the parts between separators"},
    {"rsplit(self, /, sep=None, maxsplit=-1)", bytes_split<true>, kPure, "the same from the right"},
    {"join(self, iterable, /)", bytes_join, kPure, "the parts with these bytes between them"},
    {"replace(self, old, new, /)", bytes_replace, kPure, "each `old` replaced by `new`"},
    {"strip(self, bytes=None, /)", bytes_strip<true, true>, kPure, "without white space around"},
    {"lstrip(self, bytes=None, /)", bytes_strip<true, false>, kPure, "without it in front"},
    {"rstrip(self, bytes=None, /)", bytes_strip<false, true>, kPure, "without it behind"},
    {"center(self, width, fillchar=..., /)", bytes_pad<true, true>, kPure, "in the middle"},
    {"ljust(self, width, fillchar=..., /)", bytes_pad<false, true>, kPure, "at the left"},
    {"rjust(self, width, fillchar=..., /)", bytes_pad<true, false>, kPure, "at the right"},
    {"zfill(self, width, /)", bytes_zfill, kPure, "zeros in front"},
    {"isalpha(self, /)", bytes_test<all_alpha>, kPure, "whether all are letters"},
    {"isdigit(self, /)", bytes_test<all_digits>, kPure, "whether all are digits"},
    {"isalnum(self, /)", bytes_test<all_alphanumeric>, kPure, "whether all are letters or digits"},
    {"isspace(self, /)", bytes_test<all_spaces>, kPure, "whether all are white space"},
    {"isupper(self, /)", bytes_test<is_upper_case>, kPure, "whether the letters are upper case"},
    {"islower(self, /)", bytes_test<is_lower_case>, kPure, "whether the letters are lower case"},
    {"istitle(self, /)", bytes_test<is_title_case>, kPure, "whether each word has a capital"},
    {"isascii(self, /)", bytes_isascii, kPure, "whether all are below 128"},
};

}  // namespace

void install_bytes(Interpreter& in) {
  ClassObject& cls = *in.classes().bytes;
  set_constructor(cls, {"bytes(source=..., encoding=..., errors=...)", construct_bytes, kPure,
                        "bytes of ints, text or a count"});
  in.add_methods(cls, kMethods);
  install_bytes_mappings(in);
}

}  // namespace glint::runtime
