// Runs a script that compiles functions and asserts what they do; gives what capture recorded.
//
//     Recorded made = run_capture("@torch.compile\ndef f(x): ...\nf(torch.ones(3))\n");
//     made.exit_code == 0; made.why; made.guards of the last region; made.graph
//
// Scripts have `torch` and `graphs()`, the number of graphs compiled since `start()`.
#pragma once

#include <functional>
#include <string>

#include "runtime/interpreter/interpreter.h"

namespace glint {

struct Recorded {
  int exit_code = 0;
  std::string why;     ///< of the last recompile
  std::string guards;  ///< the newest region's, one a line
  std::string graph;   ///< the newest
  std::string memory;  ///< the newest
  std::string breaks;  ///< the newest graph break
  std::string all_breaks;
  std::string errors;  ///< what was written to standard error
};
/// `prepare` is called before the script runs.
Recorded run_capture(const std::string& script,
                     const std::function<void(runtime::Interpreter&)>& prepare = {});

}  // namespace glint
