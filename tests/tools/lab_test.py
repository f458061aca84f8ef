"""JupyterLab and Jupyter Notebook in a headless Chromium: a notebook is opened and run as a person does it,
with the keyboard and the buttons, and what stands in it is read. Both themes, for the pictures.

Run by `scripts/test-kernel --lab`.
"""

import contextlib
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

COMPILED = """import torch

@torch.compile
def f(x, y):
    return torch.relu(x * y).sum(dim=1)

f(torch.ones(4, 8), torch.ones(4, 8))"""

CELLS = {
    "compiled": COMPILED,
    "graph": ":graph",
    "table": ":graph --table",
    "raises": "def g(x):\n    return 1 / x\n\ng(0)",
    "loop": "while True:\n    pass",
    "product": "6 * 7",
    "steps": """@torch.compile
def steps(x):
    for i in range(400):
        x = torch.tanh(x @ x)
    return x

steps(torch.ones(1100, 1100));""",
    "asks": "name = input('Name? ')\nprint('hello,', name)",
    "plot": "import glint\n\nglint.plot({'train': [3, 2, 1.5, 1.2], 'test': [3.1, 2.4, 2.1, 2.2]}, title='loss')",
    "pyplot": """import matplotlib.pyplot as plt

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5))
left.plot([3, 2, 1.5, 1.2], "r--o", label="train")
left.legend()
right.imshow(torch.arange(12.0).reshape(3, 4))
plt.show()""",
    "bar": """from tqdm.auto import tqdm
import time

for i in tqdm(range(20), desc="epoch"):
    time.sleep(0.05)""",
    "bench": ":bench f(torch.ones(64, 64), torch.ones(64, 64))",
    "help": ":help",
    "question": "?torch.relu",
    "kept": "kept = 1",
    "lost": "kept",
}
CRASHING = {"crash": COMPILED, "behind": "6 * 7"}


def browser():
    options = webdriver.ChromeOptions()
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,1600"):
        options.add_argument(flag)
    options.binary_location = "/usr/bin/chromium"
    return webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))


def free_port():
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def server(program, folder):
    """A server of its own; gives its address."""
    port = free_port()
    command = [sys.executable, "-m", program, "--no-browser", "--allow-root",
               f"--port={port}", "--ServerApp.token=", "--ServerApp.disable_check_xsrf=True",
               f"--ServerApp.root_dir={folder}"]
    environment = {**os.environ, "JUPYTER_CONFIG_DIR": f"{folder}/config"}
    with open(f"{folder}/server.log", "w") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        for _ in range(600):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), 0.2).close()
                break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(30)


class Page:
    """The front end of JupyterLab and of Jupyter Notebook, which is made of its parts."""

    def __init__(self, driver, names, folder=None, prefix=""):
        self.driver, self.folder, self.prefix = driver, folder, prefix
        self.names = list(names)

    def picture(self, name):
        if self.folder:
            self.driver.save_screenshot(str(self.folder / f"{self.prefix}{name}.png"))

    def wait(self, condition, what, seconds=90):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with contextlib.suppress(Exception):
                if found := condition():
                    return found
            time.sleep(0.2)
        raise AssertionError(f"waited in vain: {what}")

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def cells(self):
        return self.driver.find_elements(By.CSS_SELECTOR, ".jp-CodeCell")

    def cell(self, name):
        return self.cells()[self.names.index(name)]

    def output(self, name):
        return self.cell(name).find_element(By.CSS_SELECTOR, ".jp-Cell-outputArea")

    def prompt(self, name):
        return self.cell(name).find_element(By.CSS_SELECTOR, ".jp-InputPrompt").text

    def editor(self, name):
        editor = self.cell(name).find_element(By.CSS_SELECTOR, ".cm-content")
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", editor)
        editor.click()
        return editor

    def begin(self, name):
        self.editor(name).send_keys(Keys.SHIFT, Keys.ENTER)

    def finished(self, name):
        self.wait(lambda: self.prompt(name).strip("[]: ").isdigit(), f"cell {name} ends")
        return self.output(name).text

    def run(self, name):
        """What the cell gave, as text."""
        self.begin(name)
        return self.finished(name)

    def shows(self, name, selector):
        return self.wait(
            lambda: self.output(name).find_elements(By.CSS_SELECTOR, selector), f"cell {name} shows {selector}"
        )

    def press(self, command):
        """A button of the toolbar, by the command that it gives."""
        for title in ("Interrupt", "Restart the kernel"):
            if title.split()[0].lower() in command:
                self.find(f"[data-command='{command}'], [title^='{title}']").click()

    def ready(self):
        self.wait(lambda: len(self.cells()) == len(self.names), "the notebook's cells")
        self.wait(
            lambda: "Glint" in self.find(".jp-KernelName, .jp-Toolbar-kernelName").text, "the kernel's name"
        )


def interrupted(page, name):
    page.begin(name)
    time.sleep(1.5)
    page.press("notebook:interrupt-kernel")
    assert "KeyboardInterrupt" in page.finished(name)


def stages(page):
    keyword = page.wait(lambda: page.find(".cm-content span[class]"), "Python in colour")
    assert keyword.text
    assert "tensor([8., 8., 8., 8.])" in page.run("compiled")
    assert "%relu = relu %mul" in page.run("graph")
    page.shows("graph", "svg, img")
    page.picture("graph")
    page.run("table")
    page.shows("table", "th")
    page.picture("table")


def errors(page):
    assert "ZeroDivisionError" in page.run("raises")
    page.shows("raises", ".ansi-red-intense-fg, .ansi-red-fg")
    interrupted(page, "loop")
    assert "42" in page.run("product")
    page.picture("errors")
    interrupted(page, "steps")
    page.picture("interrupted")


def asked(page):
    page.begin("asks")
    field = page.wait(lambda: page.find(".jp-Stdin-input"), "a field to type in")
    field.send_keys("Ada", Keys.ENTER)
    assert "hello, Ada" in page.finished("asks")


def pictures(page):
    for name in ("plot", "pyplot"):
        page.run(name)
        page.shows(name, "svg, img")
        page.picture(name)
    assert "20/20" in page.run("bar")
    page.picture("bar")
    assert "times as fast" in page.run("bench") or "eager" in page.output("bench").text
    page.picture("bench")
    assert ":graph" in page.run("help")
    page.picture("help")
    assert "relu" in page.run("question")
    page.picture("question")


def completed(page):
    editor = page.editor("product")
    editor.send_keys(Keys.CONTROL, "a")
    editor.send_keys("torch.softm")
    editor.send_keys(Keys.TAB)
    page.wait(lambda: "softmax" in page.find(".jp-Completer").text, "completion")
    page.picture("completion")
    editor.send_keys(Keys.ENTER)
    page.wait(lambda: "softmax" in editor.text, "what was completed")
    editor.send_keys(Keys.SHIFT, Keys.TAB)
    page.wait(lambda: page.find(".jp-Tooltip").text, "a tooltip")
    assert "softmax" in page.find(".jp-Tooltip").text
    page.picture("tooltip")
    editor.send_keys(Keys.ESCAPE)


def restarted(page):
    page.run("kept")
    page.press("notebook:restart-kernel")
    page.wait(lambda: page.find(".jp-Dialog .jp-mod-accept"), "the question whether to restart").click()
    time.sleep(2)
    assert "NameError" in page.run("lost")


def crashed(page):
    assert "crashed (SIGSEGV at 0x10)" in page.run("crash")
    assert "42" in page.run("behind")
    page.picture("crash")


PARTS = (stages, errors, asked, pictures, completed, restarted)


def kernel_that_crashes():
    """Beside Glint's own specification, one whose kernel makes functions that crash."""
    own = pathlib.Path(os.environ["JUPYTER_PATH"]) / "kernels" / "glint"
    specification = json.loads((own / "kernel.json").read_text())
    other = own.parent / "glint-crashing"
    other.mkdir(exist_ok=True)
    specification |= {"env": {"GLINT_FAIL": "launch"}, "display_name": "Glint that crashes"}
    (other / "kernel.json").write_text(json.dumps(specification))
    return other.name


def drive(address, theme, folder, names, parts):
    driver = browser()
    page = Page(driver, names, folder, f"{theme}-")
    try:
        driver.get(address)
        page.ready()
        for part in parts:
            part(page)
    except Exception:
        page.picture("failed")
        raise
    finally:
        driver.quit()


def choose(theme, place):
    """Settings of the front end: its theme, and no news, which would stand above the notebook."""
    os.environ["JUPYTERLAB_SETTINGS_DIR"] = f"{place}/settings"
    folder = pathlib.Path(place, "settings", "@jupyterlab", "apputils-extension")
    folder.mkdir(parents=True)
    for name, settings in (
        ("themes", {"theme": f"JupyterLab {theme.capitalize()}"}), ("notification", {"fetchNews": "false"})
    ):
        (folder / f"{name}.jupyterlab-settings").write_text(json.dumps(settings))


def run(notebook, folder):
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    crashing = notebook(*CRASHING.values())
    crashing["metadata"]["kernelspec"]["name"] = kernel_that_crashes()
    for program, theme, where in (
        ("jupyterlab", "light", "lab/tree"), ("jupyterlab", "dark", "lab/tree"), ("notebook", "light", "notebooks")
    ):
        with tempfile.TemporaryDirectory() as place:
            pathlib.Path(place, "small.ipynb").write_text(json.dumps(notebook(*CELLS.values())))
            pathlib.Path(place, "crash.ipynb").write_text(json.dumps(crashing))
            choose(theme, place)
            with server(program, place) as address:
                name = theme if program == "jupyterlab" else program
                drive(f"{address}/{where}/small.ipynb?reset", name, folder, CELLS, PARTS)
                drive(f"{address}/{where}/crash.ipynb?reset", name, folder, CRASHING, [crashed])
        print(f"{program}, {theme}: fine", flush=True)
    return 0
