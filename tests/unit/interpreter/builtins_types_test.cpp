// What builtins print and raise, against CPython 3.11: each case is a text and its output.
#include <catch2/catch.hpp>

#include "builtins_runner.h"

namespace glint::runtime {
namespace {

TEST_CASE("builtins: str methods") {
  check_cases({
      {R"py(print('a,b,,c'.split(','), ' a  b '.split(), 'a,b,c'.rsplit(',', 1), 'a\nb\r\nc'.splitlines()))py",
       R"py(['a', 'b', '', 'c'] ['a', 'b'] ['a,b', 'c'] ['a', 'b', 'c']
)py"},
      {R"py(print('Hello'.upper(), 'Hello'.lower(), 'hello world'.title(), 'hELLO'.capitalize(), 'aB'.swapcase()))py",
       R"py(HELLO hello Hello World Hello Ab
)py"},
      {R"py(print('  x '.strip() + '|', 'xxaxx'.strip('x'), 'abc'.lstrip('a'), 'abc'.rstrip('c')))py",
       R"py(x| a bc ab
)py"},
      {R"py(print('abcabc'.find('c'), 'abcabc'.rfind('c'), 'abc'.find('z'), 'abcabc'.count('bc'), 'héllo'.index('l')))py",
       R"py(2 5 -1 2 2
)py"},
      {R"py(print('abc'.replace('b', 'X'), 'aaa'.replace('a', 'b', 2), 'abc'.startswith('ab'), 'abc'.endswith(('x', 'c'))))py",
       R"py(aXc bba True True
)py"},
      {R"py(print('ab'.center(7, '*'), 'ab'.ljust(4) + '|', 'ab'.rjust(4), '-5'.zfill(4), 'a\tb'.expandtabs(4)))py",
       R"py(***ab** ab  |   ab -005 a   b
)py"},
      {R"py(print('a-b-c'.partition('-'), 'a-b-c'.rpartition('-'), 'x'.partition('-')))py",
       R"py(('a', '-', 'b-c') ('a-b', '-', 'c') ('x', '', '')
)py"},
      {R"py(print('abc'.isalpha(), '123'.isdigit(), 'a1'.isalnum(), ' '.isspace(), 'Ab'.istitle(), 'a_b'.isidentifier()))py",
       R"py(True True True True True True
)py"},
      {R"py(print('-'.join(['a', 'b']), ''.join('abc'), ','.join(str(i) for i in range(3))))py",
       R"py(a-b abc 0,1,2
)py"},
      {R"py(print('añb'[1], 'añb'[::-1], len('añb'), 'añb'.encode(), 'abc'[-2:], 'abc' * 2, 'b' in 'abc'))py",
       R"py(ñ bña 3 b'a\xc3\xb1b' bc abcabc True
)py"},
      {R"py(print('abc'.translate(str.maketrans('ab', 'xy')), 'prefix_x'.removeprefix('prefix_'), 'x.py'.removesuffix('.py')))py",
       R"py(xyc x x
)py"},
      {R"py(print('%d %5.2f %s %r %x %%' % (3, 2.5, 'a', 'b', 255), '%-5s|%05d' % ('ab', 42), '%(k)s' % {'k': 1}))py",
       R"py(3  2.50 a 'b' ff % ab   |00042 1
)py"},
      {R"py(print('{} {1}'.format(1, 2) if False else '{0} {1} {0}'.format('a', 'b'), '{x!r:>5}'.format(x='a'), '{:{w}}'.format(1, w=4)))py",
       R"py(a b a   'a'    1
)py"},
      {R"py(print('{0[1]} {0[0]} {1.real}'.format([1, 2], 3), '{{}}'.format()))py",
       R"py(2 1 3 {}
)py"},
      {R"py(x = 3.14159; name = 'z'; print(f'{x:.2f} {name!r} {x=} {x:{8}.{3}} {1_000_000:,} {0.5:%} {{}}'))py",
       R"py(3.14 'z' x=3.14159     3.14 1,000,000 50.000000% {}
)py"},
      {R"py(print(f'{"a":^5}|{5:+d}|{-5: d}|{255:#b}|{1e10:g}|{1234.5:,.1f}|{True}|{None}|{[1]}'))py",
       R"py(  a  |+5|-5|0b11111111|1e+10|1,234.5|True|None|[1]
)py"},
      {R"py(print('a' < 'b', 'abc' == 'abc', 'Z' < 'a', max('b', 'a')))py",
       R"py(True True True b
)py"},
      {R"py(print('line1\nline2', repr('\t\x00'), '\u00e9', r'\n'))py",
       R"py(line1
line2 '\t\x00' é \n
)py"},
  });
}

TEST_CASE("builtins: list methods") {
  check_cases({
      {R"py(x = [3, 1, 2]; x.sort(); print(x); x.reverse(); print(x); x.sort(key=lambda v: -v); print(x))py",
       R"py([1, 2, 3]
[3, 2, 1]
[3, 2, 1]
)py"},
      {R"py(x = [1, 2]; x.extend('ab'); x.insert(0, 'z'); x.insert(-1, 'q'); print(x, x.pop(), x.pop(0), x))py",
       R"py([1, 2, 'a', 'q'] b z [1, 2, 'a', 'q']
)py"},
      {R"py(x = [1, 2, 1]; x.remove(1); print(x, x.index(1), x.count(1), x.copy(), x * 2, x + [9]))py",
       R"py([2, 1] 1 1 [2, 1] [2, 1, 2, 1] [2, 1, 9]
)py"},
      {R"py(x = list(range(5)); x[1:3] = ['a']; print(x); del x[0]; print(x); x[::2] = [7, 8]; print(x); x.clear(); print(x))py",
       R"py([0, 'a', 3, 4]
['a', 3, 4]
[7, 3, 8]
[]
)py"},
      {R"py(x = [[1]] * 2; x[0].append(2); print(x, [1, 2] < [1, 3], [1] == [1.0]))py",
       R"py([[1, 2], [1, 2]] True True
)py"},
      {R"py(x = [5, 3, 9]; x.sort(reverse=True); print(x, sorted(x, key=str)))py",
       R"py([9, 5, 3] [3, 5, 9]
)py"},
      {R"py(print([1, 2, 3][-1], [1, 2, 3][::-1], 2 in [1, 2], [] or 'empty', [*'ab', 3]))py",
       R"py(3 [3, 2, 1] True empty ['a', 'b', 3]
)py"},
  });
}

TEST_CASE("builtins: dict and set") {
  check_cases({
      {R"py(d = {'a': 1, 'b': 2}; print(d.get('a'), d.get('z', 0), d.setdefault('c', 3), d.pop('a'), d.pop('q', None), d))py",
       R"py(1 0 3 1 None {'b': 2, 'c': 3}
)py"},
      {R"py(d = {'a': 1}; d.update(b=2); d.update({'c': 3}); d.update([('d', 4)]); print(d, list(d.items()), d.popitem(), len(d)))py",
       R"py({'a': 1, 'b': 2, 'c': 3} [('a', 1), ('b', 2), ('c', 3), ('d', 4)] ('d', 4) 3
)py"},
      {R"py(print(list({'a': 1}.keys()), list({'a': 1}.values()), {'a': 1}.items(), dict.fromkeys('ab', 0), dict(a=1, **{'b': 2})))py",
       R"py(['a'] [1] dict_items([('a', 1)]) {'a': 0, 'b': 0} {'a': 1, 'b': 2}
)py"},
      {R"py(print({1: 2} | {3: 4}, {'a': 1} == {'a': 1.0}, 'a' in {'a': 1}, list(reversed({'a': 1, 'b': 2}))))py",
       R"py({1: 2, 3: 4} True True ['b', 'a']
)py"},
      {R"py(d = {'x': 1}
for k in d: print(k, d[k])
d.clear(); print(d, bool(d)))py",
       R"py(x 1
{} False
)py"},
      {R"py(s = {1, 2} | {2, 3}; print(s, s & {2}, s - {1}, s ^ {1, 9}, {1} < {1, 2}, {1, 2} >= {1}, len(s)))py",
       R"py({1, 2, 3} {2} {2, 3} {2, 3, 9} True True 3
)py"},
      {R"py(s = set(); s.add(1); s.add(1); s.update([2, 3]); s.discard(9); s.remove(2); print(s, s.issubset({1, 3, 4}), s.isdisjoint({7})))py",
       R"py({1, 3} True True
)py"},
      {R"py(print(frozenset([1, 2]), set('a'), {frozenset([1]): 2}, set(), frozenset()))py",
       R"py(frozenset({1, 2}) {'a'} {frozenset({1}): 2} set() frozenset()
)py"},
      {R"py(print({1, 2}.union([3], [4]), {1, 2}.intersection([2]), {1, 2}.difference([1]), {1, 2}.symmetric_difference([2, 3])))py",
       R"py({1, 2, 3, 4} {2} {2} {1, 3}
)py"},
      {R"py(print({'a': 1}.keys() & {'a', 'b'}, {'a': 1}.keys() == {'a'}, ('a', 1) in {'a': 1}.items()))py",
       R"py({'a'} True True
)py"},
      {R"py(print({**{'a': 1}, 'b': 2}, {k: v for k, v in zip('ab', range(2))}, {x % 3 for x in range(5)}))py",
       R"py({'a': 1, 'b': 2} {'a': 0, 'b': 1} {0, 1, 2}
)py"},
  });
}

TEST_CASE("builtins: classes and callbacks") {
  check_cases({
      {R"py(class A:
    def __init__(self, v): self.v = v
    def __repr__(self): return f'A({self.v})'
    def __lt__(self, o): return self.v < o.v
    def __eq__(self, o): return self.v == o.v
    def __hash__(self): return hash(self.v)
print(sorted([A(2), A(1)]), min([A(2), A(1)]), [A(1)].index(A(1)), {A(1): 2}[A(1)], A(1) in [A(1)], {A(1), A(1)}))py",
       R"py([A(1), A(2)] A(1) 0 2 True {A(1)}
)py"},
      {R"py(class A:
    def __str__(self): return 'S'
    def __repr__(self): return 'R'
    def __format__(self, s): return 'F' + s
    def __len__(self): return 3
    def __bool__(self): return False
    def __int__(self): return 7
    def __float__(self): return 1.5
    def __index__(self): return 2
    def __abs__(self): return 4
    def __round__(self, n=None): return n
a = A()
print(a, [a], f'{a:x}', str(a), repr(a), len(a), bool(a), int(a), float(a), abs(a), round(a), round(a, 1), [5, 6, 7][a], '%s %r' % (a, a)))py",
       R"py(S [R] Fx S R 3 False 7 1.5 4 None 1 7 S R
)py"},
      {R"py(class It:
    def __init__(self): self.n = 0
    def __iter__(self): return self
    def __next__(self):
        self.n += 1
        if self.n > 3: raise StopIteration
        return self.n
print(list(It()), sum(It()), max(It()), tuple(map(lambda v: v * 2, It())), list(zip(It(), It()))))py",
       R"py([1, 2, 3] 6 3 (2, 4, 6) [(1, 1), (2, 2), (3, 3)]
)py"},
      {R"py(class S:
    def __len__(self): return 3
    def __getitem__(self, i):
        if i >= 3: raise IndexError
        return i * 10
print(list(S()), list(reversed(S())), 20 in S()))py",
       R"py([0, 10, 20] [20, 10, 0] True
)py"},
      {R"py(class D(dict):
    def __missing__(self, k): return k * 2
d = D(a=1)
print(d['a'], d['zz'], d, len(d), isinstance(d, dict), type(d).__name__, d.get('q')))py",
       R"py(1 zzzz {'a': 1} 1 True D None
)py"},
      {R"py(class L(list):
    def total(self): return sum(self)
x = L([1, 2]); x.append(3); print(x, x.total(), len(x), x == [1, 2, 3], isinstance(x, list)))py",
       R"py([1, 2, 3] 6 3 True True
)py"},
      {R"py(class E(ValueError):
    def __init__(self, code): super().__init__(f'code {code}'); self.code = code
try: raise E(5)
except ValueError as e: print(e, e.code, e.args, repr(e), type(e).__name__))py",
       R"py(code 5 5 ('code 5',) E('code 5') E
)py"},
      {R"py(class P:
    @property
    def x(self): return 1
    @x.setter
    def x(self, v): print('set', v)
    @staticmethod
    def s(a): return a
    @classmethod
    def c(cls): return cls.__name__
p = P(); p.x = 3; print(p.x, P.s(2), p.s(3), P.c(), p.c()))py",
       R"py(set 3
1 2 3 P P
)py"},
      {R"py(class B:
    def __init_subclass__(cls, **k): print('sub', cls.__name__, k)
class C(B, tag=1): pass)py",
       R"py(sub C {'tag': 1}
)py"},
      {R"py(class N:
    _i = None
    def __new__(cls, *a):
        if cls._i is None: cls._i = super().__new__(cls)
        return cls._i
print(N() is N()))py",
       R"py(True
)py"},
      {R"py(def gen():
    got = yield 1
    print('got', got)
    yield 2
g = gen(); print(next(g), g.send('x')); g.close(); print(list(g)))py",
       R"py(got x
1 2
[]
)py"},
      {R"py(print(sorted([3, 1, 2], key=lambda v: (v % 2, v)), list(filter(lambda v: v > 1, [1, 2, 3]))))py",
       R"py([2, 1, 3] [2, 3]
)py"},
      {R"py(try:
    sorted([1, 2], key=lambda v: 1 / 0)
except ZeroDivisionError as e: print('caught', e))py",
       R"py(caught division by zero
)py"},
      {R"py(def f(n): return sorted([n, 1], key=lambda v: v if n < 2 else sorted([v], key=lambda w: -w)[0])
print(f(5)))py",
       R"py([1, 5]
)py"},
      {R"py(t = type('T', (object,), {'x': 1, 'm': lambda self: self.x}); print(t.__name__, t().m(), t.__mro__ == (t, object)))py",
       R"py(T 1 True
)py"},
      {R"py(print([x for x in type('Q', (tuple,), {})((1, 2))], type('Q', (tuple,), {})((1, 2))))py",
       R"py([1, 2] (1, 2)
)py"},
      {R"py(e = ValueError('a'); e.add_note('n'); print(e.__notes__, e.__cause__, e.__traceback__))py",
       R"py(['n'] None None
)py"},
  });
}

}  // namespace
}  // namespace glint::runtime
