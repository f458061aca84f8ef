# Help and usage: wrapped lines, formatters, groups, metavars, texts of one's own.
import argparse
import os

os.environ["COLUMNS"] = "80"


def fill(parser):
    parser.add_argument("data", metavar="DIR", help="path to dataset")
    parser.add_argument("extra", nargs="*", default="none", help="more of it, %(nargs)s of them, %(default)s if there are none at all to be had")
    parser.add_argument("-a", "--arch", metavar="ARCH", default="resnet18", choices=["alexnet", "resnet18", "vgg16"],
                        help="model architecture: %(choices)s (default: %(default)s)")
    parser.add_argument("-j", "--workers", default=4, type=int, metavar="N", help="number of data loading workers of type %(type)s")
    parser.add_argument("--lr", "--learning-rate", default=0.1, type=float, help="initial learning rate", dest="lr")
    parser.add_argument("--betas", nargs=2, type=float, default=(0.9, 0.999), metavar=("B1", "B2"))
    parser.add_argument("--sizes", nargs="+", type=int, help="one-\n   or    more")
    parser.add_argument("--resume", nargs="?", const="last", type=str, help="100%% of the state that %(prog)s saved")
    parser.add_argument("--optimizer", choices=["sgd", "adam"], required=True)
    parser.add_argument("--hidden-option", help=argparse.SUPPRESS)
    parser.add_argument("--a-very-long-option-name-that-wraps", action="store_true", help="its help begins on the next line")
    parser.add_argument("--pretrained", dest="pretrained", action="store_true", default=False, help="")
    return parser


class Wide(argparse.HelpFormatter):
    def __init__(self, prog):
        super().__init__(prog, max_help_position=50, width=120)


class Lines(argparse.HelpFormatter):
    def _split_lines(self, text, width):
        if text.startswith("R|"):
            return text[2:].splitlines()
        return super()._split_lines(text, width)


text = """Trains a network on a data set, with %(prog)s, which takes
   a while. Do not    wait for it."""
for formatter in (argparse.HelpFormatter, argparse.ArgumentDefaultsHelpFormatter, argparse.RawDescriptionHelpFormatter,
                  argparse.RawTextHelpFormatter, Wide, Lines, lambda prog: argparse.HelpFormatter(prog, width=60)):
    parser = fill(argparse.ArgumentParser(prog="main.py", description=text, epilog="The end,\n  really.", formatter_class=formatter))
    parser.add_argument("--raw", help="R|first\nsecond")
    print(parser.format_help())
    print("=" * 80)
for columns in ("40", "20", "200", "x"):
    os.environ["COLUMNS"] = columns
    print(fill(argparse.ArgumentParser(prog="a/rather/long/name/of/a/program.py")).format_usage())
os.environ["COLUMNS"] = "50"
parser = argparse.ArgumentParser(prog="p", usage="%(prog)s [options] file", add_help=False)
parser.print_help()
parser.add_argument("file", type=int)
one = parser.add_argument_group("optimisation", "How the weights are changed, in words that are long enough to wrap")
one.add_argument("--lr", type=float, help="rate")
one.add_argument("--momentum", type=float)
two = parser.add_argument_group(title="output")
two.add_argument("-o", "--out", help="file")
parser.add_argument_group("empty")
parser.print_help()
parser.usage = None
parser._optionals.title = "optional arguments"
parser.add_argument("-q", action="store_true")
parser.print_help()
print(argparse.ArgumentParser(prog="p", usage=argparse.SUPPRESS, epilog="e").format_help())
parser = argparse.ArgumentParser(prog="p", formatter_class=argparse.MetavarTypeHelpFormatter)
parser.add_argument("n", type=int)
parser.add_argument("--x", type=float)
parser.print_help()
print(parser._actions)
parser = argparse.ArgumentParser(prog="p")
group = parser.add_mutually_exclusive_group()
for name in ("--first-one", "--second-one", "--third-one"):
    group.add_argument(name, help=argparse.SUPPRESS if "third" in name else None)
group = parser.add_mutually_exclusive_group(required=True)
group.add_argument("p", nargs="?")
group.add_argument("-q", action="store_true")
alone = parser.add_mutually_exclusive_group()
alone.add_argument("--alone")
print(parser.format_usage())
parser = argparse.ArgumentParser(prog="p")
parser.add_argument("--foo", metavar="", help="no name for what it takes")
print(parser.format_usage())
