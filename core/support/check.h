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
  /// `what()` is the message and the place: `no such node (ir/graph.cpp:12)`.
  InternalError(std::string_view message, std::source_location where);
  /// What is wrong, without the place.
  std::string_view message() const { return std::string_view(what()).substr(0, length_); }
  /// For who says more: the error that it throws names the same place.
  const std::source_location& where() const { return where_; }

 private:
  size_t length_;
  std::source_location where_;
};

/// A path as the compiler has it, from the project's root.
std::string_view path_in_project(std::string_view file);

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
