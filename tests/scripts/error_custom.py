# An exception class of one's own, raised from a lambda in a class body's method.
class ModelError(RuntimeError):
    def __init__(self, layer, reason):
        super().__init__(f"layer {layer}: {reason}")


class Model:
    def __init__(self):
        self.check = lambda n: n if n > 0 else self.fail(n)

    def fail(self, n):
        raise ModelError(n, "must be positive")


Model().check(-1)
