#include "repl/render/palette.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace glint::render {
namespace {

constexpr std::array kColours = {
    ColourInfo{Colour::kPlain, "\x1b[0m", "", ""},
    ColourInfo{Colour::kKeyword, "\x1b[1;34m", "code-keyword",
               "color: light-dark(#8a2f9e, #d79bea)"},
    ColourInfo{Colour::kString, "\x1b[32m", "code-string", "color: light-dark(#1a6e3c, #8fd6a5)"},
    ColourInfo{Colour::kNumber, "\x1b[36m", "code-number", "color: light-dark(#a4480d, #f0ab78)"},
    ColourInfo{Colour::kComment, "\x1b[2;37m", "code-comment",
               "color: light-dark(#5d6670, #a0aab5)"},
    ColourInfo{Colour::kName, "\x1b[1m", "code-name", "font-weight: 600"},
    ColourInfo{Colour::kValue, "\x1b[35m", "code-value", "color: light-dark(#0b57a8, #7db8ff)"},
    ColourInfo{Colour::kDirective, "\x1b[33m", "code-directive",
               "color: light-dark(#765700, #d9c06c)"},
    ColourInfo{Colour::kError, "\x1b[1;31m", "", ""},
    ColourInfo{Colour::kFaint, "\x1b[2m", "code-faint", "color: light-dark(#5d6670, #a0aab5)"},
};

constexpr const ColourInfo& info_of(Colour colour) {
  return kColours[static_cast<size_t>(colour)];
}

}  // namespace

std::span<const ColourInfo> colour_table() {
  return kColours;
}

std::string colour_styles() {
  std::string rules;
  for (const ColourInfo& each : kColours)
    if (!each.style.empty()) rules += fmt::format(".{} {{ {}; }}\n", each.html_class, each.style);
  return rules;
}

void add_piece(std::vector<CodePiece>& pieces, CodePiece piece) {
  const bool continues = !pieces.empty() && pieces.back().colour == piece.colour &&
                         pieces.back().text.data() + pieces.back().text.size() == piece.text.data();
  if (continues)
    pieces.back().text = {pieces.back().text.data(), pieces.back().text.size() + piece.text.size()};
  else if (!piece.text.empty())
    pieces.push_back(piece);
}

std::string coloured(std::string_view text, Colour colour) {
  return fmt::format("{}{}{}", info_of(colour).escape, text, info_of(Colour::kPlain).escape);
}

std::string painted(const std::vector<CodePiece>& pieces) {
  std::string out;
  for (const auto& [text, colour] : pieces) {
    if (colour == Colour::kPlain) {
      out += text;
      continue;
    }
    for (size_t start = 0; start <= text.size();) {
      const size_t newline = std::min(text.find('\n', start), text.size());
      if (newline > start) out += coloured(text.substr(start, newline - start), colour);
      if (newline < text.size()) out += '\n';
      start = newline + 1;
    }
  }
  return out;
}

}  // namespace glint::render
