// Golden tests of the front end, one text a file in tests/golden/frontend:
//
//     x = 1
//     ----
//     the text of its Program IR, or its error as CPython 3.11 prints it
//
// `programs.txt` and `errors.txt` hold many, apart by lines of `====`. The errors were recorded
// from CPython, with each text in a file called `case.py`; GLINT_RECORD=1 records the programs
// anew.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "frontend/frontend.h"

using namespace glint;
using namespace glint::frontend;

namespace {

struct Golden {
  std::string input;
  std::string expected;
};

std::string path_of(std::string_view name) {
  return fmt::format("{}/tests/golden/frontend/{}", GLINT_SOURCE_DIR, name);
}

std::vector<Golden> read_goldens(std::string_view name) {
  std::ifstream file(path_of(name));
  std::vector<Golden> goldens(1);
  std::string line;
  bool in_input = true;
  while (std::getline(file, line)) {
    if (line == "====") {
      goldens.emplace_back();
      in_input = true;
    } else if (line == "----") {
      in_input = false;
    } else {
      (in_input ? goldens.back().input : goldens.back().expected) += line + "\n";
    }
  }
  return goldens;
}

void print_code(const program::Code& code, std::string& out) {
  for (const auto& line : program::print(code)) out += line.text + "\n";
  for (const auto& inner : code.functions) print_code(*inner, out);
}

std::string outcome(const std::string& text) {
  SourceMap sources;
  SourceId source = sources.add("case.py", text);
  auto result = compile_source(sources, source, Mode::kFile);
  if (auto* errors = std::get_if<SyntaxErrors>(&result)) return print(errors->front(), sources);
  const program::Code& code = *std::get<CompiledSource>(result).code;
  auto broken = program::verify(code);
  if (broken) return "verifier: " + *broken + "\n";
  std::string out;
  print_code(code, out);
  return out;
}

}  // namespace

TEST_CASE("errors are CPython's") {
  for (const Golden& golden : read_goldens("errors.txt")) {
    INFO(golden.input);
    CHECK(outcome(golden.input) == golden.expected);
  }
}

TEST_CASE("programs") {
  std::vector<Golden> goldens = read_goldens("programs.txt");
  if (std::getenv("GLINT_RECORD")) {
    std::ofstream file(path_of("programs.txt"));
    for (size_t i = 0; i < goldens.size(); ++i) {
      file << (i ? "====\n" : "") << goldens[i].input << "----\n" << outcome(goldens[i].input);
    }
    return;
  }
  for (const Golden& golden : goldens) {
    INFO(golden.input);
    CHECK(outcome(golden.input) == golden.expected);
  }
}
