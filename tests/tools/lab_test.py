"""JupyterLab in a headless Chromium: a notebook is opened and run, and what stands in it is read.

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

CELLS = [
    """import torch

@torch.compile
def f(x, y):
    return torch.relu(x * y).sum(dim=1)

f(torch.ones(4, 8), torch.ones(4, 8))""",
    ":graph",
    ":graph --table",
    "1 / 0",
    "while True:\n    pass",
    "6 * 7",
]


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
def lab(folder):
    """A server of its own; gives its address."""
    port = free_port()
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root",
               f"--port={port}", "--ServerApp.token=", "--ServerApp.disable_check_xsrf=True",
               f"--ServerApp.root_dir={folder}"]
    environment = {**os.environ, "JUPYTER_CONFIG_DIR": f"{folder}/config"}
    with open(f"{folder}/server.log", "w") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        for _ in range(600):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), 0.2).close()
                break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(30)


class Page:
    def __init__(self, driver):
        self.driver = driver

    def wait(self, condition, what, seconds=90):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with contextlib.suppress(Exception):
                if found := condition():
                    return found
            time.sleep(0.2)
        raise AssertionError(f"waited in vain: {what}")

    def cells(self):
        return self.driver.find_elements(By.CSS_SELECTOR, ".jp-CodeCell")

    def output(self, number):
        return self.cells()[number].find_element(By.CSS_SELECTOR, ".jp-Cell-outputArea")

    def prompt(self, number):
        return self.cells()[number].find_element(By.CSS_SELECTOR, ".jp-InputPrompt").text

    def run(self, number):
        editor = self.cells()[number].find_element(By.CSS_SELECTOR, ".cm-content")
        editor.click()
        editor.send_keys(Keys.SHIFT, Keys.ENTER)

    def finished(self, number):
        return self.wait(lambda: self.prompt(number).strip("[]: ").isdigit(), f"cell {number} ends")


def drive(page, folder):
    def picture(name):
        if folder:
            page.driver.save_screenshot(str(folder / f"{name}.png"))

    page.wait(lambda: len(page.cells()) == len(CELLS), "the notebook's cells")
    page.wait(lambda: "Glint" in page.driver.find_element(
        By.CSS_SELECTOR, ".jp-KernelName, .jp-Toolbar-kernelName").text, "the kernel's name")
    keyword = page.wait(lambda: page.driver.find_element(By.CSS_SELECTOR, ".cm-content span[class]"),
                        "Python in colour")
    assert keyword.text
    page.run(0)
    page.finished(0)
    assert "tensor([8., 8., 8., 8.])" in page.output(0).text
    page.run(1)
    page.finished(1)
    page.wait(lambda: page.output(1).find_elements(By.CSS_SELECTOR, "svg, img"), "the graph, drawn")
    assert "%relu = relu %mul" in page.output(1).text
    page.run(2)
    page.finished(2)
    assert page.output(2).find_elements(By.CSS_SELECTOR, "th")
    picture("graph")
    page.run(3)
    page.finished(3)
    assert "ZeroDivisionError" in page.output(3).text
    assert page.output(3).find_elements(By.CSS_SELECTOR, ".ansi-red-intense-fg, .ansi-red-fg")
    page.run(4)
    time.sleep(1)
    page.driver.find_element(
        By.CSS_SELECTOR, "[data-command='notebook:interrupt-kernel'], [title^='Interrupt']").click()
    page.finished(4)
    assert "KeyboardInterrupt" in page.output(4).text
    page.run(5)
    page.finished(5)
    assert "42" in page.output(5).text
    picture("errors")
    editor = page.cells()[5].find_element(By.CSS_SELECTOR, ".cm-content")
    editor.click()
    editor.send_keys(Keys.CONTROL, "a")
    editor.send_keys("torch.softm")
    editor.send_keys(Keys.TAB)
    page.wait(lambda: "softmax" in page.driver.find_element(By.CSS_SELECTOR, ".jp-Completer").text,
              "completion")
    editor.send_keys(Keys.ENTER)
    page.wait(lambda: "softmax" in editor.text, "what was completed")
    editor.send_keys(Keys.SHIFT, Keys.TAB)
    page.wait(lambda: page.driver.find_element(By.CSS_SELECTOR, ".jp-Tooltip").text, "a tooltip")
    assert "softmax" in page.driver.find_element(By.CSS_SELECTOR, ".jp-Tooltip").text
    picture("tooltip")


def run(notebook, folder):
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        (pathlib.Path(place) / "small.ipynb").write_text(json.dumps(notebook(*CELLS)))
        with lab(place) as address:
            driver = browser()
            try:
                driver.get(f"{address}/lab/tree/small.ipynb")
                drive(Page(driver), folder)
            except Exception:
                if folder:
                    driver.save_screenshot(str(folder / "failed.png"))
                raise
            finally:
                driver.quit()
    print("JupyterLab: fine")
    return 0
