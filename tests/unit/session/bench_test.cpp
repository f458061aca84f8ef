// `glint.bench`, `glint.sweep` and `:bench ... over`: what scripts read of a comparison.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "run_entries.h"
#include "runtime/session/comparison.h"
#include "runtime/session/session.h"

namespace glint {
namespace {

TEST_CASE("bench: rounds of two milliseconds take the time that was asked for, half of it each") {
  for (double eager : {0.05, 1.0, 37.0, 900.0, 12000.0})
    for (double compiled : {0.05, 2.0, 450.0, 12000.0}) {
      const RoundPlan plan = plan_rounds(eager, compiled, 1.0);
      INFO(eager << " and " << compiled);
      const double round_eager = eager * static_cast<double>(plan.eager_calls);
      const double round_compiled = compiled * static_cast<double>(plan.compiled_calls);
      CHECK(plan.rounds * (round_eager + round_compiled) == Approx(1e6).epsilon(0.05));
      CHECK(std::abs(round_eager - round_compiled) <= std::max(eager, compiled) + 1.0);
      CHECK(plan.rounds >= 38);
      CHECK(round_eager <= std::max(eager, kRound * 0.75));
    }
  // A call that is longer than a round has one to itself, three times at least.
  const RoundPlan slow = plan_rounds(5e6, 10.0, 1.0);
  CHECK(slow.rounds == kFewRounds);
  CHECK(slow.eager_calls == 1);
  CHECK(slow.compiled_calls == 100);
}

TEST_CASE("bench: work is read off the schedule, times are seconds, stages add up") {
  Session session({});
  run(session,
      {"import torch as t, glint",
       "def f(x, y, k=1): return t.relu(x * y).sum(dim=1)\n",
       "b = glint.bench(f, t.ones(4, 8), t.ones(4, 8), k=2)",
       "assert (b.bytes, b.operations) == (2 * 128 + 16, 96), (b.bytes, b.operations)",
       "assert (b.launches, b.library_calls, b.regions, b.device) == (1, 0, 1, 'cpu')",
       "assert len(b.eager.samples) >= 3 and len(b.eager.samples) == len(b.compiled.samples)",
       "assert 0 < b.compiled.low <= b.compiled.median <= b.compiled.high < 0.1",
       "assert b.compiled.spread == b.compiled.high - b.compiled.low",
       "assert set(b.compile) >= {'capture', 'passes', 'lower', 'emit', 'llvm', 'first run'}",
       "assert b.compile_seconds == sum(b.compile.values()) and min(b.compile.values()) >= 0",
       "assert abs(b.speedup - b.eager.median / b.compiled.median) < 1e-9",
       "assert b.machine.bound(96, 272) <= b.machine.peak",
       "assert repr(b).count('\\n') > 10",
       "assert b._repr_svg_().startswith('<svg ') and b._repr_svg_() in b._repr_html_()",
       "assert all(b._repr_svg_().count(f'>{name}</text>') == 2 for name in ('eager', 'compiled'))",
       "import statistics as s",
       "e, c = sorted(b.eager.samples), b.eager",
       "assert c.median == s.median(e) and c.low <= c.median <= c.high",
       "q = s.quantiles(e, n=4, method='inclusive')",
       "assert all(abs(x - y) <= 1e-12 for x, y in zip(q, (c.low, c.median, c.high)))"});
}

TEST_CASE("bench: work is that of the call, whatever was called before", "[timed]") {
  Session session({});
  run(session, {"import torch as t, glint", "f = t.compile(lambda x: x + 1)",
                "for i in range(40):\n  for n in 1, 7, 9: f(t.ones(n))\n",
                "for n in 1, 7, 1000:\n  b = glint.bench(f, t.ones(n))\n"
                "  assert (b.operations, b.bytes) == (n, 8 * n), (n, b.operations, b.bytes)\n"});
}

TEST_CASE("bench: a roof is no lower than what a call reaches, and is measured again where it is") {
  Session session({});
  run(session,
      {"from glint import _bench", "import _glint_bench",
       "m = _bench.Machine({'bandwidths': [(100, 50.0), (1000, 20.0)], 'peak': 400.0, "
       "'threads': 2})\n",
       "assert [m.bandwidth(n) for n in (1, 100, 999, 1000, 10**6)] == [50, 50, 50, 20, 20]",
       "assert m.memory == 20 and m.bound(30, 10) == 150 and m.bound(300, 10) == 400",
       "assert repr(m) == '400 op/s, 50.0 B/s of 100 B, 20.0 B/s of 1.00 kB, by 2 threads'",
       "asked = []",
       "def machine(again):\n  asked.append(again)\n"
       "  return {'bandwidths': [(1, 1e3 if again else 1.0)], 'peak': 1e6, 'threads': 1}\n",
       "real, _glint_bench.machine = _glint_bench.machine, machine",
       "found = dict(name='f', eager=[2.0] * 3, compiled=[1.0] * 3, compile={'capture': 1e-3}, "
       "regions=1, launches=1, library_calls=0, uncounted=0, workspace=0, bytes=8, operations=16, "
       "breaks=[], has_effects=False, device='cpu')\n",
       "made = _bench.Comparison(found)", "_glint_bench.machine = real",
       "assert asked == [False, True] and made.machine.memory == 1e3",
       "assert 'of which it reaches 0.80%' in made.table(), made.table()"});
}

TEST_CASE("bench: products count by the table of operators, other library calls are named",
          "[timed]") {
  Session session({});
  run(session, {"import torch as t, glint",
                "b = glint.bench(lambda x, y: x @ y, t.ones(6, 5), t.ones(5, 7))",
                "assert b.operations == 2 * 6 * 5 * 7 and b.bytes == 4 * (30 + 35 + 42)",
                "b = glint.bench(lambda x: t.sort(x * 2)[0], t.ones(9))",
                "assert b.operations == 9 and b.library_calls == 1",
                "assert 'without those of 1 library call' in repr(b)"});
}

TEST_CASE("bench: what cannot be compared says so") {
  Session session({});
  run(session,
      {"import torch as t, glint",
       "try: glint.bench(t.relu, t.ones(3)); assert False\n"
       "except TypeError as e: assert 'nothing to compile' in str(e)\n",
       "try: glint.bench(lambda: 1 / 0); assert False\n"
       "except ZeroDivisionError: pass\n",
       "calls = []", "def f(x):\n  calls.append(1)\n  return x + 1\n",
       "b = glint.bench(f, t.ones(3))",
       "assert b.has_effects and len(b.eager.samples) == 3 and len(calls) < 20",
       "w = t.ones(3, requires_grad=True)", "b = glint.bench(lambda: (w * 2).sum().backward())",
       "assert b.has_effects and w.grad[0] < 40, w.grad"});
}

TEST_CASE("bench: where rounds do not agree on which is faster is noise") {
  Session session({});
  run(session,
      {"import torch, glint", "from glint import _bench",
       "def made(eager, compiled): return _bench.Comparison(dict(name='f', eager=eager, "
       "compiled=compiled, compile={'capture': 1e-3}, regions=1, launches=1, library_calls=0, "
       "uncounted=0, workspace=0, bytes=0, operations=0, breaks=[], has_effects=False, "
       "device='cpu'))\n",
       "same = made([2.0, 3.0, 2.0, 3.0], [3.0, 2.0, 3.0, 2.0])",
       "assert same.is_noise and same.break_even is None and 'is noise' in repr(same)",
       "apart = made([2.0, 4.0, 6.0], [1.0, 3.0, 5.0])",
       "assert not apart.is_noise and apart.break_even == 1 and 'noise' not in repr(apart)",
       "def pays(cost, gain):\n"
       "    found = made([10.0 + gain] * 3, [10.0] * 3)\n"
       "    found.compile_seconds = cost\n"
       "    return found.break_even\n",
       // The fewest calls n for which n eager ones take at least as long as n compiled and the
       // cost.
       "for cost, gain, n in ((1, 4, 1), (4, 4, 1), (5, 4, 2), (8, 4, 2), (8.5, 4, 3), (1e4, 1, "
       "10000)): "
       "assert pays(cost, gain) == n, (cost, gain, pays(cost, gain))\n",
       // Quartiles of the ratios on both sides of 1, or on it.
       "def noise(ratios): return made([r for r in ratios], [1.0 for r in ratios]).is_noise\n",
       "assert [noise(r) for r in ([0.9, 1.1], [1.1, 1.2, 1.3], [0.5, 0.9], [1.0, 1.0, 1.0], "
       "[0.5, 1.1, 1.2, 1.3, 1.4], [0.5, 0.6, 1.2, 1.3])] == [True, False, False, True, False, "
       "True]",
       "slower = made([1.0, 1.1, 1.2], [2.0, 2.1, 2.2])",
       "assert slower.break_even is None and 'does not pay off' in repr(slower)",
       "t = _bench.Timing([4.0, 1.0, 2.0, 3.0])",
       "assert (t.low, t.median, t.high) == (1.75, 2.5, 3.25)"});
}

TEST_CASE("sweep: over sizes and over numbers of operators") {
  Session session({});
  run(session,
      {"import torch as t, glint", "def f(x): return t.sin(x) * 2\n",
       "def chain(n):\n  def g(x):\n    for _ in range(n): x = x + 1\n    return x\n"
       "  return g\n",
       "s = glint.sweep(lambda n: (f, t.ones(n)), [10, 1e3])",
       "assert s.sizes == [10, 1000] and s.per_element and s.variable == 'n'",
       "assert [c.operations for c in s.comparisons] == [20, 2000]",
       "assert '<svg' in s._repr_html_() and len(s.rows()) == 3",
       "assert not glint.sweep(lambda n: (chain(n), t.ones(4)), range(1, 3)).per_element",
       "for bad in [], [0, 1], [float('inf')]:\n  try: glint.sweep(None, bad); assert False\n"
       "  except ValueError: pass\n"});
  auto forms = session.bench("f(t.ones(m, 2)) over m in 1e1, 20");
  REQUIRE(forms);
  REQUIRE(forms->contains("image/svg+xml"));
  CHECK(contains(forms->at("text/plain"), " m   eager us   compiled us"));
  CHECK(contains(forms->at("text/plain"), "\n10 "));
  CHECK(contains(session.bench("chain(n)(t.ones(3)) over n in [1, 2][0], 2")->at("text/plain"),
                 "time of a call, by n"));
  run(session, {"def same(x): return x\n"});
  const auto uncompiled = session.bench("same(n) over n in 1, 2");
  CHECK(contains(uncompiled->at("text/plain"), "   -               -                -"));
  CHECK_FALSE(contains(uncompiled->at("text/plain"), "C compiled"));
}

TEST_CASE("sweep: what is wrong in the text is told, and nothing is left pending") {
  Session session({});
  run(session, {"import torch as t", "def f(x): return x + 1\n"});
  for (const char* text : {"f over n in 1, 2", "over n in 1", "f(1) over n in",
                           "f(t.ones(n)) over n in -1, 2", "f(t.ones(n)) over n in 'a', 2"}) {
    INFO(text);
    CHECK(!session.bench(text));
  }
  for (const char* raises : {"f(t.ones(nosuch)) over n in 1, 2", "f(t.ones(n)) over n in nosuch,",
                             "f(1 / (n - 2)) over n in 1, 2"}) {
    INFO(raises);
    auto forms = session.bench(raises);
    REQUIRE(forms);
    CHECK(forms->empty());
  }
  run(session, {"assert 'n' not in globals()"});
}

}  // namespace
}  // namespace glint
