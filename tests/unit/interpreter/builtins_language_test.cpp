// What builtins print and raise, against CPython 3.11: each case is a text and its output.
#include <catch2/catch.hpp>

#include "builtins_runner.h"

namespace glint::runtime {
namespace {

TEST_CASE("builtins: builtin functions") {
  check_cases({
      {R"py(print(abs(-3), abs(-2.5), round(2.5), round(3.5), round(2.675, 2), round(1234, -2), round(-15, -1)))py",
       R"py(3 2.5 2 4 2.67 1200 -20
)py"},
      {R"py(print(divmod(7, -2), divmod(7.5, 2), pow(2, 10), pow(3, -1, 7), pow(2, 10, 1000)))py",
       R"py((-4, -1) (3.0, 1.5) 1024 5 24
)py"},
      {R"py(print(sum([1, 2, 3]), sum([0.1] * 3), sum([[1], [2]], []), min(3, 1, 2), max([4, 9, 2], key=lambda v: -v)))py",
       R"py(6 0.30000000000000004 [1, 2] 1 2
)py"},
      {R"py(print(min([], default='none'), max('hello'), any([0, '', 3]), all([]), all([1, 0])))py",
       R"py(none o True True False
)py"},
      {R"py(print(bin(-5), oct(8), hex(255), chr(8364), ord('a'), ascii('é')))py",
       R"py(-0b101 0o10 0xff € 97 '\xe9'
)py"},
      {R"py(print(int('12'), int('-0x1f', 16), int(3.9), int('  7 '), float('1e3'), float('inf'), bool([]), bool('x')))py",
       R"py(12 -31 3 7 1000.0 inf False True
)py"},
      {R"py(print(list(range(5)), list(range(10, 0, -3)), range(3), len(range(0, 10, 3)), 4 in range(0, 10, 2)))py",
       R"py([0, 1, 2, 3, 4] [10, 7, 4, 1] range(0, 3) 4 True
)py"},
      {R"py(print(list(enumerate('ab', 1)), list(zip([1, 2], 'xy')), list(map(str, [1, 2])), list(filter(None, [0, 1, 2]))))py",
       R"py([(1, 'a'), (2, 'b')] [(1, 'x'), (2, 'y')] ['1', '2'] [1, 2]
)py"},
      {R"py(print(list(map(lambda a, b: a + b, [1, 2], [10, 20])), list(reversed([1, 2, 3])), list(reversed('abc'))))py",
       R"py([11, 22] [3, 2, 1] ['c', 'b', 'a']
)py"},
      {R"py(print(sorted([3, 1, 2]), sorted('bca', reverse=True), sorted(['bb', 'a', 'ccc'], key=len)))py",
       R"py([1, 2, 3] ['c', 'b', 'a'] ['a', 'bb', 'ccc']
)py"},
      {R"py(print(sorted([(1, 'b'), (0, 'z'), (1, 'a')]), sorted([2.5, 1, True])))py",
       R"py([(0, 'z'), (1, 'a'), (1, 'b')] [1, True, 2.5]
)py"},
      {R"py(print(next(iter([7])), next(iter([]), 'end'), list(iter(lambda it=iter([1, 2, 0, 3]): next(it), 0))))py",
       R"py(7 end [1, 2]
)py"},
      {R"py(print(isinstance(3, int), isinstance(True, int), isinstance('a', (int, str)), issubclass(bool, int)))py",
       R"py(True True True True
)py"},
      {R"py(print(callable(len), callable(3), hasattr([], 'append'), getattr(3, 'nope', 'default')))py",
       R"py(True False True default
)py"},
      {R"py(print(repr('it\'s'), repr([1, 'a', None, 2.0, (1,)]), repr({'a': {1}}), str(b'a\x00')))py",
       R"py("it's" [1, 'a', None, 2.0, (1,)] {'a': {1}} b'a\x00'
)py"},
      {R"py(print(type(3), type('x').__name__, type([]) is list, type(None)))py",
       R"py(<class 'int'> str True <class 'NoneType'>
)py"},
      {R"py(print(eval('1 + 2 * 3'), eval('x * 2', {'x': 21})))py",
       R"py(7 42
)py"},
      {R"py(exec('y = 5\nprint(y + 1)')
print(y))py",
       R"py(6
5
)py"},
      {R"py(print('a', 'b', sep='-', end='!\n'); print(); print(1, None, True))py",
       R"py(a-b!

1 None True
)py"},
      {R"py(print(hash('a') == hash('a'), hash(1) == hash(1.0), id(3) == id(3)))py",
       R"py(True True True
)py"},
      {R"py(x = [1]; x.append(x); print(x))py",
       R"py([1, [...]]
)py"},
      {R"py(d = {}; d['self'] = d; print(d))py",
       R"py({'self': {...}}
)py"},
      {R"py(print(int.__name__, len.__name__, (lambda: 0).__name__))py",
       R"py(int len <lambda>
)py"},
      {R"py(print(format(3.14159, '.2f'), format(42, '#x'), format('a', '>3') + '|'))py",
       R"py(3.14 0x2a   a|
)py"},
      {R"py(print(vars(type('A', (), {'x': 1}))['x'], [n for n in dir([]) if n in ('append', 'sort')]))py",
       R"py(1 ['append', 'sort']
)py"},
      {R"py(print(slice(1, 2), slice(None, 5).indices(3), Ellipsis, NotImplemented))py",
       R"py(slice(1, 2, None) (0, 3, 1) Ellipsis NotImplemented
)py"},
      {R"py(print(sum(x for x in range(4)), max((x, -x) for x in range(3)), sorted({3: 'a', 1: 'b'})))py",
       R"py(6 (2, -2) [1, 3]
)py"},
      {R"py(print(*[1, 2], **{'sep': '|'}))py",
       R"py(1|2
)py"},
      {R"py(print(int(True), True + True, float(3), str(1.0), str(True)))py",
       R"py(1 2 3.0 1.0 True
)py"},
      {R"py(print(list(zip(*[(1, 2), (3, 4)])), dict(zip('ab', [1, 2]))))py",
       R"py([(1, 3), (2, 4)] {'a': 1, 'b': 2}
)py"},
  });
}

TEST_CASE("builtins: errors") {
  check_cases({
      {R"py(int('abc'))py",
       R"py(ValueError: invalid literal for int() with base 10: 'abc'
)py"},
      {R"py(int(''))py",
       R"py(ValueError: invalid literal for int() with base 10: ''
)py"},
      {R"py(float('x'))py",
       R"py(ValueError: could not convert string to float: 'x'
)py"},
      {R"py(int([]))py",
       R"py(TypeError: int() argument must be a string, a bytes-like object or a real number, not 'list'
)py"},
      {R"py(float([]))py",
       R"py(TypeError: float() argument must be a string or a real number, not 'list'
)py"},
      {R"py(len(3))py",
       R"py(TypeError: object of type 'int' has no len()
)py"},
      {R"py([].pop())py",
       R"py(IndexError: pop from empty list
)py"},
      {R"py([1, 2].remove(3))py",
       R"py(ValueError: list.remove(x): x not in list
)py"},
      {R"py([1].index(2))py",
       R"py(ValueError: 2 is not in list
)py"},
      {R"py({}['a'])py",
       R"py(KeyError: 'a'
)py"},
      {R"py({1: 2}.pop(3))py",
       R"py(KeyError: 3
)py"},
      {R"py(set().pop())py",
       R"py(KeyError: 'pop from an empty set'
)py"},
      {R"py(''.join([1]))py",
       R"py(TypeError: sequence item 0: expected str instance, int found
)py"},
      {R"py('abc'.index('z'))py",
       R"py(ValueError: substring not found
)py"},
      {R"py(min([]))py",
       R"py(ValueError: min() arg is an empty sequence
)py"},
      {R"py(max(1))py",
       R"py(TypeError: 'int' object is not iterable
)py"},
      {R"py(sorted([1, 'a']))py",
       R"py(TypeError: '<' not supported between instances of 'str' and 'int'
)py"},
      {R"py(sum(['a']))py",
       R"py(TypeError: unsupported operand type(s) for +: 'int' and 'str'
)py"},
      {R"py(next(iter([])))py",
       R"py(StopIteration
)py"},
      {R"py(next([]))py",
       R"py(TypeError: 'list' object is not an iterator
)py"},
      {R"py(chr(-1))py",
       R"py(ValueError: chr() arg not in range(0x110000)
)py"},
      {R"py(ord('ab'))py",
       R"py(TypeError: ord() expected a character, but string of length 2 found
)py"},
      {R"py(range(1, 2, 0))py",
       R"py(ValueError: range() arg 3 must not be zero
)py"},
      {R"py(round('a'))py",
       R"py(TypeError: type str doesn't define __round__ method
)py"},
      {R"py(abs('a'))py",
       R"py(TypeError: bad operand type for abs(): 'str'
)py"},
      {R"py(pow(2, 3, 0))py",
       R"py(ValueError: pow() 3rd argument cannot be 0
)py"},
      {R"py([1, 2][5])py",
       R"py(IndexError: list index out of range
)py"},
      {R"py((1,)[3])py",
       R"py(IndexError: tuple index out of range
)py"},
      {R"py('abc'[10])py",
       R"py(IndexError: string index out of range
)py"},
      {R"py(iter(3))py",
       R"py(TypeError: 'int' object is not iterable
)py"},
      {R"py(for x in 5: pass)py",
       R"py(TypeError: 'int' object is not iterable
)py"},
      {R"py(dict([1]))py",
       R"py(TypeError: cannot convert dictionary update sequence element #0 to a sequence
)py"},
      {R"py(dict([(1, 2, 3)]))py",
       R"py(ValueError: dictionary update sequence element #0 has length 3; 2 is required
)py"},
      {R"py(tuple(3))py",
       R"py(TypeError: 'int' object is not iterable
)py"},
      {R"py(isinstance(1, 2))py",
       R"py(TypeError: isinstance() arg 2 must be a type, a tuple of types, or a union
)py"},
      {R"py(setattr(3, 'x', 1))py",
       R"py(AttributeError: 'int' object has no attribute 'x'
)py"},
      {R"py(getattr(3, 'x'))py",
       R"py(AttributeError: 'int' object has no attribute 'x'
)py"},
      {R"py('a'.nope)py",
       R"py(AttributeError: 'str' object has no attribute 'nope'
)py"},
      {R"py(open('/nonexistent/file'))py",
       R"py(FileNotFoundError: [Errno 2] No such file or directory: '/nonexistent/file'
)py"},
      {R"py('%d' % 'a')py",
       R"py(TypeError: %d format: a real number is required, not str
)py"},
      {R"py('%s %s' % 1)py",
       R"py(TypeError: not enough arguments for format string
)py"},
      {R"py('%s' % (1, 2))py",
       R"py(TypeError: not all arguments converted during string formatting
)py"},
      {R"py('{}'.format())py",
       R"py(IndexError: Replacement index 0 out of range for positional args tuple
)py"},
      {R"py('{a}'.format())py",
       R"py(KeyError: 'a'
)py"},
      {R"py('{0.x}'.format(3))py",
       R"py(AttributeError: 'int' object has no attribute 'x'
)py"},
      {R"py(f'{3:s}')py",
       R"py(ValueError: Unknown format code 's' for object of type 'int'
)py"},
      {R"py(f'{"a":d}')py",
       R"py(ValueError: Unknown format code 'd' for object of type 'str'
)py"},
      {R"py(f'{[]:d}')py",
       R"py(TypeError: unsupported format string passed to list.__format__
)py"},
      {R"py(print(1, sep=3))py",
       R"py(TypeError: sep must be None or a string, not int
)py"},
      {R"py(enumerate(3))py",
       R"py(TypeError: 'int' object is not iterable
)py"},
      {R"py(zip(3))py",
       R"py(TypeError: 'int' object is not iterable
)py"},
      {R"py(list(zip([1], [1, 2], strict=True)))py",
       R"py(ValueError: zip() argument 2 is longer than argument 1
)py"},
      {R"py(hash([]))py",
       R"py(TypeError: unhashable type: 'list'
)py"},
      {R"py({[]: 1})py",
       R"py(TypeError: unhashable type: 'list'
)py"},
      {R"py(int('9' * 3, 99))py",
       R"py(ValueError: int() base must be >= 2 and <= 36, or 0
)py"},
      {R"py('a'.split(''))py",
       R"py(ValueError: empty separator
)py"},
      {R"py(bytes([300]))py",
       R"py(ValueError: bytes must be in range(0, 256)
)py"},
      {R"py(bin('a'))py",
       R"py(TypeError: 'str' object cannot be interpreted as an integer
)py"},
      {R"py(divmod(1, 0))py",
       R"py(ZeroDivisionError: integer division or modulo by zero
)py"},
      {R"py(1 % 0)py",
       R"py(ZeroDivisionError: integer modulo by zero
)py"},
      {R"py(1.0 // 0)py",
       R"py(ZeroDivisionError: float floor division by zero
)py"},
      {R"py(raise KeyError('k'))py",
       R"py(KeyError: 'k'
)py"},
      {R"py(raise ValueError)py",
       R"py(ValueError
)py"},
      {R"py(raise ValueError(1, 2))py",
       R"py(ValueError: (1, 2)
)py"},
      {R"py(assert False, 'msg')py",
       R"py(AssertionError: msg
)py"},
      {R"py(super())py",
       R"py(RuntimeError: super(): no arguments
)py"},
      {R"py(object().x)py",
       R"py(AttributeError: 'object' object has no attribute 'x'
)py"},
      {R"py(object(3))py",
       R"py(TypeError: object() takes no arguments
)py"},
      {R"py([].append())py",
       R"py(TypeError: list.append() takes exactly one argument (0 given)
)py"},
      {R"py([].append(1, 2))py",
       R"py(TypeError: list.append() takes exactly one argument (2 given)
)py"},
      {R"py(len())py",
       R"py(TypeError: len() takes exactly one argument (0 given)
)py"},
      {R"py(len(1, 2))py",
       R"py(TypeError: len() takes exactly one argument (2 given)
)py"},
      {R"py('a'.upper(1))py",
       R"py(TypeError: str.upper() takes no arguments (1 given)
)py"},
      {R"py(print(nope=1))py",
       R"py(TypeError: 'nope' is an invalid keyword argument for print()
)py"},
      {R"py(int(x=1, y=2))py",
       R"py(TypeError: 'x' is an invalid keyword argument for int()
)py"},
      {R"py(range())py",
       R"py(TypeError: range expected at least 1 argument, got 0
)py"},
      {R"py(isinstance(1))py",
       R"py(TypeError: isinstance expected 2 arguments, got 1
)py"},
      {R"py(float(1, 2))py",
       R"py(TypeError: float expected at most 1 argument, got 2
)py"},
      {R"py(dict(1))py",
       R"py(TypeError: 'int' object is not iterable
)py"},
      {R"py(max())py",
       R"py(TypeError: max expected at least 1 argument, got 0
)py"},
      {R"py([3].insert(1))py",
       R"py(TypeError: insert expected 2 arguments, got 1
)py"},
  });
}

}  // namespace
}  // namespace glint::runtime
