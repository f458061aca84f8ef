#!/usr/bin/env python3
"""Drives the Jupyter kernel as Jupyter does: the conformance tests of jupyter_kernel_test, and what
the protocol does not ask for: interrupts in the middle of compiled code, crashes, hostile messages.

    kernel_test.py --glint build/release/glint [--short] [-k PATTERN]... [--lab [--screenshots FOLDER]]

Run by scripts/test-kernel, which brings the packages. The kernel is registered in a folder of the
test's own.
"""

import argparse
import contextlib
import json
import os
import pathlib
import queue
import subprocess
import sys
import tempfile
import time
import unittest

import jupyter_kernel_test
from jupyter_client.manager import start_new_kernel

TIMEOUT = 60

PICTURE = """class Picture:
    def _repr_svg_(self):
        return '<svg xmlns="http://www.w3.org/2000/svg"></svg>'
"""

COMPILED = """import torch
@torch.compile
def f(x, y):
    return torch.relu(x * y).sum(dim=1)
f(torch.ones(4, 8), torch.ones(4, 8))
"""


class Conformance(jupyter_kernel_test.KernelTests):
    kernel_name = "glint"
    language_name = "python"
    code_clear_output = "from IPython.display import clear_output\nclear_output()"
    file_extension = ".py"
    code_hello_world = "print('hello, world')"
    code_stderr = "import sys\nprint('oops', file=sys.stderr)"
    completion_samples = [
        {"text": "impo", "matches": ["import"]},
        {"text": "prin", "matches": ["print"]},
        {"text": ":gra", "matches": [":graph"]},
    ]
    complete_code_samples = ["1", "print('hello')", "def f(x):\n  return x * 2\n\n", ":graph"]
    incomplete_code_samples = ["print('hello'", "def f(x):\n  x * 2", "'''"]
    invalid_code_samples = ["import = 7q", "x y"]
    code_generate_error = "1 / 0"
    code_execute_result = [
        {"code": "6 * 7", "result": "42"},
        {"code": "'a'\n'b'", "result": "'b'"},
        {"code": "[i for i in range(3)]", "result": "[0, 1, 2]"},
        {"code": "6 * 7", "result": "42"},
        {"code": "6 * 7 # again", "result": "42"},
        {"code": "6 * 7", "result": "42"},
    ]
    code_display_data = [
        {"code": PICTURE + "display(Picture())", "mime": "image/svg+xml"},
        {"code": COMPILED + ":fusion", "mime": "text/html"},
    ]
    supported_history_operations = ("tail", "range", "search")
    code_history_pattern = "6 ? 7"
    code_inspect_sample = "print"


class Kernel:
    """A kernel of its own, and what a test asks of it."""

    def __init__(self, **variables):
        environment = {**os.environ, **variables}
        self.manager, self.client = start_new_kernel(kernel_name="glint", env=environment)

    def close(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)

    def begin(self, code, **options):
        return self.client.execute(code, **options)

    def outputs(self, sent, timeout=TIMEOUT):
        """What a request published, up to its end."""
        found = []
        while True:
            message = self.client.get_iopub_msg(timeout=timeout)
            if message["parent_header"].get("msg_id") != sent:
                continue
            content = message["content"]
            if message["msg_type"] == "status":
                if content["execution_state"] == "idle":
                    return found
            elif message["msg_type"] != "execute_input":
                found.append((message["msg_type"], content))

    def reply(self, sent, timeout=TIMEOUT):
        while True:
            message = self.client.get_shell_msg(timeout=timeout)
            if message["parent_header"].get("msg_id") == sent:
                return message["content"]

    def run(self, code, **options):
        sent = self.begin(code, **options)
        return self.reply(sent), self.outputs(sent)

    def value(self, expression):
        reply, _ = self.run("", user_expressions={"it": expression})
        it = reply["user_expressions"]["it"]
        return it["data"]["text/plain"] if it["status"] == "ok" else it["ename"]

    def ask_to_interrupt(self):
        """By message, not by signal."""
        channel = self.client.control_channel
        channel.send(self.client.session.msg("interrupt_request", {}))


class OwnKernel(unittest.TestCase):
    variables = {}

    @classmethod
    def setUpClass(cls):
        cls.kernel = Kernel(**cls.variables)

    @classmethod
    def tearDownClass(cls):
        cls.kernel.close()

    def interrupted(self, code, after, by_message=False, within=1.5):
        """Runs, interrupts, and looks at how it ended and what stayed."""
        self.kernel.run("kept = 41")
        sent = self.kernel.begin(code)
        time.sleep(after)
        with self.assertRaises(queue.Empty):
            self.kernel.client.get_shell_msg(timeout=0.01)
        asked = time.monotonic()
        if by_message:
            self.kernel.ask_to_interrupt()
        else:
            self.kernel.manager.interrupt_kernel()
        reply = self.kernel.reply(sent)
        took = time.monotonic() - asked
        outputs = self.kernel.outputs(sent)
        self.assertEqual(reply["status"], "error")
        self.assertEqual(reply["ename"], "KeyboardInterrupt", reply)
        self.assertIn("KeyboardInterrupt", "\n".join(reply["traceback"]))
        self.assertEqual(outputs[-1][0], "error")
        self.assertLess(took, within)
        self.assertEqual(self.kernel.value("kept + 1"), "42")


class Cells(OwnKernel):
    def test_streams_come_while_the_cell_runs(self):
        sent = self.kernel.begin("import time\nprint('first')\ntime.sleep(3)\nprint('second')")
        begin = time.monotonic()
        while True:
            message = self.kernel.client.get_iopub_msg(timeout=TIMEOUT)
            if message["msg_type"] == "stream":
                break
        self.assertEqual(message["content"]["text"], "first\n")
        self.assertLess(time.monotonic() - begin, 2)
        self.kernel.reply(sent)

    def seconds_until(self, text, code):
        """From the start of the cell to what it prints; the cell is still at work then."""
        sent = self.kernel.begin(code)
        begin = time.monotonic()
        found = ""
        while text not in found:
            message = self.kernel.client.get_iopub_msg(timeout=TIMEOUT)
            if message["msg_type"] == "stream":
                found += message["content"]["text"]
        took = time.monotonic() - begin
        with self.assertRaises(queue.Empty):
            self.kernel.client.get_shell_msg(timeout=0.01)
        self.assertEqual(self.kernel.reply(sent)["status"], "ok")
        self.kernel.outputs(sent)
        return took

    def test_the_end_of_a_burst_comes_before_a_wait(self):
        burst = "import time\nfor i in range(5000):\n    print(i)\n"
        self.assertLess(self.seconds_until("4999\n", burst + "time.sleep(4)"), 3)
        self.assertLess(
            self.seconds_until(
                "4999\n", burst + "end = time.time() + 4\nwhile time.time() < end:\n    pass"
            ),
            3,
        )

    def test_counts_results_and_expressions(self):
        first, _ = self.kernel.run("1", user_expressions={"a": "2 * 3", "b": "unknown"})
        second, outputs = self.kernel.run("'x'")
        self.assertEqual(second["execution_count"], first["execution_count"] + 1)
        self.assertEqual(outputs[0][1]["execution_count"], second["execution_count"])
        self.assertEqual(first["user_expressions"]["a"]["data"], {"text/plain": "6"})
        self.assertEqual(first["user_expressions"]["b"]["ename"], "NameError")

    def test_silent_cells(self):
        before, _ = self.kernel.run("0")
        reply, outputs = self.kernel.run("print(1)\n2", silent=True)
        self.assertEqual((reply["status"], outputs), ("ok", []))
        self.assertEqual(reply["execution_count"], before["execution_count"])

    def test_a_traceback_in_colour(self):
        reply, outputs = self.kernel.run("def f(x):\n    return 1 / x\n\nf(0)")
        self.assertEqual(reply["ename"], "ZeroDivisionError")
        self.assertEqual(reply["evalue"], "division by zero")
        text = "\n".join(reply["traceback"])
        self.assertIn("\x1b[1;31mZeroDivisionError\x1b[0m: division by zero", text)
        self.assertIn("line \x1b[35m4\x1b[0m, in <module>", text)
        self.assertEqual(outputs[-1][1]["traceback"], reply["traceback"])

    def test_cells_behind_one_that_raised_are_aborted(self):
        first, second = self.kernel.begin("1 / 0"), self.kernel.begin("never = 1")
        info = self.kernel.client.kernel_info()
        self.assertEqual(self.kernel.reply(first)["status"], "error")
        self.assertEqual(self.kernel.reply(second)["status"], "aborted")
        self.assertEqual(self.kernel.reply(info)["status"], "ok")
        self.assertEqual(self.kernel.value("never"), "NameError")
        first = self.kernel.begin("1 / 0", stop_on_error=False)
        second = self.kernel.begin("never = 2")
        self.assertEqual(self.kernel.reply(first)["status"], "error")
        self.assertEqual(self.kernel.reply(second)["status"], "ok")

    def test_input(self):
        sent = self.kernel.begin("name = input('Name? ')")
        request = self.kernel.client.get_stdin_msg(timeout=TIMEOUT)
        self.assertEqual(request["content"], {"prompt": "Name? ", "password": False}
                         if "password" in request["content"] else {"prompt": "Name? ", "pwd": False})
        self.kernel.client.input("Ada")
        self.assertEqual(self.kernel.reply(sent)["status"], "ok")
        self.assertEqual(self.kernel.value("name"), "'Ada'")
        reply, _ = self.kernel.run("input()", allow_stdin=False)
        self.assertEqual(reply["ename"], "EOFError")

    def test_commands(self):
        reply, outputs = self.kernel.run(COMPILED + ":graph\n:graph --table\n:why")
        self.assertEqual(reply["status"], "ok")
        kinds = [kind for kind, _ in outputs]
        self.assertEqual(kinds[-1], "stream")
        forms = [set(content["data"]) for kind, content in outputs if kind == "display_data"]
        self.assertIn({"text/plain", "text/html"}, forms)
        self.assertIn({"text/plain", "image/svg+xml"}, forms)
        self.assertEqual(kinds[0], "execute_result")
        graph = outputs[1][1]["data"]
        self.assertIn("%relu = relu %mul", graph["text/plain"])
        self.assertIn("<td", graph["text/html"])

    def test_exit_is_asked_for(self):
        reply, _ = self.kernel.run("exit()")
        self.assertEqual(reply["payload"], [{"source": "ask_exit", "keepkernel": False}])
        self.assertEqual(self.kernel.value("1"), "1")

    def test_hostile_messages(self):
        session, channel = self.kernel.client.session, self.kernel.client.shell_channel
        for kind, content in (
            ("execute_request", {"code": 5}),
            ("execute_request", {"code": "1", "user_expressions": [1, 2]}),
            ("complete_request", {"code": "é", "cursor_pos": 99}),
            ("complete_request", {"code": "é", "cursor_pos": "x"}),
            ("inspect_request", {"code": "(" * 2000, "cursor_pos": 1000}),
            ("history_request", {"hist_access_type": "search", "pattern": "[(*"}),
            ("history_request", {"hist_access_type": [], "n": None}),
            ("is_complete_request", {}),
            ("nonsense_request", {}),
            ("comm_open", {"comm_id": "1", "target_name": "none"}),
            ("execute_request", {"code": "x = " + "(" * 100000}),
            ("execute_request", {"code": "x = '" + "a" * 1000000 + "'"}),
            ("execute_request", {"code": "1", "silent": "yes", "store_history": None}),
            ("_", {}),
        ):
            channel.send(session.msg(kind, content))
        for content in (b'{"code": "\xff\xfe"}', b'{"code": "\\ud800"}', b"{", b"[]", b"null", b"3", b""):
            parts = [session.pack(session.msg_header("execute_request")), b"{}", b"{}", content]
            channel.socket.send_multipart([b"<IDS|MSG>", session.sign(parts), *parts])
        channel.socket.send_multipart([b"<IDS|MSG>", b"wrong", b"{", b"", b"}", b"{}"])
        channel.socket.send_multipart([b"no"])
        self.kernel.run("text = '\\ud800<script>'\ntext")
        self.assertEqual(self.kernel.value("6 * 7"), "42")
        comms = self.kernel.client.comm_info()
        self.assertEqual(self.kernel.reply(comms), {"comms": {}, "status": "ok"})


MANY_FUNCTIONS = """import torch
@torch.compile
def chain(x):
    for i in range(60):
        x = torch.exp(torch.sin(x)) * 0.5
    return x
small = chain(torch.ones(8))
x = torch.ones(30_000_000)
"""
MANY_STEPS = """import torch
@torch.compile
def products(x):
    for i in range(400):
        x = torch.tanh(x @ x)
    return x
x = torch.ones(1100, 1100)
"""
MANY_OPERATORS = """import torch
@torch.compile
def large(x, y):
    for i in range(600):
        x = torch.softmax(x + i, 0).cumsum(0) + y[i % 7]
    return x
"""

# Nearly all of its compile is LLVM's.
LONG_KERNEL = """import torch
@torch.compile
def long(x):
    for i in range(600):
        x = torch.sin(x) * i + torch.cos(x)
    return x
"""


class Interrupts(OwnKernel):
    def test_a_loop(self):
        self.interrupted("while True:\n    pass", 0.5)

    def test_a_loop_by_message(self):
        self.interrupted("while True:\n    pass", 0.5, by_message=True)

    def test_sleep(self):
        self.interrupted("import time\ntime.sleep(60)", 0.5)

    def test_input(self):
        self.interrupted("input('?')", 0.7)

    def test_a_kernel(self):
        self.kernel.run(MANY_FUNCTIONS)
        self.interrupted("y = chain(x)", 0.4)

    def test_a_kernel_by_message(self):
        self.kernel.run(MANY_FUNCTIONS)
        self.interrupted("y = chain(x)", 0.4, by_message=True)

    def test_a_schedule(self):
        self.kernel.run(MANY_STEPS)
        self.interrupted("products(x)", 0.8)
        self.assertEqual(self.kernel.value("x.sum().item()"), "1210000.0")

    def test_a_compilation(self):
        self.kernel.run(MANY_OPERATORS)
        self.interrupted("large(torch.ones(64), torch.ones(7, 64))", 0.15, within=3)
        self.assertEqual(self.kernel.value("1 + 1"), "2")

    def test_machine_code_in_the_making(self):
        self.kernel.run(LONG_KERNEL)
        self.interrupted("long(torch.ones(1000))", 1, within=1)
        self.assertEqual(self.kernel.value("1 + 1"), "2")

    def test_a_completion(self):
        self.kernel.run("class Slow:\n    @property\n    def p(self):\n        while True: pass\nslow = Slow()")
        for ask in (self.kernel.client.complete, self.kernel.client.inspect):
            sent = ask("slow.p.x", 7)
            time.sleep(0.3)
            self.kernel.manager.interrupt_kernel()
            self.assertEqual(self.kernel.reply(sent)["status"], "ok")
            self.assertEqual(self.kernel.value("6 * 7"), "42")

    def test_a_command(self):
        self.kernel.run(MANY_STEPS.replace("400", "40"))
        self.kernel.run("products(x)")
        sent = self.kernel.begin(":diverge products")
        time.sleep(0.3)
        self.kernel.manager.interrupt_kernel()
        self.kernel.reply(sent)
        self.assertIn("KeyboardInterrupt", str(self.kernel.outputs(sent)))
        self.assertEqual(self.kernel.value("6 * 7"), "42")

    def test_while_nothing_runs(self):
        self.kernel.manager.interrupt_kernel()
        self.kernel.ask_to_interrupt()
        time.sleep(0.2)
        self.assertEqual(self.kernel.value("6 * 7"), "42")


class Crashes(OwnKernel):
    variables = {"GLINT_FAIL": "launch"}

    def crashes(self, code):
        self.kernel.run("kept = 41")
        reply, _ = self.kernel.run(code)
        self.assertEqual(reply["ename"], "RuntimeError", reply)
        self.assertRegex(reply["evalue"], r"the kernel `\w+` crashed \(SIGSEGV at 0x10\)")
        self.assertEqual(self.kernel.value("kept + 1"), "42")

    def test_on_the_thread_of_the_cell(self):
        self.crashes(COMPILED)
        self.crashes("f(torch.ones(4, 8), torch.ones(4, 8))")

    def test_on_worker_threads(self):
        self.kernel.run(COMPILED)
        self.crashes("f(torch.ones(30000, 800), torch.ones(30000, 800))")

    def test_in_a_backward(self):
        self.crashes(
            "import torch\n@torch.compile\ndef g(x):\n    return torch.tanh(x).sum()\n"
            "g(torch.ones(4, requires_grad=True)).backward()"
        )

    def test_the_script_can_catch_it(self):
        self.kernel.run(COMPILED)
        reply, outputs = self.kernel.run(
            "try:\n    f(torch.ones(4, 8), torch.ones(4, 8))\n"
            "except RuntimeError as error:\n    print('caught', 'crashed' in str(error))"
        )
        self.assertEqual(outputs[0][1]["text"], "caught True\n")


class Ends(unittest.TestCase):
    def test_shutdown_and_restart(self):
        kernel = Kernel()
        try:
            kernel.run("x = 1")
            kernel.manager.restart_kernel()
            kernel.client.wait_for_ready(timeout=TIMEOUT)
            self.assertEqual(kernel.value("x"), "NameError")
            kernel.run("class A:\n    def __del__(self):\n        open(path, 'w').write('gone')\na = A()")
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "end"
                kernel.run(f"path = {str(path)!r}")
                begin = time.monotonic()
                kernel.manager.shutdown_kernel()
                self.assertLess(time.monotonic() - begin, 4)
                self.assertEqual(path.read_text(), "gone")
        finally:
            kernel.client.stop_channels()

    def test_shutdown_while_a_cell_runs(self):
        kernel = Kernel()
        kernel.begin("while True:\n    pass")
        time.sleep(0.5)
        begin = time.monotonic()
        kernel.manager.shutdown_kernel()
        self.assertLess(time.monotonic() - begin, 4)
        kernel.client.stop_channels()


def notebook(*cells):
    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"kernelspec": {"name": "glint", "display_name": "Glint", "language": "python"}},
        "cells": [
            {"cell_type": "code", "id": f"cell{i}", "metadata": {}, "source": source, "outputs": [],
             "execution_count": None}
            for i, source in enumerate(cells)
        ],
    }


class Displays(OwnKernel):
    def test_handle(self):
        _, outputs = self.kernel.run("h = display(1, display_id='here')\nh.update(2)")
        shown = [(kind, content["transient"], content["data"]) for kind, content in outputs]
        name = {"display_id": "here"}
        self.assertEqual(shown, [("display_data", name, {"text/plain": "1"}),
                                 ("update_display_data", name, {"text/plain": "2"})])

    def test_clear(self):
        code = "from IPython.display import clear_output\nprint(1)\nclear_output(wait=True)\nclear_output()"
        _, outputs = self.kernel.run(code)
        self.assertEqual([kind for kind, _ in outputs], ["stream", "clear_output", "clear_output"])
        self.assertEqual([content["wait"] for _, content in outputs[1:]], [True, False])

    def test_bar(self):
        _, outputs = self.kernel.run("from tqdm.notebook import trange\nfor i in trange(9, mininterval=0): pass")
        self.assertEqual(outputs[0][0], "display_data")
        self.assertEqual({kind for kind, _ in outputs[1:]}, {"update_display_data"})
        self.assertEqual(len({content["transient"]["display_id"] for _, content in outputs}), 1)
        self.assertIn("9/9", outputs[-1][1]["data"]["text/plain"])


class Notebooks(unittest.TestCase):
    def test_nbconvert_changes_what_was_shown(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "changes.ipynb"
            cells = ("h = display(1, display_id=True);", "h.update(2)", "print(1)\ndisplay(3, clear=True)")
            path.write_text(json.dumps(notebook(*cells)))
            command = [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--inplace", str(path)]
            subprocess.run(command, check=True, capture_output=True, timeout=300)
            outputs = [cell["outputs"] for cell in json.loads(path.read_text())["cells"]]
            texts = [["".join(output["data"]["text/plain"]) for output in each] for each in outputs]
            self.assertEqual(texts, [["2"], [], ["3"]])

    def test_nbconvert(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "small.ipynb"
            path.write_text(json.dumps(notebook(COMPILED, ":graph", "print('end')")))
            command = [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute",
                       "--inplace", str(path)]
            done = subprocess.run(command, capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
            cells = json.loads(path.read_text())["cells"]
            self.assertEqual(
                "".join(cells[0]["outputs"][0]["data"]["text/plain"]), "tensor([8., 8., 8., 8.])"
            )
            self.assertIn("text/html", cells[1]["outputs"][0]["data"])
            self.assertEqual("".join(cells[2]["outputs"][0]["text"]), "end\n")
            self.assertEqual(json.loads(path.read_text())["metadata"]["language_info"]["name"],
                             "python")


# What `--short` runs.
SHORT = ["Conformance", "test_a_kernel", "test_on_worker_threads"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--glint", required=True)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("-k", dest="patterns", action="append", default=[])
    parser.add_argument("--lab", action="store_true")
    parser.add_argument("--screenshots", type=pathlib.Path)
    options = parser.parse_args()
    glint = str(pathlib.Path(options.glint).resolve())
    with contextlib.ExitStack() as stack:
        prefix = stack.enter_context(tempfile.TemporaryDirectory())
        subprocess.run([glint, "kernel", "install", "--prefix", prefix], check=True)
        os.environ["JUPYTER_PATH"] = f"{prefix}/share/jupyter"
        os.environ["GLINT_HISTORY"] = f"{prefix}/history"
        patterns = options.patterns + (SHORT if options.short else [])
        arguments = [sys.argv[0], "-v"] + [word for pattern in patterns for word in ("-k", pattern)]
        result = unittest.main(argv=arguments, exit=False).result
        if not result.wasSuccessful():
            return 1
        if options.lab:
            import lab_test

            return lab_test.run(notebook, options.screenshots)
    return 0


if __name__ == "__main__":
    sys.exit(main())
