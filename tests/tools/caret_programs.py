"""Statements that fail, made systematically: caret_test.py compares their tracebacks.

    expressions     each fails in one way: `1 / zero`, `d["k"]`, `o.missing`, `boom(1)`, ...
    places          where an expression may stand: `f({})`, `[{} for _ in one]`, ...
    statements      where it may stand in a statement: `assert {}`, `with {}: ...`, ...

A program is every expression in every place, and in every statement; with depth 2, in places
within places. Each runs in a function of its own.
"""

PRELUDE = '''\
import sys


class Thing:
    attribute = 1
    items = {"a": [1, 2]}

    def boom(self, *args, **kwargs):
        raise ValueError("boom")

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return False


def boom(*args, **kwargs):
    raise ValueError("boom")


def ident(*args, **kwargs):
    return args[0] if args else None


zero, one, word, d, o, lst, none = 0, [1], "word", {"a": 1}, Thing(), [1, 2, 3], None
'''

# Each exception becomes the cause of the next one's own first.
DRIVER = '''\
    try:
        list(f() or ())
    except BaseException as error:
        error.add_note("==== " + f.__name__[1:])
        first = error
        while first.__cause__ or (first.__context__ and not first.__suppress_context__):
            first = first.__cause__ or first.__context__
        first.__cause__, last = last, error
raise last
'''

EXPRESSIONS = [
    "1 / zero",
    "1 + 2 * (3 % zero)",
    "word + 1",
    "-word",
    "d['k']",
    "lst[9]",
    "lst[0][1]",
    "o.missing",
    "o.items['a'][7]",
    "o.attribute.real.nothing",
    "unknown",
    "boom(1)",
    "o.boom(1, k=2)",
    "ident(*one, **none)",
    "one < word",
    "lst[word:2]",
    "none()",
    "lst @ lst",
    "9 in zero",
    "d['a'] ** d['b']",
]

PLACES = [
    "{}",
    "ident({})",
    "ident(1, k={})",
    "ident(*[{}], **d)",
    "[1, {}, 3]",
    "({}, 2)",
    "{{'k': {}}}",
    "{{{}: 1}}",
    "{{1, {}}}",
    "1 + ({})",
    "({}) * 2",
    "not ({})",
    "one and ({})",
    "({}) or 1",
    "1 < ({}) < 3",
    "({}) if one else 2",
    "1 if {} else 2",
    "[({}) for _ in one]",
    "[i for i in ({})]",
    "[i for i in one if ({})]",
    "{{i: ({}) for i in one}}",
    "list(({}) for _ in one)",
    "(lambda: {})()",
    "(lambda x=({}): x)()",
    "f'{{{}}}'",
    "f'a {{ {} !r:>5}} b'",
    "lst[{}]",
    "lst[1:({})]",
    "({}).name",
    "({})(1)",
    "({})[0]",
    "(y := ({}))",
    "ident(\n        {},\n        2,\n    )",
    "ident(1,\n          {})",
    "(1 +\n     ({}))",
    "o.attribute + ({}) + 1",
    "ident(ident({}))",
]

STATEMENTS = [
    "{}",
    "x = {}",
    "x = y = {}",
    "x: int = {}",
    "x, y = {}",
    "x = 1; y = {}; z = 2",
    "x = 1\n    x += {}",
    "lst[0] = {}",
    "lst[{}] = 1",
    "({}).name = 1",
    "lst[0] += {}",
    "o.attribute += {}",
    "return {}",
    "yield {}",
    "assert {}",
    "assert not ({})",
    "assert 1 > 2, {}",
    "raise {}",
    "raise ValueError('a') from ({})",
    "raise ValueError({})",
    "del lst[{}]",
    "del ({}).name",
    "if {}:\n        pass",
    "if one and ({}):\n        pass",
    "if not one:\n        pass\n    elif {}:\n        pass",
    "while {}:\n        pass",
    "for x in {}:\n        pass",
    "for x in one:\n        {}",
    "for x, y in [({})]:\n        pass",
    "with {}:\n        pass",
    "with o as x:\n        {}",
    "with o, {}:\n        pass",
    "try:\n        {}\n    finally:\n        x = 1",
    "try:\n        none()\n    except TypeError:\n        {}",
    "try:\n        none()\n    except ({}):\n        pass",
    "try:\n        pass\n    finally:\n        {}",
    "@ident({})\n    def f():\n        pass",
    "@({})\n    def f():\n        pass",
    "def f(x={}):\n        pass",
    "def f(x: ({})):\n        pass",
    "def f() -> ({}):\n        pass",
    "class C:\n        x = {}",
    "class C(({})):\n        pass",
    "class C:\n        def f(self, x={}):\n            pass",
    "match {}:\n        case 1:\n            pass",
    "match 1:\n        case x if {}:\n            pass",
    "match 1:\n        case 1:\n            {}",
    "print({}, file=sys.stderr)",
    "from math import sqrt; x = {}",
]

# Statements that fail by themselves.
ALONE = [
    "x, y = 1",
    "x, y = 1, 2, 3",
    "x, *y = ()",
    "(x, (y, z)) = 1, 2",
    "for x, y in [1]:\n        pass",
    "for x in 5:\n        pass",
    "[x for x, y in [1]]",
    "[x for x in 5]",
    "import nosuch",
    "import sys, nosuch.inner",
    "from nosuch import x",
    "with 1:\n        pass",
    "with o, 1:\n        pass",
    "with o as (x, y):\n        pass",
    "with boom() as x, o:\n        pass",
    "raise 1",
    "raise ValueError from 1",
    "raise ValueError('a')",
    "raise ValueError(\n        'a',\n    )",
    "raise",
    "assert 1 > 2",
    "assert one == 2, 'text'",
    "assert (\n        1 >\n        2\n    )",
    "assert 1 > 2, (\n        'text'\n    )",
    "assert not one",
    "assert zero",
    "assert zero and one",
    "assert ident(0)",
    "del unknown",
    "del x; x = 1",
    "del d['nosuch']",
    "del o.nosuch",
    "del lst[9], d",
    "print(x)\n    x = 1",
    "x += 1",
    "o.nosuch += 1",
    "d['nosuch'] += 1",
    "word += 1",
    "lst[0] @= 2",
    "1 .x = 2",
    "None.x = 2",
    "word[0] = 1",
    "word[0][1] = 1",
    "ident(1)(2)(3)",
    "ident(o)\\\n        .boom(1)",
    "(o\n     .boom(1)\n     .boom(2))",
    "ident(1, 2, k=3, k2=boom())",
    "ident(**{'a': 1}, **{'a': 2})",
    "ident(a=1, **{'a': 2})",
    "ident(*5)",
    "ident(**5)",
    "ident(1, *5, 2)",
    "print(*boom())",
    "[*5]",
    "{**5}",
    "{*5}",
    "{[]: 1}",
    "{[]}",
    "{1: 2, **{}, []: 3}",
    "{[]: i for i in one}",
    "{[] for i in one}",
    "f'{word:d}'",
    "f'{1:x>{word}q}'",
    "f'{word!r:d}'",
    "f'{1} {word:d} {2}'",
    "f'''\n    {1}\n    {unknown}\n    '''",
    "x = f'{ident(f\"{1 / zero}\")}'",
    "x = f'''\n    {1} {ident(f\"{1 / zero}\")}'''",
    "ident(k=1, *none)",
    "'%d' % word",
    "'%d %d' % 1",
    "x = (1,\n         2 / zero)",
    "x = 1 / \\\n        zero",
    "x = [\n        1,\n        boom(),\n    ]",
    "x = {\n        'a': 1,\n        'b': boom(\n            2\n        ),\n    }",
    "class C:\n        unknown",
    "class C:\n        def f(self):\n            return 1 / zero\n    C().f()",
    "class C:\n        @property\n        def p(self):\n            return self.q\n    C().p",
    "class C:\n        def __add__(self, other):\n            return 1 / zero\n    C() + 1",
    "class C:\n        def __getitem__(self, i):\n            return boom(i)\n    C()[1]",
    "class C:\n        def __iter__(self):\n            return boom()"
    "\n    for x in C():\n        pass",
    "class C:\n        def __bool__(self):\n            return boom()\n    if C():\n        pass",
    "class C:\n        def __bool__(self):\n            return boom()"
    "\n    while not C():\n        pass",
    "class C:\n        def __init__(self):\n            self.x = boom()\n    C()",
    "class C:\n        def __exit__(self, *e):\n            boom()"
    "\n        def __enter__(self):\n            pass\n    with C() as x:\n        pass",
    "class C:\n        def __enter__(self):\n            boom()"
    "\n        def __exit__(self, *e):\n            pass\n    with C() as x:\n        pass",
    "class C:\n        __slots__ = ('a',)\n    C().b = 1",
    "def f(a, b):\n        pass\n    f(1)",
    "def f(a, *, b):\n        pass\n    f(1, 2)",
    "def f(a):\n        pass\n    f(1, c=2)",
    "def g():\n        yield 1\n        1 / zero\n    list(g())",
    "def g():\n        yield 1\n        1 / zero\n    for x in g():\n        pass",
    "def g():\n        yield from boom()\n    list(g())",
    "def g():\n        x = yield from 5\n    list(g())",
    "def g():\n        return boom() + 1\n    x = g() + g()",
    "@boom\n    def f():\n        pass",
    "@ident\n    @boom\n    class C:\n        pass",
    "@ident\n    @o.boom(1)\n    def f():\n        pass",
    "lambda: 1\n    (lambda a: a)()",
    "(lambda: (\n        1 / zero\n    ))()",
    "max(lst, key=lambda x: x / zero)",
    "sorted([1, 'a'])",
    "list(map(lambda x: 1 / x, [0]))",
    "int('x')",
    "x = int(\n        'x'\n    )",
    "lst[0].nothing.more",
    "lst.nothing()",
    "lst.append(1, 2)",
    "lst[0:2][5]",
    "lst[1][2][3]",
    "o.items['a'][0]['b']['c']",
    "o.items['zz']['a'][0]",
    "(1 + word) * 2",
    "1 + 2 + word",
    "1 + word + 2",
    "2 * (1 + (3 + word))",
    "-(-word)",
    "~1.5",
    "not (1 < word)",
    "1 < 2 < word < 4",
    "1 < word == 2",
    "word in 5",
    "word not in 5",
    "1 if 1 < word else 2",
    "x = 'é' + 1",
    "x = 'éé'; y = {'é': 'ü'}['ö'] + 'é'",
    "x = '日本' + 1 + '日本'",
    "ident('日本', boom('é'), 1)",
    "x = lst [ 9 ]",
    "x = (lst) [ 9 ]",
    "x = 1   /   zero",
    "x = (1)   /   (zero)",
    "x = ((1) / ((zero)))",
    "ident( 1 / zero )   # a comment",
    "if 1 / zero: pass",
    "if one: 1 / zero",
    "while 1: 1 / zero",
    "for x in one: boom(); x = 1",
    "try: boom()\n    except KeyError: pass",
    "try:\n        boom()\n    except ValueError as e:\n        raise KeyError('k') from e",
    "try:\n        boom()\n    except ValueError as e:\n        raise KeyError('k') from None",
    "try:\n        boom()\n    except ValueError as e:\n        raise",
    "try:\n        boom()\n    except ValueError as e:\n        raise e",
    "try:\n        boom()\n    finally:\n        none()",
    "try:\n        boom()\n    except none:\n        pass",
    "e = ValueError('a')\n    e.add_note('note')\n    raise e",
    "match [1, 2]:\n        case [x, y]:\n            boom(x)",
    "match d:\n        case {'a': x} if x / zero:\n            pass",
    "match o:\n        case none(x=1):\n            pass",
    "match o:\n        case Thing(1):\n            pass",
    "match 1:\n        case o.nosuch:\n            pass",
    "global unknown2; unknown2",
    "exec('1 / 0')",
    "exec('def f():\\n  1 / 0\\nf()')",
    "eval('1 +')",
    "compile('a b', 'file', 'exec')",
    "next(iter([]))",
    "def f():\n        return next(iter([]))\n    f()",
    "open('/nosuch/file')",
    "sys.nosuch",
    "o.atribute",
    "ident(lsst)",
    "lst.apend(1)",
    "def f(value):\n        pass\n    f(valu=1)",
    "async_ = unknwon = 1; unknwn",
    "''.join([1, 2])",
    "chr(-1)",
    "'abc'.index('z')",
    "(yield 1) + word",
    "x = yield; x + 1",
    "return boom() if one else 2",
    "return (\n        1 +\n        word\n    )",
    "return [\n        boom(i)\n        for i in one\n    ]",
    "return sum(\n        1 / i\n        for i in [1, 0]\n    )",
    "return {k: v for k, v in 5}",
    "return {k: v for k, v in [1]}",
    "return [i for i in one for j in i]",
    "return [i for i in one if i.x]",
    "return [(i, j) for i in one for j in boom()]",
    "return f(1)",
    "return o.boom(\n        1,\n        2,\n    )",
    "return (o.attribute\n            .nothing)",
    "return (lst\n            [9])",
    "return (lst[\n        9])",
    "return 1 + (\n        word)",
    "return (ident(1) +\n            word) * 2",
]


def programs(depth):
    """The bodies of functions, each of which fails."""
    if depth == 0:
        return list(ALONE)
    made = []
    for number, expression in enumerate(EXPRESSIONS):
        inner = [place.format(expression) for place in PLACES]
        if depth == 2:
            # Not all of them: each place within each other once, with changing expressions.
            inner = [
                outer.format(place.format(expression))
                for at, outer in enumerate(PLACES)
                for other, place in enumerate(PLACES)
                if (at + other) % len(EXPRESSIONS) == number
            ]
            inner = [one for one in inner if fits(one)]
        step = 7 if depth == 1 else 11
        for at, statement in enumerate(STATEMENTS):
            made += [
                statement.format(one)
                for other, one in enumerate(inner)
                if other == 0 or (at + other) % step == 0
            ]
    return made


def fits(text):
    """Python 3.11 takes no string of the same quotes, and no line end, in an f-string's field."""
    begin = text.find("f'")
    field = text[begin + 2 : text.rindex("'")] if begin >= 0 else ""
    return begin < 0 or not ("'" in field or "\n" in text or "lambda" in text[begin:])


def script(bodies):
    """A script that runs them all: its one exception has those of the others as its causes."""
    parts = [PRELUDE]
    for number, body in enumerate(bodies):
        parts.append(f"\n\ndef f{number}():\n    {body}\n")
    names = ", ".join(f"f{number}" for number in range(len(bodies)))
    return "".join([*parts, "\n\nlast = None\n", f"for f in [{names}]:\n", DRIVER])
