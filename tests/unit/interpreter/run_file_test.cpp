// `GLINT_RUN=script.py test_interpreter "[.run]"` runs a script: a driver for development.
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "run_script.h"

TEST_CASE("run a file", "[.run]") {
  const char* path = std::getenv("GLINT_RUN");
  REQUIRE(path);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  auto result = glint::test::run_script(text.str(), {}, path);
  std::fputs(result.out.c_str(), stdout);
  std::fputs(result.error.c_str(), stderr);
  CHECK(result.exit_code == 0);
}
