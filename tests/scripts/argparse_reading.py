# How argparse reads: counts of arguments, joined options, choices, groups, actions of one's own.
import argparse
import os
import sys

os.environ["COLUMNS"] = "80"


class Collected:
    def write(self, text):
        sys.stdout.write(text)

    def flush(self):
        pass


sys.stderr = Collected()


def read(parser, *lines):
    for line in lines:
        try:
            print(repr(line), parser.parse_args(line.split()))
        except SystemExit as stop:
            print("exit", stop.code)


def parser_of(*arguments, **options):
    parser = argparse.ArgumentParser(prog="p", **options)
    for names, keywords in arguments:
        parser.add_argument(*names.split(), **keywords)
    return parser


print("--- counts")
read(parser_of(("a", {}), ("b", {"nargs": "?"}), ("c", {"nargs": "*"})), "", "1", "1 2", "1 2 3 4", "1 -- -2 3")
read(parser_of(("a", {"nargs": "+"}), ("b", {})), "1", "1 2", "1 2 3")
read(parser_of(("a", {"nargs": 2, "type": int}), ("--x", {"nargs": 2})), "1 2", "1 2 3", "1", "--x a b 1 2", "1 --x a b 2", "1 2 --x a")
read(parser_of(("--x", {"nargs": "?", "const": 5, "default": 3, "type": int}), ("--y", {"nargs": "*"}), ("--z", {"nargs": "+", "type": float})),
     "", "--x", "--x 4", "--y", "--y a b --z 1 2", "--z", "--z 1 q", "--y --x 2")
read(parser_of(("command", {}), ("rest", {"nargs": argparse.REMAINDER})), "run -x --y 3", "run", "run a -- b")
read(parser_of(("a", {"nargs": "*", "default": "none"}), ("-v", {"action": "store_true"})), "", "-v", "1 -v", "-v 1", "1 -v 2")
read(parser_of(("a", {"nargs": "?", "default": "7", "type": int}), ("--n", {"nargs": 1})), "", "8", "--n 1", "--n")
print("--- joined")
read(parser_of(("-a", {"action": "store_true"}), ("-b --bee", {"action": "count", "default": 0}), ("-x", {"type": int}), ("--xylo --xy", {})),
     "-abb", "-ax3", "-x3 -b", "-x=3", "-abq", "-ab=1", "--xy=1=2", "--xyl z", "--x q", "--bee --be", "-x -1", "-x -.5", "--xy -a", "-c", "-", "--bee=1")
read(parser_of(("-1", {"dest": "one", "action": "store_true"}), ("n", {"nargs": "*"})), "-1", "-2", "3 -1")
read(parser_of(("n", {"type": int, "nargs": "+"})), "-1 -2", "-1.5", "-x", "1 -x")
read(parser_of(("--foo", {}), ("--foobar", {}), allow_abbrev=False), "--fo 1", "--foo 1", "--foob 1")
read(parser_of(("+x ++long", {}), ("-y", {}), prefix_chars="+-"), "+x 1 -y 2", "++lo 3", "++h")
print("--- values")
read(parser_of(("--c", {"choices": ["sgd", "adam"], "default": "sgd"}), ("--n", {"type": int, "choices": range(3)})), "", "--c adam", "--c rmsprop", "--n 2", "--n 5")
read(parser_of(("mode", {"choices": ("a", "b")})), "a", "c", "")


def positive(text):
    value = int(text)
    if value <= 0:
        raise argparse.ArgumentTypeError(f"{text} is not positive")
    return value


read(parser_of(("--n", {"type": positive}), ("--l", {"type": lambda text: [int(part) for part in text.split(",")]}),
               ("--b", {"type": bool}), ("--d", {"type": int, "default": "12"})), "--n 3", "--n 0", "--n x", "--l 1,2", "--b False")
print("--- actions")
read(parser_of(("--a", {"action": "append", "type": int}), ("--b", {"action": "append_const", "const": 1, "dest": "both"}),
               ("--c", {"action": "append_const", "const": 2, "dest": "both"}), ("--e", {"action": "extend", "nargs": "+", "default": ["q"]}),
               ("--k", {"action": "store_const", "const": 42}), ("--no", {"action": "store_false", "dest": "yes"}),
               ("-v --verbose", {"action": "count"}), ("--version", {"action": "version", "version": "%(prog)s 1.2"})),
     "", "--a 1 --a 2", "--b --c --b", "--e 1 2 --e 3", "--k --no", "-vvv --verbose", "--version", "--k 3")
read(parser_of(("--amp", {"action": argparse.BooleanOptionalAction, "default": True, "help": "mixed precision"})), "", "--amp", "--no-amp", "--no-am", "--amp=1")


class Pairs(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        print("called", values, option_string, self.dest, self.nargs)
        setattr(namespace, self.dest, dict([value.split("=") for value in values]))


read(parser_of(("--kv", {"action": Pairs, "nargs": "*", "metavar": "K=V"})), "--kv a=1 b=2", "--kv")
print("--- required and exclusive")
read(parser_of(("--a", {"required": True}), ("-b --bb", {"required": True}), ("c", {}), ("d", {"nargs": "*"})), "", "--a 1", "--a 1 -b 2 3")
parser = argparse.ArgumentParser(prog="p")
group = parser.add_mutually_exclusive_group()
group.add_argument("--cpu", action="store_true")
group.add_argument("--gpu", type=int)
needed = parser.add_mutually_exclusive_group(required=True)
needed.add_argument("-t", "--train", action="store_true")
needed.add_argument("-e", "--eval", action="store_true", help="evaluates")
read(parser, "-t", "-t --cpu", "--cpu --gpu 1 -e", "-t -e", "--cpu", "-te")
parser.print_help()
print("--- defaults")
parser = argparse.ArgumentParser(prog="p", argument_default=argparse.SUPPRESS)
parser.add_argument("--x", type=int)
parser.add_argument("--y")
read(parser, "", "--x 1")
parser.set_defaults(y="set", z=[1])
read(parser, "", "--y 2")
print(parser.get_default("y"), parser.get_default("z"), parser.get_default("q"))
space = argparse.Namespace(x=9, **{"a b": 1})
print(parser.parse_args(["--y", "3"], namespace=space) is space, space, "x" in space, "n" in space)
print(argparse.Namespace(a=1) == argparse.Namespace(a=1), argparse.Namespace(a=1) != argparse.Namespace(a=2), argparse.Namespace(a=1) == 1)
