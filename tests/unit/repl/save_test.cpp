// `:save` replaces without `--force` only what its own session has written.
#include <catch2/catch.hpp>
#include <filesystem>

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

}  // namespace
}  // namespace glint
