# Builtins of an iterator that has ended, and iterators of iterators nested deeper than the stack.
ended = iter([1])
list(ended)
print(sum(ended), next(ended, 0), max(ended, default=4), list(zip(ended, ended)))
print(list(map(abs, ended)), sorted(ended), any(ended), all(ended), sum(ended, 5), tuple(ended))
ended = iter((1,))
list(ended)
print(sum(ended), next(ended, 0), min(ended, default=4), list(enumerate(ended)), "".join(ended))

for count in 100, 3000:
    for make in (lambda i: map(abs, i), lambda i: filter(None, i)):
        chain = iter([-1, 2])
        for _ in range(count):
            chain = make(chain)
        print(len(list(chain)))

for make in (lambda i: map(abs, i), zip, lambda i: filter(None, i)):
    chain = iter([1, 2])
    for _ in range(50000):
        chain = make(chain)
    chain = None  # destroyed without recursion
print("destroyed")
