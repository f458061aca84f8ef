// What was typed and shown: numbered outputs, the script of a session, its variables, definitions.

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>

#include "runtime/session/session.h"
#include "runtime/session/typed_entries.h"

namespace glint {
namespace {

/// Keeps what is written.
class Recorded final : public runtime::OutputSink {
 public:
  int write_out(std::string_view text) override {
    out += text;
    return 0;
  }
  int write_error(std::string_view text) override {
    error += text;
    return 0;
  }
  std::string read_line() override { return ""; }

  std::string out, error;
};

struct Prompt {
  Recorded output;
  Session session{{.arguments = {""}, .output = &output}};

  /// What an entry prints.
  std::string enter(const std::string& text) {
    output.out.clear();
    output.error.clear();
    int exit_code = 0;
    session.run_entry(text, exit_code);
    return output.out;
  }
};

TEST_CASE("what was shown has names and numbers", "[session]") {
  Prompt prompt;
  prompt.enter("1");
  prompt.enter("2");
  prompt.enter("None");
  CHECK(prompt.enter("_1, _2, _, __") == "(1, 2, 2, 1)\n");
  CHECK(prompt.enter("___") == "1\n");
  prompt.enter("for i in [7, 8]: i\n");
  CHECK(prompt.enter("_6") == "8\n");
  prompt.enter("_ = 'mine'");
  prompt.enter("3");
  CHECK(prompt.enter("_") == "'mine'\n");
  for (size_t i = 0; i < TypedEntries::kKeptOutputs; ++i) prompt.enter("0");
  prompt.enter("_2");
  CHECK(prompt.output.error.find("NameError: name '_2' is not defined") != std::string::npos);
}

TEST_CASE("a value that is shown is let go when its turn comes, and at a reset", "[session]") {
  Prompt prompt;
  prompt.enter("class Loud:\n    def __del__(self): print('gone')\n");
  prompt.enter("Loud()");
  for (size_t i = 0; i + 1 < TypedEntries::kKeptOutputs; ++i) prompt.enter("0");
  CHECK(prompt.enter("0") == "gone\n0\n");
  prompt.enter("kept = Loud()");
  CHECK(prompt.session.reset() == 2);
  CHECK(prompt.output.out == "gone\n");
  CHECK(prompt.session.variables().empty());
  CHECK(prompt.session.typed().all().empty());
}

TEST_CASE("the script of a session does what its entries did", "[session]") {
  Prompt prompt;
  for (const char* entry : {"x = 20", "x * 2", "1 / 0", "def f(n):\n    return n + 1\n", "x = = 2"})
    prompt.enter(entry);
  CHECK(prompt.session.typed().script() ==
        "x = 20\nx * 2\n# raised ZeroDivisionError:\n# 1 / 0\ndef f(n):\n    return n + 1\n"
        "# raised SyntaxError:\n# x = = 2\n");
  for (const char* entry : {"(f)(_)", "'é'; (x) + _6  # behind", "z = _6, __"}) prompt.enter(entry);
  std::string script = prompt.session.typed().script();
  CHECK(script.find("\n_shown(2, (x * 2))\n") != std::string::npos);
  CHECK(script.find("\n_shown(6, ((f)(_)))\n") != std::string::npos);
  Prompt again;
  CHECK(again.session.run_text("<string>", script + "print(z)\n") == 0);
  CHECK(again.output.out == "(41, 'é')\n");
}

TEST_CASE("the script of a session knows what each statement showed, and whose `_` is",
          "[session]") {
  Prompt prompt;
  for (const char* entry :
       {"for i in range(2):\n    i\n", "seen = [_]", "a = 1; a; a + 1", "seen.append(__)", "5",
        "seen += [_, _5, _3]", "if a:\n    try: 1 / 0\n    except ZeroDivisionError: (7,\n 8)\n",
        "def g():\n    a\n    return _\n", "seen += [g(), _7[1]]", "_ = 3", "11",
        "seen += [_, __, _11]"})
    prompt.enter(entry);
  const std::string kSeen = "[1, 1, 5, 5, 2, (7, 8), 8, 3, (7, 8), 11]\n";
  CHECK(prompt.enter("print(seen)") == kSeen);
  std::string script = prompt.session.typed().script();
  Prompt again;
  CHECK(again.session.run_text("<string>", script) == 0);
  CHECK(again.output.out == kSeen);
  // Nothing of it stays in the way of what is shown from then on, nor of the next script.
  CHECK(again.enter("_") == "3\n");
  CHECK(again.enter("del _; 40") == "40\n");
  CHECK(again.enter("_ + 1, __, _2") == "(41, 3, 40)\n");
  CHECK(again.enter("'_shown' in globals()") == "False\n");
  prompt.enter(script);
  prompt.enter("6 * 7");
  prompt.enter("print(_14 + 1)");
  Prompt third;
  CHECK(third.session.run_text("<string>", prompt.session.typed().script()) == 0);
}

TEST_CASE("variables are rows that run no code of the script's", "[session]") {
  Prompt prompt;
  prompt.enter("import torch");
  prompt.enter("class Loud:\n    def __repr__(self): print('asked')\n");
  prompt.enter("x, loud, long, rows = torch.zeros(2, 3), Loud(), 'ä' * 60, [[1], 2]");
  prompt.enter("nested = [loud]; n = 3");
  std::vector<VariableRow> rows = prompt.session.variables();
  std::vector<std::string> names;
  for (const VariableRow& row : rows) names.push_back(row.name);
  CHECK(names ==
        std::vector<std::string>{"Loud", "long", "loud", "n", "nested", "rows", "torch", "x"});
  auto row = [&](std::string_view name) {
    return *std::ranges::find(rows, name, &VariableRow::name);
  };
  CHECK(row("x").type == "Tensor");
  CHECK(row("x").shape == "[2, 3]");
  CHECK(row("x").dtype == "float32");
  CHECK(row("x").bytes == "24");
  CHECK(row("n").value == "3");
  CHECK(row("long").bytes == "120");
  CHECK(row("long").value.ends_with("ä..."));
  CHECK(row("long").value.size() <= 40);
  CHECK(row("nested").value == "1 item");
  CHECK(row("loud").value.empty());
  CHECK(prompt.output.out.empty());
}

TEST_CASE("a definition's text is found", "[session]") {
  Prompt prompt;
  prompt.enter("import torch");
  prompt.enter("@torch.compile\ndef f(x):\n    if x:\n        return 1\n    return 2\n");
  prompt.enter(
      "class A:\n    class B:\n        n = 1\n\n        def m(self): return 1\n\n    k = 2\n");
  prompt.enter("class Empty: n = 3\n");
  CHECK(prompt.session.source_of("f") ==
        "@torch.compile\ndef f(x):\n    if x:\n        return 1\n    return 2\n");
  CHECK(prompt.session.source_of("A.B") == "class B:\n    n = 1\n\n    def m(self): return 1\n");
  CHECK(prompt.session.source_of("A.B.m") == "def m(self): return 1\n");
  CHECK(prompt.session.source_of("Empty") == "class Empty: n = 3\n");
  CHECK(prompt.session.source_of("nn.Linear")->starts_with("class Linear(Module):\n"));
  CHECK_FALSE(prompt.session.source_of("len"));
  CHECK_FALSE(prompt.session.source_of("nosuch"));
}

TEST_CASE("a script is run beside what is there", "[session]") {
  const std::string file = std::string(GLINT_BINARY_DIR) + "/run_beside.py";
  std::ofstream(file)
      << "import sys\nif __name__ == '__main__':\n    ran = sys.argv[1:], __file__\n"
         "    before += 1\n    sys.exit(len(ran[0]))\n";
  Prompt prompt;
  prompt.enter("before = 1; import sys; was = sys.argv, sys.path");
  CHECK(*prompt.session.run_script(file, {"a", "b c"}) == 2);
  CHECK(prompt.enter("ran[0], before") == "(['a', 'b c'], 2)\n");
  CHECK(prompt.enter("ran[1].endswith('run_beside.py'), was == (sys.argv, sys.path)") ==
        "(True, True)\n");
  CHECK(prompt.enter("'__file__' in globals()") == "False\n");
  std::ofstream(file) << "1 / 0\n";
  CHECK(*prompt.session.run_script(file, {}) == 1);
  CHECK(prompt.output.error.find("ZeroDivisionError") != std::string::npos);
  CHECK_FALSE(prompt.session.run_script(file + ".nosuch", {}));
}

TEST_CASE("arguments that may be named are offered", "[session]") {
  Prompt prompt;
  prompt.enter("import torch");
  prompt.enter("def f(x, /, scale=1, *more, shift=0, **rest): pass\n");
  auto offered = [&](const std::string& text) {
    size_t begin = 0;
    return prompt.session.completions(text, begin);
  };
  using Names = std::vector<std::string>;
  CHECK(offered("f(1, s").front() == "scale=");
  CHECK(std::ranges::count(offered("f(1, sh"), "shift=") == 1);
  CHECK(offered("f((1, ')'), sca") == Names{"scale="});
  CHECK(offered("torch.nn.Linear(3, 4, bia") == Names{"bias="});
  CHECK(offered("[].sort(rev") == Names{"reversed"});  // what stands before it is no name
  CHECK(offered("sorted([], rev") == Names{"reverse=", "reversed"});
  CHECK(offered("f(1)(sca") == Names{});
  CHECK(offered("def f(sca") == Names{});
  CHECK(offered("f[sca") == Names{});
  CHECK(offered("f(1, ") == Names{"scale=", "shift="});
  CHECK(offered("sorted([], re").front() == "reverse=");
}

TEST_CASE("keys of a dict are offered", "[session]") {
  Prompt prompt;
  prompt.enter("settings = {'rate': 1, 'rows': {'first': 2, 3: 4}, 'x': 0}");
  prompt.enter("del settings['x']");
  auto offered = [&](const std::string& text) {
    return prompt.session.keys_beginning(text, text.find_last_of("'\"") + 1);
  };
  using Names = std::vector<std::string>;
  CHECK(offered("settings['r") == Names{"rate", "rows"});
  CHECK(offered("settings['rows'][\"") == Names{"first"});
  // What would have to be written in another way than it is.
  prompt.enter("odd = {\"it's\": 1, 'items': 2, 'it\\n': 3}");
  CHECK(offered("odd['it") == Names{"items"});
  CHECK(offered("settings.get('r") == Names{});
  CHECK(offered("nosuch['r") == Names{});
  CHECK(offered("[0]['r") == Names{});
}

}  // namespace
}  // namespace glint
