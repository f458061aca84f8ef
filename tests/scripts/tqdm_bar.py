# A progress bar's counts and its last line, on a file of the script's own.
from tqdm import tqdm, trange
from tqdm.auto import tqdm as auto_tqdm


class Lines:
    """Keeps what is written, without the numbers that a clock makes."""

    encoding = "utf-8"

    def __init__(self):
        self.text = ""

    def write(self, text):
        self.text += text

    def flush(self):
        pass

    def show(self):
        for line in self.text.split("\r"):
            words = line.split("[")
            print(repr(words[0] + ("[...]" + "\n" * words[1].count("\n") if len(words) > 1 else "")))


def shown(**options):
    lines = Lines()
    print(options)
    print(sum(tqdm(range(5), file=lines, mininterval=60, **options)))
    lines.show()


for options in [
    {},
    {"desc": "epoch"},
    {"total": 10},
    {"leave": False},
    {"leave": None},
    {"disable": True},
    {"ascii": True, "unit": "batch"},
    {"initial": 3, "total": 8},
    {"ncols": 40, "postfix": {"loss": 0.25}},
    {"bar_format": "{n_fmt} of {total_fmt}", "miniters": 2},
]:
    shown(**options)

lines = Lines()
with tqdm(total=10, file=lines, mininterval=0, desc="by hand") as bar:
    for step in (1, 3, 6):
        print(bar.update(step), bar.n, bar.total, len(bar), bool(bar))
    bar.set_description("last")
    bar.set_postfix(loss=1 / 3, accuracy=1, name="x", where={"a": 1}, refresh=False)
    print(bar.postfix, bar.desc)
    bar.set_postfix_str("done")
    bar.refresh()
lines.show()
print(bar.update(1), bar.n, bar.disable)

lines = Lines()
for i in trange(2, file=lines, mininterval=60, desc="outer"):
    for j in trange(2, file=lines, mininterval=60, desc="inner", leave=False):
        pass
    tqdm.write(f"turn {i}", file=lines)
lines.show()

lines = Lines()
for each in tqdm((i for i in range(3)), file=lines, mininterval=60):
    if each == 1:
        break
lines.show()
try:
    for each in tqdm([1, 2], file=lines, mininterval=60):
        raise ValueError("in the loop")
except ValueError as error:
    print(error)
bar = auto_tqdm([1, 2, 3], disable=True)
print(list(bar), len(bar), 2 in bar, list(reversed(bar)))
bar = tqdm(total=4, file=lines, mininterval=60)
bar.n = 3
bar.reset(total=6)
print(bar.n, bar.total)
bar.close()
lines.show()
print(tqdm(total=0, disable=True).n, bool(tqdm([], disable=True)))
try:
    bool(tqdm(disable=True))
except TypeError as error:
    print(error)
