"""Colours as SVG has them, by the names that plots give.

    colour("r"), colour("C1"), colour((1, 0, 0)), colour("0.5")
    shades([0, 5, 9], "viridis")        one (red, green, blue) for each, from 0 to 255
"""
import math

CYCLE = ["#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf"]
_LETTERS = {
    **{"r": "#ff0000", "g": "#008000", "b": "#0000ff", "c": "#00bfbf", "m": "#bf00bf", "y": "#bfbf00"},
    **{"k": "#000000", "w": "#ffffff", "none": "none"},
}
_TABLEAU = ["blue", "orange", "green", "red", "purple", "brown", "pink", "gray", "olive", "cyan"]
# SVG knows them by the same names.
_NAMES = """aqua black blue blueviolet brown chocolate coral cornflowerblue crimson cyan darkblue darkcyan darkgray
darkgreen darkgrey darkmagenta darkorange darkred darkviolet deeppink deepskyblue dimgray dodgerblue firebrick
forestgreen fuchsia gold goldenrod gray green greenyellow grey hotpink indianred indigo ivory khaki lavender
lightblue lightcoral lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lime limegreen
magenta maroon mediumblue mediumpurple mediumseagreen midnightblue navy olive orange orangered orchid palegreen
peru pink plum purple red rosybrown royalblue saddlebrown salmon seagreen sienna silver skyblue slateblue slategray
springgreen steelblue tan teal thistle tomato turquoise violet wheat white yellow yellowgreen""".split()
_HEXADECIMAL = "0123456789abcdefABCDEF"

# Points that the colours between are mixed of.
_MAPS = {
    "gray": [(0, 0, 0), (255, 255, 255)],
    "viridis": [
        *[(68, 1, 84), (72, 40, 120), (62, 74, 137), (49, 104, 142), (38, 130, 142), (31, 158, 137)],
        *[(53, 183, 121), (109, 205, 89), (180, 222, 44), (253, 231, 37)],
    ],
}
_MAPS["grey"] = _MAPS["gray"]


def _by_name(name):
    if name in _LETTERS:
        return _LETTERS[name]
    if name.startswith("C") and name[1:].isdigit():
        return CYCLE[int(name[1:]) % len(CYCLE)]
    if name.startswith("tab:") and name[4:].replace("grey", "gray") in _TABLEAU:
        return CYCLE[_TABLEAU.index(name[4:].replace("grey", "gray"))]
    if name.startswith("#") and len(name) in (4, 7, 9) and all(digit in _HEXADECIMAL for digit in name[1:]):
        return name
    return name.lower() if name.lower() in _NAMES else None


def _by_number(name):
    """A grey, "0.5"."""
    try:
        share = float(name)
    except ValueError:
        return None
    return _of_shares([share] * 3) if 0 <= share <= 1 else None


def _of_shares(shares):
    red, green, blue = (round(255 * float(share)) for share in shares[:3])
    return f"#{red:02x}{green:02x}{blue:02x}"


def colour(given):
    found = None
    if isinstance(given, str):
        found = _by_name(given) or _by_number(given)
    elif isinstance(given, (tuple, list)) and len(given) in (3, 4) and all(0 <= share <= 1 for share in given):
        found = _of_shares(given)
    if found is None:
        raise ValueError(f"{given!r} is not a valid value for color")
    return found


def shades(values, name, low=None, high=None):
    """From the least, or `low`, to the greatest; what is no number has the colour of the least."""
    turned = name.endswith("_r")
    if (name[:-2] if turned else name) not in _MAPS:
        known = ", ".join(repr(each) for each in _MAPS)
        raise ValueError(f"{name!r} is not a known value for cmap; supported values are {known}")
    stops = _MAPS[name[:-2] if turned else name]
    stops = stops[::-1] if turned else stops
    table = [_mixed(stops, i / 255) for i in range(256)]
    finite = [value for value in values if math.isfinite(value)] or [0.0]
    low = min(finite) if low is None else low
    span = ((max(finite) if high is None else high) - low) or 1.0
    return [table[int(min(max((value - low) / span, 0.0), 1.0) * 255) if value == value else 0] for value in values]


def _mixed(stops, share):
    at = share * (len(stops) - 1)
    below = min(int(at), len(stops) - 2)
    part = at - below
    return tuple(round(a + (b - a) * part) for a, b in zip(stops[below], stops[below + 1]))
