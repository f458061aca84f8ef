# An error in a generator shows the generator's frame.
def produce():
    yield 1
    yield {}["missing"]


def consume():
    for value in produce():
        print(value)


consume()
