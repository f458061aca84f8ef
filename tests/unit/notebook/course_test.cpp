// What the grader of the course says: its counts, its hints, and how it tells results apart.
#include <catch2/catch.hpp>

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

TEST_CASE("the hint for a module names a command that works", "[notebook]") {
  Kernel kernel;
  const std::string wrong = "course.predict(torch.nn.Linear(3, 3), torch.ones(2, 3), nodes=9)\n";
  CHECK(holds(kernel.says(wrong), "`:graph Linear.forward` shows"));
  kernel.says(":graph Linear.forward");
  REQUIRE_FALSE(kernel.client.shown.empty());
  CHECK(holds(kernel.client.shown[0].at("text/plain"), "addmm"));
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
