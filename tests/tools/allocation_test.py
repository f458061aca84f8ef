"""A hot call of compiled code asks for no memory: its outputs' comes back from the ones before.

    allocation_test.py --glint build/release/glint --counter build/release/libcount_allocations.so

Each program runs with few and with many calls, with the process's allocations counted; what the
further calls asked for, a call, is compared with what the table allows. Both compile all that they
run: what one finds in the other's cache would be counted as calls.
"""

import argparse
import os
import subprocess
import sys
import tempfile

FEW, MANY = 500, 4500
# What a compile asks for differs from run to run by some hundreds; tables grow as they fill.
NOW_AND_THEN = 0.2

MODEL = """
import sys
import torch
import torch.nn as nn
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.LayerNorm(32), nn.Linear(32, 4))
x, y = torch.randn(8, 16), torch.randn(8, 4)
"""

STEP = """
optimizer = torch.optim.{}
@torch.compile
def call():
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    return loss{}
"""

CLASSIFIER = """
tokens, labels = torch.randint(0, 8, (6, 5)), torch.randint(0, 4, (6,))
embedding, head = nn.Embedding(8, 16), nn.Linear(16, 4)
optimizer = torch.optim.Adam([*embedding.parameters(), *head.parameters()])
@torch.compile
def call():
    optimizer.zero_grad()
    seen = nn.functional.dropout(embedding(tokens).mean(dim=1), 0.1)
    loss = nn.functional.cross_entropy(head(seen), labels)
    loss.backward()
    optimizer.step()
"""

# name: (program, allocations a call)
PROGRAMS = {
    "a chain": ("call = torch.compile(lambda: (torch.relu(x * 2) + 1).softmax(-1))", 0),
    "a product and its epilogue": (
        "w = torch.randn(16, 4)\ncall = torch.compile(lambda: torch.relu(x @ w + 1))",
        0,
    ),
    "sizes that change": (
        "parts = [x[i:].clone() for i in range(5)]\n"
        "several = torch.compile(lambda t: (t * 2).softmax(-1).sum(0), dynamic=True)\n"
        "n = 0\n"
        "def call():\n"
        "    global n\n"
        "    n = (n + 1) % 5\n"
        "    return several(parts[n])",
        0,
    ),
    "a branch on a value": (
        "@torch.compile\n"
        "def call():\n"
        "    z = x * 2\n"
        "    if z.sum() > 0:\n"
        "        return z + 1\n"
        "    return z - 1",
        0,
    ),
    "writes to what lives outside": (
        "state, buffer = {'n': 0}, torch.zeros(4)\n"
        "@torch.compile\n"
        "def call():\n"
        "    state['n'] += 1\n"
        "    buffer.add_(y.sum(0))\n"
        "    return buffer * 2",
        0,
    ),
    "a step of SGD": (STEP.format("SGD(model.parameters(), lr=0.01, momentum=0.9)", ".detach()"), 0),
    "a step of Adam": (STEP.format("Adam(model.parameters())", ".detach()"), 0),
    "a classifier's step, with embedding, dropout and cross entropy": (CLASSIFIER, 0),
    # The history of the loss: a node, the type of its result, where its edges lead, and what the
    # tensor keeps of it.
    "a step of AdamW that returns the loss": (STEP.format("AdamW(model.parameters())", ""), 4),
    # The program's own list grows: what the measure is worth.
    "a call that keeps memory": ("kept = []\ndef call(): kept.append([0] * 9)", 2),
}


def allocations(glint, counter, file, calls):
    with tempfile.TemporaryDirectory() as cache:
        environment = dict(os.environ, LD_PRELOAD=counter, GLINT_THREADS="1", GLINT_CACHE=cache)
        run = subprocess.run(
            [glint, file, str(calls)], env=environment, capture_output=True, text=True, timeout=240
        )
    last = run.stderr.splitlines()[-1] if run.stderr else ""
    if run.returncode != 0 or not last.startswith("allocations "):
        raise SystemExit(f"it did not run:\n{run.stdout}{run.stderr}")
    return int(last.split()[1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--glint", required=True)
    parser.add_argument("--counter", required=True)
    options = parser.parse_args()
    wrong = 0
    for name, (program, allowed) in PROGRAMS.items():
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write(f"{MODEL}{program}\nfor i in range(int(sys.argv[1])):\n    result = call()\n")
            file.flush()
            few = allocations(options.glint, options.counter, file.name, FEW)
            many = allocations(options.glint, options.counter, file.name, MANY)
        each = (many - few) / (MANY - FEW)
        fits = abs(each - allowed) <= NOW_AND_THEN
        wrong += not fits
        print(f"{'ok   ' if fits else 'WRONG'} {name}: {each:.3f} allocations a call, {allowed} expected")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
