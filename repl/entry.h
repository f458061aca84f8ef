// What may be entered besides Python, at the REPL and in a notebook's cell: commands and questions.
//
//     :graph f        a command; see commands.h
//     ?torch.relu     a question, as is torch.relu?
//     ??f             the same, with the text of its definition
//
// Both front ends complete and answer in the same way.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "repl/commands.h"
#include "runtime/session/session.h"

namespace glint {

bool is_command(std::string_view entry);
bool is_question(std::string_view entry);

/// What a question is answered with; text that ends with a newline. Where there are colours, the
/// text of a definition has them.
std::string answer(Session& session, std::string_view question, bool colours = false);

/// Runs what was entered, a command, a question or Python, and shows what is watched of it.
/// `exit_code` is set where the outcome is not kDone.
EntryOutcome enter(const std::string& entry, const CommandContext& context, int& exit_code);

struct Completion {
  size_t begin = 0;                     ///< where the text that is completed starts
  std::vector<std::string> candidates;  ///< what may stand there instead
};
/// What Tab offers at a byte of an entry.
Completion complete(Session& session, const std::string& entry, size_t cursor);

}  // namespace glint
