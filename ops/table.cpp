// The table of all operators: the families' entries, then the forms generated from them.
//
// `mul` with `Forms::kInPlaceAndOut` gives two more entries:
//
//     multiply_      mul_(input, other)              Tensor.mul_, __imul__; writes input
//     multiply.out   mul(input, other, *, out)       writes and gives `out`
//
// Names are looked up in hash tables that are built once, on first use.
#include <algorithm>
#include <cstring>
#include <deque>
#include <unordered_map>

#include <fmt/format.h>

#include "core/support/check.h"
#include "ops/families.h"
#include "ops/forms.h"
#include "ops/in_place_names.h"
#include "ops/op.h"

namespace glint::ops {

namespace {

using NameMap = std::unordered_map<std::string_view, const OpEntry*>;

struct Table {
  std::vector<OpEntry> entries;
  std::deque<std::string> texts;  ///< of generated entries: OpEntry holds pointers
  NameMap by_name;
  NameMap torch;
  NameMap method;
  NameMap functional;
  std::vector<std::pair<std::string_view, const OpEntry*>> ordered[3];
};

const char* keep(Table& table, std::string text) {
  return table.texts.emplace_back(std::move(text)).c_str();
}

template <class F>
void for_each_word(const char* words, F&& visit) {
  std::string_view rest = words;
  while (!rest.empty()) {
    size_t space = std::min(rest.find(' '), rest.size());
    if (space > 0) visit(rest.substr(0, space));
    rest.remove_prefix(std::min(space + 1, rest.size()));
  }
}

/// `__mul__` becomes `__imul__`; reflected forms, comparisons and operators of one operand have
/// none.
std::string in_place_operators(const char* operators) {
  std::string result;
  for_each_word(operators, [&](std::string_view word) {
    static constexpr std::string_view kOthers[] = {"__abs__", "__neg__", "__pos__", "__invert__",
                                                   "__eq__",  "__ne__",  "__lt__",  "__le__",
                                                   "__gt__",  "__ge__"};
    if (word.starts_with("__r") && word != "__rshift__") return;
    if (std::ranges::find(kOthers, word) != std::end(kOthers)) return;
    if (!result.empty()) result += ' ';
    result += fmt::format("__i{}", word.substr(2));
  });
  return result;
}

std::string with_suffix(const char* names, std::string_view suffix) {
  std::string result;
  for_each_word(names, [&](std::string_view word) {
    if (word.ends_with("_")) return;
    if (!result.empty()) result += ' ';
    result += fmt::format("{}{}", word, suffix);
  });
  return result;
}

/// A form that writes its result into a tensor: it runs eagerly only, and is tested with `entry`.
OpEntry writing_form(const OpEntry& entry) {
  OpEntry form = entry;
  form.lowering = {};
  form.decomposition = nullptr;
  form.effects.mutates = true;
  form.forms = Forms::kNone;
  form.samples = no_samples;
  std::ranges::fill(form.gradients, InputGradient{});
  return form;
}

/// `pow(input: Tensor | Number, ...)` as the in-place form has it: a number is not written to.
std::string in_place_signature(std::string_view text) {
  constexpr std::string_view kNumber = " | Number";
  const size_t open = text.find('('), end = text.find_first_of(",)", open);
  std::string_view first = text.substr(open, end - open);
  if (first.ends_with(kNumber)) first.remove_suffix(kNumber.size());
  return fmt::format("{}_{}{}", text.substr(0, open), first, text.substr(end));
}

OpEntry in_place_form(Table& table, const OpEntry& entry) {
  OpEntry form = writing_form(entry);
  form.name = keep(table, fmt::format("{}_", entry.name));
  form.signature = keep(table, in_place_signature(entry.signature));
  form.torch = in_place_names(entry.name).torch;
  form.method =
      std::strlen(entry.in_place) ? entry.in_place : keep(table, with_suffix(entry.method, "_"));
  form.functional = in_place_names(entry.name).functional;
  form.operators = keep(table, in_place_operators(entry.operators));
  form.doc =
      keep(table, fmt::format("In-place form of {}: writes the result into input.", entry.name));
  form.infer = infer_in_place;
  form.eager = eager_in_place;
  return form;
}

OpEntry out_form(Table& table, const OpEntry& entry) {
  std::string_view text = entry.signature;
  size_t close = text.rfind(") ->");
  std::string_view head = text.substr(0, close);
  bool has_star = head.find(", *,") != std::string_view::npos;
  OpEntry form = writing_form(entry);
  form.name = keep(table, fmt::format("{}.out", entry.name));
  form.signature =
      keep(table, fmt::format("{}{} out: Tensor) -> Tensor", head, has_star ? "," : ", *,"));
  form.torch = form.method = form.functional = form.operators = "";
  form.doc = keep(table, fmt::format("Form of {} that writes its result into `out`.", entry.name));
  form.infer = infer_out;
  form.eager = eager_out;
  return form;
}

void add_names(Table& table, PythonPlace place, NameMap& map, const char* words,
               const OpEntry& entry) {
  for_each_word(words, [&](std::string_view word) {
    check(map.emplace(word, &entry).second, fmt::format("two operators are called {}", word));
    table.ordered[size_t(place)].emplace_back(word, &entry);
  });
}

Table* build_table() {
  auto* table = new Table;
  size_t written = 0;
  for (const Family& family : kFamilies) written += family.entries().size();
  table->entries.reserve(written * 3);  // pointers into it must stay
  for (const Family& family : kFamilies)
    for (const OpEntry& entry : family.entries()) table->entries.push_back(entry);
  for (size_t i = 0; i < written; ++i) {
    OpEntry& entry = table->entries[i];
    Forms forms = entry.forms;
    auto generate = [&](OpEntry form) {
      form.functional_form = &table->entries[i];
      table->entries.push_back(form);
    };
    if (forms == Forms::kInPlace || forms == Forms::kInPlaceAndOut)
      generate(in_place_form(*table, entry));
    if (forms == Forms::kOut || forms == Forms::kInPlaceAndOut) generate(out_form(*table, entry));
  }
  for (const OpEntry& entry : table->entries) {
    check(table->by_name.emplace(entry.name, &entry).second,
          fmt::format("two operators are called {}", entry.name));
    add_names(*table, PythonPlace::kTorch, table->torch, entry.torch, entry);
    add_names(*table, PythonPlace::kMethod, table->method, entry.method, entry);
    add_names(*table, PythonPlace::kMethod, table->method, entry.operators, entry);
    add_names(*table, PythonPlace::kFunctional, table->functional, entry.functional, entry);
  }
  return table;
}

const Table& table() {
  static const Table* built = build_table();
  return *built;
}

const OpEntry* look_up(const NameMap& map, std::string_view name) {
  auto found = map.find(name);
  return found == map.end() ? nullptr : found->second;
}

}  // namespace

std::span<const OpEntry> op_table() {
  return table().entries;
}
const OpEntry* find_op(std::string_view name) {
  return look_up(table().by_name, name);
}
const OpEntry* find_torch(std::string_view name) {
  return look_up(table().torch, name);
}
const OpEntry* find_method(std::string_view name) {
  return look_up(table().method, name);
}
const OpEntry* find_functional(std::string_view name) {
  return look_up(table().functional, name);
}

std::vector<std::pair<std::string_view, const OpEntry*>> python_names(PythonPlace place) {
  return table().ordered[size_t(place)];
}

OpKind kind(const OpEntry& entry) {
  if (entry.lowers_to<Library>()) return OpKind::kLibrary;
  if (entry.lowers_to<std::monostate>()) return OpKind::kComposite;
  return OpKind::kPrimitive;
}

std::string_view kind_name(OpKind which) {
  constexpr std::string_view kNames[] = {"primitive", "library call", "composite"};
  return kNames[size_t(which)];
}

}  // namespace glint::ops
