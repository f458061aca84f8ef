// `:diverge`'s `eager` row: the script's own code for a region, wherever the region begins and ends
// and wherever its outputs lie, run once more without leaving a trace.
#include <catch2/catch.hpp>

#include "core/tensor/allocator.h"
#include "runtime/capture/runner.h"
#include "runtime/session/diverge.h"
#include "runtime/session/parts.h"
#include "runtime/session/session.h"

namespace glint {
namespace {

using Kind = StageVerdict::Kind;

/// A session in which entries have been typed, and its regions' last runs.
class Typed {
 public:
  explicit Typed(const std::vector<std::string>& entries) : parts_(SessionOptions()) {
    parts_.runner.keep_inputs(true);
    parts_.set_search_folders("");
    run("import torch\n");
    for (const std::string& entry : entries) run(entry);
  }

  void run(const std::string& entry) {
    INFO(entry);
    REQUIRE(parts_.run(parts_.sources.add("<test>", entry)) == 0);
  }
  std::vector<capture::KeptRun> runs(const std::string& function) {
    return parts_.runner.kept_runs(function);
  }
  std::vector<StageVerdict> verdicts(const capture::KeptRun& run) {
    WithoutSideWork quiet(parts_);
    return compare_stages(stages_of(run, parts_.interpreter), tolerance_of(*run.graph),
                          run.on.generator);
  }
  /// Of all regions of the function: how many there are of which the script's code is the
  /// reference, and every stage agrees with it.
  size_t agreeing(const std::string& function) {
    size_t count = 0;
    for (const capture::KeptRun& run : runs(function)) {
      std::vector<StageVerdict> all = verdicts(run);
      INFO(divergence_text(run.title, all));
      CHECK(all[0].name == "eager");
      CHECK(all[0].kind == Kind::kReference);
      for (size_t i = 1; i < all.size(); ++i) CHECK(all[i].kind == Kind::kAgrees);
      ++count;
    }
    return count;
  }
  /// With `operation` in place of one operator of each captured graph that has it: the graph must
  /// be the stage that is named, since the script's code says otherwise.
  void check_planted(const std::string& function, const std::string& operation,
                     const std::string& wrong) {
    size_t planted = 0;
    for (capture::KeptRun& run : runs(function)) {
      std::string text = print(*run.graph);
      size_t at = text.find("= " + operation + " ");
      if (at == std::string::npos) continue;
      INFO(text);
      Result<Graph> graph = parse_graph(text.replace(at + 2, operation.size(), wrong));
      REQUIRE(graph);
      run.graph = std::make_shared<const Graph>(std::move(*graph));
      std::vector<StageVerdict> all = verdicts(run);
      CHECK(all[0].kind == Kind::kReference);
      CHECK(all[1].name == "graph");
      CHECK(all[1].kind == Kind::kDiffers);
      ++planted;
    }
    CHECK(planted > 0);
  }
  /// Asserts a condition in the script's module.
  void check(const std::string& condition) { run("assert " + condition + "\n"); }

 private:
  Session::Parts parts_;
};

// ---- Where a region begins and ends ----------------------------------------------------------

TEST_CASE("diverge, eager: a region that begins inside a loop") {
  for (const char* iterable :
       {"range(3)", "[0, 1, 2]", "(0, 1, 2)", "{0: 'a', 1: 'b', 2: 'c'}", "iter('abc')",
        "iter(b'abc')", "enumerate(range(3))", "zip([0, 1, 2], range(3))", "map(abs, [0, 1, 2])",
        "reversed([0, 1, 2])", "(i for i in range(3))", "iter({1, 2, 3})"}) {
    INFO(iterable);
    Typed typed({"def items(): return " + std::string(iterable) + "\n",
                 "@torch.compile\ndef f(x, each):\n  for i in each:\n    str(x.sum().item())\n"
                 "    x = x * 2 + 1\n  return x - 1\n",
                 "result = f(torch.ones(3), items())\n"});
    CHECK(typed.agreeing("f") >= 2);
    typed.check_planted("f", "multiply", "add");
    typed.check("torch.equal(result, torch.ones(3) * 15 - 1)");
  }
}

TEST_CASE("diverge, eager: the iterator of a loop that goes on is not advanced") {
  Typed typed(
      {"@torch.compile\ndef f(x, each):\n  for i in each:\n    str(x.sum().item())\n"
       "    x = x * 2\n    if i == 1:\n      break\n  return x\n",
       "each = iter([0, 1, 2, 3])\nresult = f(torch.ones(3), each)\n"});
  CHECK(typed.agreeing("f") >= 1);
  typed.check("list(each) == [2, 3]");
}

TEST_CASE("diverge, eager: a pass of an instruction in a loop is told from the others") {
  // The region ends at the same instruction each time round; no number tells the rounds apart.
  Typed typed(
      {"@torch.compile\ndef f(x, each):\n  for word in each:\n    x = x * 2\n"
       "    if word == 'stop': print(end='')\n  return x\n",
       "result = f(torch.ones(3), ['a', 'b', 'stop', 'c'])\n"});
  CHECK(typed.agreeing("f") == 2);
}

TEST_CASE("diverge, eager: a region that ends inside functions that it calls") {
  Typed typed({"def inner(v, by):\n  w = v * by\n  str(w.sum().item())\n  return w + 1\n",
               "def outer(v):\n  u = v + 1\n  return inner(u, 3) * u\n",
               "@torch.compile\ndef f(x):\n  y = x * 2\n  return outer(y) + y\n",
               "result = f(torch.ones(3))\n"});
  auto runs = typed.runs("f");
  REQUIRE(runs.size() == 2);  // the second begins behind the call
  CHECK(runs[0].script->frames.size() == 3);
  CHECK(typed.agreeing("f") == 2);
  typed.check_planted("f", "multiply", "add");
  CHECK(typed.agreeing("inner") == 1);  // the region that goes on there
}

TEST_CASE("diverge, eager: the end inside a recursion is that of the right depth") {
  Typed typed(
      {"def down(v, n):\n  v = v * 2\n  if n == 0:\n    str(v.sum().item())\n    return v\n"
       "  return down(v, n - 1) + v\n",
       "@torch.compile\ndef f(x): return down(x, 3)\n", "result = f(torch.ones(3))\n"});
  auto runs = typed.runs("f");
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].script->frames.size() == 5);
  CHECK(typed.agreeing("f") == 1);
}

TEST_CASE("diverge, eager: compiled functions, methods and generators in a region are part of it") {
  Typed typed(
      {"class Scale:\n  def __init__(self, by): self.by = by\n"
       "  def __call__(self, v): return v * self.by\n",
       "@torch.compile\ndef inner(v): return Scale(3)(v) + 1\n",
       "@torch.compile\ndef f(x):\n  total = x * 1\n"
       "  for part in (inner(x) * k for k in (1, 2)): total = total + part\n"
       "  str(total.sum().item())\n  return total - 1\n",
       "result = f(torch.ones(3))\n"});
  CHECK(typed.agreeing("f") == 2);
}

// ---- Variables that are shared with inner functions ------------------------------------------

constexpr const char* kShared =
    "@torch.compile\ndef f(x):\n  y = x + 1\n  def scaled(k): return y * k\n"
    "  str(y.sum().item())\n  z = scaled(2) + y\n  y = y - 100\n  return z\n";

TEST_CASE("diverge, eager: cells are as they were at entry, and afterwards as they are") {
  Typed typed({kShared, "result = f(torch.ones(3))\n"});
  CHECK(typed.agreeing("f") == 2);
  typed.check("torch.equal(result, torch.full((3,), 6.))");
  // Those of an outer function, written since.
  typed.run(
      "def make():\n  base = torch.ones(3)\n  @torch.compile\n"
      "  def shifted(x): return x * 2 + base\n"
      "  def move():\n    nonlocal base\n    base = base + 10\n"
      "  return shifted, move, lambda: base\n");
  typed.run("shifted, move, base = make()\nshifted(torch.ones(3)); move()\n");
  CHECK(typed.agreeing("shifted") == 1);
  typed.check_planted("shifted", "multiply", "add");
  typed.check("torch.equal(base(), torch.full((3,), 11.))");
}

TEST_CASE("diverge, eager: cells are put back behind an exception too") {
  Typed typed(
      {"def make():\n  n = 1\n  @torch.compile\n"
       "  def indexed(x, i): return (x * 2)[i] + n\n"
       "  def move():\n    nonlocal n\n    n = 50\n  return indexed, move, lambda: n\n",
       "indexed, move, number = make()\n"
       "i = torch.tensor([0, 1])\nindexed(torch.ones(3), i); move(); i += 40\n"});
  auto runs = typed.runs("indexed");
  REQUIRE(runs.size() == 1);
  std::vector<StageVerdict> all = typed.verdicts(runs[0]);
  CHECK(all[0].kind == Kind::kFailed);
  CHECK(all[0].detail.find("IndexError") != std::string::npos);
  typed.check("number() == 50");
}

// ---- Where outputs lie -----------------------------------------------------------------------

TEST_CASE("diverge, eager: outputs in objects of every kind") {
  for (const char* made :
       {"[y, [y + 1]]", "(y, (y + 1,))", "{'a': y, 'b': {'c': y + 1}}", "Pair(y, [y + 1])",
        "slice(y, y + 1)", "Pair(y, None).both", "y.relu", "lambda v, w=y: w * y",
        "iter([y, y + 1])", "iter((y, y + 1))", "[Pair({'k': (y,)}, slice(None, y))]"}) {
    INFO(made);
    std::string function = std::string("@torch.compile\ndef f(x):\n  y = x * 2\n  made = ") + made +
                           "\n  str(x.sum().item())\n  return made\n";
    Typed typed(
        {"class Pair:\n  def __init__(self, a, b): self.a, self.b = a, b\n"
         "  def both(self): return self.a\n",
         function, "made = f(torch.ones(3))\n"});
    REQUIRE(typed.runs("f").size() >= 1);
    CHECK(typed.agreeing("f") >= 1);
    typed.check_planted("f", "multiply", "add");
  }
}

TEST_CASE("diverge, eager: outputs in variables that inner functions share, of a callee too") {
  Typed typed(
      {"def inner(v):\n  w = v * 2\n  def use(): return w + 1\n"
       "  str(v.sum().item())\n  return use()\n",
       "@torch.compile\ndef f(x):\n  y = x * 3\n  def use(): return y + 1\n"
       "  return inner(x) + use()\n",
       "result = f(torch.ones(3))\n"});
  CHECK(typed.agreeing("f") == 2);
  CHECK(typed.agreeing("inner") == 1);
  typed.check_planted("f", "multiply", "add");
}

TEST_CASE("diverge, eager: an output in a variable of an inner function that is not made yet") {
  Typed typed(
      {"@torch.compile\ndef f(x):\n  y = x * 3\n  str(x.sum().item())\n"
       "  def use(): return y + 1\n  return use()\n",
       "result = f(torch.ones(3))\n"});
  CHECK(typed.agreeing("f") == 2);
  typed.check_planted("f", "multiply", "add");
}

TEST_CASE("diverge, eager: draws and checks whose results the script drops") {
  Typed typed({"@torch.compile\ndef f():\n  torch.rand(3)\n  return 1\n", "f()\n",
               "@torch.compile\ndef g(x, i):\n  x[i]\n  x.fill_(0)\n  return 1\n",
               "g(torch.ones(3), torch.tensor([1]))\n"});
  CHECK(typed.agreeing("f") == 1);
  CHECK(typed.agreeing("g") == 1);
}

// ---- Nothing is left behind ------------------------------------------------------------------

TEST_CASE("diverge, eager: what the script writes outside is not written again") {
  Typed typed({"log = []\nclass Holder: pass\nholder = Holder()\nholder.last = None\ntotal = 0\n",
               "def note(v):\n  global total\n  u = v * 2\n  log.append(u)\n  holder.last = u\n"
               "  total += 1\n  return u + 1\n",
               "@torch.compile\ndef f(x, each):\n  for i in each:\n    x = note(x) * 3\n"
               "  return x\n",
               "result = f(torch.ones(3), range(2))\nlast = holder.last\n"});
  CHECK(typed.agreeing("f") == 1);
  typed.check("len(log) == 2 and total == 2 and holder.last is last");
  typed.run("result = f(torch.ones(3), range(2))\nlast = holder.last\n");
  CHECK(typed.agreeing("f") == 1);
  typed.check("len(log) == 4 and total == 4 and holder.last is last");
}

TEST_CASE("diverge, eager: floats from outside are those of the last run") {
  Typed typed({"lr = 0.5\n@torch.compile\ndef f(x): return x * (lr * 2) - lr\n",
               "f(torch.ones(3))\nlr = 0.25\nf(torch.ones(3))\n"});
  CHECK(typed.agreeing("f") == 1);
  typed.check_planted("f", "multiply", "add");
  typed.run("lr = 0.125\n");
  CHECK(typed.verdicts(typed.runs("f").at(0))[0].detail == "`lr` has changed since it ran");
}

TEST_CASE("diverge, eager: not run where what the region reads has changed since") {
  Typed typed(
      {"log = []\nloud = False\nscale = torch.ones(3)\nclass Net:\n  def __init__(self):\n"
       "    self.sizes = [1, 2]\nnet = Net()\n",
       "@torch.compile\ndef f(x):\n  if loud: log.append('loud')\n"
       "  return x * scale + len(net.sizes)\n",
       "f(torch.ones(3))\n"});
  CHECK(typed.agreeing("f") == 1);
  auto eager = [&] { return typed.verdicts(typed.runs("f").at(0)).at(0); };
  auto check_changed = [&](const char* name) {
    StageVerdict verdict = eager();
    CHECK(verdict.kind == Kind::kNotRun);
    CHECK(verdict.detail == "`" + std::string(name) + "` has changed since it ran");
  };
  typed.run("loud = True\n");
  check_changed("loud");
  typed.run("loud, scale = False, torch.zeros(3)\n");
  check_changed("scale");
  typed.run(
      "def g(x): return x * k\nk, compiled = 3, torch.compile(g, dynamic=True)\n"
      "compiled(torch.ones(3)); k = 4\n");
  CHECK(typed.verdicts(typed.runs("g").at(0))[0].detail == "`k` has changed since it ran");
  typed.run("scale = 2\n");
  check_changed("scale");
  typed.check("log == []");
}

TEST_CASE("diverge, eager: what an object does as it dies happens once") {
  Typed typed(
      {"log = []\nclass Watched:\n  def __init__(self, v): self.v = v\n"
       "  def __del__(self): log.append(1)\n",
       "@torch.compile\ndef f(x):\n  y = x * 2\n  y = Watched(y + 1).v\n  return y - 1\n",
       "result = f(torch.ones(3)), f(torch.ones(3))\nbefore = len(log)\n"});
  CHECK(typed.agreeing("f") >= 1);
  typed.check("len(log) == before >= 1");
}

TEST_CASE("diverge: what a kept argument does as it dies comes behind the run that replaces it") {
  Typed typed(
      {"scale, table = torch.ones(3), []\nclass Watched:\n  def __del__(self):\n"
       "    global scale\n    scale = torch.zeros(3)\n    table.append(1)\n"
       "    for i in range(200): globals()[f'g{i}{len(table)}'] = i\n",
       "@torch.compile\ndef f(x, o): return x * scale + len(table)\n",
       "results = [f(torch.ones(3), Watched())[0].item() for _ in range(4)]\n"});
  typed.check("results == [1.0, 1.0, 1.0, 1.0]");
}

TEST_CASE("diverge, eager: where the script handles what a check raised, that is told") {
  Typed typed(
      {"@torch.compile\ndef f(x, i):\n  try:\n    y = (x * 2)[i]\n"
       "  except IndexError:\n    y = x\n  return y + 1\n",
       "result = f(torch.ones(3), torch.tensor([7]))\n"});
  std::vector<StageVerdict> all = typed.verdicts(typed.runs("f").at(0));
  CHECK(all[0].kind == Kind::kFailed);
  CHECK(all[0].detail.find("IndexError: index 7 is out of bounds") != std::string::npos);
}

TEST_CASE("diverge, eager: the grad mode is that of the region, and afterwards the present one") {
  Typed typed({"w = torch.ones(3, requires_grad=True)\n",
               "@torch.compile\ndef f(x): return x * w, torch.is_grad_enabled()\n",
               "with torch.no_grad(): f(torch.ones(3))\n"});
  CHECK(typed.agreeing("f") == 1);
  typed.check("torch.is_grad_enabled()");
}

TEST_CASE("diverge: a stage that needs more memory than there is fails, and says so") {
  Typed typed(
      {"@torch.compile\ndef f(x): return x[5].sum()\n", "f(torch.ones(3).expand(10**14, 3))\n"});
  CHECK(typed.agreeing("f") == 1);  // an input that repeats what lies in memory is no such thing
  std::vector<DivergeStage> stages = {{"graph", []() -> Result<std::vector<Tensor>> {
                                         throw TensorMemoryError("can't allocate memory");
                                       }}};
  auto verdicts = compare_stages(stages, {}, Generator());
  CHECK(verdicts[0].kind == Kind::kFailed);
  CHECK(verdicts[0].detail.find("can't allocate memory") != std::string::npos);
}

TEST_CASE("diverge, eager: an attribute of a module is set in one step") {
  Typed typed(
      {"class N(torch.nn.Module):\n  def __init__(self):\n    super().__init__()\n"
       "    self.n = 0\n  def forward(self, x):\n    self.n += 1\n    return x * 2\n",
       "m = N()\nc = torch.compile(m)\nresults = [c(torch.ones(3)) for _ in range(3)]\n"});
  CHECK(typed.agreeing("N.forward") == 1);
  typed.check_planted("N.forward", "multiply", "add");
  typed.check("m.n == 3");
}

TEST_CASE("diverge: what was not run does not agree") {
  std::vector<StageVerdict> verdicts = {
      {.name = "eager", .kind = Kind::kNotRun, .detail = "the script goes another way"},
      {.name = "graph", .kind = Kind::kReference, .detail = ""},
      {.name = "cpu", .kind = Kind::kAgrees, .detail = ""}};
  CHECK(divergence_text("f", verdicts).ends_with("\nthe stages of `f` that were run agree\n"));
}

TEST_CASE("diverge: what a backend of the script's own made is a stage") {
  const std::string backend =
      "def wrong(gm, inputs):\n  return lambda *given: [each + 1 for each in gm.forward(*given)]\n";
  Typed typed({backend, "@torch.compile(backend=wrong)\ndef f(x):\n  return x * 2\n",
               "result = f(torch.ones(2))\n"});
  std::vector<capture::KeptRun> runs = typed.runs("f");
  REQUIRE(runs.size() == 1);
  std::vector<StageVerdict> all = typed.verdicts(runs[0]);
  REQUIRE(all.size() == 3);
  CHECK(all[1].kind == Kind::kAgrees);
  CHECK(all[2].name == "own backend");
  CHECK(all[2].kind == Kind::kDiffers);
  CHECK(all[2].detail == "output 0 [0] is 3, was 2");
}

}  // namespace
}  // namespace glint
