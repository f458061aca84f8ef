// Work that cannot be stopped in the middle, done so that Ctrl-C need not wait for it.
//
//     caller   | waits . . . . . . . |  goes on with the result
//     helper   | works               |
//
//     caller   | waits . . Ctrl-C       goes on at once, without one
//     helper   | works  . . . . . . .   left behind: nobody wants its result
//
//     std::optional<Code> code = apart::run<Code>([module] { return generate(*module); });
//
// The work owns all that it touches, or shares it with nobody who writes to it.
#pragma once

#include <functional>
#include <memory>
#include <optional>

namespace glint::apart {

/// Whether a helper did the work before the user asked for an end. What the work throws is thrown.
bool finish(std::function<void()> work);

/// The work's result, if there is one.
template <class T>
std::optional<T> run(std::function<T()> work) {
  auto result = std::make_shared<std::optional<T>>();
  if (!finish([result, work = std::move(work)] { *result = work(); })) return std::nullopt;
  return std::move(*result);
}

/// Whether a helper that was left behind is still at work. The process cannot be torn down around
/// it: it has to end by `_exit`.
bool is_left_behind();

}  // namespace glint::apart
