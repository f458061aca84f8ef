// The languages of what is generated, in one table: what begins a comment, a value, a directive,
// and which words are keywords. `code.h` reads lines by it.
//
//     {.language = Language::kPtx, .comment = "//", .values = "%", .directives = ".", ...}
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/support/stage_log.h"

namespace glint::render {

enum class Language : uint8_t {
  kNone,     ///< text, which has no colours
  kProgram,  ///< register code
  kGraph,
  kKernels,
  kLlvm,
  kAssembly,
  kCuda,
  kPtx,
  kSass,
};

/// Which word says what a line does, beside the keywords.
enum class Operation : uint8_t {
  kNone,
  kFirstWord,       ///< `mov rax, rbx`
  kBehindEquals,    ///< `c = multiply a, b`; where a keyword stands before, there is none
  kFirstOrAssigned  ///< `r1 = call r0(x)`, `jump 3`
};

struct LanguageInfo {
  Language language = Language::kNone;
  std::string_view comment = {};     ///< the sign before one, which goes on to the line's end
  std::string_view values = {};      ///< signs before the name of a value
  std::string_view directives = {};  ///< signs before a directive
  Operation operation = Operation::kNone;
  bool is_numbered = false;  ///< a number that begins a line counts it
  bool is_assembly = false;  ///< words hold dots, `word:` and `.Lword` are labels
  std::span<const std::string_view> keywords = {};
  bool (*is_keyword)(std::string_view word) = nullptr;  ///< besides
  bool (*is_value)(std::string_view word) = nullptr;    ///< without a sign before it
};

/// A language's row.
const LanguageInfo& language_info(Language language);

/// What the lines of a stage are written in.
Language language_of(Stage stage);

}  // namespace glint::render
