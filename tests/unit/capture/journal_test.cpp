// Writes to objects from outside: part of the region, done again at each hit, taken back with it.
#include <catch2/catch.hpp>

#include "run_capture.h"
#include "runtime/capture/journal.h"

namespace glint {
namespace {

void passes(const std::string& script) {
  INFO(script);
  Recorded made = run_capture(script);
  INFO(made.all_breaks);
  INFO(made.guards);
  CHECK(made.exit_code == 0);
}

struct Case {
  const char* write;  ///< in `f(x)`, between two operators
  const char* entry;  ///< of the journal, as it is shown
};

constexpr const char* kPlaces = R"py(
class State:
    def __init__(self): self.calls, self.gone = 0, 1
s, items, table, marks, total = State(), [1, 2, 3], {"a": 1, "b": 2}, {"m"}, 0
def places():
    return list(s.__dict__.items()), items, list(table.items()), sorted(marks, key=str), total, n()
def outer():
    n = 7
    def f(x):
        global total, items, table, marks
        nonlocal n
        y = x + 1
)py";

constexpr const char* kCompared = R"py(
        return y * 2
    return f, lambda: n
def text(value): return str(value).replace(" ", "")
x = torch.tensor([1.0, 2.0])
def run(wrap):
    global s, items, table, marks, total, n
    s, items, table, marks, total = State(), [1, 2, 3], {"a": 1, "b": 2}, {"m"}, 0
    f, n = outer()
    f = wrap(f)
    seen = []
    for i in range(2): seen.append((text(f(x)), text(places())))
    items, table, marks = [1, 2, 3], {"a": 1, "b": 2}, {"m"}
    s.gone = 1
    seen.append((text(f(x)), text(places())))
    return seen
expected = run(lambda f: f)
start()
made = run(torch.compile)
assert made == expected, (made, expected)
assert not counters["graph_break"], counters["graph_break"]
)py";

constexpr Case kCases[] = {
    {"s.calls = s.calls + 1", "s.calls = 1"},
    {"s.last = y", "s.last = %add"},
    {"s.gone = 0\n        del s.gone", "del s.gone"},
    {"total += 1", "total = 1"},
    {"n = n + 1", "n = 8"},
    {"items[-1] = y", "items[2] = %add"},
    {"items.insert(0, 5)", "items.insert(0, 5)"},
    {"items.insert(0, 5); del items[0]; items.insert(-100, 6); items.insert(100, 7)",
     "items.insert(0, 6)"},
    {"items.append(y); items.extend([1, None])", "items += [%add, 1, None]"},
    {"items += (1, 2)", "items += [1, 2]"},
    {"items.sort(reverse=True)", "items[:] = [3, 2, 1]"},
    {"items.reverse(); items.append(items[0])", "items[:] = [3, 2, 1, 3]"},
    {"items[1:] = [y]", "items[:] = [1, %add]"},
    {"items[0], items[1] = items[1], items[0]", "items[0] = 2"},
    {"table['a'] = table['a'] + 1; table['c'] = y", "table['a'] = 2"},
    {"table.update(b=4, d=5)", "table['d'] = 5"},
    {"table.setdefault('z', 3); table.setdefault('a', 3)", "table['z'] = 3"},
    {"table[3] = 'three'; table[(1, 'a')] = y", "table[(1, 'a')] = %add"},
    {"table.clear(); table['q'] = 1", "table.clear()"},
    {"table |= {'k': y}", "table['k'] = %add"},
    {"marks.add(1); marks.update(['x', 2])", "marks.add('x')"},
    {"marks.discard('m')", "marks.discard('m')"},
    {"marks.clear(); marks.add(3)", "marks.clear()"},
    {"marks |= {5}", "marks.add(5)"},
    {"s.new = [y, items]; s.new.append(1)", "s.new = [%add, items, 1]"},
};

TEST_CASE("journal: every kind of write is part of the region, shown, and done again") {
  for (const Case& each : kCases) {
    INFO(each.write);
    Recorded made = run_capture(std::string(kPlaces) + "        " + each.write + kCompared);
    INFO(made.all_breaks);
    INFO(made.guards);
    CHECK(made.exit_code == 0);
    // The first region's, not that of a later compile.
    Recorded once = run_capture(std::string(kPlaces) + "        " + each.write + R"py(
        return y * 2
    return f, lambda: n
f, n = outer()
torch.compile(f)(torch.tensor([1.0, 2.0]))
)py");
    INFO(once.guards);
    CHECK(once.guards.find("  journal: " + std::string(each.entry)) != std::string::npos);
    CHECK(once.graph.find("journal: " + std::string(each.entry)) != std::string::npos);
  }
}

TEST_CASE("journal: a number that changes is compiled a second time, and no more") {
  passes(R"py(
class State: pass
s, counts, total = State(), {}, 5
s.calls = 3
def make():
    n = 10
    def f(x):
        global total, items, table, marks
        nonlocal n
        s.calls += 1
        total += 2
        n += 1
        counts["k"] = counts.get("k", 0) + 1
        return x * s.calls + total + n + counts["k"]
    return f
f = torch.compile(make())
x = torch.ones(2)
start()
for i in range(1, 20):
    assert f(x).tolist() == [3 + i + 5 + 2 * i + 10 + i + i] * 2, i
    assert s.calls == 3 + i and total == 5 + 2 * i and counts == {"k": i}
assert graphs() <= 3, graphs()
)py");
}

TEST_CASE("journal: what a list holds plays no part where it only grows") {
  passes(R"py(
history = []
@torch.compile
def f(x):
    loss = (x * x).sum()
    history.append(loss)
    return loss
start()
for i in range(9): f(torch.tensor([float(i), 1.0]))
assert [each.item() for each in history] == [i * i + 1.0 for i in range(9)]
assert graphs() == 1
)py");
}

TEST_CASE("journal: a check that fails leaves nothing behind, and eager execution writes once") {
  passes(R"py(
class State: pass
s, log = State(), []
s.calls = 0
table = torch.ones(3, 2)
@torch.compile
def f(x, index):
    s.calls += 1
    log.append(x)
    s.last = x * 2
    return table[index] + x
x = torch.ones(2)
for n, index in enumerate([1, 7, 2, 9, 0], 1):
    try: f(x, torch.tensor([index])); assert index < 3
    except IndexError: assert index > 3
    assert s.calls == n and len(log) == n and s.last.tolist() == [2.0, 2.0]
)py");
}

TEST_CASE("journal: an exception out of the region leaves what eager execution leaves") {
  passes(R"py(
class State: pass
s, log = State(), []
def f(x, d):
    y = x * 3
    s.last = y
    log.append(y + 1)
    value = d["k"]
    s.late = value
    return y
compiled = torch.compile(f)
def run(function):
    log.clear()
    s.last = s.late = None
    seen = []
    for d in ({}, {"k": 1}, {}, {"k": 1}):
        try: seen.append(function(torch.ones(2), d).tolist())
        except KeyError as error: seen.append(str(error))
        seen.append((s.last.tolist(), s.late, [each.tolist() for each in log]))
    return seen
assert run(compiled) == run(f)
def guarded(x, d):
    try: return f(x, d)
    except KeyError: return s.last + 1
assert run(torch.compile(guarded)) == run(guarded)
)py");
}

TEST_CASE("journal: a trace that begins again takes its writes back") {
  passes(R"py(
items, made = ["first"], []
def f(x):
    y = x + 1
    items.append("before")
    items.extend(float(v) for v in y)
    made.append(y)
    return y * len(items)
compiled = torch.compile(f)
def run(function):
    items[:] = ["first"]
    made.clear()
    return function(torch.ones(2)).tolist(), list(items), [each.tolist() for each in made]
expected = run(f)
for i in range(3): assert run(compiled) == expected
)py");
}

TEST_CASE("journal: objects that are the same, or not, at another call") {
  passes(R"py(
class State:
    def __init__(self, n): self.n, self.items = n, [n]
def f(a, b, x):
    a.n = a.n + 10
    a.items.append(b.n)
    b.items[0] = 5
    return x * b.n + len(b.items) + a.items[0]
def run(function):
    seen = []
    for same in (False, True, False, True):
        a = State(1)
        b = a if same else State(2)
        seen.append((function(a, b, torch.ones(2)).tolist(), a.n, a.items, b.n, b.items))
    shared = State(3)
    other = State(4)
    other.items = shared.items
    seen.append((function(shared, other, torch.ones(2)).tolist(), shared.items, other.items))
    return seen
assert run(torch.compile(f)) == run(f)
)py");
}

TEST_CASE("journal: a value that dies may run code that calls the region again") {
  passes(R"py(
class Watched:
    def __init__(self, name): self.name = name
    def __del__(self):
        gone.append(self.name)
        if len(gone) < 6: f(torch.ones(2))
class State: pass
s, gone = State(), []
s.kept = None
@torch.compile
def f(x):
    s.kept = None
    return x * 2
f(torch.ones(2)); f(torch.ones(2))
for i in range(4):
    s.kept = Watched(i)
    assert f(torch.ones(2)).tolist() == [2.0, 2.0]
assert gone == [0, 1, 2, 3], gone
)py");
}

TEST_CASE("journal: attributes that are read by name, and those of functions, are guarded") {
  passes(R"py(
class State: pass
s = State()
s.k = 2.5
def f(x): return x * getattr(s, "k") + f.extra + hasattr(s, "late")
f.extra = 1
compiled, x = torch.compile(f), torch.ones(1)
assert compiled(x).item() == 3.5
s.k = 4.5
assert compiled(x).item() == 5.5
f.extra = 2
assert compiled(x).item() == 6.5
s.late = 1
assert compiled(x).item() == 7.5
)py");
}

TEST_CASE("journal: every kind of write has its row") {
  for (size_t i = 0; i < capture::write_kind_table().size(); ++i)
    CHECK(static_cast<size_t>(capture::write_kind_table()[i].kind) == i);
}

}  // namespace
}  // namespace glint
