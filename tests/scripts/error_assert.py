# assert, with a message over several lines of source.
def verify(x, y):
    assert x == y, (
        f"{x} is not {y}")


verify(1, 1)
verify(1, 2)
