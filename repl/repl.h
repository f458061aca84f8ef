// The REPL: reads entries, runs them, and answers `:` commands about what was compiled.
//
//     >>> f(x)
//     tensor([1., 2.])
//     >>> :graph
//
// Fed by a pipe it shows no prompts and no colours; an entry that raises does not end it, but its
// exit code is then 1.
#pragma once

#include "runtime/session/session.h"

namespace glint {

struct ReplOptions {
  bool banner = true;
  bool startup = true;  ///< enter the start-up file, where input is a terminal
  bool pager = true;    ///< for texts that are longer than the terminal
};

/// Runs until the end of input or `exit()`; gives the exit code.
int run_repl(Session& session, const ReplOptions& options);

}  // namespace glint
