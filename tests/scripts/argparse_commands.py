# Sub-parsers, parents, files of arguments, and what is wrong with a definition.
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


print("--- commands")
parser = argparse.ArgumentParser(prog="main", description="A program.")
parser.add_argument("--verbose", action="store_true")
commands = parser.add_subparsers(dest="command", help="what to do")
train = commands.add_parser("train", help="trains", description="Trains the model.", aliases=["t", "fit"])
train.add_argument("--lr", type=float, default=0.1)
train.set_defaults(run=len)
test = commands.add_parser("test", help="tests")
test.add_argument("path")
hidden = commands.add_parser("hidden")
read(parser, "", "train", "--verbose train --lr 2", "t --lr 1", "test", "test x", "fly", "test x --lr 2", "train --verbose", "test x y -z")
print(parser.parse_known_args(["test", "x", "--q", "1"]))
for each in (parser, train, test):
    each.print_help()
parser = argparse.ArgumentParser(prog="main")
parser.add_argument("root")
commands = parser.add_subparsers(title="commands", description="all of them", metavar="COMMAND", required=True)
commands.add_parser("a", help="first").add_argument("--n", type=int)
commands.add_parser("b")
read(parser, "r", "r a", "r a --n 3", "r a --n x", "")
parser.print_help()
print("--- parents")
base = argparse.ArgumentParser(add_help=False)
base.add_argument("--seed", type=int, default=1)
shared = base.add_argument_group("shared")
shared.add_argument("--out")
one = base.add_mutually_exclusive_group()
one.add_argument("--x")
one.add_argument("--y")
parser = argparse.ArgumentParser(prog="child", parents=[base])
parser.add_argument("--lr", type=float)
read(parser, "--seed 3 --lr 1 --out f", "--x 1 --y 2")
parser.print_help()
print("--- conflicts")
parser = argparse.ArgumentParser(prog="p", conflict_handler="resolve")
parser.add_argument("-f", "--foo", help="old")
parser.add_argument("--foo", help="new")
parser.add_argument("-f", help="newer")
read(parser, "-f 1 --foo 2")
parser.print_help()
parser = argparse.ArgumentParser(prog="p", exit_on_error=False)
parser.add_argument("--n", type=int)
try:
    parser.parse_args(["--n", "x"])
except argparse.ArgumentError as error:
    print(error, "|", error.argument_name, "|", error.message)
print("--- wrong definitions")
definitions = [
    (["--n"], {}), (["-h"], {}), (["--t"], {"type": 3}), (["--t"], {"type": "int"}), (["--r"], {"action": "store_true", "type": int}),
    (["--r"], {"action": "fly"}), (["--r"], {"nargs": 2, "metavar": ("a",)}), (["r", "q"], {}), (["--r"], {"nargs": 0}),
    (["r"], {"required": True}), (["r"], {"nargs": "z"}), (["--r"], {"foo": 1}), (["x"], {"dest": "y"}), (["--"], {}),
    (["--r"], {"const": 1}), (["--r"], {"action": "append", "nargs": 0}), (["--r"], {"help": "%(nope)s"}),
]
for names, keywords in definitions:
    try:
        print(parser.add_argument(*names, **keywords))
    except Exception as error:
        print(names, type(error).__name__, error)
try:
    argparse.ArgumentParser().add_mutually_exclusive_group().add_argument("--z", required=True)
except ValueError as error:
    print(error)
try:
    parser.format_help()
except KeyError as error:
    print("KeyError", error)
parser = argparse.ArgumentParser(prog="p")
parser.add_mutually_exclusive_group()
try:
    parser.format_help()
except ValueError as error:
    print(str(error)[:11])
parser = argparse.ArgumentParser(prog="p")
try:
    parser.error("of my own")
except SystemExit as stop:
    print(stop.code)
try:
    parser.exit(3, "bye\n")
except SystemExit as stop:
    print(stop.code)
