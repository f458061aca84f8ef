#!/usr/bin/env python3
"""`glint explore` serves a script's report to this machine alone, and makes it anew.

    explore_test.py --glint build/release/glint

The page is fetched, the script is changed, a module beside it too; a script with an error
leaves a page as well, and one that does not end is ended. Who lacks the address, or comes by
another name, gets nothing.
"""

import argparse
import http.client
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

FIRST = """\
import torch
@torch.compile
def f(x):
    return torch.relu(x) + 1
f(torch.ones(3))
"""
SECOND = "import other\n" + FIRST.replace("torch.relu(x) + 1", "other.scale(torch.tanh(x))")
WAIT = 30.0


class Explored:
    """A server at work on a script in a folder."""

    def __init__(self, glint, script, *options):
        self.process = subprocess.Popen(
            [glint, "explore", *options, str(script)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        line = self.process.stdout.readline()
        address = re.fullmatch(r"glint: http://127\.0\.0\.1:(\d+)(/[0-9a-f]{32}/)\n", line)
        assert address, line
        self.port, self.root = int(address[1]), address[2]

    def ask(self, path, method="GET", host=None, body=None, address="127.0.0.1"):
        connection = http.client.HTTPConnection(address, self.port, timeout=10)
        try:
            connection.request(method, path, body=body, headers={"Host": host} if host else {})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def version(self):
        return int(self.ask(self.root + "version")[1])

    def page_with(self, pattern):
        """The first page in which that stands."""
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            status, page = self.ask(self.root)
            assert status == 200, status
            if re.search(pattern, page):
                return page
            time.sleep(0.1)
        raise AssertionError(f"no page with {pattern}: {page[-500:]}")

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def test_changes(glint, folder):
    script = folder / "script.py"
    script.write_text(FIRST)
    explored = Explored(glint, script)
    try:
        page = explored.page_with("%relu = relu %x")
        assert page.count("default-src 'none'; connect-src 'self';") == 1
        assert f"number !== '{explored.version()}'" in page
        before = explored.version()
        time.sleep(0.6)
        assert explored.version() == before, "nothing has changed"
        (folder / "other.py").write_text("def scale(t):\n    return t * 3\n")
        script.write_text(SECOND)
        page = explored.page_with("%tanh = tanh %x")
        assert "%relu = relu" not in page and explored.version() > before
        (folder / "other.py").write_text("def scale(t):\n    return t.exp()\n")
        explored.page_with("exp %tanh")
        script.write_text(FIRST + "1 / 0\n")
        page = explored.page_with("ZeroDivisionError")
        assert "%relu = relu %x" in page, "the report shows how far it came"
        script.write_text("while True: pass\n")
        time.sleep(0.5)
        script.write_text("import torch\nprint(torch.ones(2\n")
        explored.page_with("SyntaxError")
        script.write_text(FIRST)
        explored.page_with("%relu = relu %x")
    finally:
        explored.end()


def test_refuses(glint, folder):
    script = folder / "script.py"
    script.write_text(FIRST)
    explored = Explored(glint, script)
    try:
        explored.page_with("%relu = relu %x")
        good = f"127.0.0.1:{explored.port}"
        refused = 404, "not found\n"
        assert explored.ask(explored.root, host=f"localhost:{explored.port}")[0] == 200
        for host in ("evil.example", f"evil.example:{explored.port}", "127.0.0.1", f"{good}.evil.example", "localhost"):
            assert explored.ask(explored.root, host=host) == refused, host
        for path in ("/", "/version", "/" + "0" * 32 + "/", explored.root[:-1], explored.root + "../etc/passwd"):
            assert explored.ask(path) == refused, path
        for method in ("POST", "PUT", "DELETE", "OPTIONS"):
            assert explored.ask(explored.root, method=method)[0] == 404, method
        assert explored.ask(explored.root, method="POST", body="x" * 100000)[0] in (404, 413)
        try:
            explored.ask(explored.root, address="127.0.0.2")
            raise AssertionError("it listens at another address")
        except ConnectionRefusedError:
            pass
        again = Explored(glint, script)
        assert again.root != explored.root
        again.end()
    finally:
        explored.end()


def test_port(glint, folder):
    script = folder / "script.py"
    script.write_text(FIRST)
    first = Explored(glint, script)
    port = str(first.port)
    try:
        # While it is served no other can have it.
        other = subprocess.run([glint, "explore", "--port", port, str(script)], capture_output=True, text=True, timeout=60)
        assert other.returncode == 2 and "nothing can be served at this port" in other.stderr, other
        first.page_with("%relu = relu %x")
    finally:
        first.process.send_signal(signal.SIGINT)
        first.process.wait(timeout=30)
        first.end()
    # The connections of the first server are still being closed.
    for _ in range(3):
        again = Explored(glint, script, "--port", port)
        assert str(again.port) == port and again.ask(again.root)[0] == 200
        again.process.send_signal(signal.SIGINT)
        again.process.wait(timeout=30)
        again.end()


def test_begins(glint, folder):
    for arguments, text in (
        (["/nosuch.py"], "glint: can't open file '/nosuch.py': [Errno 2] No such file or directory\n"),
        (["--port", "70000", "x.py"], "glint: `--port` takes a number up to 65535, not `70000`\n"),
    ):
        run = subprocess.run([glint, "explore", *arguments], capture_output=True, text=True, timeout=60)
        assert run.returncode == 2 and run.stderr.startswith(text), run


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--glint", required=True)
    glint = parser.parse_args().glint
    for test in (test_changes, test_refuses, test_port, test_begins):
        with tempfile.TemporaryDirectory() as folder:
            test(glint, pathlib.Path(folder))
        print(f"{test.__name__}: passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
