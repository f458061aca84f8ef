// What the grader of the course says: its counts, its hints, and how it tells results apart.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "notebook/notebook.h"
#include "recorded_client.h"

namespace glint::notebook {
namespace {

struct Kernel {
  Notebook notebook{NotebookOptions{}};
  RecordedClient client;

  std::string says(const std::string& code) {
    client = {};
    auto reply = notebook.execute(
        {.code = "import torch\nfrom glint import course, _answers\n" + code}, client);
    REQUIRE_FALSE(reply.raised);
    return client.out;
  }
};

bool holds(const std::string& text, std::string_view part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

TEST_CASE("with gradients a graph is counted once, without its backward", "[notebook]") {
  Kernel kernel;
  const std::string f = "def f(x):\n    return (x * w).sum()\n";
  const std::string asked = "w = torch.ones(3, requires_grad=True)\n" + f;
  CHECK(holds(kernel.says(asked + "course.predict(f, torch.ones(3), nodes=2)"), "right: "));
}

/// Whether each of these answers is right, in a kernel where `x` is `ones(7)`.
void all_right(const std::string& definitions, const std::vector<std::string>& answers) {
  Kernel kernel;
  for (const std::string& answer : answers) {
    INFO(answer);
    const std::string told =
        kernel.says("x = torch.ones(7)\n" + definitions + "course.predict(" + answer + ")");
    CHECK(holds(told, "right: "));
  }
}

TEST_CASE("operations are counted in the graph, whatever its sizes are called", "[notebook]") {
  const std::string f = "def f(x): return torch.relu(x * 2).sum()\n";
  all_right(f, {"f, calls=[(torch.ones(4),), (torch.ones(5),)], nodes=6",
                "torch.compile(f), x, nodes=3", "f, x, entries=1", "lambda x: x, x, nodes=0"});
  all_right(f + "torch._dynamo.mark_dynamic(x, 0)\n", {"f, x, nodes=3", "f, x, kernels=1"});
}

TEST_CASE("an operation in the forward counts where the backward is in the graph", "[notebook]") {
  all_right(
      "w = torch.ones(7, requires_grad=True)\n"
      "def step(x):\n"
      "    loss = (x * w).sum()\n"
      "    loss.backward()\n"
      "    return loss.detach()\n"  // behind `full`, with which the backward begins
      "class Net(torch.nn.Module):\n"
      "    def joint(self, x): return (x * w).sum()\n",
      {"step, x, nodes=4", "step, x, regions=1", "Net().joint, x, nodes=2"});
}

TEST_CASE("each break ends a piece, also one that computes nothing", "[notebook]") {
  std::string many = "def many(x):\n";
  for (int i = 2; i < 14; ++i) many += "    x = x * " + std::to_string(i) + "\n    print()\n";
  all_right(many + "    return x\n",
            {"many, x, regions=13", "many, x, nodes=12", "many, x, entries=1"});
  all_right(
      "def told(x):\n"
      "    print()\n"
      "    y = x * 2\n"
      "    print()\n"
      "    return y\n"
      "def helper(x):\n"
      "    y = x + 1\n"
      "    print()\n"
      "    return y * 2\n"
      "def caller(x): return helper(x) - 1\n",
      {"told, x, regions=3", "told, x, entries=1", "caller, x, regions=3", "caller, x, nodes=3"});
}

TEST_CASE("library calls are no kernels, inner functions are counted", "[notebook]") {
  all_right(
      "def product(x): return torch.relu(x.outer(x) @ x.outer(x)) * 2\n"
      "def outer(x):\n"
      "    def inner(y): return y.sin() * x\n"
      "    return inner(x) + inner(x * 2)\n",
      {"lambda x: x.outer(x) @ x, x, kernels=1", "product, x, kernels=2", "outer, x, nodes=6",
       "outer, x, kernels=1"});
}

TEST_CASE("a constant answer passes no task", "[notebook]") {
  Kernel kernel;
  const std::string f = "def f(x): return (x * 2).sum()\n";
  const std::string asked = ", torch.ones(4), like=f, kernels=1)";
  CHECK(holds(kernel.says(f + "course.task(lambda x: torch.tensor(8.)" + asked),
              "but nothing that it computes was compiled"));
  CHECK(holds(kernel.says(f + "course.task(lambda x: x.sum() * 2" + asked), "done: "));
}

TEST_CASE("the hint for a module names a command that works", "[notebook]") {
  Kernel kernel;
  const std::string wrong = "course.predict(torch.nn.Linear(3, 3), torch.ones(2, 3), nodes=9)\n";
  CHECK(holds(kernel.says(wrong), "`:graph Linear.forward` shows"));
  kernel.says(":graph Linear.forward");
  REQUIRE_FALSE(kernel.client.shown.empty());
  CHECK(holds(kernel.client.shown[0].at("text/plain"), "addmm"));
}

TEST_CASE("functions of one name are not taken for one another", "[notebook]") {
  all_right(
      "first = torch.compile(lambda x: x.cos())\n"
      "@torch._dynamo.disable\n"
      "def apart(x): return first(x)\n"
      "second = lambda x: apart(x) - 1\n",
      {"second, x, entries=1", "first, x, entries=1"});
  Kernel kernel;
  auto told = [&](const std::string& function, int answer) {
    return kernel.says("course.predict(" + function +
                       ", torch.ones(3), nodes=" + std::to_string(answer) + ")");
  };
  const std::string f = "lambda x: x.sin() + 1", g = "lambda x: x.cos() * 2";
  CHECK(holds(told(f, 5), "5 is too many operations"));
  CHECK(holds(told(g, 5), "5 is too many operations"));
  CHECK(holds(told(f, 6), ": 2, not 6"));  // in another cell, but the same function
}

TEST_CASE("a difference is named beside what is infinite or no number", "[notebook]") {
  Kernel kernel;
  auto told = [&](const std::string& mine, const std::string& right) {
    return kernel.says(
        "i, n = float('inf'), float('nan')\nprint(_answers.difference(torch.tensor(" + mine +
        "), torch.tensor(" + right + ")))");
  };
  CHECK(told("[i, -i, n, 1.0]", "[i, -i, n, 1.0]") == "\n");
  CHECK(told("[i, n, 1.0]", "[i, n, 2.0]") == "1 at [2], not 2: the largest difference, 1\n");
  CHECK(told("[1.0, -i]", "[1.0, i]") == "-inf at [1], not inf: the largest difference, inf\n");
  CHECK(told("[1.0, n]", "[1.5, 3.0]") == "nan at [1], not 3: the largest difference, inf\n");
}

}  // namespace
}  // namespace glint::notebook
