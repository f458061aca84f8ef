// What stands behind a colon, read: which command is meant, its options, the names it is about.
//
//     commands_named("gu")      `guards`
//     commands_named("g")       `graph`, `guards`, `gpu`: see `no_single_command`
//
// For the commands' own functions; front ends use commands.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repl/commands.h"

namespace glint {

std::string_view trimmed(std::string_view text);
bool is_call(std::string_view arguments);
/// What the arguments name, or what their call calls.
std::string callee(const CommandContext& context);

/// Whether the log has anything of it: it was compiled.
bool is_logged(Session& session, const Whose& whose);
/// Whether the script has the name, or the log a function of that name.
bool is_known(Session& session, const std::string& name);
/// Whether it names a function, a class or a module's `forward`, or something of the log.
bool is_function(Session& session, const std::string& name);
std::string unknown_name(Session& session, const std::string& name);

/// The commands that a word or its beginning names; `:graph` and `graph` are the same.
std::vector<const Command*> commands_named(std::string_view word);
/// What is said of a word that names no command, or several.
std::string no_single_command(std::string_view word, const std::vector<const Command*>& found);

}  // namespace glint
