#include "repl/report/line_shapes.h"

#include <utility>

#include "repl/render/code.h"
#include "repl/render/colour.h"
#include "repl/report/document.h"
#include "repl/report/links.h"

namespace glint::report {

uint32_t LineShapes::of(std::string_view line, render::Language language) {
  return number_of(render::code_pieces(line, language));
}

std::vector<uint32_t> LineShapes::of_python(const std::vector<std::string>& lines) {
  std::string source;
  for (const std::string& line : lines) source += line + '\n';
  std::vector<uint32_t> numbers;
  std::vector<render::CodePiece> pieces;  // of the line at work
  for (auto [text, colour] : render::python_pieces(source)) {
    for (size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
      render::add_piece(pieces, {text.substr(0, end), colour});
      numbers.push_back(number_of(pieces));
      pieces.clear();
      text.remove_prefix(end + 1);
    }
    render::add_piece(pieces, {text, colour});
  }
  return numbers;
}

uint32_t LineShapes::number_of(const std::vector<render::CodePiece>& pieces) {
  std::vector<uint32_t> shape;
  for (const auto& [text, colour] : pieces) {
    shape.push_back(utf16_column(text, static_cast<uint32_t>(text.size())));
    shape.push_back(static_cast<uint32_t>(colour));
  }
  while (!shape.empty() && shape.back() == static_cast<uint32_t>(render::Colour::kPlain))
    shape.resize(shape.size() - 2);
  if (shape.empty()) return kNone;
  auto [found, is_new] = numbers_.try_emplace(shape, static_cast<uint32_t>(shapes_.size()));
  if (is_new) shapes_.push_back(std::move(shape));
  return found->second;
}

}  // namespace glint::report
