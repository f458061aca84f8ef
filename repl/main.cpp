// The program: reads the command line and does what it asks.
#include <string>
#include <vector>

#include "repl/program.h"

int main(int count, char** values) {
  std::vector<std::string> arguments(values + 1, values + count);
  return glint::run_program(arguments);
}
