// The report's document: lines of all stages tied together by keys, in both directions.
#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "repl/report/build_document.h"
#include "repl/report/page.h"
#include "runtime/session/session.h"

namespace glint::report {
namespace {

Document document_of(Session& session, const std::string& function = "") {
  return build_document(
      {.log = session.log(),
       .sources = session.sources(),
       .is_library =
           [&](SourceId source) { return session.sources().name(source).starts_with("library/"); },
       .title = "test",
       .whose = function});
}

/// All keys that a key came from, itself too.
std::set<KeyId> upwards(const Document& document, KeyId start) {
  std::set<KeyId> seen = {start};
  std::vector<KeyId> left = {start};
  while (!left.empty()) {
    const KeyId at = left.back();
    left.pop_back();
    for (KeyId from : document.keys[at].from)
      if (seen.insert(from).second) left.push_back(from);
  }
  return seen;
}

const Panel& panel_of(const Document& document, Stage stage, uint32_t region = 0) {
  auto found = std::ranges::find_if(document.panels, [&](const Panel& panel) {
    return panel.stage == stage && (panel.region == region || panel.region == kNone);
  });
  REQUIRE(found != document.panels.end());
  return *found;
}

const Line& line_with(const Panel& panel, std::string_view text) {
  auto found = std::ranges::find_if(
      panel.lines, [&](const Line& line) { return line.text.find(text) != std::string::npos; });
  INFO(text);
  REQUIRE(found != panel.lines.end());
  return *found;
}

/// Whether what a line is about came, over any number of steps, from what the other is about.
bool came_from(const Document& document, const Line& line, const Line& origin) {
  return std::ranges::any_of(line.about, [&](KeyId key) {
    const std::set<KeyId> all = upwards(document, key);
    return std::ranges::any_of(origin.about, [&](KeyId each) { return all.contains(each); });
  });
}

void run(Session& session, const std::string& text) {
  REQUIRE(session.run_text("test.py", text) == 0);
}

constexpr std::string_view kProduct =
    "import torch\n"
    "@torch.compile\n"
    "def f(x, y):\n"
    "    return torch.relu(x * y).sum(dim=1)\n"
    "f(torch.ones(4, 8), torch.ones(4, 8))\n";

TEST_CASE("a line of machine code leads to its statement, its node and its place") {
  Session session({});
  run(session, std::string(kProduct));
  const Document document = document_of(session);
  const Line& node = line_with(panel_of(document, Stage::kGraph), "%mul");
  const Line& statement = line_with(panel_of(document, Stage::kKernels), "multiply a, b");
  const Line& tree = line_with(panel_of(document, Stage::kAst), "Binary multiply");
  auto function = std::ranges::find_if(document.panels, [](const Panel& panel) {
    return panel.stage == Stage::kProgram && panel.title == "f";
  });
  REQUIRE(function != document.panels.end());
  const Line& code = line_with(*function, "multiply x, y");
  CHECK(document.keys[node.about.at(0)].name == "%mul");
  CHECK(document.keys[statement.about.at(0)].kind == KeyKind::kStatement);
  CHECK(tree.about == code.about);
  CHECK(came_from(document, statement, node));
  CHECK(came_from(document, node, tree));
  CHECK_FALSE(came_from(document, node, statement));
  for (Stage stage : {Stage::kLlvm, Stage::kAssembly, Stage::kCuda, Stage::kPtx}) {
    const Panel& panel = panel_of(document, stage);
    if (stage == Stage::kPtx && panel.lines.size() < 10) continue;  // there is no NVRTC here
    const auto made = std::ranges::count_if(
        panel.lines, [&](const Line& line) { return came_from(document, line, statement); });
    CHECK(made > 0);
    CHECK(made < static_cast<long>(panel.lines.size()));
    for (const Line& line : panel.lines)
      if (came_from(document, line, statement)) CHECK(came_from(document, line, tree));
  }
}

TEST_CASE("what a pass made of a node comes from that node") {
  Session session({});
  run(session,
      "import torch\n"
      "@torch.compile\n"
      "def f(x):\n"
      "    return torch.softmax(x, -1) + 1\n"
      "f(torch.ones(4, 8))\n");
  const Document document = document_of(session);
  const Line& softmax = line_with(panel_of(document, Stage::kGraph), "%softmax");
  const Line& exponential = line_with(panel_of(document, Stage::kKernels), "= exp ");
  CHECK(came_from(document, exponential, softmax));
  const Panel& passes = panel_of(document, Stage::kPasses);
  auto decompose = std::ranges::find(passes.passes, "decompose", &PassChange::name);
  REQUIRE(decompose != passes.passes.end());
  CHECK(decompose->changed);
  auto added = std::ranges::find_if(decompose->lines, [](const Line& line) {
    return line.mark == '+' && line.text.find("= exp ") != std::string::npos;
  });
  REQUIRE(added != decompose->lines.end());
  CHECK(came_from(document, *added, softmax));
}

TEST_CASE("a statement before a pass over kernels is tied to what it became") {
  Session session({});
  run(session,
      "import torch\n"
      "@torch.compile\n"
      "def f(x, y):\n"
      "    return torch.relu(x * y) + 1\n"
      "f(torch.ones(4, 8), torch.ones(4, 8))\n");
  const Document document = document_of(session);
  const Panel& passes = panel_of(document, Stage::kPasses);
  auto collapse = std::ranges::find(passes.passes, "collapse_axes", &PassChange::name);
  REQUIRE(collapse != passes.passes.end());
  auto line = [&](char mark, std::string_view text) {
    auto found = std::ranges::find_if(collapse->lines, [&](const Line& each) {
      return each.mark == mark && each.text.find(text) != std::string::npos;
    });
    INFO(mark << text);
    REQUIRE(found != collapse->lines.end());
    return found->about;
  };
  const Panel& kernels = panel_of(document, Stage::kKernels);
  CHECK(line('-', "b = load") == line_with(kernels, "b = load").about);
  CHECK(line('+', "b = load") == line_with(kernels, "b = load").about);
  CHECK(line('-', "parallel i ") == line_with(kernels, "parallel i ").about);
  CHECK(line('-', "parallel j ").empty());  // one loop is left of two
  CHECK(line(' ', "multiply a, b") == line_with(kernels, "multiply a, b").about);
}

TEST_CASE("a fusion decision is about its two nodes, a launch about its kernel") {
  Session session({});
  run(session, std::string(kProduct));
  const Document document = document_of(session);
  const Line& decision = line_with(panel_of(document, Stage::kFusion), "multiply + ");
  REQUIRE(decision.about.size() == 2);
  CHECK(document.keys[decision.about[0]].name == "%mul");
  const Panel& kernels = panel_of(document, Stage::kKernels);
  CHECK(line_with(kernels, "launch ").about == line_with(kernels, "kernel ").about);
  CHECK(line_with(panel_of(document, Stage::kMemory), "%sum").about ==
        line_with(panel_of(document, Stage::kGraph), "%sum ").about);
}

TEST_CASE("the drawing has the edges of the graph, and says which kernel each node became") {
  Session session({});
  run(session, std::string(kProduct));
  const Document document = document_of(session);
  const Panel& panel = panel_of(document, Stage::kGraph);
  REQUIRE(panel.drawings.size() == 2);
  const Drawing& drawing = panel.drawings[0];
  auto place = [&](std::string_view name) {
    auto found = std::ranges::find(drawing.nodes, name, &DrawnNode::name);
    return static_cast<uint32_t>(found - drawing.nodes.begin());
  };
  auto edge = std::ranges::find_if(drawing.edges, [&](const DrawnEdge& each) {
    return each.from == place("%mul") && each.to == place("%relu");
  });
  REQUIRE(edge != drawing.edges.end());
  CHECK(edge->type == "f32[4, 8]");
  REQUIRE(drawing.groups.size() == 1);
  CHECK(drawing.nodes[place("%mul")].group == 0);
  CHECK(drawing.nodes[place("%x")].group == kNone);
  CHECK(drawing.nodes.back().name == "return");
  const MemoryPlan& memory = panel_of(document, Stage::kMemory).memory;
  REQUIRE(memory.slots.size() == 1);
  CHECK(memory.slots[0].tenants.at(0).name == "%sum");
  CHECK(memory.slots[0].tenants[0].leaves);
}

/// By node of a region's drawing, in which module it was called.
std::map<std::string, std::string> modules_of(const Document& document, uint32_t region,
                                              size_t drawing) {
  std::map<std::string, std::string> modules;
  for (const DrawnNode& node : panel_of(document, Stage::kGraph, region).drawings.at(drawing).nodes)
    modules[node.name] = node.module;
  return modules;
}

constexpr std::string_view kNetwork =
    "import torch\n"
    "from torch import nn\n"
    "class Block(nn.Module):\n"
    "    def __init__(self):\n"
    "        super().__init__()\n"
    "        self.layers = nn.ModuleList([nn.Sequential(nn.Linear(4, 4), nn.Tanh())])\n"
    "    def forward(self, x):\n"
    "        return x + self.layers[0](x)\n";

TEST_CASE("a node knows the module that it was called in, through the passes and the backward") {
  Session session({});
  run(session,
      std::string(kNetwork) + "torch.compile(Block())(torch.ones(2, 4)).sum().backward()\n");
  const Document document = document_of(session);
  REQUIRE(document.regions.size() == 3);
  CHECK(document.regions[0].title.ends_with(".joint"));
  auto captured = modules_of(document, 1, 1);
  CHECK(captured.at("%x").empty());
  CHECK(captured.at("%addmm") == "Block.layers.0.0");
  CHECK(captured.at("%tanh") == "Block.layers.0.1");
  CHECK(captured.at("%add") == "Block");
  CHECK(std::ranges::count_if(captured, [](const auto& each) {  // the weight and the bias
          return each.first.find("layers") != std::string::npos &&
                 each.second == "Block.layers.0.0";
        }) == 2);
  for (uint32_t region : {1u, 2u})
    for (const DrawnNode& node : panel_of(document, Stage::kGraph, region).drawings[0].nodes)
      if (!node.target.empty()) {
        INFO(node.name);
        CHECK(node.module.starts_with("Block"));
      }
}

TEST_CASE("modules that nobody owns, that are compiled twice, or that are called by a function") {
  Session session({});
  run(session, std::string(kNetwork) +
                   "spare = nn.ReLU()\n"
                   "class Caller(nn.Module):\n"
                   "    def forward(self, x):\n"
                   "        return spare(x)\n"
                   "one, two = nn.Tanh(), nn.Tanh()\n"
                   "@torch.compile\n"
                   "def f(x):\n"
                   "    return two(one(Caller()(x) * 2))\n"
                   "f(torch.ones(3))\n");
  auto captured = modules_of(document_of(session), 0, 1);
  CHECK(captured.at("%relu") == "Caller.ReLU");
  CHECK(captured.at("%mul").empty());
  CHECK(captured.at("%tanh") == "Tanh");
  CHECK(captured.at("%tanh_1") == "Tanh_1");
}

TEST_CASE("entries of one place are regions of one place") {
  Session session({});
  run(session, std::string(kProduct) + "f(torch.ones(6, 8), torch.ones(6, 8))\n");
  const Document document = document_of(session);
  REQUIRE(document.regions.size() == 2);
  CHECK(document.regions[0].place == document.regions[1].place);
  CHECK(document.regions[1].title == "f, entry 2");
  const Line& first = line_with(panel_of(document, Stage::kGraph, 0), "%mul");
  const Line& second = line_with(panel_of(document, Stage::kGraph, 1), "%mul");
  CHECK(first.about != second.about);
  CHECK(document.keys[first.about[0]].from == document.keys[second.about[0]].from);
}

TEST_CASE("only the compiles of one function, where one is named") {
  Session session({});
  run(session, std::string(kProduct) +
                   "@torch.compile\n"
                   "def g(x):\n"
                   "    return x + 1\n"
                   "g(torch.ones(3))\n");
  CHECK(document_of(session).regions.size() == 2);
  const Document document = document_of(session, "g");
  REQUIRE(document.regions.size() == 1);
  CHECK(document.regions[0].function == "g");
}

TEST_CASE("spans are nested, and their columns count as a page's strings do") {
  Session session({});
  run(session, "s = 'ü😀'; t = 1 + 2\n");
  const Document document = document_of(session);
  auto find = [&](uint32_t begin, uint32_t end) {
    auto found = std::ranges::find_if(document.keys, [&](const Key& key) {
      return key.kind == KeyKind::kSpan && key.span.line == 1 && key.span.column == begin &&
             key.span.end_column == end;
    });
    REQUIRE(found != document.keys.end());
    return static_cast<KeyId>(found - document.keys.begin());
  };
  const KeyId sum = find(15, 20);  // in bytes it begins at 18
  const KeyId one = find(15, 16);
  CHECK(document.keys[one].within == sum);
  CHECK(document.keys[sum].within == find(11, 20));
}

TEST_CASE("a script that fails shows where, and the stages before") {
  Session session({});
  CHECK(session.run_text("test.py", std::string(kProduct) + "f(torch.ones(2), 1)[7]\n") == 1);
  const std::string page = session.report_page();
  CHECK(page.find("IndexError") != std::string::npos);
  CHECK(page.find("%mul  = multiply %x, %y") != std::string::npos);
}

TEST_CASE("a script that does not parse is shown with its fault") {
  Session session({});
  CHECK(session.run_text("test.py", "def f(:\n  pass\n") == 1);
  const std::string page = session.report_page();
  CHECK(page.find("SyntaxError") != std::string::npos);
  CHECK(page.find("def f(:") != std::string::npos);
  CHECK(page.find("\"tokens\"") != std::string::npos);  // so far it came
}

TEST_CASE("glint.report calls a function and writes the page of its compiles") {
  const std::string file = std::string(GLINT_BINARY_DIR) + "/report_test.html";
  Session session({});
  run(session,
      "import glint, torch\n"
      "def f(x):\n"
      "    return x * 2\n"
      "def g(x):\n"
      "    return x + 1\n"
      "torch.compile(g)(torch.ones(3))\n"
      "y = glint.report(f, torch.ones(3), '" +
          file +
          "')\n"
          "assert y.sum() == 6\n"
          "try:\n"
          "    glint.report(f, torch.ones(3))\n"
          "    assert False\n"
          "except TypeError:\n"
          "    pass\n");
  std::ifstream in(file);
  const std::string page((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  CHECK(page.find("graph f(%x: f32[3])") != std::string::npos);
  CHECK(page.find("graph g(") == std::string::npos);
}

TEST_CASE("what a script holds ends no element of the page") {
  Session session({});
  run(session,
      "hostile = '</script><script>alert(1)</script><!-- & \\u2028'\n"
      "other = \"<img src=x onerror=alert(1)>\"\n");
  const std::string page = session.report_page();
  size_t ends = 0;
  for (size_t at = page.find("</script"); at != std::string::npos;
       at = page.find("</script", at + 1))
    ++ends;
  CHECK(ends == 2);  // of the document, and of the page's own
  CHECK(page.find("<img") == std::string::npos);
  CHECK(page.find("\\u003c/script\\u003e") != std::string::npos);
}

}  // namespace
}  // namespace glint::report
