// What NVRTC's log says of a text: errors and warnings with their lines, what they quote, and the
// notes that belong to them.
//
//     glint.cu(3): error: identifier "y" is undefined
//         x[0] = y;
//                ^
//               detected during instantiation of "T go(A<T>) [with T=int]" at line 8
//
//     At end of source: error: expected a "}"
//     glint.cu(1): note #3196-D: to match this "{"
//
// print() writes these as other compilers do, with `glint.cu:3:` in front. What is wrong at the end
// of the source is told of its last line, which the log does not number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace glint::cuda {

enum class Severity : uint8_t { kError, kWarning, kNote };

/// What NVRTC says of a line of the source.
struct Diagnostic {
  uint32_t line = 0;  ///< 0: of no line
  Severity severity = Severity::kError;
  std::string message;
  std::string header = {};  ///< whose line it is; empty: the source's own
  /// The line itself with a caret below it, and what else is said of it: lines as they are printed.
  std::string quote = {};
  /// The line of the source that asked for the template which this is about; 0: for none.
  uint32_t instantiated_at = 0;
  std::vector<Diagnostic> notes = {};

  bool is_error() const { return severity == Severity::kError; }
};

/// The errors and warnings in the log of a text's compiling.
std::vector<Diagnostic> parse_log(std::string_view log, std::string_view source);
/// `glint.cu:3: error: identifier "y" is undefined`, with what it quotes, where the template was
/// asked for, and its notes.
std::string print(const Diagnostic& diagnostic);

}  // namespace glint::cuda
