// The page of the library's functions: every function has a row, and every row says what it does.
#include <catch2/catch.hpp>

#include <sstream>

#include "repl/functions_manual.h"
#include "runtime/interpreter/torch_forwarded.h"

namespace glint {
namespace {

TEST_CASE("functions manual: every function of the library is documented", "[repl]") {
  std::istringstream page(functions_manual());
  size_t rows = 0;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| `")) continue;
    ++rows;
    INFO(line);
    CHECK(line.ends_with(". |"));
  }
  CHECK(rows > runtime::library_functions().size());
}

TEST_CASE("functions manual: a row has the signature in one line", "[repl]") {
  std::string page = functions_manual();
  CHECK(page.find("| `fliplr(input)` | yes | Columns in reverse order. |") != page.npos);
  CHECK(page.find("| `normal(mean, std=1.0, size=None, *, generator=None, out=None, dtype=None, "
                  "device=None, requires_grad=False)` |  | ") != page.npos);
}

}  // namespace
}  // namespace glint
