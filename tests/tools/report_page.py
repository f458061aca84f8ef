"""A report in a headless Chromium, and what its tests ask of it: no test itself.

    driver = browser()
    report = Report(driver, write(glint, folder, "small", SCRIPT))
    report.show("graph")
    report.click_piece("*", 9)
    report.lit("panel", "became")
"""

import subprocess

from selenium import webdriver
from selenium.webdriver.common.by import By


class Report:
    """A page in the browser, and what a test asks of it."""

    def __init__(self, driver, path):
        self.driver = driver
        self.path = path
        self.open()

    def open(self, address=""):
        self.driver.get("about:blank")
        where = self.path if "://" in str(self.path) else f"file://{self.path}"
        self.driver.get(f"{where}{address}")

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

    def wait(self, milliseconds):
        self.driver.execute_async_script("setTimeout(arguments[1], arguments[0])", milliseconds)

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


def resize(report, width=None, height=None):
    """The size of the page in pixels; without one as it was."""
    if not width:
        return report.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    return report.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


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
