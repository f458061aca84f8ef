// The `:` commands of the REPL, in one table: name, arguments, meaning, and what each does. Help,
// completion, abbreviations and the manual follow from it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "runtime/session/session.h"

namespace glint {

/// What a command works with.
struct CommandContext {
  Session& session;
  std::string arguments;
  /// Text for the user, newline-ended.
  std::function<void(std::string_view)> print;
};

struct Command {
  std::string_view name;       ///< without the colon
  std::string_view arguments;  ///< for the help: `[FUNCTION]`
  std::string_view meaning;
  std::string_view example;
  void (*run)(CommandContext&);
};

std::span<const Command> command_table();

/// What is said of a backend's name that is not one.
std::string unknown_backend(std::string_view name);

/// Runs `:name arguments`; an unambiguous beginning of a name will do.
void run_command(std::string_view line, CommandContext context);

}  // namespace glint
