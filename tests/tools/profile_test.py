#!/usr/bin/env python3
"""Profiles are trace events that a viewer can read: valid JSON, whose events nest.

    profile_test.py --glint build/release/glint
    profile_test.py --check out.json             a file, wherever it comes from
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = """\
import torch

torch.set_num_threads(2)


@torch.compile
def f(x, y):
    return torch.relu(x * y).sum(dim=1)


x = torch.ones(4, 8, requires_grad=True)
for _ in range(3):
    f(x, x).sum().backward()
big = torch.compile(lambda t: torch.sin(t) * torch.exp(t))
t = torch.ones(2000, 1000)
for _ in range(20):
    big(t)
print(torch.exp(t).sum() > 0)
product = torch.compile(lambda a, b: a @ b)(torch.ones(80, 80), torch.ones(80, 80))
"""

PROFILER = """\
import torch
from torch.profiler import ProfilerActivity, profile, record_function, schedule

with profile(activities=[ProfilerActivity.CPU], record_shapes=True) as p:
    with record_function('a "name" \\\\ </script> \\n ä'):
        torch.relu(torch.ones(3))
p.export_chrome_trace(PATH)
rows = {row.key: row for row in p.key_averages()}
assert rows["relu"].count == 1 and rows["relu"].cpu_time_total > 0, rows
named = rows['a "name" \\\\ </script> \\n ä']
assert named.cpu_time_total >= rows["relu"].cpu_time_total
assert named.self_cpu_time_total < named.cpu_time_total
table = p.key_averages().table(sort_by="cpu_time_total", row_limit=1)
assert "# of Calls" in table and "relu" not in table, table
try:
    p.export_chrome_trace("/nosuch/folder/out.json")
    print("written?")
except OSError as error:
    print(type(error).__name__, error)

ready = []
with profile(schedule=schedule(wait=1, warmup=1, active=2, repeat=1), on_trace_ready=ready.append) as p:
    for step in range(6):
        torch.relu(torch.ones(3))
        p.step()
assert len(ready) == 1
counts = {row.key: row.count for row in p.key_averages()}
assert counts == {"ProfilerStep#2": 1, "ProfilerStep#3": 1, "relu": 2, "ones": 2}, counts
"""

RAISES = "import torch\nx = torch.ones(3) * 2\n1 / 0\n"
REPL = "import torch\ndef f(x): return x + 1\n\n:profile f(torch.ones(3)) PATH\n:profile f PATH\n:profile [f(1)]\n:profile f(1) # c\n:profile f(1) /nosuch/x\n"


def spans(trace):
    """By thread the complete events, in the order of the file."""
    tracks = {}
    for event in trace["traceEvents"]:
        if event["ph"] == "X":
            tracks.setdefault(event["tid"], []).append(event)
    return tracks


def faults(trace):
    """What a viewer would stumble over."""
    for event in trace["traceEvents"]:
        if event["ph"] not in ("M", "X", "C") or event["pid"] != 1 or not event["name"]:
            yield f"not an event: {event}"
        if event["ph"] == "X" and (event["ts"] < 0 or event["dur"] < 0 or not event["cat"]):
            yield f"a time is wrong: {event}"
        if event["ph"] == "C" and not isinstance(event["args"]["bytes"], int):
            yield f"no number: {event}"
    for track in spans(trace).values():
        last, open_ends = 0.0, []
        for event in track:
            if event["ts"] < last:
                yield f"out of order: {event}"
            last = event["ts"]
            while open_ends and open_ends[-1] <= event["ts"]:
                open_ends.pop()
            end = event["ts"] + event["dur"]
            if open_ends and end > open_ends[-1] + 1e-6:
                yield f"does not nest: {event}"
            open_ends.append(end)


def load(path):
    return json.loads(path.read_text(encoding="utf-8"))


class Runs:
    def __init__(self, glint, folder):
        self.glint = glint
        self.folder = folder

    def glint_run(self, *arguments, text="", code=0):
        run = subprocess.run(
            [self.glint, *arguments], input=text, capture_output=True, text=True, timeout=120, cwd=self.folder
        )
        assert run.returncode == code, (arguments, run.returncode, run.stdout, run.stderr)
        return run.stdout + run.stderr

    def trace(self, name):
        trace = load(self.folder / name)
        found = list(faults(trace))
        assert not found, found[:3]
        return trace

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def test_run(self):
        script = self.file("script.py", SCRIPT)
        self.glint_run("run", "--profile", "out.json", script)
        trace = self.trace("out.json")
        by_name = {}
        for track in spans(trace).values():
            for event in track:
                by_name.setdefault(event["name"], []).append(event)
        for name in ("compile f", "capture", "passes", "fuse", "lower", "cpu", "emit", "llvm", "first run of f", "f"):
            assert name in by_name, (name, sorted(by_name))
        kernel = next(event for event in by_name["multiply_relu_sum"] if event["cat"] == "kernel")
        assert kernel["args"]["nodes"].startswith("%"), kernel
        assert "script.py:8: return torch.relu(x * y).sum(dim=1)" in kernel["args"]["source"], kernel
        product = next(event for event in by_name["mm"] if event["cat"] == "library call")
        assert ":19: product" in product["args"]["source"], product
        eager = next(event for event in by_name["exp"] if event["cat"] == "operator")
        assert ":18: print(torch.exp(t)" in eager["args"]["source"], eager
        assert any(event["cat"] == "backward" for events in by_name.values() for event in events)
        names = {e["tid"]: e["args"]["name"] for e in trace["traceEvents"] if e["name"] == "thread_name"}
        assert names[1] == "script", names
        parts = [event for name, events in by_name.items() for event in events if name.endswith("(part)")]
        assert {names[event["tid"]] for event in parts} >= {"worker 1"}, names
        memory = [event["args"]["bytes"] for event in trace["traceEvents"] if event["ph"] == "C"]
        assert max(memory) >= 2 * 2000 * 1000 * 4, max(memory)

    def test_profiler(self):
        script = self.file("profiler.py", PROFILER.replace("PATH", repr(str(self.folder / "own.json"))))
        printed = self.glint_run("run", "--profile", "around.json", script)
        assert printed == (
            "FileNotFoundError [Errno 2] No such file or directory: '/nosuch/folder/out.json'\n"
        ), printed
        own = {event["name"] for event in self.trace("own.json")["traceEvents"]}
        assert 'a "name" \\ </script> \n ä' in own, own
        assert "ProfilerStep#2" not in own
        around = {event["name"] for event in self.trace("around.json")["traceEvents"]}
        assert own < around | {"process_name"} and "ProfilerStep#2" in around

    def test_failures(self):
        printed = self.glint_run("run", "--profile", "/nosuch/out.json", "-c", "print(1)", code=2)
        assert printed == "glint: `/nosuch/out.json` cannot be written: No such file or directory\n", printed
        printed = self.glint_run("run", "--profile", "/dev/full", "-c", "print(1)", code=2)
        assert printed == "1\nglint: `/dev/full` cannot be written\n", printed
        printed = self.glint_run("run", "--profile", "raised.json", self.file("raises.py", RAISES), code=1)
        assert "ZeroDivisionError" in printed
        assert any(event["name"] == "multiply" for event in self.trace("raised.json")["traceEvents"])

    def test_repl(self):
        printed = self.glint_run("-i", "-q", text=REPL.replace("PATH", "typed.json"))
        assert "the profile is in `typed.json`" in printed, printed
        assert printed.count("usage: :profile CALL [FILE]") == 3, printed
        assert "`/nosuch/x` cannot be written" in printed, printed
        assert any(event["name"] == "add" for event in self.trace("typed.json")["traceEvents"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--glint")
    parser.add_argument("--check", type=pathlib.Path)
    options = parser.parse_args()
    if options.check:
        found = list(faults(load(options.check)))
        print("\n".join(found) or "fine")
        return 1 if found else 0
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(str(pathlib.Path(options.glint).resolve()), pathlib.Path(folder))
        for name in [name for name in dir(runs) if name.startswith("test_")]:
            getattr(runs, name)()
            print(f"{name}: passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
