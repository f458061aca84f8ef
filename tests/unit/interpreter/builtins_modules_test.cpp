// What builtins print and raise, against CPython 3.11: each case is a text and its output.
#include <catch2/catch.hpp>

#include "builtins_runner.h"

namespace glint::runtime {
namespace {

TEST_CASE("builtins: modules") {
  check_cases({
      {R"py(import math; print(math.sqrt(2), math.pi, math.floor(-1.5), math.ceil(1.2), math.gcd(12, 18), math.comb(5, 2), math.factorial(10), math.isclose(0.1 + 0.2, 0.3), math.hypot(3, 4), math.log(8, 2), math.log2(8), math.fsum([0.1] * 10), math.prod([1, 2, 3]), math.isqrt(17), math.inf, math.nan, math.exp(1), math.trunc(-2.7), math.copysign(1, -0.0), math.degrees(math.pi), math.modf(2.5), math.frexp(8.0)))py",
       R"py(1.4142135623730951 3.141592653589793 -2 2 6 10 3628800 True 5.0 3.0 3.0 1.0 6 4 inf nan 2.718281828459045 -2 -1.0 180.0 (0.5, 2.0) (0.5, 4)
)py"},
      {R"py(import math; math.sqrt(-1))py",
       R"py(ValueError: math domain error
)py"},
      {R"py(import math; math.log(0))py",
       R"py(ValueError: math domain error
)py"},
      {R"py(import math; math.factorial(-1))py",
       R"py(ValueError: factorial() not defined for negative values
)py"},
      {R"py(import math; math.exp(1000))py",
       R"py(OverflowError: math range error
)py"},
      {R"py(import math; math.floor('a'))py",
       R"py(TypeError: must be real number, not str
)py"},
      {R"py(import random; random.seed(42); print(random.random(), random.randint(1, 10), random.choice('abc'), random.uniform(0, 1), random.sample(range(10), 3), random.gauss(0, 1)); x = [1, 2, 3, 4, 5]; random.shuffle(x); print(x, random.choices('ab', k=3), random.getrandbits(8)))py",
       R"py(0.6394267984578837 1 c 0.27502931836911926 [3, 2, 1] -0.938051221433234
[2, 3, 5, 4, 1] ['a', 'a', 'b'] 143
)py"},
      {R"py(import itertools as it; print(list(it.chain([1], [2])), list(it.islice(it.count(), 3)), list(it.product('ab', [1, 2])), list(it.combinations('abc', 2)), list(it.accumulate([1, 2, 3])), [(k, list(g)) for k, g in it.groupby('aab')], list(it.zip_longest('a', 'bc')), list(it.permutations([1, 2])), list(it.repeat(1, 2)), list(it.takewhile(lambda v: v < 2, [1, 2]))))py",
       R"py([1, 2] [0, 1, 2] [('a', 1), ('a', 2), ('b', 1), ('b', 2)] [('a', 'b'), ('a', 'c'), ('b', 'c')] [1, 3, 6] [('a', ['a', 'a']), ('b', ['b'])] [('a', 'b'), (None, 'c')] [(1, 2), (2, 1)] [1, 1] [1]
)py"},
      {R"py(from functools import partial, reduce, lru_cache, wraps, total_ordering
print(partial(pow, 2)(3), reduce(lambda a, b: a * b, [1, 2, 3, 4]))
@lru_cache(maxsize=None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(50), fib.cache_info()))py",
       R"py(8 24
12586269025 CacheInfo(hits=48, misses=51, maxsize=None, currsize=51)
)py"},
      {R"py(from collections import namedtuple, defaultdict, Counter, deque, OrderedDict
P = namedtuple('P', 'x y'); p = P(1, y=2); print(p, p.x, p._replace(x=5), p == (1, 2), P._fields, p._asdict()); a, b = p; print(a, b)
d = defaultdict(list); d['k'].append(1); print(d, d['z'], len(d))
print(Counter('aab'), Counter('aab').most_common(1), Counter('ab') + Counter('b'))
q = deque([1, 2], maxlen=2); q.append(3); print(q, q[0], len(q), q.popleft())
print(OrderedDict(a=1)))py",
       R"py(P(x=1, y=2) 1 P(x=5, y=2) True ('x', 'y') {'x': 1, 'y': 2}
1 2
defaultdict(<class 'list'>, {'k': [1], 'z': []}) [] 2
Counter({'a': 2, 'b': 1}) [('a', 2)] Counter({'b': 2, 'a': 1})
deque([3], maxlen=2) 2 2 2
OrderedDict([('a', 1)])
)py"},
      {R"py(from dataclasses import dataclass, field, asdict, replace
@dataclass(order=True)
class A:
    x: int
    y: float = 1.5
    z: list = field(default_factory=list)
print(A(1), A(1) == A(1), A(1) < A(2), asdict(A(3)), replace(A(1), y=2.0), A(1, z=[1]).z)
@dataclass(frozen=True)
class B:
    v: int
try: B(1).v = 2
except Exception as e: print(type(e).__name__, e)
try: A()
except TypeError as e: print(e))py",
       R"py(A(x=1, y=1.5, z=[]) True True {'x': 3, 'y': 1.5, 'z': []} A(x=1, y=2.0, z=[]) [1]
FrozenInstanceError cannot assign to field 'v'
A.__init__() missing 1 required positional argument: 'x'
)py"},
      {R"py(import copy; x = [[1], {'a': [2]}]; y = copy.copy(x); z = copy.deepcopy(x); x[0].append(9); print(y, z))py",
       R"py([[1, 9], {'a': [2]}] [[1], {'a': [2]}]
)py"},
      {R"py(import operator as op; print(op.add(1, 2), op.itemgetter(1)([1, 2]), op.attrgetter('real')(3), op.mul(2, 3)))py",
       R"py(3 2 3 6
)py"},
      {R"py(import string; print(string.ascii_lowercase[:3], string.digits))py",
       R"py(abc 0123456789
)py"},
      {R"py(from contextlib import contextmanager, suppress, nullcontext
@contextmanager
def cm(n):
    print('in', n)
    try: yield n * 2
    finally: print('out', n)
with cm(1) as v, cm(2): print(v)
with suppress(ValueError): raise ValueError
with nullcontext(5) as q: print(q))py",
       R"py(in 1
in 2
2
out 2
out 1
5
)py"},
      {R"py(import statistics as s; print(s.mean([1, 2, 3, 4]), s.median([3, 1, 2]), s.stdev([1.0, 2.0, 4.0]), s.mode('aab'), s.pvariance([1, 2, 3])))py",
       R"py(2.5 2 1.5275252316519468 a 0.6666666666666666
)py"},
      {R"py(import json; print(json.dumps({'a': [1, 2.5, None, True], 'b': 'x"'}), json.loads('{"k": [1, 2.0, "s", null, false]}'), json.dumps([1, {'a': 2}], indent=2)))py",
       R"py({"a": [1, 2.5, null, true], "b": "x\""} {'k': [1, 2.0, 's', None, False]} [
  1,
  {
    "a": 2
  }
]
)py"},
      {R"py(import os; print(os.path.join('a', 'b'), os.path.basename('/x/y.txt'), os.path.splitext('a.tar.gz'), os.path.exists('/nonexistent'), os.environ.get('NOPE', 'd'), os.getenv('NOPE')))py",
       R"py(a/b y.txt ('a.tar', '.gz') False d None
)py"},
      {R"py(import sys; print(sys.maxsize, len(sys.argv) >= 0, sys.byteorder); sys.stdout.write('w\n'))py",
       R"py(9223372036854775807 True little
w
)py"},
      {R"py(import time; t = time.perf_counter(); time.sleep(0.001); print(time.perf_counter() > t, time.time() > 1e9))py",
       R"py(True True
)py"},
      {R"py(from typing import List, Dict, Optional, Union, Any, Callable
def f(a: List[int], b: Optional[str] = None) -> Dict[str, Any]: return {}
print(f([1])))py",
       R"py({}
)py"},
      {R"py(import warnings; warnings.simplefilter('ignore'); warnings.warn('x'); print('ok'))py",
       R"py(ok
)py"},
      {R"py(import heapq, bisect; h = [3, 1, 2]; heapq.heapify(h); print(heapq.heappop(h), bisect.bisect([1, 3], 2)))py",
       R"py(1 1
)py"},
      {R"py(import nope)py",
       R"py(ModuleNotFoundError: No module named 'nope'
)py"},
      {R"py(from math import nope)py",
       R"py(ImportError: cannot import name 'nope' from 'math' (unknown location)
)py"},
      {R"py(import gc; gc.collect(); print('ok'))py",
       R"py(ok
)py"},
      {R"py(import sys; sys.exit(3))py",
       R"py(SystemExit: 3
)py"},
  });
}

TEST_CASE("builtins: files") {
  check_cases({
      {R"py(with open('/tmp/glint_builtins_test.txt', 'w') as f: print(f.write('a\nbé\n'))
with open('/tmp/glint_builtins_test.txt') as f: print(f.read())
with open('/tmp/glint_builtins_test.txt') as f:
    for line in f: print(repr(line))
print(open('/tmp/glint_builtins_test.txt').readlines(), f.closed)
print('c', file=open('/tmp/glint_builtins_test.txt', 'a'))
import os; os.remove('/tmp/glint_builtins_test.txt'))py",
       R"py(5
a
bé

'a\n'
'bé\n'
['a\n', 'bé\n'] True
)py"},
  });
}

}  // namespace
}  // namespace glint::runtime
