# match: literals, names, sequences, mappings, classes, guards, alternatives.
class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y


def describe(value):
    match value:
        case 0:
            return "zero"
        case 1 | 2 | 3:
            return "small"
        case -1:
            return "minus one"
        case "text" | "words":
            return "a word"
        case True:
            return "true"
        case None:
            return "none"
        case []:
            return "empty"
        case [x]:
            return f"one {x}"
        case [1, *rest]:
            return f"starts with one, then {rest}"
        case (a, b):
            return f"pair {a} {b}"
        case [first, *_, last]:
            return f"from {first} to {last}"
        case {"kind": "circle", "r": r}:
            return f"circle {r}"
        case {"kind": kind, **others}:
            return f"{kind} {others}"
        case Point(x=0, y=0):
            return "origin"
        case Point(x, 0):
            return f"on the axis at {x}"
        case Point(x=x, y=y) if x == y:
            return f"diagonal {x}"
        case Point():
            return "a point"
        case int(n) if n > 100:
            return f"large {n}"
        case float() as f:
            return f"float {f}"
        case str(s):
            return f"string {s}"
        case _:
            return "other"


for value in [0, 2, -1, "words", None, [], [5], [1, 2, 3], (4, 5), [7, 8, 9], {"kind": "circle", "r": 2}, {"kind": "square", "w": 3},
              Point(0, 0), Point(3, 0), Point(4, 4), Point(1, 2), 500, 50, 1.5, "other", {1}]:
    print(describe(value))


class Color:
    RED = 1
    BLUE = 2


def color(c):
    match c:
        case Color.RED:
            return "red"
        case Color.BLUE:
            return "blue"


print(color(1), color(2), color(3))
match = 5
case = match + 1
print(match, case)
match [1, (2, 3)]:
    case [a, (b, c)]:
        print(a, b, c)
