# timeit: how often a statement runs, what it sees, and what is refused. No time is printed.
import timeit
from timeit import Timer, default_timer, repeat

import torch

count = 0


def step():
    global count
    count += 1


print(timeit.timeit(step, number=7) >= 0, count)
print(len(repeat(step, repeat=3, number=2)), count)
print(timeit.timeit("step()", globals=globals(), number=5) > 0, count)
print(timeit.timeit("total += n", setup="total = 0; n = 3", number=4) >= 0)
print(timeit.timeit("for i in range(2):\n    step()", setup="a = 1\nb = 2", globals={"step": step}, number=3) >= 0, count)
print(timeit.timeit("seen.append(x)", "x = 5", globals={"seen": (seen := [])}, number=2) >= 0, seen)
print(Timer(step, setup=step).timeit(2) >= 0, count)
ticks = iter(range(100))
print(Timer("pass", timer=lambda: next(ticks)).repeat(3, 10))
print(default_timer() > 0, timeit.default_number, timeit.default_repeat)
clock = [0.0]


def slow():
    clock[0] += 0.03


runs = []
print(Timer(slow, timer=lambda: clock[0]).autorange(lambda number, taken: runs.append(number))[0], runs)
f = torch.compile(lambda x: torch.relu(x) + 1)
x = torch.ones(3)
print(timeit.timeit(lambda: f(x), number=3) < 60)
for wrong in (lambda: Timer(3), lambda: Timer("x = ("), lambda: Timer("pass", setup=None), lambda: timeit.timeit("nothing", number=1)):
    try:
        print(wrong())
    except Exception as error:
        print(type(error).__name__, str(error).split("(")[0])
