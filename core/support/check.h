// `check`: an invariant of Glint's own code. When one breaks, the stage at work is abandoned by an
// `InternalError`, which the session catches: the region falls back to eager with one warning that
// names the stage. It never ends the process, and it is never used for a user's mistake.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>

namespace glint {

class InternalError : public std::logic_error {
 public:
  InternalError(std::string_view what, std::source_location where)
      : std::logic_error(std::string(what) + " (" + where.file_name() + ":" +
                         std::to_string(where.line()) + ")") {}
};

[[noreturn]] inline void fail(std::string_view what,
                              std::source_location where = std::source_location::current()) {
  throw InternalError(what, where);
}

inline void check(bool condition, std::string_view what,
                  std::source_location where = std::source_location::current()) {
  if (!condition) [[unlikely]]
    fail(what, where);
}

}  // namespace glint
