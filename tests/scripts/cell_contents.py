"""What a closure's cells hold, read from outside, also in compiled code after it has changed."""

import torch


def counter():
    count = 10

    def step():
        nonlocal count
        count += 1
        return count

    return step


step = counter()
cell = step.__closure__[0]
print(cell.cell_contents)
step()
print(cell.cell_contents)


def unbound():
    def read():
        return late

    holder = read.__closure__[0]
    try:
        print(holder.cell_contents)
    except ValueError as error:
        print("ValueError", error)
    late = 3
    return holder.cell_contents


print(unbound())


@torch.compile(backend="eager")
def scaled(x):
    return x * cell.cell_contents


for _ in range(3):
    print(scaled(torch.ones(2)))
    step()
