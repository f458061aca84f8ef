"""The text of a progress bar.

    meter(5, 10, 2.0)       ' 50%|█████     | 5/10 [00:02<00:02,  2.50it/s]'
    meter(5, None, 2.0)     '5it [00:02,  2.50it/s]'

It is tqdm's text, letter for letter. What is left of it is percent, what is right counts and times;
the bar takes what a line of `ncols` leaves, or ten letters.
"""

_BLOCKS = " ▏▎▍▌▋▊▉█"
_DIGITS = " 123456789#"
_COLOURS = ["BLACK", "RED", "GREEN", "YELLOW", "BLUE", "MAGENTA", "CYAN", "WHITE"]
_PREFIXES = ["", "k", "M", "G", "T", "P", "E", "Z"]


def sizeof(number, suffix="", divisor=1000):
    """Three digits and a prefix: 1.23k."""
    for prefix in _PREFIXES:
        for limit, decimals in ((9.995, 2), (99.95, 1), (999.5, 0)):
            if abs(number) < limit:
                return f"{number:.{decimals}f}{prefix}{suffix}"
        number /= divisor
    return f"{number:3.1f}Y{suffix}"


def interval(seconds):
    """Minutes and seconds, and hours where there are any: 1:02:03."""
    sign, whole = "-" if seconds < 0 else "", abs(int(seconds))
    hours = f"{whole // 3600}:" if whole >= 3600 else ""
    return f"{sign}{hours}{whole // 60 % 60:02d}:{whole % 60:02d}"


def number(n):
    """As it is, or in three digits where that is shorter."""
    short = f"{n:.3g}".replace("e+0", "e+").replace("e-0", "e-")
    return min(short, str(n), key=len) if len(short) < len(str(n)) else str(n)


def width(text):
    """Columns of a terminal, without the escapes of colours."""
    columns, escapes = 0, False
    for letter in text:
        if letter == "\033":
            escapes = True
        if not escapes:
            columns += 2 if _is_wide(ord(letter)) else 1
        elif letter.isalpha():
            escapes = False
    return columns


def _is_wide(code):
    return 0x1100 <= code <= 0x115F or 0x2E80 <= code <= 0xA4CF or 0xAC00 <= code <= 0xD7A3 or code >= 0x1F300


def trimmed(text, columns):
    """What fits; a colour is ended."""
    if len(text) == width(text):
        return text[:columns]
    has_colour = "\033[" in text
    while width(text) > columns:
        text = text[:-1]
    if has_colour and not text.endswith("\033[0m"):
        text += "\033[0m"
    return text


class Bar:
    """The bar in a format: `{bar}`, `{bar:20}`, and `{bar:-5b}`: five less than there is, in blanks."""

    def __init__(self, share, columns, letters, colour=None):
        self.share = max(0.0, min(1.0, share))
        self.columns = columns
        self.letters = letters
        self.colour = colour

    def __format__(self, spec):
        letters = {"a": _DIGITS, "u": _BLOCKS, "b": "  "}.get(spec[-1:].lower())
        columns = spec[:-1] if letters else spec
        columns = int(columns) if columns else self.columns
        return self._drawn(letters or self.letters, columns if columns >= 0 else columns + self.columns)

    def _drawn(self, letters, columns):
        steps = len(letters) - 1
        full, part = divmod(int(self.share * columns * steps), steps)
        drawn = letters[-1] * full
        if full < columns:
            drawn += letters[part] + letters[0] * (columns - full - 1)
        return f"{self.colour}{drawn}\033[0m" if self.colour else drawn


class _NoBar:
    """Stands for the bar to see how much room it has."""

    def __init__(self):
        self.is_asked_for = False

    def __format__(self, spec):
        self.is_asked_for = True
        return ""


def _colour_code(colour):
    """An escape; empty for no colour, or one that is not known."""
    if not colour:
        return ""
    if colour.upper() in _COLOURS:
        return f"\033[3{_COLOURS.index(colour.upper())}m"
    if colour[0] == "#" and len(colour) == 7:
        red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
        return f"\033[38;2;{red};{green};{blue}m"
    import warnings

    warnings.warn(f"Unknown colour ({colour}); valid choices: [hex (#00ff00), {', '.join(_COLOURS)}]")
    return ""


def _rates(n, initial, elapsed, rate, unit, unit_scale):
    if rate is None and elapsed:
        rate = (n - initial) / elapsed
    inverse = 1 / rate if rate else None

    def told(value, what):
        if not value:
            return f"?{what}"
        return (sizeof(value) if unit_scale else f"{value:5.2f}") + what

    return rate, inverse, told(rate, f"{unit}/s"), told(inverse, f"s/{unit}")


def _filled(form, values, share, columns, letters, colour):
    """A format with its bar as wide as a line leaves room for."""
    room = _NoBar()
    without = form.format(bar=room, **values)
    if room.is_asked_for:
        bar = Bar(share, max(1, columns - width(without)) if columns else 10, letters, colour)
        without = form.format(bar=bar, **values)
    return trimmed(without, columns) if columns else without


def meter(
    n,
    total,
    elapsed,
    ncols=None,
    prefix="",
    ascii=False,
    unit="it",
    unit_scale=False,
    rate=None,
    bar_format=None,
    postfix=None,
    unit_divisor=1000,
    initial=0,
    colour=None,
    **further,
):
    """The whole line."""
    if total and (n >= total + 0.5 or total == float("inf")):
        total = None  # more than all cannot be
    if unit_scale and unit_scale not in (True, 1):
        n, total = n * unit_scale, total * unit_scale if total else total
        rate, unit_scale = rate * unit_scale if rate else rate, False
    rate, inverse, rate_fmt, inverse_fmt = _rates(n, initial, elapsed, rate, unit, unit_scale)
    shown_rate = inverse_fmt if inverse and inverse > 1 else rate_fmt
    n_fmt, total_fmt = (
        "?" if count is None else sizeof(count, divisor=unit_divisor) if unit_scale else str(count)
        for count in (n, total)
    )
    if isinstance(postfix, str) or not postfix:
        postfix = f", {postfix}" if postfix else ""
    remaining = (total - n) / rate if rate and total else 0
    left_time = interval(remaining) if rate else "?"
    times = interval(elapsed)
    l_bar = prefix if not prefix or prefix.endswith(": ") else f"{prefix}: "
    r_bar = f"| {n_fmt}/{total_fmt} [{times}<{left_time}, {shown_rate}{postfix}]"
    if not total and not bar_format:
        head = f"{prefix}: " if prefix else ""
        text = f"{head}{n_fmt}{unit} [{times}, {shown_rate}{postfix}]"
        return trimmed(text, ncols) if ncols else text
    share = n / total if total else 0
    l_bar += f"{share * 100:3.0f}%|" if total else "|"
    if total and ncols == 0:
        return l_bar[:-1] + r_bar[1:]
    values = {
        **{"n": n, "n_fmt": n_fmt, "total": total, "total_fmt": total_fmt, "percentage": share * 100},
        **{"elapsed": times, "elapsed_s": elapsed, "remaining": left_time, "remaining_s": remaining},
        **{"ncols": ncols, "desc": prefix or "", "unit": unit, "unit_divisor": unit_divisor, "colour": colour},
        **{"rate": inverse if inverse and inverse > 1 else rate, "rate_fmt": shown_rate, "postfix": postfix},
        **{"rate_noinv": rate, "rate_noinv_fmt": rate_fmt, "rate_inv": inverse, "rate_inv_fmt": inverse_fmt},
        **{"l_bar": l_bar, "r_bar": r_bar, **further},
    }
    form = bar_format or "{l_bar}{bar}{r_bar}"
    if total and not prefix:
        form = form.replace("{desc}: ", "")
    letters = (_DIGITS if ascii is True else ascii or _BLOCKS) if total else "  "
    return _filled(form, values, share, ncols, letters, _colour_code(colour))
