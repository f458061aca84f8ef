// `:save` replaces without `--force` only what its own session has written.
#include <catch2/catch.hpp>
#include <filesystem>

#include "../session/run_entries.h"
#include "repl/commands.h"
#include "runtime/session/session.h"

namespace glint {
namespace {

std::string save(Session& session, const std::filesystem::path& file) {
  std::string printed;
  int exit_code = 0;
  session.run_entry("x = 1\n", exit_code);
  run_command(":save " + file.string(),
              {session, {}, [&](std::string_view text) { printed += text; }}, exit_code);
  return printed;
}

TEST_CASE("a file that another session saved is not replaced", "[repl]") {
  const auto file = std::filesystem::temp_directory_path() / "saved_entries.py";
  std::filesystem::remove(file);
  {
    Session session({});
    CHECK(save(session, file).starts_with("1 entry is in"));
    CHECK(save(session, file).starts_with("2 entries are in"));
  }
  Session session({});
  CHECK(save(session, file).find("is there already") != std::string::npos);
  std::filesystem::remove(file);
}

TEST_CASE("what a script is saved with gives way to the user's names", "[repl]") {
  const auto file = std::filesystem::temp_directory_path() / "saved_names.py";
  std::filesystem::remove(file);
  int exit_code = 0;
  {
    Session session({});
    run(session, {"_outputs = 5", "_outputs + 1", "_shown = _"});
    save(session, file);
  }
  Session session({.arguments = {file.string()}});
  CHECK(session.run_file(file.string()) == 0);
  CHECK(session.run_entry("assert (_outputs, _shown) == (5, 6)\n", exit_code) ==
        EntryOutcome::kDone);
  std::filesystem::remove(file);
}

TEST_CASE("a script that cannot be opened is told with the system's reason", "[repl]") {
  const auto link = std::filesystem::temp_directory_path() / "link_to_itself.py";
  std::filesystem::remove(link);
  std::filesystem::create_symlink(link, link);
  CHECK(read_script(link.string())
            .error()
            .message.ends_with("[Errno 40] Too many levels of symbolic links"));
  std::filesystem::remove(link);
  CHECK(
      read_script(link.string()).error().message.ends_with("[Errno 2] No such file or directory"));
}

}  // namespace
}  // namespace glint
