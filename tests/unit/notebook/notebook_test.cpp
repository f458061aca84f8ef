#include "notebook/notebook.h"

#include <catch2/catch.hpp>
#include <chrono>

#include "notebook/kernelspec.h"
#include "recorded_client.h"

namespace glint::notebook {
namespace {

using Strings = std::vector<std::string>;

/// Runs cells, numbered from 1.
struct Kernel {
  Notebook notebook{NotebookOptions{}};
  RecordedClient client;
  uint32_t cells = 0;

  ExecuteReply run(const std::string& code) {
    client = {};
    return notebook.execute({.code = code, .number = ++cells}, client);
  }
};

TEST_CASE("Ctrl-C in the call of a command ends the cell", "[notebook]") {
  Kernel kernel;
  REQUIRE_FALSE(kernel
                    .run("import torch\ndef f(stop):\n  if stop: raise KeyboardInterrupt\n"
                         "  print('called')")
                    .raised);
  for (const char* command : {":graph f(True)", ":time f(True)", ":step f(True)",
                              ":profile f(True) /dev/null", ":explain f(True)"}) {
    INFO(command);
    const ExecuteReply reply = kernel.run(std::string(command) + "\nprint('went on')\n");
    REQUIRE(reply.raised);
    CHECK(reply.raised->type == "KeyboardInterrupt");
    CHECK(kernel.client.out.find("went on") == std::string::npos);
  }
  CHECK_FALSE(kernel.run(":graph f(1 / 0)\nprint('went on')\n").raised);
  CHECK(kernel.client.out.ends_with("went on\n"));
}

TEST_CASE("the last expression of a cell is its result", "[notebook]") {
  Kernel kernel;
  CHECK_FALSE(kernel.run("1 + 1\nx = 20\nx * 2").raised);
  REQUIRE(kernel.client.results.size() == 1);
  CHECK(kernel.client.results[0] == Forms{{"text/plain", "40"}});
  for (const char* none : {"x;", "x = 3", "None", "for i in [1]: i", "(x) ; ", ""}) {
    kernel.run(none);
    CHECK(kernel.client.results.empty());
    CHECK(kernel.client.out.empty());
  }
  kernel.run("'ä' ;x");
  CHECK(kernel.client.results.size() == 1);
  kernel.run("'''doc'''");
  CHECK(kernel.client.results[0].at("text/plain") == "'doc'");
}

TEST_CASE("what cells showed has their numbers, and is part of the session", "[notebook]") {
  Kernel kernel;
  kernel.run("x = 5\nx * 2");
  kernel.run("x;");
  kernel.run("_1 + _, Out if False else 0");
  CHECK(kernel.client.results[0].at("text/plain") == "(20, 0)");
  kernel.run("??len");
  CHECK(kernel.client.out.starts_with("len(obj, /)\n"));
  kernel.run(":vars");
  CHECK(kernel.client.shown[0].at("text/html").find("<th") != std::string::npos);
  kernel.run("_3\n:inputs");
  CHECK(kernel.client.out.starts_with("[1]  x = 5\n     x * 2\n[2]  x;\n[3]  _1"));
  kernel.run(":reset\nx");
  CHECK(kernel.client.out == "1 variable is gone, and all that was compiled\n");
}

TEST_CASE("a cell that compiles what is watched shows it", "[notebook]") {
  Kernel kernel;
  kernel.run("import torch\n@torch.compile\ndef f(x): return x * 2");
  kernel.run(":watch f fusion\nf(torch.ones(3));\n:step --passes f");
  REQUIRE(kernel.client.shown.size() == 2);
  CHECK(kernel.client.shown[0].at("text/plain").starts_with("== fusion f\n"));
  CHECK(kernel.client.shown[1].at("text/plain").starts_with("== passes of f\ncapture "));
}

TEST_CASE("output keeps its order, and a flood is put together", "[notebook]") {
  Kernel kernel;
  kernel.run("import sys\nprint('a')\nprint('b', file=sys.stderr)\nprint('c')");
  CHECK(kernel.client.out == "a\nc\n");
  CHECK(kernel.client.error == "b\n");
  kernel.run("for i in range(20000): print('line')");
  CHECK(kernel.client.out.size() == 20000 * 5);
  CHECK(kernel.client.messages < 2000);
}

TEST_CASE("what is printed at once is one message: a front end shows each as a block",
          "[notebook]") {
  Kernel kernel;
  kernel.run("for i in range(50): print(i, end=' ')");
  CHECK(kernel.client.out.ends_with("48 49 "));
  CHECK(kernel.client.messages < 10);  // one, but for a machine that is busy
  kernel.client.messages = 0;
  kernel.run("print(1, flush=True)\nprint(2, flush=True)");
  CHECK(kernel.client.messages == 2);
}

TEST_CASE("what is held back of a flood goes out while the cell takes its time", "[notebook]") {
  Kernel kernel;
  struct Looking final : RecordedClient {
    void write(bool is_error, const std::string& text) override {
      RecordedClient::write(is_error, text);
      arrived = std::chrono::steady_clock::now();
    }
    std::chrono::steady_clock::time_point arrived = {};
  };
  const std::string flood = "import time\nfor i in range(2000): print('line')\n";
  for (const char* wait :
       {"time.sleep(0.6)", "end = time.monotonic() + 0.6\nwhile time.monotonic() < end: pass"}) {
    Looking client;
    kernel.notebook.execute({.code = flood + wait, .number = 1}, client);
    const auto since = std::chrono::steady_clock::now() - client.arrived;
    CHECK(client.out.size() == 2000 * 5);
    CHECK(since > std::chrono::milliseconds(300));
  }
}

TEST_CASE("an exception has its name, its text and a coloured traceback", "[notebook]") {
  Kernel kernel;
  auto reply = kernel.run("def f(x):\n    return 1 / x\n:mode\nf(0)");
  REQUIRE(reply.raised);
  CHECK(reply.raised->type == "ZeroDivisionError");
  CHECK(reply.raised->text == "division by zero");
  std::string all;
  for (const std::string& line : reply.raised->traceback) all += line + "\n";
  CHECK(all.find("File \x1b[32m\"<cell 1>\"\x1b[0m, line \x1b[35m4\x1b[0m, in <module>") !=
        std::string::npos);
  CHECK(all.find("line \x1b[35m2\x1b[0m, in f") != std::string::npos);
  CHECK(all.find("\x1b[1;31mZeroDivisionError\x1b[0m: division by zero") != std::string::npos);
  CHECK(kernel.client.out == "eager\n");
  CHECK(kernel.run("x = (").raised->type == "SyntaxError");
  CHECK(kernel.run("raise ValueError('\\ud800<b>')").raised->text == "\\ud800<b>");
  CHECK(kernel.run("1 / 0\nprint('not reached')").raised);
  CHECK(kernel.client.out.empty());
}

TEST_CASE("a comparison is a table and a picture", "[notebook]") {
  Kernel kernel;
  kernel.run("import torch\ndef f(x): return torch.sin(x)\n:bench f(torch.ones(3))");
  REQUIRE(kernel.client.shown.size() == 1);
  const Forms& forms = kernel.client.shown[0];
  CHECK(forms.at("image/svg+xml").starts_with("<svg "));
  CHECK(forms.at("text/html").find("white-space: pre-wrap") != std::string::npos);
  CHECK(forms.at("text/html").find(">f(torch.ones(3))</div><div ") != std::string::npos);
  CHECK(forms.at("text/plain").find("operations a second, by ") != std::string::npos);
}

TEST_CASE("values show themselves in several forms", "[notebook]") {
  Kernel kernel;
  kernel.run(
      "class Table:\n    def __repr__(self): return 'plain'\n"
      "    def _repr_html_(self): return '<b>rich</b>'\n"
      "    def _repr_svg_(self): return None\n    def _repr_latex_(self): return 1 / 0\n"
      "display(Table(), 2)\nTable()");
  Forms forms = {{"text/plain", "plain"}, {"text/html", "<b>rich</b>"}};
  REQUIRE(kernel.client.shown.size() == 2);
  CHECK(kernel.client.shown[0] == forms);
  CHECK(kernel.client.shown[1] == Forms{{"text/plain", "2"}});
  CHECK(kernel.client.results == std::vector<Forms>{forms});
  kernel.run("Table");
  CHECK(kernel.client.results[0].size() == 1);
  kernel.run("class Data:\n    def _repr_json_(self): return {'a': [1, None]}\nData()");
  CHECK(kernel.client.results[0].at("application/json") == R"({"a": [1, null]})");
}

TEST_CASE("a form of JSON is a text or a value", "[notebook]") {
  Kernel kernel;
  kernel.run(
      "class Given:\n    def __init__(self, form): self.form = form\n"
      "    def __repr__(self): return 'plain'\n    def _repr_json_(self): return self.form\n"
      "display(Given({'a': [1, None]}), Given('[2]'), Given([3]), Given(None), Given(object()))");
  REQUIRE(kernel.client.shown.size() == 5);
  CHECK(kernel.client.shown[0].at("application/json") == R"({"a": [1, null]})");
  CHECK(kernel.client.shown[1].at("application/json") == "[2]");
  CHECK(kernel.client.shown[2].at("application/json") == "[3]");
  CHECK(kernel.client.shown[3] == Forms{{"text/plain", "plain"}});
  CHECK(kernel.client.shown[4] == Forms{{"text/plain", "plain"}});
}

TEST_CASE("commands in cells show text and its twin", "[notebook]") {
  Kernel kernel;
  kernel.run(
      "import torch\n@torch.compile\ndef f(x):\n    return torch.relu(x) < 1\n"
      "y = f(torch.ones(3))\n:graph f\n:graph --table\n:nonsense");
  REQUIRE(kernel.client.shown.size() >= 2);
  const Forms& graph = kernel.client.shown.front();
  CHECK(graph.at("text/plain").starts_with("== graph f\ngraph f(%x: f32[3])"));
  CHECK(graph.at("text/html").find("torch.relu(x) &lt; 1</span></td>") != std::string::npos);
  const Forms& table = kernel.client.shown.back();
  CHECK(table.at("text/plain").find("opcode") != std::string::npos);
  CHECK(table.at("text/html").find("<th") != std::string::npos);
  CHECK(kernel.client.out.starts_with("no command is called `:nonsense`"));
  kernel.run("?torch.relu\nlen?");
  CHECK(kernel.client.out.find("len(obj, /)") != std::string::npos);
}

TEST_CASE("expressions behind a cell", "[notebook]") {
  Kernel kernel;
  auto reply = kernel.notebook.execute(
      {.code = "x = 6", .number = 1, .expressions = {{"a", "x * 7"}, {"b", "y"}, {"c", "x ="}}},
      kernel.client);
  CHECK(reply.expressions.at("a").forms.at("text/plain") == "42");
  CHECK(reply.expressions.at("b").raised->type == "NameError");
  CHECK(reply.expressions.at("c").raised->type == "SyntaxError");
}

TEST_CASE("a silent cell shows nothing, exit() asks to end", "[notebook]") {
  Kernel kernel;
  kernel.notebook.execute({.code = "print(1); display(2)\n3", .number = 1, .silent = true},
                          kernel.client);
  CHECK(kernel.client.out.empty());
  CHECK(kernel.client.shown.empty());
  CHECK(kernel.client.results.empty());
  auto reply = kernel.run("exit()\nprint('not reached')");
  CHECK(reply.exits);
  CHECK_FALSE(reply.raised);
  CHECK(kernel.client.out.empty());
}

TEST_CASE("input() asks the front end", "[notebook]") {
  Kernel kernel;
  kernel.client.typed = "Ada";
  kernel.notebook.execute({.code = "input('Name? ')", .number = 1}, kernel.client);
  CHECK(kernel.client.prompts == Strings{"Name? "});
  CHECK(kernel.client.results[0].at("text/plain") == "'Ada'");
  CHECK(kernel.run("input()").raised->type == "EOFError");
}

TEST_CASE("completion counts characters", "[notebook]") {
  Kernel kernel;
  kernel.run("import torch\nñame = 'a'\n");
  auto reply = kernel.notebook.complete("y = ñame\nñame.upp", 16);
  CHECK(reply.matches == Strings{"upper"});
  CHECK(reply.begin == 14);
  CHECK(reply.end == 17 - 1);
  CHECK(kernel.notebook.complete("x = 1\n:gu", 9).matches == Strings{":guards"});
  CHECK(kernel.notebook.complete("x = 1\n:gu", 9).begin == 6);
  CHECK(kernel.notebook.complete("'torch.rel", 10).matches.empty());
  CHECK(kernel.notebook.complete("", 5).begin == 0);
}

TEST_CASE("inspection finds what the place is about", "[notebook]") {
  Kernel kernel;
  kernel.run("import torch\ndef twice(x):\n    'Doubles.'\n    return 2 * x");
  CHECK(kernel.notebook.inspect("twice(1, ", 9)->at("text/plain").find("Doubles.") !=
        std::string::npos);
  CHECK(kernel.notebook.inspect("torch.relu", 10)->at("text/plain").find("relu") !=
        std::string::npos);
  CHECK(kernel.notebook.inspect(":graph", 3)->at("text/plain").find(":graph") != std::string::npos);
  CHECK_FALSE(kernel.notebook.inspect("nothing_of_the_kind", 4));
  CHECK_FALSE(kernel.notebook.inspect("1 + ", 4));
}

TEST_CASE("whether a cell is complete", "[notebook]") {
  Kernel kernel;
  auto status = [&](const char* code) { return kernel.notebook.is_complete(code).status; };
  for (const char* code : {"1", "x = 1\ny = 2", "def f(x):\n  return x\n\n", ":graph", "?x", ""})
    CHECK(status(code) == "complete");
  for (const char* code :
       {"print('a'", "def f():", "def f():\n    return 1", "'''", "x = 1\nif x:"})
    CHECK(status(code) == "incomplete");
  for (const char* code : {"import = 7q", "x = = 1", "x y\n:graph"})
    CHECK(status(code) == "invalid");
  CHECK(kernel.notebook.is_complete("if x:\n    for i in x:").indent == "        ");
  CHECK(kernel.notebook.is_complete("def f():\n    return 1").indent.empty());
}

TEST_CASE("the kernel's specification", "[notebook]") {
  CHECK(kernelspec_text("/opt/a \"b\"").find(R"("/opt/a \"b\"", "kernel", "run", "-f")") !=
        std::string::npos);
  KernelInstallRequest request;
  request.prefix = "/opt/env";
  CHECK(*kernels_folder(request) == "/opt/env/share/jupyter/kernels");
}

}  // namespace
}  // namespace glint::notebook
