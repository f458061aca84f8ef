// A grammar as text, and what its rules match of a list of tokens.
//
//     if: 'if' named NEWLINE => at last "expected ':'"
//       | 'if' named ':' block else?
//
// A parsing expression grammar: alternatives are tried in order, the first that matches counts, and
// a rule that has been tried at a token is not tried there again. The notation is explained where
// the one grammar stands (frontend/diagnosing_grammar.cpp); frontend/diagnose.cpp walks it over
// tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace glint::frontend {

/// What an expression is, as far as complaints tell it apart: an index into the table of kinds.
using PartKind = uint8_t;
constexpr PartKind kNoKind = 0;

/// The kind that the grammar calls `word`; kNoKind where it is none.
PartKind part_kind(std::string_view word);
/// CPython's name of a kind in "cannot assign to ...".
std::string_view kind_name(PartKind kind);

struct Alternative;

/// One element of an alternative.
struct Element {
  enum class Op : uint8_t {
    kToken,            ///< a token of type `type`
    kWord,             ///< a name with this text: a soft keyword
    kReal,             ///< a number that is not imaginary
    kImaginary,        ///< a number that is
    kSoftKeyword,      ///< a name that is any soft keyword
    kRule,             ///< rule number `type`
    kGroup,            ///< one of `inner`
    kOptional,         ///< `inner`, or nothing
    kRepeat,           ///< `inner` at least `least` times, `separator` between them if there is one
    kAhead,            ///< `inner` must follow; takes nothing
    kNotAhead,         ///< `inner` must not follow
    kForced,           ///< the token must follow, or the source is wrong here
    kCut,              ///< no other alternative of the rule from here on
    kWithoutMistakes,  ///< the next element is matched without looking for mistakes
    kStrings,          ///< adjacent string literals, their contents checked
  };
  Op op = Op::kToken;
  size_t type = 0;
  size_t least = 0;
  size_t separator = 0;
  std::string text = {};
  std::string label = {};
  std::vector<Alternative> inner;
};

/// A mistake that CPython knows by name.
struct Mistake {
  enum class Place : uint8_t {
    kNone,
    kAt,             ///< at `from`
    kRange,          ///< from `from` to `to`, `last` being the last token that was read
    kEnd,            ///< at the last character of `from`
    kBlock,          ///< a block is missing behind `from`
    kIndent,         ///< a block is missing
    kTarget,         ///< at the part of `from` that is no target
    kLastArgument,   ///< from the last argument of `from` to `to`
    kArgumentOrder,  ///< the arguments of `from` are out of order
  };
  Place place = Place::kNone;
  std::string from = {};
  std::string to = {};
  std::string message = {};
  bool in_brackets = false;    ///< only where a bracket is open
  bool unless_legacy = false;  ///< not where `from` is `print` or `exec`
  bool if_legacy = false;      ///< only there
  bool always = false;         ///< looked for in the first pass too
};

struct Alternative {
  enum class Result : uint8_t { kWhole, kLabel, kKind, kFold };
  std::vector<Element> elements = {};
  Result result = Result::kWhole;
  std::string label = {};
  PartKind kind = kNoKind;
  Mistake mistake = {};
};

struct Rule {
  std::string name;
  std::vector<Alternative> alternatives = {};
  /// Whether a match made without looking for mistakes stands for one made with.
  bool shared = false;
};

struct Grammar {
  std::vector<Rule> rules;
  std::unordered_map<std::string, size_t> numbers;
};

/// The grammar that finds the words for a wrong source, as text.
std::string_view diagnosing_grammar();
/// The same, read; once for the program's life.
const Grammar& read_diagnosing_grammar();

}  // namespace glint::frontend
