#include "runtime/interpreter/modules_library.h"

#include <cmath>
#include <optional>
#include <utility>

#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/builtins_utf8.h"
#include "runtime/interpreter/json_reading.h"
#include "runtime/interpreter/number_objects.h"
#include "runtime/interpreter/plain_values.h"
#include "runtime/interpreter/recursion.h"

namespace glint::runtime {
namespace {

// ---- Places in sorted lists --------------------------------------------------------------------

/// An item of the row, or its key; undefined if it raised.
Value key_of(NativeCall& call, const Value& row, int64_t at, const Value& key) {
  const std::vector<Value>* items = plain_row(row);
  bool inside = items && at < static_cast<int64_t>(items->size());
  Value item =
      inside ? (*items)[static_cast<size_t>(at)] : get_item(call.interpreter, row, Value(at));
  if (item.is_undefined() || key.is_none()) return item;
  return call.interpreter.call(key, {item});
}

/// The place for x, before or behind the items that equal it; -1 if it raised.
int64_t place_for(NativeCall& call, const Value& x, bool behind) {
  Interpreter& in = call.interpreter;
  int64_t low = 0, high = 0;
  if (!int_argument(call, 2, low)) return -1;
  if (low < 0) return call.raise("ValueError", "lo must be non-negative"), -1;
  if (call[3].is_none())
    high = length_of(in, call[0]);
  else if (!int_argument(call, 3, high))
    return -1;
  if (in.raised()) return -1;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    Value item = key_of(call, call[0], middle, call[4]);
    if (item.is_undefined()) return -1;
    const Value &left = behind ? x : item, &right = behind ? item : x;
    int less = plain_less(left, right);
    if (less < 0) less = less_than(in, left, right);
    if (less < 0) return -1;
    if ((less == 1) == behind)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

template <bool kBehind>
Value native_bisect(NativeCall& call) {
  int64_t place = place_for(call, call[1], kBehind);
  return place < 0 ? Value() : int_value(place);
}

template <bool kBehind>
Value native_insort(NativeCall& call) {
  Value x = call[4].is_none() ? call[1] : call.interpreter.call(call[4], {call[1]});
  if (x.is_undefined()) return Value();
  int64_t place = place_for(call, x, kBehind);
  if (place < 0) return Value();
  Value done = call.interpreter.call_method(call[0], "insert", {int_value(place), call[1]});
  return done.is_undefined() ? Value() : Value::none();
}

// ---- Counts ------------------------------------------------------------------------------------

Value native_counts(NativeCall& call) {
  Interpreter& in = call.interpreter;
  Value iterator = iterator_of(in, call[0]);
  if (iterator.is_undefined()) return Value();
  Ref<DictObject> counts = make_dict();
  for (Value item; (item = next_item(in, iterator)).defined();) {
    uint64_t hash = 0;
    if (!hash_of(in, item, hash)) return Value();
    Value* found = nullptr;
    auto outcome = counts->table.find(item, hash, found);
    if (outcome == HashTable::Outcome::kRaised) return Value();
    if (outcome == HashTable::Outcome::kFound)
      found->put(found->as_int() + 1);
    else if (counts->table.set(item, hash, int_value(1)) == HashTable::Outcome::kRaised)
      return Value();
  }
  return in.raised() ? Value() : Value(std::move(counts));
}

// ---- JSON --------------------------------------------------------------------------------------

void append_quoted(std::string_view text, bool ascii, std::string& out) {
  out += '"';
  auto escape = [&](uint32_t unit) { out += fmt::format("\\u{:04x}", unit); };
  for_each_code_point(text, [&](uint32_t c) {
    constexpr std::string_view kEscaped = "\"\\\n\r\t\f\b", kLetters = "\"\\nrtfb";
    size_t known = c < 0x80 ? kEscaped.find(static_cast<char>(c)) : std::string_view::npos;
    if (known != std::string_view::npos)
      (out += '\\') += kLetters[known];
    else if (c >= ' ' && c < 0x7f)
      out += static_cast<char>(c);
    else if (c > '~' && !ascii)
      out += encode_code_point(c);
    else if (c < 0x10000)
      escape(c);
    else
      escape(0xd800 + ((c - 0x10000) >> 10)), escape(0xdc00 + ((c - 0x10000) & 0x3ff));
  });
  out += '"';
}

struct JsonText {
  Interpreter& in;
  bool ascii;
  std::string_view item_separator, key_separator;
  std::string out = {};

  /// False: the value holds something else than plain data, or nests too deep.
  bool write(const Value& value, int depth);
  bool write_row(const std::vector<Value>& items, int depth);
  bool write_dict(DictObject& dict, int depth);
};

bool JsonText::write_row(const std::vector<Value>& items, int depth) {
  out += '[';
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += item_separator;
    if (!write(items[i], depth)) return false;
  }
  out += ']';
  return true;
}

bool JsonText::write_dict(DictObject& dict, int depth) {
  out += '{';
  bool first = true;
  for (const auto& entry : dict.table.entries()) {
    if (entry.key.is_undefined()) continue;
    if (!plain_text(entry.key)) return false;
    if (!first) out += item_separator;
    first = false;
    append_quoted(view_of(entry.key), ascii, out);
    out += key_separator;
    if (!write(entry.value, depth)) return false;
  }
  out += '}';
  return true;
}

bool JsonText::write(const Value& value, int depth) {
  constexpr int kDeepest = 200;
  if (is_number_object(value)) return write(number_in(value), depth);
  if (value.is_none()) return out += "null", true;
  if (value.is_bool()) return out += value.as_bool() ? "true" : "false", true;
  if (value.is_int()) return out += fmt::to_string(value.as_int()), true;
  if (value.is_float()) {
    if (!std::isfinite(value.as_float())) return false;
    return out += repr_of_double(value.as_float()), true;
  }
  if (plain_text(value)) return append_quoted(view_of(value), ascii, out), true;
  if (depth > kDeepest) return false;
  if (const std::vector<Value>* row = plain_row(value)) return write_row(*row, depth + 1);
  auto* dict = value.try_as<DictObject>();
  return dict && !dict->flag(Object::kSubclassed) && write_dict(*dict, depth + 1);
}

Value native_json(NativeCall& call) {
  std::string_view item_separator, key_separator;
  if (!text_argument(call, 2, item_separator) || !text_argument(call, 3, key_separator))
    return Value();
  int ascii = truth(call.interpreter, call[1]);
  if (ascii < 0) return Value();
  JsonText text{call.interpreter, ascii == 1, item_separator, key_separator};
  if (!text.write(call[0], 0)) return Value::none();
  return str_value(std::move(text.out));
}

Value native_read_json(NativeCall& call) {
  std::string_view text;
  if (!text_argument(call, 0, text)) return Value();
  std::optional<Value> found = read_plain_json(text);
  return found ? Value(make_tuple({*std::move(found)})) : Value::none();
}

constexpr Effects kFolds{
    .pure = true, .reads_elements = true, .calls_back = true, .advances_iterator = true};
constexpr Effects kInserts{.mutates = true, .calls_back = true};

constexpr NativeDefinition kBisect[] = {
    {"bisect_right(a, x, lo=0, hi=None, *, key=None)", native_bisect<true>, kFolds,
     "the place for x in a sorted list, behind the items that equal it"},
    {"bisect_left(a, x, lo=0, hi=None, *, key=None)", native_bisect<false>, kFolds,
     "the place for x in a sorted list, before the items that equal it"},
    {"insort_right(a, x, lo=0, hi=None, *, key=None)", native_insort<true>, kInserts,
     "inserts x in a sorted list, behind the items that equal it"},
    {"insort_left(a, x, lo=0, hi=None, *, key=None)", native_insort<false>, kInserts,
     "inserts x in a sorted list, before the items that equal it"},
};
constexpr NativeDefinition kCounting[] = {
    {"counts(iterable, /)", native_counts, kFolds, "a dict of how often each item occurs"},
};
constexpr NativeDefinition kJson[] = {
    {"plain_text(value, ensure_ascii, item_separator, key_separator, /)", native_json, kFolds,
     "the JSON text of plain data on one line; None where it is not plain"},
    {"plain_value(text, /)", native_read_json, kImpure,
     "a tuple of the value of a JSON text; None where it is not plain"},
};

}  // namespace

void fill_bisect(Interpreter& in, ModuleObject& module) {
  in.add_functions(module, kBisect);
}
void fill_counting(Interpreter& in, ModuleObject& module) {
  in.add_functions(module, kCounting);
}
void fill_json(Interpreter& in, ModuleObject& module) {
  in.add_functions(module, kJson);
}

}  // namespace glint::runtime
