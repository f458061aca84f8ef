import contextlib
import sys


class Collected:
    def __init__(self):
        self.texts = []

    def write(self, text):
        self.texts.append(text)

    def flush(self):
        pass


out, err = Collected(), Collected()
real = sys.stdout, sys.stderr
with contextlib.redirect_stdout(out) as target, contextlib.redirect_stderr(err):
    print("to out")
    print("to err", file=sys.stderr)
    print("a", "b", file=sys.__stdout__)
    with contextlib.redirect_stdout(err):
        print("nested")
    print(target is out)
print(out.texts, err.texts, (sys.stdout, sys.stderr) == real)
try:
    with contextlib.redirect_stderr(err):
        raise ValueError("inside")
except ValueError as error:
    print(error, sys.stderr is real[1])
