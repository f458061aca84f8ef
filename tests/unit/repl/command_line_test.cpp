#include <catch2/catch.hpp>

#include "repl/command_line.h"

namespace glint {
namespace {

TEST_CASE("a script takes all that stands behind it", "[repl]") {
  auto run =
      std::get<RunRequest>(parse_command_line({"--show", "graph,kernels", "a.py", "-c", "--x"}));
  CHECK(run.source == ProgramSource::kFile);
  CHECK(run.program == "a.py");
  CHECK(run.arguments == std::vector<std::string>{"-c", "--x"});
  CHECK(run.show == std::vector<Stage>{Stage::kGraph, Stage::kKernels});
}

TEST_CASE("-c ends the options", "[repl]") {
  auto run = std::get<RunRequest>(parse_command_line({"-i", "-c", "print(1)", "-i", "b"}));
  CHECK(run.source == ProgramSource::kCode);
  CHECK(run.program == "print(1)");
  CHECK(run.arguments == std::vector<std::string>{"-i", "b"});
  CHECK(run.interactive_after);
}

TEST_CASE("no argument is the REPL, a dash is standard input", "[repl]") {
  CHECK(std::get<RunRequest>(parse_command_line({})).source == ProgramSource::kRepl);
  CHECK(std::get<RunRequest>(parse_command_line({"-"})).source == ProgramSource::kStandardInput);
}

TEST_CASE("mistakes say what is wrong and exit with 2", "[repl]") {
  auto unknown = std::get<MessageRequest>(parse_command_line({"--shoe", "x"}));
  CHECK(unknown.exit_code == 2);
  CHECK(unknown.text.find("`--shoe`") != std::string::npos);
  auto stage = std::get<MessageRequest>(parse_command_line({"show", "--stage", "graf", "a.py"}));
  CHECK(stage.text.find("no stage is called `graf`") != std::string::npos);
  CHECK(std::get<MessageRequest>(parse_command_line({"bench"})).exit_code == 2);
}

TEST_CASE("words have their own requests", "[repl]") {
  auto show = std::get<ShowRequest>(parse_command_line({"show", "a.py", "f"}));
  CHECK(show.file == "a.py");
  CHECK(show.function == "f");
  auto ir =
      std::get<IrRequest>(parse_command_line({"ir", "--passes", "simplify,fuse", "--run", "g.ir"}));
  CHECK(ir.passes == std::vector<std::string>{"simplify", "fuse"});
  CHECK(ir.run);
  CHECK(std::get<IrRequest>(parse_command_line({"ir", "--list-passes"})).list_passes);
  CHECK(std::get<MessageRequest>(parse_command_line({"ir", "--run"})).exit_code == 2);
  auto cut = std::get<IrRequest>(parse_command_line({"ir", "--partition", "1,2", "g.ir"}));
  CHECK(cut.partition->outputs == 1);
  CHECK(cut.partition->tangents == 2);
  for (const char* wrong : {"1", "1,", ",2", "1,2,3", "a,b", "-1,2"})
    CHECK(std::get<MessageRequest>(parse_command_line({"ir", "--partition", wrong, "g.ir"})).text ==
          std::string("glint: `--partition` takes two numbers, as in `1,2`, not `") + wrong +
              "`\ntry `glint --help`\n");
  CHECK(std::get<MessageRequest>(parse_command_line({"show", "--help"})).exit_code == 0);
}

}  // namespace
}  // namespace glint
