// Golden tests of the front end, one text a file in tests/golden/frontend:
//
//     x = 1
//     ----
//     the text of its Program IR, or its error as CPython 3.11 prints it
//
// `programs.txt` holds many, apart by lines of `====`; GLINT_RECORD=1 records it anew. The wrong
// sources are those of tests/bad_source (tests/tools/bad_source_test.py runs the program on them).
#include <cstdlib>
#include <filesystem>
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

/// The wrong sources that a text file shows as they are.
std::vector<Golden> read_bad_sources() {
  std::vector<Golden> goldens;
  for (const auto& entry :
       std::filesystem::directory_iterator(fmt::format("{}/tests/bad_source", GLINT_SOURCE_DIR))) {
    std::ifstream file(entry.path());
    std::string line;
    std::string* into = nullptr;
    while (std::getline(file, line)) {
      if (line.starts_with("==== ")) {
        bool escaped = line.find("(escaped)") != std::string::npos;
        if (!escaped) goldens.emplace_back();
        into = escaped ? nullptr : &goldens.back().input;
      } else if (line == "----") {
        if (into) into = &goldens.back().expected;
      } else if (into) {
        *into += line + "\n";
      }
    }
  }
  return goldens;
}

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
  auto result = compile_source(sources, source, Mode::kFile, {.is_file = true});
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
  for (const Golden& golden : read_bad_sources()) {
    INFO(golden.input);
    // Some only fail when they run.
    bool wrong = golden.expected.starts_with("  File");
    if (wrong)
      CHECK(outcome(golden.input) == golden.expected);
    else
      CHECK_FALSE(outcome(golden.input).starts_with("  File"));
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
