"""How lines are drawn, in matplotlib's words.

    of_format("r--o")                        {"colour": "#ff0000", "style": "--", "marker": "o"}
    of_keywords({"lw": 2, "ls": ":"})        {"width": 2.0, "style": ":"}
"""
from glint._colours import colour
from glint._marks import MARKERS

_STYLES = {
    **{"-": "-", "--": "--", "-.": "-.", ":": ":", "solid": "-", "dashed": "--", "dashdot": "-.", "dotted": ":"},
    **{"": "", " ": "", "none": "", "None": ""},
}
# Markers that are drawn as another.
_ALIKE = {
    **{",": ".", "d": "D", "p": "o", "h": "o", "H": "o", "8": "o", "P": "+", "X": "x"},
    **{"1": "v", "2": "^", "3": "<", "4": ">"},
}
# Without effect on what is drawn here.
_IGNORED = """zorder antialiased aa rasterized picker clip_on solid_capstyle markevery markeredgewidth mew
markeredgecolor mec markerfacecolor mfc linewidths
edgecolors edgecolor""".split()
_SHORT = {"c": "color", "ls": "linestyle", "lw": "linewidth", "ms": "markersize"}


def style(given):
    if given is not None and given not in _STYLES:
        known = ", ".join(repr(each) for each in _STYLES)
        raise ValueError(f"{given!r} is not a valid value for ls; supported values are {known}")
    return _STYLES[given or ""]


def marker(given):
    if given in (None, "", " ", "none", "None"):
        return ""
    found = _ALIKE.get(given, given)
    if found not in MARKERS:
        raise ValueError(f"Unrecognized marker style {given!r}")
    return found


def of_format(text):
    """Where a marker is named and no style, no line joins the points."""
    found, rest = {}, text
    while rest:
        size = 2 if rest[:2] in ("--", "-.") or rest[0] == "C" and rest[1:2].isdigit() else 1
        word, rest = rest[:size], rest[size:]
        if word in ("-", "--", "-.", ":"):
            kind, value = "style", word
        elif word in "bgrcmykw" or size == 2:
            kind, value = "colour", colour(word)
        elif word in MARKERS or word in _ALIKE:
            kind, value = "marker", marker(word)
        else:
            raise ValueError(f"{text!r} is not a valid format string (unrecognized character {word!r})")
        if kind in found:
            raise ValueError(
                f"{text!r} is not a valid format string (two {kind} symbols)".replace("colour", "color").replace(
                    "style", "linestyle"
                )
            )
        found[kind] = value
    if "marker" in found and "style" not in found:
        found["style"] = ""
    return found


def of_keywords(given):
    """Raises where one is not known."""
    found = {}
    for name, value in given.items():
        name = _SHORT.get(name, name)
        if name == "color":
            if value is not None:
                found["colour"] = colour(value)
        elif name == "linestyle":
            found["style"] = style(value)
        elif name == "marker":
            found["marker"] = marker(value)
        elif name in ("linewidth", "markersize", "alpha"):
            if value is not None:
                found[{"linewidth": "width", "markersize": "size", "alpha": "alpha"}[name]] = float(value)
        elif name == "label":
            found["name"] = "" if value is None or str(value).startswith("_") else str(value)
        elif name not in _IGNORED:
            raise AttributeError(f"Line2D.set() got an unexpected keyword argument {name!r}")
    return found
