# A frame that repeats is shown three times and then counted.
import sys

sys.setrecursionlimit(100)


def down(n):
    return down(n + 1)


try:
    down(0)
except RecursionError as error:
    print("caught", type(error).__name__)


def up(n):
    if n == 0:
        raise ValueError("bottom")
    up(n - 1)


up(10)
