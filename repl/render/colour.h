// Colours for a terminal: Python source as it is typed, and tracebacks.
//
// `highlight_python` keeps every character where it is and only adds colours, so the line editor
// can draw its result in place of the text. With colours off it gives the text back.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "repl/render/palette.h"

namespace glint::render {

/// Python source with keywords, strings, numbers, comments and defined names in colour. Unfinished
/// source (an open string, a bad character) is coloured as far as it goes.
std::string highlight_python(std::string_view source);
std::vector<CodePiece> python_pieces(std::string_view source);

/// Python's words: those that are always keywords, and those that begin some statements.
std::span<const std::string_view> python_keywords();

/// A traceback with its places, its marks and what was raised in colour.
std::string highlight_traceback(std::string_view traceback);

/// The source with an `x` for each byte of its strings, and blanks for its comments: what is left
/// of a line end, a bracket or a colon is Python's own.
std::string without_texts(std::string_view source);

/// Where the text of the string begins that is open at the source's end; nothing where none is.
std::optional<size_t> open_string(std::string_view source);

/// Whether what is typed behind the source belongs to a string that is open, or to a comment.
bool ends_inside_text(std::string_view source);

/// The columns of the terminal behind standard output; 80 where there is none.
size_t terminal_width();

/// Its lines; 24 where there is none.
size_t terminal_height();

/// `--no-colour`.
void turn_colours_off();

/// Whether standard output takes colours: a terminal that is not dumb, and neither `NO_COLOR` nor
/// `--no-colour`.
bool terminal_has_colours();

}  // namespace glint::render
