// Upper, lower and folded case of whole texts, where one character may become several.
//
//     "straße".upper()      "STRASSE"
//     "İ".lower()           "i" and a combining dot
//     "ΟΣ".lower()     the sigma at a word's end is ς
//
// The C library maps single characters; the table has those that Unicode's SpecialCasing.txt maps
// to several, whatever the language.
#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <vector>

#include "runtime/interpreter/builtins_text_algorithms.h"
#include "runtime/interpreter/builtins_utf8.h"

namespace glint::runtime {
namespace {

/// Up to three characters; zeros behind the last.
using Characters = std::array<uint32_t, 3>;

struct SpecialCase {
  uint32_t character;
  Characters upper;
  Characters title;
};

constexpr SpecialCase kSpecialCases[] = {
    // clang-format off
    {0x00df, {0x0053, 0x0053}, {0x0053, 0x0073}},
    {0x0149, {0x02bc, 0x004e}, {0x02bc, 0x004e}},
    {0x01f0, {0x004a, 0x030c}, {0x004a, 0x030c}},
    {0x0390, {0x0399, 0x0308, 0x0301}, {0x0399, 0x0308, 0x0301}},
    {0x03b0, {0x03a5, 0x0308, 0x0301}, {0x03a5, 0x0308, 0x0301}},
    {0x0587, {0x0535, 0x0552}, {0x0535, 0x0582}},
    {0x1e96, {0x0048, 0x0331}, {0x0048, 0x0331}},
    {0x1e97, {0x0054, 0x0308}, {0x0054, 0x0308}},
    {0x1e98, {0x0057, 0x030a}, {0x0057, 0x030a}},
    {0x1e99, {0x0059, 0x030a}, {0x0059, 0x030a}},
    {0x1e9a, {0x0041, 0x02be}, {0x0041, 0x02be}},
    {0x1f50, {0x03a5, 0x0313}, {0x03a5, 0x0313}},
    {0x1f52, {0x03a5, 0x0313, 0x0300}, {0x03a5, 0x0313, 0x0300}},
    {0x1f54, {0x03a5, 0x0313, 0x0301}, {0x03a5, 0x0313, 0x0301}},
    {0x1f56, {0x03a5, 0x0313, 0x0342}, {0x03a5, 0x0313, 0x0342}},
    {0x1f80, {0x1f08, 0x0399}, {0x1f88}},
    {0x1f81, {0x1f09, 0x0399}, {0x1f89}},
    {0x1f82, {0x1f0a, 0x0399}, {0x1f8a}},
    {0x1f83, {0x1f0b, 0x0399}, {0x1f8b}},
    {0x1f84, {0x1f0c, 0x0399}, {0x1f8c}},
    {0x1f85, {0x1f0d, 0x0399}, {0x1f8d}},
    {0x1f86, {0x1f0e, 0x0399}, {0x1f8e}},
    {0x1f87, {0x1f0f, 0x0399}, {0x1f8f}},
    {0x1f88, {0x1f08, 0x0399}, {0x1f88}},
    {0x1f89, {0x1f09, 0x0399}, {0x1f89}},
    {0x1f8a, {0x1f0a, 0x0399}, {0x1f8a}},
    {0x1f8b, {0x1f0b, 0x0399}, {0x1f8b}},
    {0x1f8c, {0x1f0c, 0x0399}, {0x1f8c}},
    {0x1f8d, {0x1f0d, 0x0399}, {0x1f8d}},
    {0x1f8e, {0x1f0e, 0x0399}, {0x1f8e}},
    {0x1f8f, {0x1f0f, 0x0399}, {0x1f8f}},
    {0x1f90, {0x1f28, 0x0399}, {0x1f98}},
    {0x1f91, {0x1f29, 0x0399}, {0x1f99}},
    {0x1f92, {0x1f2a, 0x0399}, {0x1f9a}},
    {0x1f93, {0x1f2b, 0x0399}, {0x1f9b}},
    {0x1f94, {0x1f2c, 0x0399}, {0x1f9c}},
    {0x1f95, {0x1f2d, 0x0399}, {0x1f9d}},
    {0x1f96, {0x1f2e, 0x0399}, {0x1f9e}},
    {0x1f97, {0x1f2f, 0x0399}, {0x1f9f}},
    {0x1f98, {0x1f28, 0x0399}, {0x1f98}},
    {0x1f99, {0x1f29, 0x0399}, {0x1f99}},
    {0x1f9a, {0x1f2a, 0x0399}, {0x1f9a}},
    {0x1f9b, {0x1f2b, 0x0399}, {0x1f9b}},
    {0x1f9c, {0x1f2c, 0x0399}, {0x1f9c}},
    {0x1f9d, {0x1f2d, 0x0399}, {0x1f9d}},
    {0x1f9e, {0x1f2e, 0x0399}, {0x1f9e}},
    {0x1f9f, {0x1f2f, 0x0399}, {0x1f9f}},
    {0x1fa0, {0x1f68, 0x0399}, {0x1fa8}},
    {0x1fa1, {0x1f69, 0x0399}, {0x1fa9}},
    {0x1fa2, {0x1f6a, 0x0399}, {0x1faa}},
    {0x1fa3, {0x1f6b, 0x0399}, {0x1fab}},
    {0x1fa4, {0x1f6c, 0x0399}, {0x1fac}},
    {0x1fa5, {0x1f6d, 0x0399}, {0x1fad}},
    {0x1fa6, {0x1f6e, 0x0399}, {0x1fae}},
    {0x1fa7, {0x1f6f, 0x0399}, {0x1faf}},
    {0x1fa8, {0x1f68, 0x0399}, {0x1fa8}},
    {0x1fa9, {0x1f69, 0x0399}, {0x1fa9}},
    {0x1faa, {0x1f6a, 0x0399}, {0x1faa}},
    {0x1fab, {0x1f6b, 0x0399}, {0x1fab}},
    {0x1fac, {0x1f6c, 0x0399}, {0x1fac}},
    {0x1fad, {0x1f6d, 0x0399}, {0x1fad}},
    {0x1fae, {0x1f6e, 0x0399}, {0x1fae}},
    {0x1faf, {0x1f6f, 0x0399}, {0x1faf}},
    {0x1fb2, {0x1fba, 0x0399}, {0x1fba, 0x0345}},
    {0x1fb3, {0x0391, 0x0399}, {0x1fbc}},
    {0x1fb4, {0x0386, 0x0399}, {0x0386, 0x0345}},
    {0x1fb6, {0x0391, 0x0342}, {0x0391, 0x0342}},
    {0x1fb7, {0x0391, 0x0342, 0x0399}, {0x0391, 0x0342, 0x0345}},
    {0x1fbc, {0x0391, 0x0399}, {0x1fbc}},
    {0x1fc2, {0x1fca, 0x0399}, {0x1fca, 0x0345}},
    {0x1fc3, {0x0397, 0x0399}, {0x1fcc}},
    {0x1fc4, {0x0389, 0x0399}, {0x0389, 0x0345}},
    {0x1fc6, {0x0397, 0x0342}, {0x0397, 0x0342}},
    {0x1fc7, {0x0397, 0x0342, 0x0399}, {0x0397, 0x0342, 0x0345}},
    {0x1fcc, {0x0397, 0x0399}, {0x1fcc}},
    {0x1fd2, {0x0399, 0x0308, 0x0300}, {0x0399, 0x0308, 0x0300}},
    {0x1fd3, {0x0399, 0x0308, 0x0301}, {0x0399, 0x0308, 0x0301}},
    {0x1fd6, {0x0399, 0x0342}, {0x0399, 0x0342}},
    {0x1fd7, {0x0399, 0x0308, 0x0342}, {0x0399, 0x0308, 0x0342}},
    {0x1fe2, {0x03a5, 0x0308, 0x0300}, {0x03a5, 0x0308, 0x0300}},
    {0x1fe3, {0x03a5, 0x0308, 0x0301}, {0x03a5, 0x0308, 0x0301}},
    {0x1fe4, {0x03a1, 0x0313}, {0x03a1, 0x0313}},
    {0x1fe6, {0x03a5, 0x0342}, {0x03a5, 0x0342}},
    {0x1fe7, {0x03a5, 0x0308, 0x0342}, {0x03a5, 0x0308, 0x0342}},
    {0x1ff2, {0x1ffa, 0x0399}, {0x1ffa, 0x0345}},
    {0x1ff3, {0x03a9, 0x0399}, {0x1ffc}},
    {0x1ff4, {0x038f, 0x0399}, {0x038f, 0x0345}},
    {0x1ff6, {0x03a9, 0x0342}, {0x03a9, 0x0342}},
    {0x1ff7, {0x03a9, 0x0342, 0x0399}, {0x03a9, 0x0342, 0x0345}},
    {0x1ffc, {0x03a9, 0x0399}, {0x1ffc}},
    {0xfb00, {0x0046, 0x0046}, {0x0046, 0x0066}},
    {0xfb01, {0x0046, 0x0049}, {0x0046, 0x0069}},
    {0xfb02, {0x0046, 0x004c}, {0x0046, 0x006c}},
    {0xfb03, {0x0046, 0x0046, 0x0049}, {0x0046, 0x0066, 0x0069}},
    {0xfb04, {0x0046, 0x0046, 0x004c}, {0x0046, 0x0066, 0x006c}},
    {0xfb05, {0x0053, 0x0054}, {0x0053, 0x0074}},
    {0xfb06, {0x0053, 0x0054}, {0x0053, 0x0074}},
    {0xfb13, {0x0544, 0x0546}, {0x0544, 0x0576}},
    {0xfb14, {0x0544, 0x0535}, {0x0544, 0x0565}},
    {0xfb15, {0x0544, 0x053b}, {0x0544, 0x056b}},
    {0xfb16, {0x054e, 0x0546}, {0x054e, 0x0576}},
    {0xfb17, {0x0544, 0x053d}, {0x0544, 0x056d}},
    // clang-format on
};

constexpr uint32_t kSharpS = 0xdf;  // the first of the table
constexpr uint32_t kCapitalDottedI = 0x130;
constexpr uint32_t kSmallDotlessI = 0x131;
constexpr uint32_t kDotAbove = 0x307;
constexpr uint32_t kCapitalSigma = 0x3a3;
constexpr uint32_t kFinalSigma = 0x3c2;
constexpr uint32_t kCapitalSharpS = 0x1e9e;

const SpecialCase* special_case(uint32_t c) {
  if (c < kSharpS) return nullptr;
  const auto* found = std::ranges::lower_bound(kSpecialCases, c, {}, &SpecialCase::character);
  return found != std::end(kSpecialCases) && found->character == c ? found : nullptr;
}

void append(std::string& out, const Characters& characters) {
  for (uint32_t c : characters)
    if (c != 0) append_code_point(out, c);
}

void append_upper(std::string& out, uint32_t c) {
  if (const SpecialCase* special = special_case(c)) return append(out, special->upper);
  append_code_point(out, to_upper(c));
}

void append_lower(std::string& out, uint32_t c) {
  append_code_point(out, c == kCapitalDottedI ? 'i' : to_lower(c));
  if (c == kCapitalDottedI) append_code_point(out, kDotAbove);
}

/// Of the pairs that are one character, `dz`, only the first letter is a capital in a title;
/// Georgian letters have capitals for whole words alone.
void append_title(std::string& out, uint32_t c) {
  bool pair = (c >= 0x1c4 && c <= 0x1cc) || (c >= 0x1f1 && c <= 0x1f3);
  bool georgian = c >= 0x10d0 && c <= 0x10ff;
  if (const SpecialCase* special = special_case(c)) return append(out, special->title);
  if (pair) return append_code_point(out, c >= 0x1f1 ? 0x1f2 : 0x1c5 + (c - 0x1c4) / 3 * 3);
  append_code_point(out, georgian ? c : to_upper(c));
}

/// Cherokee folds to its capitals, all else to the lower case of its upper case.
void append_folded(std::string& out, uint32_t c) {
  bool cherokee = (c >= 0x13a0 && c <= 0x13ff) || (c >= 0xab70 && c <= 0xabbf);
  if (c == kSmallDotlessI) return append_code_point(out, c);
  if (c == kCapitalDottedI) return append_lower(out, c);
  if (c == kCapitalSharpS) c = kSharpS;
  if (cherokee) return append_code_point(out, to_upper(c));
  if (const SpecialCase* special = special_case(c)) {
    for (uint32_t each : special->upper)
      if (each != 0) append_code_point(out, to_lower(each));
    return;
  }
  append_code_point(out, to_lower(to_upper(c)));
}

/// A letter that is a capital and a small one behind it in one character.
bool is_title(uint32_t c) {
  bool pair = c == 0x1c5 || c == 0x1c8 || c == 0x1cb || c == 0x1f2;
  bool greek =
      (c >= 0x1f88 && c <= 0x1faf && (c & 8) != 0) || c == 0x1fbc || c == 0x1fcc || c == 0x1ffc;
  return pair || greek;
}

bool is_cased(uint32_t c) {
  return is_upper(c) || is_lower(c);
}

/// What stands inside a word without being a letter of it: apostrophes, dots, combining marks.
bool is_ignored(uint32_t c) {
  static constexpr uint32_t kMarks[] = {'\'', '.',  ':',  '^',    '`',    0xa8,
                                        0xad, 0xb4, 0xb7, 0x2019, 0x2018, 0x2027};
  return (c >= 0x300 && c <= 0x36f) || std::ranges::find(kMarks, c) != std::end(kMarks);
}

/// Whether the sigma at a place ends a word: a letter before it, none behind.
bool ends_word(const std::vector<uint32_t>& text, size_t at) {
  size_t before = at;
  while (before > 0 && is_ignored(text[before - 1])) --before;
  size_t behind = at + 1;
  while (behind < text.size() && is_ignored(text[behind])) ++behind;
  return before > 0 && is_cased(text[before - 1]) &&
         (behind == text.size() || !is_cased(text[behind]));
}

std::vector<uint32_t> code_points(std::string_view text) {
  std::vector<uint32_t> all;
  for_each_code_point(text, [&](uint32_t c) { all.push_back(c); });
  return all;
}

void append_lower_at(std::string& out, const std::vector<uint32_t>& text, size_t at) {
  bool final_sigma = text[at] == kCapitalSigma && ends_word(text, at);
  if (final_sigma) return append_code_point(out, kFinalSigma);
  append_lower(out, text[at]);
}

}  // namespace

std::string upper_case(std::string_view text) {
  std::string out;
  for_each_code_point(text, [&](uint32_t c) { append_upper(out, c); });
  return out;
}

std::string lower_case(std::string_view text) {
  std::vector<uint32_t> all = code_points(text);
  std::string out;
  for (size_t i = 0; i < all.size(); ++i) append_lower_at(out, all, i);
  return out;
}

std::string fold_case(std::string_view text) {
  std::string out;
  for_each_code_point(text, [&](uint32_t c) { append_folded(out, c); });
  return out;
}

std::string swap_case(std::string_view text) {
  std::vector<uint32_t> all = code_points(text);
  std::string out;
  for (size_t i = 0; i < all.size(); ++i) {
    if (is_title(all[i]) || !is_cased(all[i]))
      append_code_point(out, all[i]);
    else if (is_upper(all[i]))
      append_lower_at(out, all, i);
    else
      append_upper(out, all[i]);
  }
  return out;
}

std::string title_case(std::string_view text) {
  std::vector<uint32_t> all = code_points(text);
  std::string out;
  bool inside = false;
  for (size_t i = 0; i < all.size(); ++i) {
    if (inside)
      append_lower_at(out, all, i);
    else
      append_title(out, all[i]);
    inside = is_cased(all[i]);
  }
  return out;
}

std::string capitalize(std::string_view text) {
  std::vector<uint32_t> all = code_points(text);
  std::string out;
  for (size_t i = 0; i < all.size(); ++i) {
    if (i == 0)
      append_title(out, all[i]);
    else
      append_lower_at(out, all, i);
  }
  return out;
}

}  // namespace glint::runtime
