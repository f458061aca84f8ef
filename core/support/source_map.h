// The source texts of a session: scripts, REPL entries, library modules, by id.
//
// A `Span` holds an id and positions; this is where they become a file name, a line of text, or the
// exact expression (`text_of`). Texts are never removed, so a span stays good for the session.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/span.h"

namespace glint {

class SourceMap {
 public:
  /// Adds a text under a name (a path, or `<stdin>`, `<repl 3>`, `<string>`); ids start at 1.
  SourceId add(std::string name, std::string text);
  /// A text of the library inside the program, which no user wrote.
  SourceId add_library(std::string name, std::string text);
  bool is_library(SourceId id) const;

  std::string_view name(SourceId id) const;
  std::string_view text(SourceId id) const;
  /// The line without its newline; empty when the id or the line does not exist. Lines start at 1.
  std::string_view line(SourceId id, uint32_t line) const;
  uint32_t line_count(SourceId id) const;
  /// The text a span covers, cut at the end of its first line if it goes on (then `...` follows).
  std::string text_of(const Span& span) const;

 private:
  struct Source {
    std::string name;
    std::string text;
    std::vector<uint32_t> line_starts;
    bool is_library = false;
  };
  const Source* find(SourceId id) const;

  std::vector<std::unique_ptr<Source>> sources_;
};

}  // namespace glint
