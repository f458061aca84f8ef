// Which class an attribute is found in, and what comes before an object's own: each reading and
// writing in a region gives what eager execution gives, also once a class has changed.
#include <catch2/catch.hpp>

#include "run_capture.h"

namespace glint {
namespace {

/// `make()` gives a function of a tensor and a list of changes. Compiled, the function gives what
/// it gives eagerly, before and after each change.
constexpr const char* kCompare = R"py(
def outcomes(make, compile):
    f, changes = make()
    f = torch.compile(f) if compile else f
    x, found = torch.ones(1), []
    for change in [None, *changes]:
        if change: change()
        for _ in range(3):
            try: found.append(float(f(x)))
            except AttributeError as error: found.append(str(error))
    return found
def compare(make):
    eager, compiled = outcomes(make, False), outcomes(make, True)
    assert eager == compiled, (eager, compiled)
    return eager
)py";

void run(const std::string& script) {
  Recorded made = run_capture(kCompare + script);
  INFO(made.errors);
  CHECK(made.exit_code == 0);
}

TEST_CASE("attributes: a property comes before what the object has itself") {
  run(R"py(
def make():
    class C:
        def __init__(self): self.__dict__["i"] = 2.0
        @property
        def i(self): return self.__dict__["i"] * 100
    c = C()
    return lambda x: x * c.i, []
assert compare(make)[0] == 200
def made_inside():
    class C:
        def __init__(self): self.__dict__["i"] = 2.0
        @property
        def i(self): return self.__dict__["i"] * 100
    return lambda x: x * C().i, [lambda: setattr(C, "i", 5.0), lambda: setattr(C, "i", property(lambda self: 7.0))]
assert compare(made_inside) == [200] * 3 + [2] * 3 + [7] * 3
class Told:
    def __get__(self, instance, owner): return 3.0
    def __set__(self, instance, value): pass
def told():
    class C:
        i = Told()
    c = C()
    c.__dict__["i"] = 1.0
    return lambda x: x * c.i, [lambda: setattr(C, "i", 4.0)]
assert compare(told) == [3] * 3 + [1] * 3
def table():
    class T(dict):
        i = 1.0
    t = T()
    t.i = 2.0
    return lambda x: x * t.i, [lambda: setattr(T, "i", property(lambda self: 9.0))]
assert compare(table) == [2] * 3 + [9] * 3
)py");
}

TEST_CASE("attributes: a class attribute becomes a property while an object has its own") {
  run(R"py(
def make(body):
    class C:
        x = 1.0
    c = C()
    c.x = 2.0
    def give(value): C.x = value
    return lambda t: body(t, c, C), [
        lambda: give(4.0), lambda: give(property(lambda self: 5.0, lambda self, value: None)),
        lambda: give(6.0), lambda: delattr(C, "x")]
def reads(t, c, C): return t * c.x
def counts(t, c, C):
    c.x = c.x + 1
    return t * c.x
def sets(t, c, C):
    c.x = 8.0
    return t * 2 if len(c.__dict__) else t
def reads_new(t, c, C):
    o = C()
    o.x = 3.0
    return t * o.x
assert compare(lambda: make(reads)) == [2] * 6 + [5] * 3 + [2] * 6
assert compare(lambda: make(counts)) == [3, 4, 5, 6, 7, 8, 5, 5, 5, 9, 10, 11, 12, 13, 14]
compare(lambda: make(sets))
assert compare(lambda: make(reads_new)) == [3] * 6 + [5] * 3 + [3] * 6
)py");
}

TEST_CASE("attributes: a class gets its own of what the region writes in its base") {
  run(R"py(
def make(body):
    class A:
        n = 0
        items = []
    class B(A):
        def behind(self): return super().n
    class C(B): pass
    o = C()
    return lambda x: body(x, A, B, C, o), [
        lambda: (setattr(B, "n", 10), setattr(B, "late", 11), setattr(B, "items", [1, 2, 3])),
        lambda: (setattr(C, "n", 20), setattr(C, "late", 21), setattr(C, "items", [1] * 5)),
        lambda: (setattr(o, "n", 30), setattr(o, "late", 31))]
def of_class(x, A, B, C, o):
    A.n += 1
    return x * B.n
def of_object(x, A, B, C, o):
    A.n += 1
    return x * o.n
def asked_for(x, A, B, C, o):
    A.late = 2
    return x * getattr(o, "late", 3)
def container(x, A, B, C, o):
    A.items = [1]
    return x * len(C.items)
def behind(x, A, B, C, o):
    A.n += 1
    return x * o.behind()
def made_inside(x, A, B, C, o):
    A.n += 1
    return x * C().n
assert compare(lambda: make(of_class)) == [1, 2, 3] + [10] * 9
assert compare(lambda: make(of_object)) == [1, 2, 3] + [10] * 3 + [20] * 3 + [30] * 3
assert compare(lambda: make(asked_for)) == [2] * 3 + [11] * 3 + [21] * 3 + [31] * 3
assert compare(lambda: make(container)) == [1] * 3 + [3] * 3 + [5] * 6
assert compare(lambda: make(behind)) == list(range(1, 13))
assert compare(lambda: make(made_inside)) == [1, 2, 3] + [10] * 3 + [20] * 6
)py");
}

TEST_CASE("attributes: `__getattribute__` comes before all, also where the value varies") {
  run(R"py(
def make():
    class C:
        n = 1
    o = C()
    def hook(self, name): return 23 if name == "n" else object.__getattribute__(self, name)
    def body(x):
        setattr(C, "n", C.n + 1)
        return x * o.n
    return body, [lambda: setattr(C, "__getattribute__", hook)]
assert compare(make) == [2, 3, 4, 23, 23, 23]
)py");
}

TEST_CASE("attributes: many objects as keys take time in proportion") {
  run(R"py(
class Key: pass
def filled(x, keys):
    table, total = {}, 0
    for key in keys: table[key] = 1
    for key in keys: total += table[key]
    return x * total
import time
def seconds(count):
    keys = [Key() for _ in range(count)]
    start = time.process_time()
    assert float(torch.compile(filled)(torch.ones(1), keys)) == count
    return time.process_time() - start
seconds(10)
few, many = min(seconds(200) for _ in range(3)), min(seconds(1600) for _ in range(3))
assert many < 64 * few, (few, many)
)py");
}

}  // namespace
}  // namespace glint
