# An expression over several lines: the line of the failing part is shown.
def f(a, b, c):
    return a


result = f(
    1,
    2 + 3,
    "a" + 4,
)
