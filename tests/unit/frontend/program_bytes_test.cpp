// Programs as bytes: what is read is what was written, whatever the front end can make.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "frontend/frontend.h"
#include "ir/program_bytes.h"

using namespace glint;
using program::Code;

namespace {

std::shared_ptr<const Code> lowered(const std::string& text) {
  SourceMap sources;
  SourceId source = sources.add("test.py", text);
  auto result = frontend::compile_source(sources, source, frontend::Mode::kFile);
  auto* compiled = std::get_if<frontend::CompiledSource>(&result);
  return compiled ? compiled->code : nullptr;
}

void check_same(const Code& x, const Code& y) {
  INFO(x.qualified_name);
  CHECK(x.name == y.name);
  CHECK(x.qualified_name == y.qualified_name);
  CHECK(x.doc == y.doc);
  CHECK(x.has_doc == y.has_doc);
  CHECK(x.kind == y.kind);
  CHECK(x.is_generator == y.is_generator);
  CHECK(x.span == y.span);
  CHECK(x.parameters == y.parameters);
  CHECK(x.return_annotation == y.return_annotation);
  CHECK(x.local_names == y.local_names);
  CHECK(x.register_count == y.register_count);
  CHECK(x.cells == y.cells);
  CHECK(x.names == y.names);
  CHECK(x.constants == y.constants);
  CHECK(x.operands == y.operands);
  REQUIRE(x.instructions.size() == y.instructions.size());
  for (size_t i = 0; i < x.instructions.size(); ++i) {
    INFO(program::print(x)[i + 1].text);
    CHECK(x.instructions[i] == y.instructions[i]);
  }
  CHECK(x.handlers == y.handlers);
  REQUIRE(x.functions.size() == y.functions.size());
  for (size_t i = 0; i < x.functions.size(); ++i) check_same(*x.functions[i], *y.functions[i]);
}

/// Each text's program, written and read.
void check_folder(const std::string& folder) {
  size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".py") continue;
    INFO(entry.path());
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    auto code = lowered(text.str());
    if (!code) continue;  // a script of the tests that is wrong on purpose
    ++count;
    check_same(*code, *program::read_bytes(program::write_bytes(*code), code->span.source));
  }
  CHECK(count > 0);
}

}  // namespace

TEST_CASE("a program that was written as bytes is read as it was") {
  check_folder(GLINT_SOURCE_DIR "/examples");
  check_folder(GLINT_SOURCE_DIR "/library/collections");
  check_folder(GLINT_SOURCE_DIR "/library/torch/nn");
}

TEST_CASE("constants of every kind and numbers of every size are read as they were") {
  auto code = lowered(
      "x = (18446744073709551616, 0xffffffffffffffffffffffff, 0, -1, 1, 63, -64, 64, 127, 128, "
      "300, 2**40, 9223372036854775807, "
      "-9223372036854775807,\n"
      "     2.5j, 0.0, -0.0, 1e300, 5e-324, True, False, None, ..., 'text \\0 \\n \\u00e9', "
      "b'\\x00\\xff', ())\n");
  REQUIRE(code);
  check_same(*code, *program::read_bytes(program::write_bytes(*code), code->span.source));
}

TEST_CASE("spans are in the source that the reader names") {
  auto code = lowered("def f(x):\n    return x + 1\n");
  auto read = program::read_bytes(program::write_bytes(*code), SourceId{7});
  CHECK(read->span.source == SourceId{7});
  for (const program::Instruction& each : read->functions[0]->instructions)
    CHECK(each.span.source == SourceId{7});
  CHECK(read->functions[0]->instructions[0].span.line == 2);
}
