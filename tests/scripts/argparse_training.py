# The command line of PyTorch's MNIST example: defaults, values, help, errors.
# arguments: --batch-size 4 --no-cuda
import argparse
import os
import sys

os.environ["COLUMNS"] = "80"


def make():
    parser = argparse.ArgumentParser(description='PyTorch MNIST Example', prog="main.py")
    parser.add_argument('--batch-size', type=int, default=64, metavar='N',
                        help='input batch size for training (default: 64)')
    parser.add_argument('--test-batch-size', type=int, default=1000, metavar='N',
                        help='input batch size for testing (default: 1000)')
    parser.add_argument('--epochs', type=int, default=14, metavar='N',
                        help='number of epochs to train (default: 14)')
    parser.add_argument('--lr', type=float, default=1.0, metavar='LR',
                        help='learning rate (default: 1.0)')
    parser.add_argument('--gamma', type=float, default=0.7, metavar='M',
                        help='Learning rate step gamma (default: 0.7)')
    parser.add_argument('--no-cuda', action='store_true', default=False,
                        help='disables CUDA training')
    parser.add_argument('--dry-run', action='store_true', default=False,
                        help='quickly check a single pass')
    parser.add_argument('--seed', type=int, default=1, metavar='S',
                        help='random seed (default: 1)')
    parser.add_argument('--log-interval', type=int, default=10, metavar='N',
                        help='how many batches to wait before logging training status')
    parser.add_argument('--save-model', action='store_true', default=False,
                        help='For Saving the current Model')
    return parser


class Collected:
    """Standard error, shown on standard output."""

    def write(self, text):
        sys.stdout.write(text)

    def flush(self):
        pass


parser = make()
args = parser.parse_args()
print(args)
args = parser.parse_args([])
print(args.lr, args.batch_size, not args.no_cuda, vars(args))
for line in ("--lr 0.5 --epochs=3", "--save-model --seed 7", "--batch 8 --test 9", "--lr=1e-3 --gamma -0.5"):
    print(parser.parse_args(line.split()))
parser.print_help()
parser.print_usage()
print(parser)
sys.stderr = Collected()
for line in ("--lr", "--lr x", "--epochs 1.5", "--save-model=1", "data", "--unknown 3", "--s 3", "--lr 1 2", "-h"):
    try:
        print(parser.parse_args(line.split()))
    except SystemExit as stop:
        print("exit", stop.code)
print(parser.parse_known_args(["--lr", "2", "--other", "3", "x"]))
