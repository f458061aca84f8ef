// What the report is put together from: JSON's strings, changes between two listings, places.
#include <catch2/catch.hpp>

#include "repl/report/json.h"
#include "repl/report/links.h"
#include "repl/report/page.h"
#include "repl/report/pass_changes.h"

namespace glint::report {
namespace {

TEST_CASE("JSON strings hold nothing that a page could read as markup") {
  CHECK(json_string("a \"b\" \\ \n\t") == R"("a \"b\" \\ \u000a\u0009")");
  CHECK(json_string("</script>&") == R"("\u003c/script\u003e\u0026")");
  CHECK(json_string("\u2028ü😀") == "\"\\u2028ü😀\"");
  CHECK(json_string("\xff|\xc3|\xed\xa0\x80") == R"("\ufffd|\ufffd|\ufffd\ufffd\ufffd")");
  CHECK(html_text("<a b=\"c\">&") == "&lt;a b=&quot;c&quot;&gt;&amp;");
}

std::vector<StageLine> lines(std::initializer_list<const char*> texts) {
  std::vector<StageLine> made;
  for (const char* text : texts) made.push_back({text, {}});
  return made;
}

std::string text_of(const std::vector<ChangedLine>& changed) {
  std::string text;
  for (const ChangedLine& each : changed) text += each.mark + each.line.text + "\n";
  return text;
}

TEST_CASE("a change is shown with the lines around it") {
  CHECK(text_of(changed_lines(lines({"a", "b", "c"}), lines({"a", "x", "c"}))) ==
        " a\n-b\n+x\n c\n");
  CHECK(text_of(changed_lines(lines({"1", "2 ", "3 ", "4 ", "5 ", "6"}),
                              lines({"1", "2 ", "3 ", "4 ", "5 ", "7"}))) ==
        "@2 lines unchanged\n 3 \n 4 \n 5 \n-6\n+7\n");
  CHECK(text_of(changed_lines({}, lines({"a"}))) == "+a\n");
  CHECK(text_of(changed_lines(lines({"a"}), {})) == "-a\n");
  CHECK(text_of(changed_lines(lines({"a"}), lines({"a"}))) == "@1 line unchanged\n");
}

TEST_CASE("columns and the numbers of statements are no change") {
  CHECK(text_of(
            changed_lines(lines({"   3  a = b", "}", "x"}), lines({"   4  a   = b", "}", "y"}))) ==
        "    4  a   = b\n }\n-x\n+y\n");
}

TEST_CASE("a line that moved is taken away and put in again, the others stay") {
  CHECK(text_of(changed_lines(lines({"a", "b", "c", "d"}), lines({"d", "a", "b", "c"}))) ==
        "+d\n a\n b\n c\n-d\n");
}

TEST_CASE("a key is given out once, and never comes from itself") {
  Links links;
  const Span place = {SourceId(1), 2, 3, 2, 9};
  const KeyId node = links.node(0, "mul");
  CHECK(links.span(place) == links.span(place));
  CHECK(links.span({}) == kNone);
  CHECK(links.node(0, "mul") == node);
  CHECK(links.node(1, "mul") != node);
  CHECK(links.known_node(0, "sum") == kNone);
  links.add_from(node, links.span(place));
  links.add_from(node, links.span(place));
  links.add_from(node, node);
  links.add_from(node, kNone);
  CHECK(links.keys()[node].from == std::vector<KeyId>{links.span(place)});
}

TEST_CASE("columns in bytes become columns in UTF-16") {
  CHECK(utf16_column("abc", 2) == 2);
  CHECK(utf16_column("ü😀x", 6) == 3);
  CHECK(utf16_column("ab", 9) == 2);
}

}  // namespace
}  // namespace glint::report
