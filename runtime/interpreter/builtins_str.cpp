// str: how it is made, and its methods. The algorithms are in builtins_text_algorithms.h; here
// arguments are checked and code points become bytes and back.
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/builtins_encodings.h"
#include "runtime/interpreter/builtins_text_algorithms.h"
#include "runtime/interpreter/builtins_utf8.h"
#include "runtime/interpreter/number_objects.h"

namespace glint::runtime {
namespace {

std::string_view self_of(NativeCall& call) {
  return view_of(call[0]);
}

Value construct_str(NativeCall& call) {
  if (!given(call[0])) return str_value("");
  bool decodes = given(call[1]) || given(call[2]);
  if (auto* bytes = call[0].try_as<BytesObject>(); bytes && decodes) {
    std::string_view encoding = "utf-8", errors = "strict";
    if (given(call[1]) && !text_argument(call, 1, encoding)) return Value();
    if (given(call[2]) && !text_argument(call, 2, errors)) return Value();
    return decode_bytes(call.interpreter, bytes->data, encoding, errors);
  }
  if (is_str(call[0]) && !call[0].as<Object>()->flag(Object::kSubclassed)) return call[0];
  if (call[0].is_int()) {
    fmt::format_int digits(call[0].as_int());
    return Value(make_text({digits.data(), digits.size()}));
  }
  std::string text;
  return str_of(call.interpreter, call[0], text) ? str_value(std::move(text)) : Value();
}

Value new_str(NativeCall& call) {
  std::string text;
  if (given(call[1]) && !str_of(call.interpreter, call[1], text)) return Value();
  return instance_of_first(call, str_value(std::move(text)), *call.interpreter.classes().str);
}

Value list_of(const TextPieces& pieces) {
  std::vector<Value> items;
  items.reserve(pieces.size());
  for (std::string_view piece : pieces) items.push_back(str_value(std::string(piece)));
  return Value(make_list(std::move(items)));
}

// ---- Cutting and joining -----------------------------------------------------------------------

bool separator_and_limit(NativeCall& call, std::string_view& separator, int64_t& limit) {
  if (!int_argument(call, 2, limit)) return false;
  if (call[1].is_none()) return true;
  if (!is_str(call[1])) {
    call.raise("TypeError", fmt::format("must be str or None, not {}", type_name(call[1])));
    return false;
  }
  separator = view_of(call[1]);
  if (separator.empty()) return call.raise("ValueError", "empty separator"), false;
  return true;
}

Value str_split(NativeCall& call) {
  std::string_view separator;
  int64_t limit = -1;
  if (!separator_and_limit(call, separator, limit)) return Value();
  return list_of(call[1].is_none() ? split_at_spaces(self_of(call), limit)
                                   : split(self_of(call), separator, limit));
}

Value str_rsplit(NativeCall& call) {
  std::string_view separator;
  int64_t limit = -1;
  if (!separator_and_limit(call, separator, limit)) return Value();
  return list_of(call[1].is_none() ? split_at_spaces_from_right(self_of(call), limit)
                                   : split_from_right(self_of(call), separator, limit));
}

Value str_splitlines(NativeCall& call) {
  int keep = truth(call.interpreter, call[1]);
  return keep < 0 ? Value() : list_of(split_lines(self_of(call), keep == 1));
}

Value partition(NativeCall& call, bool from_right) {
  std::string_view separator;
  if (!text_argument(call, 1, separator)) return Value();
  if (separator.empty()) return call.raise("ValueError", "empty separator");
  std::string_view text = self_of(call);
  size_t found = from_right ? text.rfind(separator) : text.find(separator);
  if (found == std::string_view::npos) {
    Value whole = call[0];
    return Value(from_right ? make_tuple({str_value(""), str_value(""), whole})
                            : make_tuple({whole, str_value(""), str_value("")}));
  }
  return Value(make_tuple({str_value(std::string(text.substr(0, found))), call[1],
                           str_value(std::string(text.substr(found + separator.size())))}));
}
Value str_partition(NativeCall& call) {
  return partition(call, false);
}
Value str_rpartition(NativeCall& call) {
  return partition(call, true);
}

Value str_join(NativeCall& call) {
  std::vector<Value> items;
  if (!collect(call.interpreter, call[1], items)) {
    if (call.interpreter.pending_is("TypeError") && !call[1].is_object()) {
      call.interpreter.take_pending();
      return call.raise("TypeError", "can only join an iterable");
    }
    return Value();
  }
  std::string out;
  size_t total = 0;
  for (const Value& item : items)
    if (is_str(item)) total += view_of(item).size() + self_of(call).size();
  out.reserve(total);
  for (size_t i = 0; i < items.size(); ++i) {
    if (!is_str(items[i]))
      return call.raise(
          "TypeError",
          fmt::format("sequence item {}: expected str instance, {} found", i, type_name(items[i])));
    if (i > 0) out += self_of(call);
    out += view_of(items[i]);
  }
  return str_value(std::move(out));
}

/// The characters to strip: null for white space. False if it raised.
bool strip_argument(NativeCall& call, std::string_view& characters,
                    const std::string_view*& which) {
  which = nullptr;
  if (call[1].is_none()) return true;
  if (!is_str(call[1])) {
    call.raise("TypeError",
               fmt::format("{} arg must be None or str", call.function->signature.name));
    return false;
  }
  characters = view_of(call[1]);
  which = &characters;
  return true;
}

template <bool kLeft, bool kRight>
Value str_strip(NativeCall& call) {
  std::string_view characters;
  const std::string_view* which = nullptr;
  if (!strip_argument(call, characters, which)) return Value();
  std::string_view text = self_of(call);
  if (kLeft) text = strip_left(text, which);
  if (kRight) text = strip_right(text, which);
  if (text.size() == self_of(call).size()) return call[0];
  return str_value(std::string(text));
}

Value str_removeprefix(NativeCall& call) {
  std::string_view prefix;
  if (!text_argument(call, 1, prefix)) return Value();
  std::string_view text = self_of(call);
  return text.starts_with(prefix) ? str_value(std::string(text.substr(prefix.size()))) : call[0];
}
Value str_removesuffix(NativeCall& call) {
  std::string_view suffix;
  if (!text_argument(call, 1, suffix)) return Value();
  std::string_view text = self_of(call);
  if (suffix.empty() || !text.ends_with(suffix)) return call[0];
  return str_value(std::string(text.substr(0, text.size() - suffix.size())));
}

Value str_replace(NativeCall& call) {
  std::string_view from, to;
  int64_t limit = -1;
  for (size_t i : {size_t{1}, size_t{2}})
    if (!is_str(call[i]))
      return call.raise("TypeError", fmt::format("replace() argument {} must be str, not {}", i,
                                                 type_name(call[i])));
  from = view_of(call[1]);
  to = view_of(call[2]);
  if (!int_argument(call, 3, limit)) return Value();
  return str_value(replace_all(self_of(call), from, to, limit));
}

// ---- Finding -----------------------------------------------------------------------------------

/// The bytes of the text between the bounds `start` and `stop`; false if it raised.
bool bounded(NativeCall& call, std::string_view& part, size_t& offset, bool& empty_range) {
  auto* text = call[0].as<StrObject>();
  int64_t start = 0, stop = text->length;
  if (!bounds_arguments(call, 2, text->length, start, stop)) return false;
  empty_range = start > stop || start > text->length;
  std::string_view all = text->view();
  size_t begin = text->ascii() ? static_cast<size_t>(std::min(start, text->length))
                               : byte_offset(all, static_cast<size_t>(start));
  size_t end =
      text->ascii() ? static_cast<size_t>(stop) : byte_offset(all, static_cast<size_t>(stop));
  offset = begin;
  part = end > begin ? all.substr(begin, end - begin) : std::string_view();
  return true;
}

/// find, rfind, index, rindex: a code point index, or -1.
bool find_text(NativeCall& call, bool from_right, int64_t& found) {
  std::string_view part, wanted;
  size_t offset = 0;
  bool empty_range = false;
  if (!is_str(call[1])) {
    call.raise("TypeError", fmt::format("must be str, not {}", type_name(call[1])));
    return false;
  }
  wanted = view_of(call[1]);
  if (!bounded(call, part, offset, empty_range)) return false;
  size_t place = from_right ? part.rfind(wanted) : part.find(wanted);
  found = -1;
  if (place == std::string_view::npos || empty_range) return true;
  auto* text = call[0].as<StrObject>();
  found = static_cast<int64_t>(text->ascii() ? offset + place
                                             : code_point_index(text->view(), offset + place));
  return true;
}

template <bool kFromRight>
Value str_find(NativeCall& call) {
  int64_t found = -1;
  return find_text(call, kFromRight, found) ? int_value(found) : Value();
}
template <bool kFromRight>
Value str_index(NativeCall& call) {
  int64_t found = -1;
  if (!find_text(call, kFromRight, found)) return Value();
  return found < 0 ? call.raise("ValueError", "substring not found") : int_value(found);
}

Value str_count(NativeCall& call) {
  std::string_view part;
  size_t offset = 0;
  bool empty_range = false;
  if (!is_str(call[1]))
    return call.raise("TypeError", fmt::format("must be str, not {}", type_name(call[1])));
  if (!bounded(call, part, offset, empty_range)) return Value();
  return int_value(empty_range ? 0 : count_occurrences(part, view_of(call[1])));
}

template <bool kStart>
Value str_starts(NativeCall& call) {
  std::string_view part;
  size_t offset = 0;
  bool empty_range = false;
  if (!bounded(call, part, offset, empty_range)) return Value();
  auto matches = [&](const Value& affix) {
    std::string_view text = view_of(affix);
    return !empty_range && (kStart ? part.starts_with(text) : part.ends_with(text));
  };
  if (is_str(call[1])) return Value(matches(call[1]));
  constexpr const char* kName = kStart ? "startswith" : "endswith";
  auto* tuple = call[1].try_as<TupleObject>();
  if (!tuple)
    return call.raise("TypeError", fmt::format("{} first arg must be str or a tuple of str, not {}",
                                               kName, type_name(call[1])));
  for (const Value& affix : tuple->items) {
    if (!is_str(affix))
      return call.raise("TypeError", fmt::format("tuple for {} must only contain str, not {}",
                                                 kName, type_name(affix)));
    if (matches(affix)) return Value(true);
  }
  return Value(false);
}

// ---- Case, padding, questions ------------------------------------------------------------------

template <std::string (*kFunction)(std::string_view)>
Value str_map(NativeCall& call) {
  return str_value(kFunction(self_of(call)));
}
template <bool (*kFunction)(std::string_view)>
Value str_test(NativeCall& call) {
  return Value(kFunction(self_of(call)));
}
bool text_is_ascii(std::string_view text) {
  return is_ascii(text);
}

template <std::string (*kFunction)(std::string_view, int64_t, std::string_view)>
Value str_pad(NativeCall& call) {
  int64_t width = 0;
  if (!int_argument(call, 1, width)) return Value();
  if (!is_str(call[2]) || call[2].as<StrObject>()->length != 1)
    return call.raise("TypeError", "The fill character must be exactly one character long");
  return str_value(kFunction(self_of(call), width, view_of(call[2])));
}

Value str_zfill(NativeCall& call) {
  int64_t width = 0;
  return int_argument(call, 1, width) ? str_value(fill_zeros(self_of(call), width)) : Value();
}
Value str_expandtabs(NativeCall& call) {
  int64_t size = 8;
  return int_argument(call, 1, size) ? str_value(expand_tabs(self_of(call), size)) : Value();
}

Value str_encode(NativeCall& call) {
  std::string_view encoding, errors;
  if (!text_argument(call, 1, encoding) || !text_argument(call, 2, errors)) return Value();
  return encode_text(call.interpreter, self_of(call), encoding, errors);
}

// ---- Translation -------------------------------------------------------------------------------

Value str_maketrans(NativeCall& call) {
  Ref<DictObject> table = make_dict();
  if (auto* dict = call[0].try_as<DictObject>()) {
    for (const auto& entry : dict->table.entries()) {
      if (entry.key.is_undefined()) continue;
      Value key = entry.key;
      if (is_str(key)) key = int_value(decode_code_point(view_of(key), 0).value);
      table->table.set(key, entry.value);
    }
    return Value(table);
  }
  if (!is_str(call[0]) || !given(call[1]) || !is_str(call[1]))
    return call.raise("TypeError", "if you give only one argument to maketrans it must be a dict");
  if (call[0].as<StrObject>()->length != call[1].as<StrObject>()->length)
    return call.raise("ValueError", "the first two maketrans arguments must have equal length");
  std::string_view to = view_of(call[1]);
  size_t at = 0;
  for_each_code_point(view_of(call[0]), [&](uint32_t c) {
    CodePoint point = decode_code_point(to, at);
    table->table.set(int_value(c), int_value(point.value));
    at += point.size;
  });
  if (given(call[2]) && is_str(call[2]))
    for_each_code_point(view_of(call[2]),
                        [&](uint32_t c) { table->table.set(int_value(c), Value::none()); });
  return Value(table);
}

Value str_translate(NativeCall& call) {
  Interpreter& in = call.interpreter;
  std::string out;
  std::string_view text = self_of(call);
  for (size_t at = 0; at < text.size();) {
    CodePoint point = decode_code_point(text, at);
    at += point.size;
    Value mapped = number_in(get_item(in, call[1], int_value(point.value)));
    if (mapped.is_undefined()) {
      if (!in.pending_is("LookupError")) return Value();
      in.take_pending();
      append_code_point(out, point.value);
    } else if (mapped.is_int()) {
      append_code_point(out, static_cast<uint32_t>(mapped.as_int()));
    } else if (is_str(mapped)) {
      out += view_of(mapped);
    }
  }
  return str_value(std::move(out));
}

Value str_repr(NativeCall& call) {
  return str_value(text_repr(self_of(call)));
}
Value str_str(NativeCall& call) {
  return str_value(std::string(self_of(call)));
}

constexpr Effects kReads{.pure = true, .reads_value = true};
constexpr Effects kReadsItems{.pure = true,
                              .reads_value = true,
                              .reads_elements = true,
                              .calls_back = true,
                              .advances_iterator = true};

// What `str` itself says of an object of a script's subclass too.
Value str_eq(NativeCall& call) {
  if (!is_str(call[1])) return Value::not_implemented();
  return Value(view_of(call[0]) == view_of(call[1]));
}
Value str_ne(NativeCall& call) {
  if (!is_str(call[1])) return Value::not_implemented();
  return Value(view_of(call[0]) != view_of(call[1]));
}
Value str_hash(NativeCall& call) {
  return int_value(static_cast<int64_t>(hash_text(view_of(call[0]))));
}

constexpr NativeDefinition kMethods[] = {
    {"split(self, /, sep=None, maxsplit=-1)", str_split, kReads, "the words of the text"},
    {"rsplit(self, /, sep=None, maxsplit=-1)", str_rsplit, kReads, "the words, from the right"},
    {"splitlines(self, /, keepends=False)", str_splitlines, kReads, "the lines of the text"},
    {"partition(self, sep, /)", str_partition, kReads, "(before, sep, after) the first sep"},
    {"rpartition(self, sep, /)", str_rpartition, kReads, "(before, sep, after) the last sep"},
    {"join(self, iterable, /)", str_join, kReadsItems, "the strings with this one between them"},
    {"strip(self, chars=None, /)", str_strip<true, true>, kReads, "without white space around"},
    {"lstrip(self, chars=None, /)", str_strip<true, false>, kReads, "without white space in front"},
    {"rstrip(self, chars=None, /)", str_strip<false, true>, kReads, "without white space behind"},
    {"removeprefix(self, prefix, /)", str_removeprefix, kReads, "without the prefix"},
    {"removesuffix(self, suffix, /)", str_removesuffix, kReads, "without the suffix"},
    {"replace(self, old, new, count=-1, /)", str_replace, kReads, "each `old` replaced by `new`"},
    {"find(self, sub, start=None, end=None, /)", str_find<false>, kReads, "the first place, or -1"},
    {"rfind(self, sub, start=None, end=None, /)", str_find<true>, kReads, "the last place, or -1"},
    {"index(self, sub, start=None, end=None, /)", str_index<false>, kReads, "the first place"},
    {"rindex(self, sub, start=None, end=None, /)", str_index<true>, kReads, "the last place"},
    {"count(self, sub, start=None, end=None, /)", str_count, kReads, "how often `sub` occurs"},
    {"startswith(self, prefix, start=None, end=None, /)", str_starts<true>, kReads,
     "whether the text begins so"},
    {"endswith(self, suffix, start=None, end=None, /)", str_starts<false>, kReads,
     "whether the text ends so"},
    {"upper(self, /)", str_map<upper_case>, kReads, "in upper case"},
    {"lower(self, /)", str_map<lower_case>, kReads, "in lower case"},
    {"casefold(self, /)", str_map<fold_case>, kReads, "for comparison without case"},
    {"title(self, /)", str_map<title_case>, kReads, "each word capitalised"},
    {"capitalize(self, /)", str_map<capitalize>, kReads, "the first character in upper case"},
    {"swapcase(self, /)", str_map<swap_case>, kReads, "upper and lower case exchanged"},
    {"center(self, width, fillchar=' ', /)", str_pad<center>, kReads, "centred in `width`"},
    {"ljust(self, width, fillchar=' ', /)", str_pad<justify_left>, kReads, "padded on the right"},
    {"rjust(self, width, fillchar=' ', /)", str_pad<justify_right>, kReads, "padded on the left"},
    {"zfill(self, width, /)", str_zfill, kReads, "padded with zeros"},
    {"expandtabs(self, /, tabsize=8)", str_expandtabs, kReads, "tabs as spaces"},
    {"encode(self, /, encoding='utf-8', errors='strict')", str_encode, kReads, "as bytes"},
    {"translate(self, table, /)", str_translate, kReadsItems, "each character as a table says"},
    {"isalpha(self, /)", str_test<all_alpha>, kReads, "letters only"},
    {"isdigit(self, /)", str_test<all_digits>, kReads, "digits only"},
    {"isdecimal(self, /)", str_test<all_digits>, kReads, "digits only"},
    {"isnumeric(self, /)", str_test<all_digits>, kReads, "digits only"},
    {"isalnum(self, /)", str_test<all_alphanumeric>, kReads, "letters and digits only"},
    {"isspace(self, /)", str_test<all_spaces>, kReads, "white space only"},
    {"isprintable(self, /)", str_test<all_printable>, kReads, "printable characters only"},
    {"isupper(self, /)", str_test<is_upper_case>, kReads, "in upper case"},
    {"islower(self, /)", str_test<is_lower_case>, kReads, "in lower case"},
    {"istitle(self, /)", str_test<is_title_case>, kReads, "in title case"},
    {"isidentifier(self, /)", str_test<is_identifier>, kReads, "could be a name"},
    {"isascii(self, /)", str_test<text_is_ascii>, kReads, "ASCII only"},
    {"__eq__(self, other, /)", str_eq, kReads, "whether the text is the same"},
    {"__ne__(self, other, /)", str_ne, kReads, "whether the text differs"},
    {"__hash__(self, /)", str_hash, kReads, "a number for hash tables"},
    {"__repr__(self, /)", str_repr, kReads, "as a literal"},
    {"__str__(self, /)", str_str, kReads, "the text itself"},
    {"__new__(cls, object=..., encoding=..., errors=...)", new_str, kReadsItems, "a new str"},
};
constexpr NativeDefinition kStaticMethods[] = {
    {"maketrans(x, y=..., z=..., /)", str_maketrans, kReads, "a table for translate"},
};

}  // namespace

void install_str(Interpreter& in) {
  ClassObject& cls = *in.classes().str;
  set_constructor(cls, {"str(object=..., encoding=..., errors=...)", construct_str, kReadsItems,
                        "an object as text for people"});
  in.add_methods(cls, kMethods);
  add_static_methods(cls, kStaticMethods);
}

}  // namespace glint::runtime
