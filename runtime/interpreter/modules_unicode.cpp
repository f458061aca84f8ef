// `_unicode`: characters taken apart and put together, for library/unicodedata.py.
//
//     _unicode.normalized("e\u0301", True, False)     "\u00e9"
//
// A text is normalised in three steps: each character is taken apart as far as it goes, marks
// behind a letter are sorted by their combining classes, and, where that is asked for, what stands
// first is put together with the marks behind it that nothing separates from it.
#include <algorithm>
#include <map>
#include <vector>

#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/builtins_utf8.h"
#include "runtime/interpreter/unicode_tables.h"

namespace glint::runtime {
namespace {

// Syllables of Hangul: a leading consonant, a vowel, perhaps a trailing consonant.
constexpr uint32_t kSyllables = 0xac00, kLeading = 0x1100, kVowels = 0x1161, kTrailing = 0x11a7;
constexpr uint32_t kLeadingCount = 19, kVowelCount = 21, kTrailingCount = 28;
constexpr uint32_t kSyllableCount = kLeadingCount * kVowelCount * kTrailingCount;

bool is_within(uint32_t code, uint32_t first, uint32_t count) {
  return code >= first && code - first < count;
}

template <class Run>
const Run& run_of(std::span<const Run> runs, uint32_t code) {
  return *std::prev(std::ranges::upper_bound(runs, code, {}, &Run::first));
}
uint8_t combining_class(uint32_t code) {
  return run_of(combining_runs(), code).number;
}

void take_apart(uint32_t code, bool compatible, std::vector<uint32_t>& out) {
  if (is_within(code, kSyllables, kSyllableCount)) {
    uint32_t syllable = code - kSyllables;
    out.push_back(kLeading + syllable / (kVowelCount * kTrailingCount));
    out.push_back(kVowels + syllable / kTrailingCount % kVowelCount);
    if (syllable % kTrailingCount > 0) out.push_back(kTrailing + syllable % kTrailingCount);
    return;
  }
  auto found = std::ranges::lower_bound(decompositions(), code, {}, &Decomposition::code);
  bool known = found != decompositions().end() && found->code == code;
  if (!known || (found->kind == DecompositionKind::kCompatible && !compatible)) {
    out.push_back(code);
    return;
  }
  for (uint32_t part : decomposition_parts().subspan(found->start, found->count))
    take_apart(part, compatible, out);
}

/// Marks that follow one another stand in the order of their classes.
void sort_marks(std::vector<uint32_t>& codes) {
  auto is_starter = [](uint32_t code) { return combining_class(code) == 0; };
  for (auto at = codes.begin(); at != codes.end();) {
    auto begin = std::find_if_not(at, codes.end(), is_starter);
    at = std::find_if(begin, codes.end(), is_starter);
    std::stable_sort(
        begin, at, [](uint32_t a, uint32_t b) { return combining_class(a) < combining_class(b); });
  }
}

/// What two characters become together; 0 for nothing.
uint32_t put_together(uint32_t first, uint32_t second) {
  if (is_within(first, kLeading, kLeadingCount) && is_within(second, kVowels, kVowelCount))
    return kSyllables + ((first - kLeading) * kVowelCount + (second - kVowels)) * kTrailingCount;
  bool open =
      is_within(first, kSyllables, kSyllableCount) && (first - kSyllables) % kTrailingCount == 0;
  if (open && is_within(second, kTrailing + 1, kTrailingCount - 1))
    return first + (second - kTrailing);
  static const std::map<std::pair<uint32_t, uint32_t>, uint32_t> kPairs = [] {
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> pairs;
    for (const Decomposition& each : decompositions()) {
      if (each.kind != DecompositionKind::kComposed) continue;
      auto parts = decomposition_parts().subspan(each.start, each.count);
      pairs[{parts[0], parts[1]}] = each.code;
    }
    return pairs;
  }();
  auto found = kPairs.find({first, second});
  return found == kPairs.end() ? 0 : found->second;
}

std::vector<uint32_t> composed(const std::vector<uint32_t>& codes) {
  std::vector<uint32_t> out;
  size_t starter = codes.size();  // where in `out` what may take more stands
  int last = -1;                  // the class of what stands last behind it; -1: nothing does
  for (uint32_t code : codes) {
    int number = combining_class(code);
    bool reachable = starter < out.size() && (last < number || last == -1);
    uint32_t together = reachable ? put_together(out[starter], code) : 0;
    if (together != 0) {
      out[starter] = together;
      continue;
    }
    if (number == 0) starter = out.size();
    last = number == 0 ? -1 : number;
    out.push_back(code);
  }
  return out;
}

Value normalized(NativeCall& call) {
  std::string_view text = view_of(call[0]);
  if (is_ascii(text)) return call[0];
  int compose = truth(call.interpreter, call[1]), compatible = truth(call.interpreter, call[2]);
  if (compose < 0 || compatible < 0) return Value();
  std::vector<uint32_t> codes;
  for (size_t at = 0; at < text.size();) {
    CodePoint point = decode_code_point(text, at);
    take_apart(point.value, compatible == 1, codes);
    at += point.size;
  }
  sort_marks(codes);
  std::string out;
  for (uint32_t code : compose == 1 ? composed(codes) : codes) append_code_point(out, code);
  return str_value(std::move(out));
}

uint32_t only_code(const Value& text) {
  return decode_code_point(view_of(text), 0).value;
}
Value category(NativeCall& call) {
  return str_value(std::string(run_of(category_runs(), only_code(call[0])).category));
}
Value combining(NativeCall& call) {
  return int_value(combining_class(only_code(call[0])));
}

constexpr NativeDefinition kNatives[] = {
    {"normalized(text, compose, compatible, /)", normalized, kPure, "a text in one form"},
    {"category(character, /)", category, kPure, "two letters, as in `Lu`"},
    {"combining(character, /)", combining, kPure, "the combining class, 0 of letters"},
};

}  // namespace

void fill_unicode(Interpreter& in, ModuleObject& module) {
  in.add_functions(module, kNatives);
  module.dict->set("version", str_value(std::string(kUnicodeVersion)));
}

}  // namespace glint::runtime
