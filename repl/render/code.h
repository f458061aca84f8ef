// Generated code, read for its colours: a line in one of the languages of `languages.h`, in pieces.
//
//     ld.global.f32  %f1, [%rd5];     //   3  %mul
//     keyword        value  value     comment
//
// Only what one line says is known; nothing that is generated goes over several.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/stage_log.h"
#include "repl/render/languages.h"
#include "repl/render/palette.h"

namespace glint::render {

/// The pieces of a line, all of it, in order.
std::vector<CodePiece> code_pieces(std::string_view line, Language language);

/// A text in a language, for a terminal.
std::string highlight_code(std::string_view text, Language language);

/// A line without what stands beside its code: statement and node, which generated code has in a
/// comment (`//   3  %mul`), and what IR says itself of its place.
struct LineParts {
  std::string_view code;
  std::string_view margin;  ///< up to the line's end
};
LineParts parts_of(const StageLine& line, Language language);

}  // namespace glint::render
