// The seam that capture uses: stepping, stopping before an instruction, going on, snapshots; and
// memory: cycles die.
#include <catch2/catch.hpp>

#include "core/support/check.h"
#include "frontend/frontend.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/tensor_attributes.h"

using namespace glint;
using namespace glint::runtime;

namespace {

/// Counts instructions; stops before the first of an opcode, if one is given.
struct CountingTracer : Tracer {
  size_t steps = 0, pushes = 0;
  std::optional<program::Opcode> stop_at;
  Step step(Frame& frame, uint32_t pc) override {
    ++steps;
    bool stop = stop_at && frame.program().instructions[pc].opcode == *stop_at;
    return stop ? Step::kStop : Step::kRun;
  }
  void pushed(Frame&) override { ++pushes; }
  bool call_operator(const ops::OpEntry&, std::span<const runtime::Value>,
                     std::vector<runtime::Value>&) override {
    return false;
  }
  bool demand_value(const Tensor&) override { return false; }
};

struct Fixture {
  SourceMap sources;
  Interpreter in{sources};
  Ref<ModuleObject> main = in.new_module("__main__");

  void run(const char* text) {
    SourceId id = sources.add("seam.py", text);
    auto result = frontend::compile_source(sources, id, frontend::Mode::kFile);
    REQUIRE(std::holds_alternative<frontend::CompiledSource>(result));
    in.run_module(*main, std::get<frontend::CompiledSource>(result).code);
    REQUIRE(!in.raised());
  }
  runtime::Value variable(std::string_view name) { return *main->dict->find(name); }
};

}  // namespace

TEST_CASE("a tracer sees every instruction and inlined call, and the result is the same") {
  Fixture fixture;
  fixture.run(
      "class P:\n    def __init__(self, v): self.v = v\n    def get(self): return self.v\n"
      "def f(n):\n    s = 0\n    for i in range(n):\n        s += P(i).get()\n    return s\n");
  runtime::Value function = fixture.variable("f");
  CountingTracer tracer;
  fixture.in.set_tracer(&tracer);
  runtime::Value traced = fixture.in.call(function, {runtime::Value(int64_t{5})});
  fixture.in.set_tracer(nullptr);
  REQUIRE(traced.is_int());
  CHECK(traced.as_int() == 10);
  CHECK(tracer.steps > 30);
  CHECK(tracer.pushes == 11);
  CHECK(fixture.in.call(function, {runtime::Value(int64_t{5})}).as_int() == 10);
}

TEST_CASE("a stopped run goes on from its frames, and from a snapshot of them") {
  Fixture fixture;
  fixture.run("def g(x):\n    return x * 3\ndef f(x):\n    y = x + 1\n    return g(y) - 1\n");
  auto* function = fixture.variable("f").as<FunctionObject>();
  Interpreter& in = fixture.in;
  CountingTracer tracer;
  tracer.stop_at = program::Opcode::kMultiply;
  runtime::Value arguments[] = {runtime::Value(int64_t{4})};
  in.set_tracer(&tracer);
  Frame* base = in.push_frame(*function, arguments);
  runtime::Value result;
  REQUIRE(in.run_frames(base, result) == RunEnd::kStopped);
  in.set_tracer(nullptr);
  CHECK(in.top_frame()->function->name->text == "g");
  std::vector<FrameSnapshot> frames = in.snapshot(base);
  REQUIRE(frames.size() == 2);
  REQUIRE(in.run_frames(base, result) == RunEnd::kReturned);
  CHECK(result.as_int() == 14);
  runtime::Value again;
  base = in.restore(frames);
  REQUIRE(in.run_frames(base, again) == RunEnd::kReturned);
  CHECK(again.as_int() == 14);
  CHECK(in.top_frame() == nullptr);
}

TEST_CASE("cycles die") {
  Fixture fixture;
  fixture.run(
      "class Node:\n    def __init__(self): self.me = self\n"
      "def make(n):\n    for i in range(n):\n        Node()\n        x = []\n        "
      "x.append(x)\n");
  collect_cycles();
  size_t before = live_containers();
  fixture.in.call(fixture.variable("make"), {runtime::Value(int64_t{100})});
  CHECK(live_containers() >= before + 200);
  CHECK(collect_cycles() >= 200);
  CHECK(live_containers() <= before + 2);
}

TEST_CASE("cycles through the attributes of tensors die, and no tensor that is held") {
  Fixture fixture;
  fixture.run(
      "import torch\n"
      "class Owner: pass\n"
      "def make(n):\n    for i in range(n):\n        w = torch.ones(1)\n        w.me = w\n"
      "        owner = Owner()\n        owner.weight = torch.ones(1)\n"
      "        owner.weight.owner = owner\n"
      "kept = torch.ones(1)\nkept.me = [kept]\n");
  collect_cycles();
  size_t before = live_containers();
  fixture.in.call(fixture.variable("make"), {runtime::Value(int64_t{100})});
  CHECK(live_containers() >= before + 500);
  CHECK(collect_cycles() >= 500);
  CHECK(live_containers() <= before + 2);
  auto* own = own_attributes(fixture.variable("kept"), false);
  REQUIRE(own);
  CHECK(own->find("me")->as<ListObject>()->items[0].identical(fixture.variable("kept")));
}

TEST_CASE("the collector knows the tuples that can be part of a cycle, and no others") {
  Fixture fixture;
  fixture.run(
      "class Pair(tuple): pass\n"
      "def plain(): return [(i, str(i), (i,)) for i in range(50)]\n"
      "def cycles(n):\n    for i in range(n):\n"
      "        x = []\n        x.append((1, x))\n"
      "        pair = Pair((1, 2))\n        pair.me = pair\n");
  collect_cycles();
  size_t before = live_containers();
  runtime::Value kept = fixture.in.call(fixture.variable("plain"), {});
  CHECK(live_containers() == before + 1);  // the list
  fixture.in.call(fixture.variable("cycles"), {runtime::Value(int64_t{100})});
  CHECK(live_containers() >= before + 300);
  CHECK(collect_cycles() >= 300);
  CHECK(live_containers() <= before + 2);
}

TEST_CASE("a long chain of objects dies without deep recursion") {
  Fixture fixture;
  fixture.run("x = None\nfor i in range(200000):\n    x = (x,)\nx = None\n");
}

TEST_CASE("Ctrl-C is a KeyboardInterrupt at the next jump back") {
  Fixture fixture;
  fixture.run("def f():\n    while True:\n        pass\n");
  fixture.in.interrupt();
  CHECK(fixture.in.call(fixture.variable("f"), {}).is_undefined());
  CHECK(fixture.in.pending_is("KeyboardInterrupt"));
  fixture.in.take_pending();
}

TEST_CASE("a fault of ours in a native is an exception, and the interpreter goes on") {
  Fixture fixture;
  auto breaks = make_native(
      {"breaks()", [](NativeCall&) -> runtime::Value { fail("an invariant of the test"); }, kPure,
       ""});
  fixture.main->dict->set("breaks", runtime::Value(std::move(breaks)));
  fixture.run(
      "said = None\n"
      "try:\n    breaks()\nexcept RuntimeError as error:\n"
      "    said = str(error).startswith('internal error of glint: an invariant of the test (')\n"
      "def f(): breaks()\n");
  CHECK(fixture.variable("said").as_bool());
  CHECK(fixture.in.call(fixture.variable("f"), {}).is_undefined());
  CHECK(fixture.in.pending_is("RuntimeError"));
  fixture.in.take_pending();
}

TEST_CASE("nothing is left when the interpreter is gone") {
  {
    Fixture warm_up;
  }
  size_t before = live_containers();
  {
    Fixture fixture;
    fixture.run(
        "class A(Exception):\n    def __init__(self): self.me = self\n"
        "class T(dict): pass\n"
        "def g():\n    try:\n        yield 1\n    finally:\n        pass\n"
        "h = g(); next(h)\nt = T(a=1); t.x = t\nkept = [A(), {}, {1}, lambda: kept]\n"
        "try:\n    raise A()\nexcept A as e:\n    saved = e\n");
  }
  CHECK(live_containers() == before);
}
