// A cell, taken apart: stretches of Python, and lines that are commands or questions.
//
//     y = f(x)          Python, from line 1
//     :graph            a command, line 2
//     ?torch.relu       a question, line 3
//     y.sum()           Python, from line 4
//
// `%matplotlib inline`, with which many notebooks begin, asks for what is so anyway: nothing. Other
// lines that only IPython understands, `%timeit f()` and `!ls`, are kept apart to say so.
//
// A line is a command only where a statement may begin: inside brackets and strings it is Python.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace glint::notebook {

enum class PieceKind : uint8_t { kPython, kCommand, kQuestion, kNothing, kForeign };

struct Piece {
  PieceKind kind = PieceKind::kPython;
  std::string text;
  uint32_t line = 1;  ///< of the cell, where it begins
};

/// `needs_more` says whether Python text goes on behind its end. Stretches without a statement are
/// left out.
std::vector<Piece> pieces_of(std::string_view cell,
                             const std::function<bool(const std::string&)>& needs_more);

}  // namespace glint::notebook
