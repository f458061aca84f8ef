#!/usr/bin/env python3
"""Drives the report in a headless Chromium: what is lit, tabs, keys, links, search, sizes, time.

    report_browser_test.py --glint build/release/glint [--screenshots FOLDER]

Run by scripts/test-report, which brings the browser and selenium.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

SCRIPT = '''import torch
import torch.nn.functional as F

hostile = "</script><script>document.title = 'taken'</script><img src=x onerror=alert(1)>"


@torch.compile
def f(x, y):
    z = torch.relu(x * y) @ y.T
    w = F.gelu(z)
    if w.sum() > 0:
        return torch.softmax(w, -1).sum(dim=1)
    return w


f(torch.ones(4, 8), torch.ones(4, 8))
f(torch.ones(6, 8), torch.ones(6, 8))
'''

FAILS = SCRIPT + "f(torch.ones(6, 8), torch.ones(5, 7))\n"

TRAINS = '''import torch


@torch.compile
def f(x):
    return torch.tanh(x).sum()


f(torch.ones(4, requires_grad=True)).backward()
'''

# 2,000 operators: half of them in a chain, half beside it, so that the drawing is long and wide.
LARGE = '''import torch


@torch.compile
def f(x):
    sums = []
    for i in range(330):
        x = torch.sin(x) * 1.01
        x = x + 0.5
        sums.append((x * x).sum() + i)
    return x + torch.stack(sums).sum()


f(torch.ones(16, 16))
'''


class Report:
    """A page in the browser, and what a test asks of it."""

    def __init__(self, driver, path):
        self.driver = driver
        self.path = path
        self.open()

    def open(self, address=""):
        self.driver.get("about:blank")
        self.driver.get(f"file://{self.path}{address}")

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def run(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def press(self, *keys):
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)
            self.settle()

    def settle(self):
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()));"
        )

    def tabs(self):
        return [tab.get_attribute("id").removeprefix("tab-") for tab in self.all("#tabs button")]

    def stage(self):
        return self.all('#tabs [aria-selected="true"]')[0].get_attribute("id").removeprefix("tab-")

    def show(self, stage):
        self.run(f"document.getElementById('tab-{stage}').click()")
        self.settle()

    def click_piece(self, text, line):
        """A piece of the source: what stands on a line of it."""
        self.run(
            "const [text, line] = arguments;"
            "const found = [...page.source.lists[0].elementAt(line - 1).children]"
            "  .find((piece) => piece.about && piece.textContent.trim() === text);"
            "found.click();",
            text,
            line,
        )
        self.settle()

    def lit(self, pane, light):
        found = self.all(f'#{pane} .line[data-light="{light}"], #{pane} .line > [data-light="{light}"]')
        return [each.text for each in found]


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def test_source_to_stages(report):
    report.show("graph")
    report.click_piece("*", 9)
    became = report.lit("panel", "became")
    check(any("%mul" in line for line in became), f"the product is lit in the graph: {became}")
    check(not any("%gelu" in line for line in became), f"and nothing else: {became}")
    for stage in ("kernels", "llvm", "asm", "cuda"):
        report.show(stage)
        lines = report.lit("panel", "became")
        check(lines, f"the product is lit in {stage}")
    count = report.all("#tab-asm .count")[0].text
    check(count.isdigit() and int(count) > 0, f"the tab counts what is lit: {count!r}")


def test_machine_code_to_source(report):
    report.press(Keys.ESCAPE)
    report.show("asm")
    report.run(
        "const list = page.stages.lists()[0];"
        "const at = list.lines.findIndex((line) => /mulps/.test(line.text));"
        "list.reveal(at); list.elementAt(at).click();"
    )
    report.settle()
    source = "".join(report.lit("source", "from")).replace(" ", "")
    check("x*y" in source, f"an instruction lights its place: {source!r}")
    report.show("graph")
    check(any("%mul" in line for line in report.lit("panel", "from")), "and its node")
    boxes = report.all('.box[data-light="from"]')
    check(boxes, "and its box in the drawing")
    check("came from" in report.all("#trail")[0].text, "the words at the bottom say so")
    report.press(Keys.ESCAPE)
    check(not report.all('[data-light="from"]'), "Escape lets the light go")


def test_keyboard(report):
    report.run("document.activeElement.blur()")
    report.show("graph")
    body = report.all("body")[0]
    body.send_keys("p")
    report.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    active = report.all("#panel .line.active")
    check(len(active) == 1 and "=" in active[0].text, "arrows walk the lines")
    owner = report.driver.switch_to.active_element
    check(owner.get_attribute("role") == "listbox", "the list has the focus")
    check(
        owner.get_attribute("aria-activedescendant") == active[0].get_attribute("id"),
        "and names its active line",
    )
    report.press(Keys.ENTER)
    check("pinned" in body.get_attribute("class"), "Enter pins")
    report.press(Keys.ESCAPE, "]")
    check(report.stage() == report.tabs()[report.tabs().index("graph") + 1], "] is the next stage")
    report.press("s", Keys.ARROW_DOWN)
    check(report.all("#source .line.active"), "s goes to the source")
    report.press("?")
    check(report.all("dialog[open]"), "? lists the keys")
    report.press(Keys.ESCAPE)
    check(not report.all("dialog[open]"), "and Escape closes the list")


def test_address(report):
    report.open("#1/kernels/3")
    check(report.stage() == "kernels", "an address names a stage")
    active = report.run("const list = page.stages.lists()[0]; return list.active")
    check(active == 2, f"and a line: {active}")
    report.press("]")
    check(report.run("return location.hash").startswith("#1/"), "the address follows")


def test_entries(report):
    report.open("#1/entries")
    columns = report.all(".entry")
    check(len(columns) == 2, f"both entries stand side by side: {len(columns)}")
    differ = [line.text for line in report.all('.entry .line[data-mark="≠"]')]
    check(any("float32[4, 8]" in line for line in differ), f"with the guard that differs: {differ}")


def test_search(report):
    report.open()
    report.press("/")
    report.press("vmaxps" if report.run("return report.panels.some((p) => p.lines.some((l) => /vmaxps/.test(l.text)))") else "maxps")
    check(report.all("#found button"), "something is found")
    report.press(Keys.ENTER)
    check(report.stage() == "asm", f"and shown: {report.stage()}")


def test_passes(report):
    report.open("#1/passes")
    check(report.all(".change"), "a pass that changed something is open")
    check(report.all("details.unchanged:not([open])"), "those without a change are folded")
    check(report.all('.line[data-mark="-"]') and report.all('.line[data-mark="+"]'), "a change shows both")


def test_drawing(report):
    report.open("#1/graph")
    boxes = len(report.all(".box"))
    report.run("[...document.querySelectorAll('.tools button')].find((b) => /fold/.test(b.textContent)).click()")
    folded = len(report.all(".box"))
    check(folded < boxes, f"kernels fold: {boxes} boxes, then {folded}")
    check(report.all(".edge text")[0].get_attribute("textContent").startswith("f32["), "edges have shapes")
    report.show("memory")
    check(report.all(".slot .bar"), "memory is drawn over time")
    report.show("time")
    check(report.all(".time .bar"), "time is drawn")


def test_safe(report):
    check(report.driver.title != "taken", "a string of the script runs nothing")
    check(not report.all("img"), "and makes no element")
    requests = report.run("return performance.getEntriesByType('resource').map((each) => each.name)")
    check(not requests, f"nothing is fetched: {requests}")


def test_failure(report):
    text = report.all("#failure")[0].text
    check("RuntimeError" in text, f"the exception is shown: {text[-300:]}")
    check(report.all("#source .line.failed"), "and where")
    check("graph" in report.tabs(), "and how far it came")


def test_gradient(report):
    titles = report.run("return report.regions.map((each) => each.title)")
    check(titles == ["f.joint", "f", "f.backward"], f"forward and backward are regions: {titles}")
    check(report.run("return page.stages.region") == 1, "what runs is shown first")
    report.open("#3/kernels")
    report.click_piece("tanh", 6)
    check(report.lit("panel", "became"), "a piece of source leads to its gradient")


def test_large(report):
    nodes = report.run("return report.panels.find((p) => p.stageName === 'graph').drawings[0].nodes.length")
    took = report.run(
        "const [entry] = performance.getEntriesByType('navigation'); return entry.loadEventEnd"
    )
    print(f"  {nodes} nodes open in {took:.0f} ms, {report.path.stat().st_size / 1e6:.1f} MB")
    check(nodes >= 2000, f"it is large: {nodes}")
    check(took < 2000, f"it opens in time: {took:.0f} ms")
    for stage in report.tabs():
        start = time.perf_counter()
        report.show(stage)
        check(time.perf_counter() - start < 2, f"{stage} opens in time")
    report.show("graph")
    spent = report.driver.execute_async_script(
        "const done = arguments[0]; const keys = page.stages.lists()[0].lines[900].about;"
        "const start = performance.now(); pointAt(keys);"
        "requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));"
    )
    print(f"  pointing takes {spent:.0f} ms")
    check(spent < 250, f"pointing is smooth: {spent:.0f} ms")


def overflow(report):
    return report.run("return document.documentElement.scrollWidth - innerWidth")


def test_sizes(report, folder):
    for width, height in ((1280, 860), (400, 800)):
        for theme in ("light", "dark"):
            report.driver.execute_cdp_cmd(
                "Emulation.setDeviceMetricsOverride",
                {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
            )
            report.open("#1/graph")
            report.run("setTheme(arguments[0])", theme)
            check(overflow(report) <= 0, f"{width} pixels are wide enough")
            for stage in ("graph", "asm", "passes", "entries", "memory", "time", "guards"):
                report.show(stage)
                if stage == "graph":
                    report.click_piece("*", 9)
                check(overflow(report) <= 0, f"{width} pixels are wide enough for {stage}")
                if folder:
                    report.driver.save_screenshot(str(folder / f"{stage}-{width}-{theme}.png"))
                if stage == "graph":
                    report.press(Keys.ESCAPE)
    report.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def browser():
    options = webdriver.ChromeOptions()
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,900"):
        options.add_argument(flag)
    options.binary_location = "/usr/bin/chromium"
    service = webdriver.ChromeService("/usr/bin/chromedriver")
    return webdriver.Chrome(options=options, service=service)


def write(glint, folder, name, script):
    path = folder / f"{name}.py"
    path.write_text(script)
    page = folder / f"{name}.html"
    subprocess.run([glint, "report", str(path), "-o", str(page)], capture_output=True, timeout=300)
    return page


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--glint", required=True)
    parser.add_argument("--screenshots", type=pathlib.Path)
    options = parser.parse_args()
    if options.screenshots:
        options.screenshots.mkdir(parents=True, exist_ok=True)
    glint = str(pathlib.Path(options.glint).resolve())
    failed = passed = 0
    driver = browser()
    try:
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            report = Report(driver, write(glint, folder, "small", SCRIPT))
            tests = [test_source_to_stages, test_machine_code_to_source, test_keyboard, test_address,
                     test_entries, test_search, test_passes, test_drawing, test_safe]
            cases = [(test, (report,)) for test in tests]
            cases.append((test_sizes, (report, options.screenshots)))
            cases.append((lambda: test_failure(Report(driver, write(glint, folder, "fails", FAILS))), ()))
            cases.append((lambda: test_gradient(Report(driver, write(glint, folder, "trains", TRAINS))), ()))
            cases.append((lambda: test_large(Report(driver, write(glint, folder, "large", LARGE))), ()))
            for test, arguments in cases:
                try:
                    test(*arguments)
                    passed += 1
                except Exception as error:
                    failed += 1
                    print(f"FAILED {test.__name__}: {error}")
            problems = [each for each in driver.get_log("browser") if each["level"] == "SEVERE"]
            if problems:
                failed += 1
                print(f"FAILED: the browser complains: {problems}")
    finally:
        driver.quit()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
