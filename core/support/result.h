// `Result<T>`: a value, or why there is none.
//
// For failures of the environment and of malformed input to a stage (a file that cannot be read, IR
// text that does not parse, LLVM refusing a module). A user's mistake in a running script is a
// Python exception instead, and a broken invariant of ours is a `check` (check.h).
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "core/support/span.h"

namespace glint {

/// Why something failed: lower case, no full stop, what to do after a semicolon.
struct Error {
  std::string message;
  Span span = {};
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() { return std::get<0>(state_); }
  const T& value() const { return std::get<0>(state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

}  // namespace glint
