# Cells: shared, rebound, one per call, and late in loops.
def counter(start):
    count = start

    def step(by=1):
        nonlocal count
        count += by
        return count

    def value():
        return count

    return step, value


step, value = counter(10)
step()
step(5)
print(value())
other, _ = counter(0)
print(other(), value())

late = [lambda: i for i in range(3)]
print([f() for f in late])
early = [lambda i=i: i for i in range(3)]
print([f() for f in early])


def outer():
    x = "outer"

    def middle():
        def inner():
            nonlocal x
            x = "changed"
            return x

        return inner

    return x, middle()(), x


print(outer())

total = 0


def add(n):
    global total
    total += n


for n in range(5):
    add(n)
print(total)


def compose(*functions):
    def run(x):
        for f in functions:
            x = f(x)
        return x

    return run


print(compose(lambda x: x + 1, lambda x: x * 2, str)(3))


def fails():
    print(later)
    later = 1


try:
    fails()
except UnboundLocalError as error:
    print(error)


def free():
    def inner():
        return unset

    try:
        inner()
    except NameError as error:
        print(error)
    unset = 1
    return inner()


print(free())
