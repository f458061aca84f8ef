// The manual, from the tables: operators, commands, diagnostics, environment variables.
#pragma once

#include <string>
#include <vector>

#include "repl/command_line.h"
#include "runtime/session/session.h"

namespace glint {

/// What `:doc NAME` shows: a page of the manual, or else what the language or its modules have of
/// that name; says so when nothing has it.
std::string documentation_of(Session& session, const std::string& name);
/// Everything that has a page.
std::vector<std::string> page_names();
/// `glint doc`: a page for a name, the list of names without one, or a whole page in Markdown.
int print_documentation(const DocRequest& request);

}  // namespace glint
