// Golden tests of the passes: each file of tests/golden/passes is a list of passes, a graph, and
// what the passes make of it.
//
//     # simplify: multiply by one
//     passes: simplify, dead_code
//     graph f(%x: f32[8]) -> f32[8] { ... }
//     ----
//     graph f(%x: f32[8]) -> f32[8] { ... }
//
// `show: fusion` adds the decisions. `partition: 1, 2` cuts what the passes leave, with 1 output
// and 2 tangents, and shows why. `updates: 1, 0`: output 1 is the new value of input 0;
// `updates: 1, 0, void`: whose old value is not needed once something failed.
// GLINT_RECORD=1 writes what comes out into the files.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "passes/partition.h"
#include "passes/pipeline.h"
#include "passes/render.h"

using namespace glint;
using namespace glint::passes;

namespace {

struct Golden {
  std::string header;  ///< comments, `passes:` and `show:` lines
  std::vector<std::string> passes;
  std::string show;
  std::vector<std::string> shape;  ///< of a joint graph: outputs, tangents
  std::vector<Update> updates;
  std::string input;
  std::string expected;
};

std::vector<std::string> split_names(std::string_view list) {
  std::vector<std::string> names;
  std::string name;
  for (char c : list) {
    if (c == ',' || c == ' ') {
      if (!name.empty()) names.push_back(std::move(name));
      name.clear();
    } else {
      name += c;
    }
  }
  if (!name.empty()) names.push_back(std::move(name));
  return names;
}

Golden read_golden(const std::filesystem::path& path) {
  std::ifstream file(path);
  Golden golden;
  std::string line;
  std::string* part = &golden.header;
  while (std::getline(file, line)) {
    if (part == &golden.header && line.starts_with("graph ")) part = &golden.input;
    if (part == &golden.input && line == "----") {
      part = &golden.expected;
      continue;
    }
    if (part == &golden.header && line.starts_with("passes:"))
      golden.passes = split_names(line.substr(7));
    if (part == &golden.header && line.starts_with("show:"))
      golden.show = split_names(line.substr(5))[0];
    if (part == &golden.header && line.starts_with("partition:"))
      golden.shape = split_names(line.substr(10));
    if (part == &golden.header && line.starts_with("updates:")) {
      std::vector<std::string> words = split_names(line.substr(8));
      golden.updates.push_back({uint32_t(std::stoul(words[0])), uint32_t(std::stoul(words[1])),
                                words.size() > 2 && words[2] == "void"});
    }
    *part += line + "\n";
  }
  return golden;
}

std::string join(const std::vector<StageLine>& lines) {
  std::string text;
  for (const StageLine& line : lines) text += line.text + "\n";
  return text;
}

/// Without the line of each rule's birthplace, which moves with every edit.
std::string without_lines(const std::string& rules) {
  return std::regex_replace(rules, std::regex(R"((\.cpp):\d+)"), "$1");
}

std::string parts_text(const Graph& joint, const std::vector<std::string>& shape) {
  auto number = [](const std::string& text) { return static_cast<uint32_t>(std::stoul(text)); };
  auto cut = partition(joint, {number(shape[0]), number(shape[1])});
  if (!cut.ok()) return "error: " + cut.error().message + "\n";
  return print(cut->forward) + "\n" + print(cut->backward) + "\n" +
         join(partition_lines(joint, *cut));
}

std::string run(const Golden& golden) {
  auto graph = parse_graph(golden.input);
  if (!graph.ok()) return "error: " + graph.error().message + "\n";
  CHECK(same_graph(*graph, *parse_graph(print(*graph))));
  std::vector<std::string> names = golden.passes;
  if (names == std::vector<std::string>{"all"}) {
    names.clear();
    for (const Pass& pass : pass_table()) names.emplace_back(pass.name);
  }
  PassLog log;
  auto state = run_passes(*graph, names, log, golden.updates);
  if (!state.ok()) return "error: " + state.error().message + "\n";
  std::string text;
  if (golden.show == "fusion") text += join(fusion_lines(log));
  if (golden.show == "rules") text += without_lines(join(rule_lines(log)));
  if (golden.show == "memory")
    text +=
        join(memory_lines(state->schedule)) + join(kept_lines(*log.fused_graph, state->schedule));
  if (golden.show == "table") text += join(table_lines(state->graph));
  if (golden.show == "dot") text += graph_dot(state->graph);
  if (golden.show == "passes") text += join(pass_lines(log, {.times = false}));
  if (golden.show == "diff") text += join(diff_lines(log, golden.passes.front()));
  if (!golden.show.empty() && golden.show != "rules") return text;
  if (!golden.shape.empty()) return parts_text(state->graph, golden.shape);
  const Pass* last = find_pass(names.back());
  if (last->kind == PassKind::kSchedule) {
    std::string schedule = print(state->schedule);
    auto again = parse_schedule(schedule);
    REQUIRE(again.ok());
    CHECK(same_schedule(state->schedule, *again));
    return text + schedule;
  }
  CHECK(same_graph(state->graph, *parse_graph(print(state->graph))));
  return text + print(state->graph);
}

}  // namespace

TEST_CASE("golden tests of the passes") {
  const char* record = std::getenv("GLINT_RECORD");
  std::filesystem::path folder = std::filesystem::path(GLINT_SOURCE_DIR) / "tests/golden/passes";
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".txt") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  REQUIRE_FALSE(paths.empty());
  for (const auto& path : paths) {
    INFO("tests/golden/passes/" << path.filename().string()
                                << "   (record again: GLINT_RECORD=1 test_passes golden*)");
    Golden golden = read_golden(path);
    std::string found = run(golden);
    if (record && *record == '1') {
      std::ofstream(path) << golden.header << golden.input << "----\n" << found;
    } else {
      CHECK(found == golden.expected);
    }
  }
}
