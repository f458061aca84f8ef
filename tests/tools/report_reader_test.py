#!/usr/bin/env python3
"""The report for those who do not point and look: names and roles, keys, contrast, calm, errors.

    report_reader_test.py --glint build/release/glint

Run by scripts/test-report. Contrast is WCAG's ratio of relative luminances, computed for each text
that stands on the page: 4.5 at least.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

from report_page import Report, browser, check, resize, write
from report_scripts import SCRIPT
from selenium.webdriver.common.keys import Keys

# Of each text that is shown, what it says, and its ratio to what it stands on.
CONTRASTS = """
const luminance = ([r, g, b]) => [r, g, b].map((c) => c / 255)
  .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
  .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
const colour = (text) => (/rgba?\\(([^)]*)\\)/.exec(text) || ['', '0, 0, 0, 0'])[1].split(',').map(Number);
const over = (top, below) => {
  const alpha = top[3] === undefined ? 1 : top[3];
  return [0, 1, 2].map((i) => top[i] * alpha + below[i] * (1 - alpha));
};
const behind = (element) => {
  if (!element) return [255, 255, 255];
  const box = element.closest('.box');
  if (box && element.tagName === 'text') return over(colour(getComputedStyle(box.querySelector('rect')).fill), behind(box.parentElement));
  return over(colour(getComputedStyle(element).backgroundColor), behind(element.parentElement));
};
const found = {};
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  const text = walker.currentNode.textContent.trim();
  if (!text || element.closest('script, style, noscript, title, option') || !element.getClientRects().length) continue;
  const style = getComputedStyle(element);
  const back = behind(element);
  const front = over(colour(element.namespaceURI.endsWith('svg') ? style.fill : style.color), back);
  const [light, dark] = [luminance(front), luminance(back)].sort((a, b) => b - a);
  const ratio = (light + 0.05) / (dark + 0.05);
  const kind = `${element.tagName}.${element.getAttribute('class') || ''} ${element.dataset.light || element.parentElement.dataset.light || ''}`;
  if (!(kind in found) || ratio < found[kind][0]) found[kind] = [ratio, text.slice(0, 30)];
}
return found;
"""

FOCUS = """
const at = document.activeElement;
const style = getComputedStyle(at);
return [at.id || at.getAttribute('aria-label') || at.textContent.trim().slice(0, 20), at.tagName,
  at.matches(':focus-visible') && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2];
"""


def test_contrast(report):
    for theme in ("light", "dark"):
        for stage in report.tabs():
            report.press(Keys.ESCAPE)
            report.show(stage)
            if stage in ("graph", "kernels", "asm"):
                report.click_piece("*", 9)
            report.run("setTheme(arguments[0])", theme)
            report.wait(150)  # colours change by and by
            weak = {kind: each for kind, each in report.run(CONTRASTS).items() if each[0] < 4.5}
            check(not weak, f"{stage} is readable in {theme}: {weak}")
    report.press(Keys.ESCAPE)


def accessible(report):
    """What a screen reader is told: (role, name, focusable), in the order of the page."""
    nodes = report.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    value = lambda node, what: node.get(what, {}).get("value", "")
    for node in nodes:
        if not node.get("ignored"):
            focusable = any(each["name"] == "focusable" and each["value"].get("value") for each in node.get("properties", []))
            yield value(node, "role"), value(node, "name"), focusable


def test_names(report):
    report.open("#1/graph")
    seen = list(accessible(report))
    roles = {}
    for role, name, focusable in seen:
        roles.setdefault(role, []).append(name)
        if focusable and role not in ("RootWebArea", "generic"):
            check(name, f"what can be reached has a name: {role}")
    check(len(roles["tab"]) == len(report.tabs()), f"tabs are tabs: {roles['tab']}")
    check("Source" in roles["region"] and "Stages" in roles["region"], f"panes are landmarks: {roles['region']}")
    check(any("graph" in name for name in roles["listbox"]), f"the drawing is a list: {roles['listbox']}")
    check(any(name.startswith("%mul = multiply") for name in roles["option"]), "of boxes")
    check(roles["heading"][0] == "small.py" and roles["status"] == [""], f"a heading and a status: {roles['heading']}")
    report.run("document.querySelector('svg.graph').focus()")
    report.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    graph = report.all("svg.graph")[0]
    active = report.run("return document.getElementById(arguments[0])", graph.get_attribute("aria-activedescendant"))
    check("active" in active.get_attribute("class"), "the active box is named")
    check("node %" in report.all("#trail")[0].text, "and the status says what it came from")


def test_focus(report):
    report.open("#1/graph")
    order = []
    for _ in range(40):
        report.driver.switch_to.active_element.send_keys(Keys.TAB)
        name, tag, visible = report.run(FOCUS)
        if tag == "BODY" or (order and name == order[0]):
            break
        check(visible, f"the focus is seen at {name}")
        order.append(name)
    else:
        raise AssertionError(f"the focus comes around: {order}")
    wanted = ["regions", "search", "theme", "help", "tab-graph", "which graph"]
    places = [order.index(each) for each in wanted]
    check(places == sorted(places), f"in the order of the page: {order}")
    check(any("the graph" in each for each in order) and order[-1].startswith("list"), f"to its end: {order}")
    for _ in order:
        report.driver.switch_to.active_element.send_keys(Keys.SHIFT, Keys.TAB)
    check(report.run(FOCUS)[0] == order[0], "and back")


def test_search_by_keys(report):
    report.open("#1/graph")
    report.press("/")
    report.press("mul")
    report.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    at = report.run("return [...document.querySelectorAll('#found button')].indexOf(document.activeElement)")
    check(at == 1, f"arrows walk what was found: {at}")
    report.press(Keys.ESCAPE)
    check(not report.all("#found")[0].is_displayed(), "Escape closes it")
    check(report.run("return document.activeElement.id") == "search", "and is back in the box")
    report.press(Keys.ESCAPE)


def emulate(report, **features):
    report.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]},
    )


def test_wishes(report):
    """What somebody has asked the system for: calm, and dark."""
    report.run("try { localStorage.clear() } catch {}")
    background = "return getComputedStyle(document.body).backgroundColor"
    moves = "return getComputedStyle(document.querySelector('.line')).transitionDuration"
    seen = {}
    for scheme in ("light", "dark"):
        emulate(report, prefers_color_scheme=scheme, prefers_reduced_motion="no-preference")
        report.open()
        seen[scheme] = report.run(background)
        check(report.run(moves) != "0s", "colours fade")
    check(seen["light"] != seen["dark"], f"the system's scheme is followed: {seen}")
    report.press("t")
    report.wait(150)
    check(report.run(background) == seen["light"], "until somebody chooses another")
    emulate(report, prefers_color_scheme="light", prefers_reduced_motion="reduce")
    check(report.run(moves) == "0s", "nothing moves for those who ask for that")
    report.run("try { localStorage.clear() } catch {}")
    emulate(report)


def test_zoomed(report):
    """400 pixels wide, and text twice as large as usual on a wide screen: nothing is cut off."""
    for width, zoom in ((400, 1), (320, 1), (1280, 2)):
        resize(report, width, 800)
        report.open("#1/graph")
        report.run("document.body.style.zoom = arguments[0]", zoom)
        for stage in report.tabs():
            report.show(stage)
            wide = report.run("return document.documentElement.scrollWidth - innerWidth")
            check(wide <= 0, f"{stage} fits {width} pixels: {wide}")
    resize(report)


# ---- Scripts that are wrong ---------------------------------------------------------------------

WRONG = {
    "syntax": (b"import torch\nx = torch.ones(3)\ndef f(:\n    pass\n", "SyntaxError"),
    "raises": (SCRIPT.encode() + b"raise ValueError('</script><b>' + '\\x00\\x1b[31m')\n", "ValueError"),
    "exits": (SCRIPT.encode() + b"import sys\nsys.exit(3)\n", None),
    "null": (b"x = 1\x00\n", "SyntaxError"),
    "bytes": (b"x = '\xff\xfe'\n", "SyntaxError"),
    "recursion": (b"def f(): return f()\nf()\n", "RecursionError"),
    "chatty": (SCRIPT.encode() + b"for i in range(1000): print('y' * 100000)\n", None),
    "right_to_left": (
        "s = '\u202e\u2066 <b>&amp; \u2069 \u05d0\u05d1'\n\u05d0 = 1\nraise KeyError(s)\n".encode(),
        "KeyError",
    ),
}


def test_wrong_scripts(report, glint, folder):
    for name, (script, error) in WRONG.items():
        (folder / f"{name}.py").write_bytes(script)
        page = folder / f"{name}.html"
        run = subprocess.run(
            [glint, "report", str(folder / f"{name}.py"), "-o", str(page)], stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, timeout=120,
        )
        check(run.returncode == {"exits": 3, "chatty": 0}.get(name, 1), f"{name} ends as a run does: {run}")
        check(page.exists() and page.stat().st_size < 3_000_000, f"{name} has a page of a fair size")
        wrong = Report(report.driver, page)
        check(wrong.driver.title == f"{name}.py" and wrong.all("#source .line"), f"{name} shows its source")
        check(not wrong.all("b, img, #failure script"), f"{name} makes no element of what it holds")
        text = wrong.all("#failure")[0].text
        check((error in text) if error else not text, f"{name} says what is wrong: {text[-200:]}")
        if script.startswith(SCRIPT.encode()):
            check("graph" in wrong.tabs(), f"{name} shows how far it came")
        bad = [each for each in wrong.driver.get_log("browser") if each["level"] == "SEVERE"]
        check(not bad, f"{name} is a page without faults: {bad}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--glint", required=True)
    glint = str(pathlib.Path(parser.parse_args().glint).resolve())
    failed = 0
    driver = browser()
    try:
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            report = Report(driver, write(glint, folder, "small", SCRIPT))
            tests = [test_contrast, test_names, test_focus, test_search_by_keys, test_wishes, test_zoomed]
            cases = [(test, (report,)) for test in tests] + [(test_wrong_scripts, (report, glint, folder))]
            for test, arguments in cases:
                try:
                    test(*arguments)
                    print(f"{test.__name__}: passed")
                except Exception as error:
                    failed += 1
                    print(f"FAILED {test.__name__}: {error}")
    finally:
        driver.quit()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
