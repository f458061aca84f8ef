#include "repl/examples.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "repl/commands.h"

namespace glint {
namespace {

TEST_CASE("each command has an example, and each example a command", "[repl]") {
  std::vector<std::string_view> names = example_names();
  for (const Command& command : command_table()) {
    CAPTURE(command.name);
    CHECK(std::ranges::count(names, command.name) == 1);
    CHECK(example_of(command.name).find(">>> " + std::string(command.example) + "\n") !=
          std::string::npos);
    CHECK(command_page(command).find(example_of(command.name)) != std::string::npos);
  }
  for (std::string_view name : names) {
    CAPTURE(name);
    CHECK((name == "before" || std::ranges::count(command_table(), name, &Command::name) == 1));
  }
}

TEST_CASE("an example for a terminal has no fences", "[repl]") {
  CHECK(example_of("mode") == "  >>> :mode compiled\n  compiled\n  >>> :mode eager\n  eager\n");
  CHECK(example_of("ptx").starts_with("  Where NVRTC, "));
  CHECK(example_of("nosuch").empty());
}

}  // namespace
}  // namespace glint
