// Ctrl-C while a command renders: it ends, and what is entered next does not.
#include <catch2/catch.hpp>
#include <filesystem>

#include "repl/commands.h"
#include "runtime/session/session.h"

namespace glint {
namespace {

TEST_CASE("Ctrl-C ends a command, and not what is entered behind it", "[repl]") {
  Session session({.arguments = {""}});
  int exit_code = 0;
  session.run_entry("import torch\n", exit_code);
  session.run_entry("@torch.compile\ndef f(x): return x.sin() + 1\n", exit_code);
  session.run_entry("_ = f(torch.ones(3))\n", exit_code);
  std::string printed;
  const CommandContext context = {session, {}, [&](std::string_view text) { printed += text; }};
  REQUIRE(run_command(":graph f", context, exit_code) == EntryOutcome::kDone);

  const auto page = std::filesystem::temp_directory_path() / "interrupted_report.html";
  std::filesystem::remove(page);
  session.interrupt();
  CHECK(run_command(":report f " + page.string(), context, exit_code) == EntryOutcome::kRaised);
  CHECK_FALSE(std::filesystem::exists(page));

  session.interrupt();  // while it renders what takes no time
  CHECK(run_command(":graph f", context, exit_code) == EntryOutcome::kRaised);
  CHECK(session.run_entry("total = sum(range(10))\n", exit_code) == EntryOutcome::kDone);
  CHECK(run_command(":graph f", context, exit_code) == EntryOutcome::kDone);
}

}  // namespace
}  // namespace glint
