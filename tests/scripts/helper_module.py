# module
# Imported by scripts_beside.py.
VALUE = 42
calls = 0


def double(x):
    return x * 2


def describe():
    return f"calls is {calls}"


class Counter:
    def __init__(self):
        self.n = 0

    def step(self):
        global calls
        calls += 1
        self.n += 1
