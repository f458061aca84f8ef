// Runs a script's text through the front end and the interpreter, for tests.
//
//     ScriptResult result = run_script("print(1 + 1)");
//     CHECK(result.out == "2\n");
#pragma once

#include <map>
#include <string>

namespace glint::test {

struct ScriptResult {
  std::string out;
  std::string error;  ///< standard error: the traceback
  int exit_code = 0;
};

/// `modules` are scripts beside it: name to text.
ScriptResult run_script(const std::string& text,
                        const std::map<std::string, std::string>& modules = {},
                        const std::string& file = "test.py");

}  // namespace glint::test
