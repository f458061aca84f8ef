// Work that cannot be stopped in the middle, done so that Ctrl-C need not wait for it.
//
//     caller   | waits . . . . . . . |  goes on with the result
//     helper   | works               |
//
//     caller   | waits . . Ctrl-C       goes on at once: `Interrupted`
//     helper   | works  . . . . . . .   left behind: nobody wants its result
//
//     Code code = apart::run<Code>([module] { return generate(*module); });
//
// The work owns all that it touches, or shares it with nobody who writes to it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace glint::apart {

/// Comes back when a helper has done the work. Throws what the work throws, and
/// `interruption::Interrupted` where the user asks for an end first.
void finish(std::function<void()> work);
/// The same of several at once, each by a helper of its own.
void finish_all(std::vector<std::function<void()>> works);

/// The work's result. Throws as `finish` does.
template <class T>
T run(std::function<T()> work) {
  auto result = std::make_shared<std::optional<T>>();
  finish([result, work = std::move(work)] { *result = work(); });
  return std::move(**result);
}

/// Whether a helper that was left behind is still at work. The process cannot be torn down around
/// it: it has to end by `_exit`.
bool is_left_behind();

}  // namespace glint::apart
