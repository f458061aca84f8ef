// The colours of lines for the page: how long each stretch is, and which colour it has.
//
//     load %x      ->    [4, 1, 1, 0, 2, 6]        keyword, plain, value
//
// Many lines look alike (machine code does), so each shape is given out once and lines name its
// number. Lengths count UTF-16 units, as a page's strings do.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "repl/render/languages.h"
#include "repl/render/palette.h"

namespace glint::report {

class LineShapes {
 public:
  /// The number of a line's shape; `kNone`: all of it is plain.
  uint32_t of(std::string_view line, render::Language language);
  /// The same of each line of a source in Python.
  std::vector<uint32_t> of_python(const std::vector<std::string>& lines);

  /// By their numbers.
  const std::vector<std::vector<uint32_t>>& all() const { return shapes_; }

 private:
  uint32_t number_of(const std::vector<render::CodePiece>& pieces);

  std::vector<std::vector<uint32_t>> shapes_;
  std::map<std::vector<uint32_t>, uint32_t> numbers_;
};

}  // namespace glint::report
