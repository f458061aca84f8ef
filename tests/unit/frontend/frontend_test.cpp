// The front end's smaller promises: when a REPL entry is complete, what layout forgives, that
// nothing a file can hold overflows the stack.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <catch2/catch.hpp>

#include "frontend/frontend.h"
#include "frontend/layout.h"
#include "frontend/recover.h"

using namespace glint;
using namespace glint::frontend;

namespace {

bool compiles(std::string text, Mode mode = Mode::kFile) {
  SourceMap sources;
  SourceId source = sources.add("case.py", std::move(text));
  return std::holds_alternative<CompiledSource>(compile_source(sources, source, mode));
}

std::string repeated(std::string_view part, size_t times) {
  std::string text;
  for (size_t i = 0; i < times; ++i) text += part;
  return text;
}

}  // namespace

TEST_CASE("a REPL entry is complete, incomplete or invalid") {
  CHECK(entry_completeness("x = 1") == Completeness::kComplete);
  CHECK(entry_completeness("") == Completeness::kComplete);
  CHECK(entry_completeness("if x:") == Completeness::kIncomplete);
  CHECK(entry_completeness("if x:\n    y = 1") == Completeness::kIncomplete);
  CHECK(entry_completeness("if x:\n    y = 1\n") == Completeness::kComplete);
  CHECK(entry_completeness("f(1,") == Completeness::kIncomplete);
  CHECK(entry_completeness("x = '''a") == Completeness::kIncomplete);
  CHECK(entry_completeness("x = 'a\\") == Completeness::kIncomplete);
  CHECK(entry_completeness("x = 'a\\\\") == Completeness::kInvalid);
  CHECK(entry_completeness("x = 'a\ny = 1 + \\") == Completeness::kInvalid);
  CHECK(entry_completeness("@wraps") == Completeness::kIncomplete);
  CHECK(entry_completeness("x = = 1") == Completeness::kInvalid);
  CHECK(entry_completeness("f(1]") == Completeness::kInvalid);
  CHECK(entry_completeness("x = 'a") == Completeness::kInvalid);
}

TEST_CASE("layout as CPython's tokenizer") {
  CHECK(compiles(""));
  CHECK(compiles("\n\n  # comment\n"));
  CHECK(compiles("if x:\r\n    y = 1\r\nz = 2"));
  CHECK(compiles("if x:\n\ty = 1\n\tz = 2"));
  CHECK(compiles("if x:\n  y = (1,\n2,\n        # inside\n 3)\n  z = 4\n"));
  CHECK(compiles("x = 1 + \\\n    2\n"));
  CHECK(compiles("if x:\n    y = 1\n# comment at the margin\n    z = 2\n"));
  CHECK(compiles("\fx = 1\n"));
  CHECK(compiles("match = 1\ncase = match\nmatch[case] = 2\nmatch(case)\n"));
  CHECK_FALSE(compiles("if x:\n        y = 1\n\tz = 2\n"));
  CHECK_FALSE(compiles("if x:\n        y = 1\n    z = 2\n"));
}

TEST_CASE("modes") {
  CHECK(compiles("1 + 2", Mode::kExpression));
  CHECK_FALSE(compiles("x = 2", Mode::kExpression));
  CHECK(compiles("x = 2\n", Mode::kSingle));
}

TEST_CASE("what the language leaves out is refused") {
  CHECK_FALSE(compiles("async def f():\n    pass\n"));
  CHECK_FALSE(compiles("x = '\\N{BULLET}'\n"));
}

TEST_CASE("what CPython's limits allow compiles") {
  CHECK(compiles("x = " + repeated("a + ", 2900) + "1\n"));
  CHECK(compiles("x = " + repeated("-", 2900) + "1\n"));
  CHECK(compiles("x = " + repeated("not ", 2900) + "1\n"));
  CHECK(compiles("x = " + repeated("2 ** ", 2900) + "1\n"));
  CHECK(compiles("x = a" + repeated("[0]", 2900) + "\n"));
  CHECK(compiles("x = a" + repeated("()", 2900) + "\n"));
  CHECK(compiles("x = " + repeated("a and ", 20000) + "1\n"));
  CHECK(compiles("x = [" + repeated("1, ", 10000) + "]\n"));
  CHECK(compiles("x = f'" + repeated("{a} text ", 5000) + "'\n"));
  CHECK(compiles("if x: pass\n" + repeated("elif x: pass\n", 2900)));
  CHECK(compiles("x = " + repeated("(", 199) + "1" + repeated(")", 199) + "\n"));
  CHECK(compiles("x = " + repeated("{1: ", 199) + "1" + repeated("}", 199) + "\n"));
}

TEST_CASE("hostile nesting is an error, not an overflow") {
  CHECK_FALSE(compiles(repeated("(", 5000) + repeated(")", 5000)));
  CHECK_FALSE(compiles(repeated("[", 5000)));
  CHECK_FALSE(compiles("x = " + repeated("-", 20000) + "1\n"));
  CHECK_FALSE(compiles("x = " + repeated("not ", 20000) + "1\n"));
  CHECK_FALSE(compiles("x = " + repeated("2 ** ", 20000) + "1\n"));
  CHECK_FALSE(compiles("x = " + repeated("lambda: ", 20000) + "1\n"));
  CHECK_FALSE(compiles("x = " + repeated("1 if x else ", 20000) + "1\n"));
  CHECK_FALSE(compiles("x = " + repeated("a + ", 20000) + "1\n"));
  CHECK_FALSE(compiles("x = a" + repeated(".a", 11000) + "\n"));
  CHECK_FALSE(compiles("if x: pass\n" + repeated("elif x: pass\n", 20000)));
  CHECK_FALSE(compiles("x = " + repeated("(", 199) + "1 1" + repeated(")", 199) + "\n"));
  std::string deep;
  for (size_t i = 0; i < 150; ++i) deep += repeated(" ", i) + "if x:\n";
  CHECK_FALSE(compiles(deep + repeated(" ", 150) + "pass\n"));
}

TEST_CASE("every recorded script that is not a syntax error compiles to sound programs") {
  for (const auto& entry : std::filesystem::directory_iterator(GLINT_SOURCE_DIR "/tests/scripts")) {
    std::string name = entry.path().filename().string();
    bool meant =
        name.ends_with(".py") && !name.starts_with("error_syntax") && name != "helper_broken.py";
    if (!meant) continue;
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    INFO(name);
    SourceMap sources;
    SourceId source = sources.add(name, text.str());
    auto result = compile_source(sources, source, Mode::kFile);
    auto* compiled = std::get_if<CompiledSource>(&result);
    REQUIRE(compiled);
    CHECK_FALSE(program::verify(*compiled->code));
  }
}

TEST_CASE("errors behind the first are found where they are certain", "[frontend]") {
  auto lines_of = [](std::string_view text) {
    auto parsed = parse(text, SourceId(1), Mode::kFile);
    auto* errors = std::get_if<SyntaxErrors>(&parsed);
    REQUIRE(errors != nullptr);
    std::vector<uint32_t> lines;
    for (const SyntaxError& each : further_errors(text, SourceId(1), errors->front()))
      lines.push_back(each.span.line);
    return lines;
  };
  using Numbers = std::vector<uint32_t>;
  CHECK(lines_of("x = = 1\ny = (2\nz = 3\nprint 'z'\n") == Numbers{2, 4});
  // The block goes with its header, the clause with its statement.
  CHECK(lines_of("def f(:\n    a b\nif x y:\n    pass\nelse:\n    pass\n") == Numbers{3});
  CHECK(lines_of("try:\npass\nexcept:\n    pass\n").empty());
  CHECK(lines_of("try:\n    a b\nexcept E x:\n    pass\n") == Numbers{3});
  CHECK(lines_of("@wrap\ndef f(:\n    pass\nx = 1\n").empty());
  // Before a text that cannot be cut into tokens, too.
  CHECK(lines_of("a b\nc = 'd\ne f\n") == Numbers{1, 3});
  std::string many;
  for (int i = 0; i < 20; ++i) many += "a b\n";
  CHECK(lines_of(many).size() == 9);
}
