// The `where` line of graphs and schedules: it reads back, and sizes are found that fulfil it.
#include <catch2/catch.hpp>

#include "ir/graph.h"
#include "ir/size_facts.h"

namespace glint {
namespace {

SizeFacts facts_of(const std::string& line) {
  TextCursor in(line);
  SizeFacts facts = parse_size_facts(in);
  if (!in.ok()) FAIL(in.error().message);
  return facts;
}

TEST_CASE("a where line reads back") {
  const char* lines[] = {"s0 = 4, s2 = 32, s2 == 8*s0, 4 < s0, (s0 % 4) == 0, s0 != s2",
                         "s1 <= 2*s0 + 1", "s0 = -3"};
  for (std::string line : lines) {
    CHECK(facts_of("where " + line).text() == line);
    CHECK(facts_of("where " + line) == facts_of("  where " + facts_of("where " + line).text()));
  }
  CHECK(facts_of("%y = relu %x").empty());
  TextCursor wrong("where s0 + 1 = 4");
  parse_size_facts(wrong);
  CHECK_FALSE(wrong.ok());
}

TEST_CASE("values fulfil the relations, and differ where nothing ties them") {
  const char* lines[] = {
      "s0 = 4, s1 == 8*s0",     "s1 == 3136",
      "(s0 % 8) == 0, 40 < s0", "s2 == 8, s0 == s1, s1 < 3",
      "s0*s1 == 64, s0 == 16",  "s0 != 4, s1 == s0 + 1000",
      "s0 = -3, s1 < s0 + 10",
  };
  for (const char* line : lines) {
    INFO(line);
    SizeFacts facts = facts_of(std::string("where ") + line);
    auto values = facts.find_values(5);
    REQUIRE(values);
    CHECK(values->size() == 5);
    for (const Relation& relation : facts.relations) CHECK(relation.holds(*values));
    CHECK_FALSE(verify_size_facts(facts));
  }
  auto free = facts_of("where 1 < s3").find_values();
  REQUIRE(free);
  CHECK((*free)[0] != (*free)[1]);
  auto fault = verify_size_facts(facts_of("where s0 = 4, s0 == 5"));
  REQUIRE(fault);
  CHECK(fault->message == "no sizes fulfil `where s0 = 4, s0 == 5`");
}

TEST_CASE("a graph has its sizes in its text, and passes may rely on them") {
  const char* text =
      "graph f(%x: f32[s0], %y: f32[s1]) -> f32[s0] {\n"
      "  where s0 = 6, s1 = 6, s1 == s0\n"
      "  %add = add %x, %y  : f32[s0]\n"
      "  return %add\n"
      "}\n";
  auto graph = parse_graph(text);
  REQUIRE(graph);
  CHECK(print(*graph) == text);
  CHECK(same_graph(*graph, *parse_graph(print(*graph))));
  CHECK_FALSE(verify_graph(*graph));
  ShapeEnvironment environment = graph->sizes.environment();
  ShapeEnvironment::Scope scope(environment);
  CHECK(known_equal(SymInt::symbol(0), SymInt::symbol(1)) == true);
}

}  // namespace
}  // namespace glint
