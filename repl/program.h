// What `main` does, as a function: a request from the command line to an exit code.
#pragma once

#include <string>
#include <vector>

namespace glint {

/// `arguments` are those behind the program's name. Gives the process's exit code.
int run_program(const std::vector<std::string>& arguments);

}  // namespace glint
