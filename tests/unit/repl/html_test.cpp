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
  CHECK(html.find(">%lt = less %a, %b</td>") != std::string::npos);
  CHECK(html.find(">1:4</span></td>") != std::string::npos);
  CHECK(html.find(">a &lt; b</span></td>") != std::string::npos);
  CHECK(html.find("<tr") != html.rfind("<tr"));
}

TEST_CASE("a place that the IR's own text says is not said again", "[repl]") {
  SourceMap sources;
  SourceId source = sources.add("<cell 1>", "y = a < b\n");
  const std::vector<Span> from = {{source, 1, 4, 1, 9}};
  const std::vector<StageLine> lines = {
      {"kernel less(%a: f32[4], %b: f32[4], %lt: bool[4], of many parameters)   from %lt", {}},
      {"  0  c = less a, b   1:4 %lt", from},
      {"  1  store %lt[i] = c, 1   1:4 %less_1", from},
      {"  call %c = mm %a, %b   from %mm 1:4", from},
      {"   +   %c = less %a, %b : bool[4] 1:4", from},
      {"  launch less(%a)", from}};
  CHECK(render::text_of({lines.begin() + 1, lines.end()}, &sources) ==
        "  0  c = less a, b   1:4 %lt             a < b\n"
        "  1  store %lt[i] = c, 1   1:4 %less_1   a < b\n"
        "  call %c = mm %a, %b   from %mm 1:4   a < b\n"
        "   +   %c = less %a, %b : bool[4] 1:4    a < b\n"
        "  launch less(%a)   1:4    a < b\n");
  const std::string html = render::html_of(lines, sources);
  CHECK(html.find(">  0  c = less a, b</td>") != std::string::npos);
  CHECK(html.find(">1:4 %lt</span></td>") != std::string::npos);
  CHECK(html.find("max-width: 0\">kernel less(") != std::string::npos);
  CHECK(html.find("max-width: 0\">  launch less(%a)<span class=\"code-faint\">   1:4   a &lt; b") !=
        std::string::npos);
}

TEST_CASE("a source of another text is named, and what the library did for it", "[repl]") {
  SourceMap sources;
  const SourceId main = sources.add("<cell 1>", "net(x)\n");
  const SourceId other = sources.add("<cell 2>", "self.fc(x)\n");
  const SourceId library = sources.add_library("library/torch/linear.py", "F.linear(x)\n");
  const std::vector<StageLine> lines = {
      {"%a = linear %x", {{other, 1, 0, 1, 10}, {library, 1, 0, 1, 11}}},
      {"%b = relu %a", {{main, 1, 0, 1, 6}}},
      {"%c = sum %b", {{library, 1, 0, 1, 11}}}};
  CHECK(render::text_of(lines, &sources, {.main = main}) ==
        "%a = linear %x   1:0    self.fc(x)   in <cell 2>   by linear.py 1:0\n"
        "%b = relu %a     1:0    net(x)\n"
        "%c = sum %b      1:0    F.linear(x)   in linear.py\n");
  const std::string html = render::html_of(lines, sources, render::Language::kNone, main);
  CHECK(html.find("self.fc(x)   in &lt;cell 2&gt;   by linear.py 1:0<") != std::string::npos);
  CHECK(html.find("net(x)<") != std::string::npos);
}

TEST_CASE("places are a column also where most lines are long", "[repl]") {
  SourceMap sources;
  SourceId source = sources.add("<cell 1>", "y = a < b\n");
  const std::vector<Span> from = {{source, 1, 4, 1, 9}};
  std::vector<StageLine> lines(20, {std::string(80, 'x'), from});
  lines[3].text = "short";
  lines[4].text = std::string(120, 'x');
  const std::string text = render::text_of(lines, &sources);
  CHECK(text.find("short" + std::string(78, ' ') + "1:4 ") != std::string::npos);
  CHECK(text.find("\n" + std::string(80, 'x') + "   1:4 ") != std::string::npos);
  CHECK(text.find("\n" + std::string(120, 'x') + "  1:4 ") != std::string::npos);
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
