// The colours of code, in one table: how a terminal and how a page shows each.
//
//     painted({{"load", Colour::kKeyword}, {" ", Colour::kPlain}, {"%x", Colour::kValue}})
//
// Whatever reads code (`colour.h` Python, `code.h` what is generated) gives pieces; a terminal, a
// notebook and the report draw the same ones.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glint::render {

enum class Colour : uint8_t {
  kPlain,
  kKeyword,  ///< and types, and what an instruction does
  kString,
  kNumber,
  kComment,
  kName,       ///< that is defined here; a label
  kValue,      ///< of an IR, or a register
  kDirective,  ///< to the assembler or the preprocessor
  kError,
  kFaint  ///< what stands beside code
};

struct ColourInfo {
  Colour colour;
  std::string_view escape;      ///< before it on a terminal
  std::string_view html_class;  ///< empty: a page has it plain
  std::string_view style;       ///< of that class, for light and dark
};

/// Every colour, in order; `colour_table()[size_t(colour)].colour == colour`.
std::span<const ColourInfo> colour_table();

/// The classes as rules of a style sheet; `color-scheme` says which of their colours are shown.
std::string colour_styles();

/// A stretch of code that has one colour.
struct CodePiece {
  std::string_view text;
  Colour colour = Colour::kPlain;
};

/// The piece behind the others; one of the colour before it, and next to it, becomes part of that.
void add_piece(std::vector<CodePiece>& pieces, CodePiece piece);

/// The text between the escape sequences of a colour.
std::string coloured(std::string_view text, Colour colour);

/// For a terminal. No colour crosses a line end: editor and pager draw lines one by one.
std::string painted(const std::vector<CodePiece>& pieces);

}  // namespace glint::render
