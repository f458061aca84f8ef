# glint only
# Files in compiled functions: each is closed where the script lets it go, and one region serves several.
import os
import pickle

import torch

path = f"/tmp/glint-compile-files-{os.getpid()}"


def put(file, text):
    file.write(text)


def written(text):
    put(open(path, "w"), text)
    return open(path).read()


def dropped(text):
    file = open(path, "w")
    put(file, text)
    del file
    return open(path).read()


def kept(x, file):
    y = x * 2
    file.write(f"{int(y.sum())}\n")
    return y + 1


def saved(x):
    torch.save(x * 2, open(path, "wb"))
    return torch.load(open(path, "rb")) + 1


def pickled(value):
    pickle.dump(value, open(path, "wb"))
    return pickle.load(open(path, "rb"))


for function in (written, dropped):
    for each in (function, torch.compile(function, backend="eager")):
        print([each(text) for text in ("a", "bc", "d")])
for function in (kept, torch.compile(kept, backend="eager")):
    names = []
    for i in range(12):
        with open(path, "a" if i % 3 else "w") as file:
            result = function(torch.ones(2) * i, file)
            names.append((file.name == path, file.closed, file.mode))
    print(result, names[-2:], open(path).read().split())
for each in (saved, torch.compile(saved, backend="eager")):
    print(each(torch.ones(2)), each(torch.ones(3)))
print(pickled([1, "a"]), torch.compile(pickled, backend="eager")({"b": 2}))


@torch.compile(backend="eager")
def told(x, file, other):
    same = file is other
    if file.closed:
        return x + 1, same
    return x - 1, same


first, second = open(path), open(path)
print(told(torch.ones(1), first, first), told(torch.ones(1), first, second))
first.close()
print(told(torch.ones(1), first, first), told(torch.ones(1), second, first), told(torch.ones(1), second, second))
second.close()
os.remove(path)
