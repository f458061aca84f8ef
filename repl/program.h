// What `main` does, as a function: a request from the command line to an exit code.
#pragma once

#include <string>
#include <vector>

#include "repl/command_line.h"

namespace glint {

/// What `glint kernel` does; all give the exit code.
struct KernelWord {
  int (*install)(const KernelInstallRequest&) = nullptr;
  int (*run)(const KernelRunRequest&) = nullptr;
  int (*execute)(const KernelExecuteRequest&) = nullptr;
};

/// `arguments` are those behind the program's name. Gives the process's exit code.
int run_program(const std::vector<std::string>& arguments, const KernelWord& kernel);

}  // namespace glint
