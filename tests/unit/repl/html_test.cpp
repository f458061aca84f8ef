#include "repl/render/html.h"

#include <catch2/catch.hpp>

#include "repl/entry.h"
#include "repl/render/colour.h"
#include "repl/render/text.h"

namespace glint {
namespace {

const std::string kPre = "<pre style=\"padding: 0; white-space: pre; overflow-x: auto\">";

TEST_CASE("a stage's lines are rows, with the source beside them", "[repl]") {
  SourceMap sources;
  SourceId source = sources.add("<cell 1>", "y = a < b\n");
  std::string html =
      render::html_of({{"%lt = less %a, %b   1:4", {{source, 1, 4, 1, 9}}}, {"}", {}}}, sources);
  CHECK(html.find(">%lt = less %a, %b   </td>") != std::string::npos);
  CHECK(html.find(">1:4</td>") != std::string::npos);
  CHECK(html.find(">a &lt; b</td>") != std::string::npos);
  CHECK(html.find("<tr") != html.rfind("<tr"));
}

TEST_CASE("a stage as text does nothing to the terminal that shows it", "[repl]") {
  SourceMap sources;
  SourceId source = sources.add("<cell 1>", "y = '\x1b[31m'\n");
  const std::string text =
      render::text_of({{"%s = '\x1b]0;title\x07'", {{source, 1, 4, 1, 11}}}}, &sources);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find("'\\x1b]0;title\\x07'") != std::string::npos);
  CHECK(text.find("'\\x1b[31m'") != std::string::npos);
}

TEST_CASE("a ruled table has columns, any other text has none", "[repl]") {
  std::string table = render::html_of_ruled("name  args\n----  ------\nx     (1, 2)\n");
  CHECK(table.find(">name</th>") != std::string::npos);
  CHECK(table.find(">(1, 2)</td>") != std::string::npos);
  CHECK(render::html_of_ruled("a <b>\nc\n") == kPre + "a &lt;b&gt;\nc\n</pre>\n");
  CHECK(render::html_of_ruled("") == kPre + "</pre>\n");
}

TEST_CASE("a traceback in colour keeps its letters", "[repl]") {
  std::string text = render::highlight_traceback(
      "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    1 / 0\n    ~~^~~\n"
      "ZeroDivisionError: division by zero\n");
  CHECK(text.find("\x1b[1;31m    ~~^~~\x1b[0m\n") != std::string::npos);
  CHECK(text.ends_with("\x1b[1;31mZeroDivisionError\x1b[0m: division by zero\n"));
  CHECK(render::highlight_traceback("KeyboardInterrupt\n") ==
        "\x1b[1;31mKeyboardInterrupt\x1b[0m\n");
  CHECK(render::highlight_traceback("\n\nplain words: x\n") == "\n\nplain words: x\n");
}

TEST_CASE("commands and questions are told from Python", "[repl]") {
  CHECK(is_command(":graph"));
  CHECK_FALSE(is_command("x[1:2]"));
  CHECK(is_question("?x"));
  CHECK(is_question("torch.relu?"));
  CHECK_FALSE(is_question("# why?"));
  CHECK_FALSE(is_question("'why?"));
}

}  // namespace
}  // namespace glint
