// C++ code that recurses as deep as the script's data nests, or as its callbacks call each other.
//
//     int same_items(Interpreter& in, ...) {
//       Recursion deeper(in, " in comparison");
//       if (!deeper.allowed()) return -1;          // RecursionError is pending
//
// Each level counts against the recursion limit, as a frame does; and however high a script sets
// that limit, the C++ stack keeps room for what must still run to report the error.
#pragma once

#include <string_view>

#include "runtime/interpreter/interpreter.h"

namespace glint::runtime {

/// Whether the C++ stack of this thread has room for going on.
bool stack_has_room();

/// One level of recursion, while it lives.
class Recursion {
 public:
  /// `where` ends the message of the RecursionError: CPython says what it was doing.
  Recursion(Interpreter& in, std::string_view where);
  ~Recursion();
  Recursion(const Recursion&) = delete;
  Recursion& operator=(const Recursion&) = delete;
  /// False: too deep, and RecursionError is pending.
  bool allowed() const { return allowed_; }

 private:
  Interpreter& in_;
  bool allowed_;
};

}  // namespace glint::runtime
