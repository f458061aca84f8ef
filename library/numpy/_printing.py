"""Arrays as texts: columns of one width, `...` for the middle of long ones.

    repr(np.array([1, 2.5]))        array([1. , 2.5])
    str(np.array([1, 2.5]))         [1.  2.5]

1. Of what is shown (all, or the first and last few along each axis) each element becomes a text of one
   width: `_texts`.
2. The texts are laid out in nested brackets, wrapped at the line's width: `_Layout`.
"""
import torch
from numpy._dtypes import BOOL, FLOAT64, INT64
from numpy._float_text import digits_of
from numpy._scalars import of_tensor, rounded
from numpy._values import asarray

_options = {
    "edgeitems": 3, "threshold": 1000, "floatmode": "maxprec", "precision": 8, "suppress": False, "linewidth": 75,
    "nanstr": "nan", "infstr": "inf", "sign": "-", "formatter": None, "legacy": False, "override_repr": None,
}
# From here on arrays are written with exponents.
_LARGE = {torch.float16: 1e3, torch.float32: 1e6, torch.float64: 1e8}


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, nanstr=None,
                     infstr=None, formatter=None, sign=None, floatmode=None, *, legacy=None, override_repr=None):
    """How arrays print from now on."""
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth,
             "suppress": suppress, "nanstr": nanstr, "infstr": infstr, "sign": sign, "floatmode": floatmode}
    if floatmode not in (None, "fixed", "unique", "maxprec", "maxprec_equal"):
        raise ValueError("floatmode option must be one of \"fixed\", \"unique\", \"maxprec\", \"maxprec_equal\"")
    if sign not in (None, "-", "+", " "):
        raise ValueError("sign option must be one of ' ', '+', or '-'")
    if legacy:
        raise NotImplementedError("the prints of older versions of NumPy are not there")
    if threshold is not None and not isinstance(threshold, (int, float)):
        raise TypeError("threshold must be numeric")
    if threshold is not None and threshold != threshold:
        raise ValueError("threshold must be non-NAN, try sys.maxsize for untruncated representation")
    _options.update({name: value for name, value in given.items() if value is not None})
    _options["formatter"] = formatter


def get_printoptions():
    return dict(_options)


class printoptions:
    """`with np.printoptions(precision=2):` prints so, and behind it as before."""

    def __init__(self, *args, **kwargs):
        self._args, self._kwargs = args, kwargs

    def __enter__(self):
        self._before = dict(_options)
        set_printoptions(*self._args, **self._kwargs)
        return dict(_options)

    def __exit__(self, kind, value, traceback):
        _options.update(self._before)


# ---- Elements -----------------------------------------------------------------------------------

def _texts(flat, options, is_scalar):
    """The texts of a flat tensor's elements."""
    own = _own_formatter(flat.dtype, options["formatter"])
    if own is not None:
        return [own(of_tensor(each)) for each in flat]
    if flat.dtype is torch.bool:
        return [str(each).rjust(0 if is_scalar else 5) for each in flat.tolist()]
    if flat.dtype.is_floating_point:
        return _FloatTexts(flat, options).texts
    sign = "" if options["sign"] == "-" else options["sign"]
    texts = [str(each) if each < 0 else f"{sign}{each}" for each in flat.tolist()]
    width = max([len(each) for each in texts], default=0)
    return [each.rjust(width) for each in texts]


def _own_formatter(dtype, formatters):
    if not formatters:
        return None
    kind = "bool" if dtype is torch.bool else "float" if dtype.is_floating_point else "int"
    for name in (kind, f"{kind}_kind", "all"):
        if formatters.get(name) is not None:
            return formatters[name]
    return None


class _FloatTexts:
    """Texts of floats with their points in one column."""

    def __init__(self, flat, options):
        self._options = options
        numbers, all_digits = flat.tolist(), digits_of(flat)
        self._finite = [each for each in all_digits if each is not None]
        self._sign = "" if options["sign"] == "-" else options["sign"]
        split = self._with_exponents if self._needs_exponents(flat.dtype) else self._without_exponents
        self._left = self._right = 0
        parts = iter(split() if self._finite else [])
        if len(self._finite) < len(numbers):
            self._make_room_for_names(numbers)
        self.texts = [self._named(number) if digits is None else self._joined(next(parts))
                      for number, digits in zip(numbers, all_digits)]

    def _needs_exponents(self, dtype):
        sizes = [abs(each.number) for each in self._finite if each.number != 0]
        if not sizes:
            return False
        greatest, least = max(sizes), min(sizes)
        # In the array's own dtype, in which 0.0001 is not less than itself.
        spread = not self._options["suppress"] and (least < rounded(0.0001, dtype)
                                                    or rounded(greatest / least, dtype) > 1000.0)
        return greatest >= _LARGE[dtype] or spread

    def _precision(self):
        mode = self._options["floatmode"]
        return None if mode == "unique" else self._options["precision"]

    def _with_sign(self, whole):
        return whole if whole[0] == "-" else self._sign + whole

    def _with_exponents(self):
        unique = self._options["floatmode"] != "fixed"
        parts = [each.scientific(self._precision(), unique) for each in self._finite]
        places = max([len(rest) for _, rest, _ in parts])
        width = max([len(exponent) for _, _, exponent in parts])
        # What others need is filled up with the digits that the number has.
        parts = [part if len(part[1]) == places else each.scientific(places, False)
                 for part, each in zip(parts, self._finite)]
        split = [(self._with_sign(first), rest, "e" + exponent[0] + exponent[1:].rjust(width - 1, "0"))
                 for first, rest, exponent in parts]
        self._measure(split, places + 1 + width)
        return split

    def _without_exponents(self):
        mode = self._options["floatmode"]
        parts = [each.positional(self._precision(), mode != "fixed") for each in self._finite]
        places = max([len(rest) for _, rest in parts])
        if mode == "maxprec_equal":
            parts = [each.positional(places, False) for each in self._finite]
        split = [(self._with_sign(whole), rest.ljust(places), "") for whole, rest in parts]
        self._measure(split, places)
        return split

    def _measure(self, split, right):
        self._left = max([len(whole) for whole, _, _ in split])
        self._right = right
        if self._sign == " " and all([each.sign == "" for each in self._finite]):
            self._left = max(self._left, 2)

    def _make_room_for_names(self, numbers):
        behind = self._right + 1
        negative = self._sign != "" or float("-inf") in numbers
        self._left = max(self._left, len(self._options["nanstr"]) - behind,
                         len(self._options["infstr"]) + negative - behind)

    def _named(self, number):
        if number != number:
            text = self._sign.strip() + self._options["nanstr"]
        else:
            text = ("-" if number < 0 else self._sign.strip()) + self._options["infstr"]
        return text.rjust(self._left + self._right + 1)

    def _joined(self, parts):
        whole, rest, exponent = parts
        return f"{whole.rjust(self._left)}.{rest}{exponent}"


# ---- Brackets and lines -------------------------------------------------------------------------

class _Layout:
    """Nested brackets of texts; `edge` items are shown at both ends of an axis, None: all."""

    def __init__(self, shape, texts, separator, line_width, edge):
        self._shape, self._texts, self._next = shape, texts, 0
        self._separator, self._edge = separator, edge
        self._line_width = line_width

    def text(self, indent):
        return self._part(0, indent, self._line_width)

    def _counts(self, axis):
        """How many items stand before the `...` and behind it; nothing before: there is none."""
        size = self._shape[axis]
        if self._edge is not None and 2 * self._edge < size:
            return self._edge, self._edge
        return 0, size

    def _take(self):
        self._next += 1
        return self._texts[self._next - 1]

    def _part(self, axis, indent, width):
        if axis == len(self._shape):
            return self._take()
        before, behind = self._counts(axis)
        inner = indent + " "
        if axis == len(self._shape) - 1:
            text = self._row(before, behind, inner, width)
        else:
            text = self._rows(axis, before, behind, inner, width)
        return "[" + text[len(inner):] + "]"

    def _row(self, before, behind, indent, width):
        """One row of elements, in as many lines as it needs; `width` has room for the brackets."""
        width -= max(len(self._separator.rstrip()), 1)
        words = [self._take() for _ in range(before)]
        if before:
            words.append("...")
        words += [self._take() for _ in range(behind)]
        lines, line = [], indent
        for i, word in enumerate(words):
            if len(line) + len(word) > width and len(line) > len(indent):
                lines.append(line.rstrip())
                line = indent
            line += word
            if i < len(words) - 1:
                line += self._separator
        return "\n".join([*lines, line])

    def _rows(self, axis, before, behind, indent, width):
        between = self._separator.rstrip() + "\n" * (len(self._shape) - axis - 1)
        parts = [indent + self._part(axis + 1, indent, width - 1) for _ in range(before)]
        if before:
            parts.append(indent + "...")
        parts += [indent + self._part(axis + 1, indent, width - 1) for _ in range(behind)]
        return between.join(parts)


def _corners(tensor, edge):
    """What is shown of a long array: the first and last elements along each axis."""
    for axis, size in enumerate(tensor.shape):
        if size > 2 * edge:
            tensor = torch.cat([tensor.narrow(axis, 0, edge), tensor.narrow(axis, size - edge, edge)], axis)
    return tensor


def _is_long(tensor, options):
    return tensor.numel() > options["threshold"]


def laid_out(tensor, options, separator, prefix, suffix, texts_of):
    """The text of a tensor, whose elements' texts are the function's of a flat one."""
    edge = options["edgeitems"] if _is_long(tensor, options) else None
    if tensor.numel() == 0:
        return "[]"
    shown = tensor if edge is None else _corners(tensor, edge)
    texts = texts_of(shown.reshape(-1))
    layout = _Layout(tuple(tensor.shape), texts, separator, options["linewidth"] - len(suffix), edge)
    return layout.text(" " * len(prefix))


def array2string(a, max_line_width=None, precision=None, suppress_small=None, separator=" ", prefix="", *,
                 formatter=None, threshold=None, edgeitems=None, sign=None, floatmode=None, suffix="", legacy=None):
    """An array as a text, as the options say or the arguments."""
    given = {"linewidth": max_line_width, "precision": precision, "suppress": suppress_small, "formatter": formatter,
             "threshold": threshold, "edgeitems": edgeitems, "sign": sign, "floatmode": floatmode}
    options = {**_options, **{name: value for name, value in given.items() if value is not None}}
    tensor = asarray(a)._tensor
    return laid_out(tensor, options, separator, prefix, suffix, lambda flat: _texts(flat, options, tensor.dim() == 0))


def array_str(a, max_line_width=None, precision=None, suppress_small=None):
    """`str` of an array."""
    tensor = asarray(a)._tensor
    if tensor.dim() == 0:
        return str(of_tensor(tensor))
    return array2string(a, max_line_width, precision, suppress_small)


def _extras(array):
    """What stands behind the elements: the shape where it is not seen, the dtype where it is no default."""
    tensor = array._tensor
    parts = []
    if tensor.numel() == 0 and tuple(tensor.shape) != (0,) or _is_long(tensor, _options):
        parts.append(f"shape={array.shape}")
    if array.dtype not in (BOOL, INT64, FLOAT64) or tensor.numel() == 0:
        parts.append(f"dtype={array.dtype}")
    return ", ".join(parts)


def array_repr(arr, max_line_width=None, precision=None, suppress_small=None):
    """`repr` of an array."""
    prefix, width = "array(", max_line_width or _options["linewidth"]
    text = prefix + array2string(arr, max_line_width, precision, suppress_small, ", ", prefix, suffix=")")
    extras = _extras(arr)
    if not extras:
        return text + ")"
    last_line = len(text) - (text.rfind("\n") + 1)
    space = "\n" + " " * len(prefix) if last_line + len(extras) + 3 > width else " "
    return f"{text},{space}{extras})"
