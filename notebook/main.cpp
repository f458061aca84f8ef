// The program: reads the command line and does what it asks.
#include <string>
#include <vector>

#include "notebook/kernel_word.h"
#include "repl/program.h"

int main(int count, char** values) {
  std::vector<std::string> arguments(values + 1, values + count);
  return glint::run_program(arguments,
                            {glint::notebook::install_kernel, glint::notebook::run_kernel,
                             glint::notebook::execute_notebook});
}
