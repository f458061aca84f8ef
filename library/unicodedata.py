"""What kind of character it is, and texts in one form.

    category("A"), category("\\u0301")             'Lu', 'Mn'
    normalize("NFD", "\\u00e9")                    'e\\u0301'

The tables are those of the Python that Glint was built with.
"""
import _unicode

unidata_version = _unicode.version
_FORMS = {"NFC": (True, False), "NFD": (False, False), "NFKC": (True, True), "NFKD": (False, True)}


def _check(name, chr):
    if not isinstance(chr, str) or len(chr) != 1:
        raise TypeError(f"{name}() argument must be a unicode character, not {type(chr).__name__}")


def _check_text(name, place, text):
    if not isinstance(text, str):
        raise TypeError(f"{name}() argument {place} must be str, not {type(text).__name__}")


def category(chr, /):
    _check("category", chr)
    return _unicode.category(chr)


def combining(chr, /):
    _check("combining", chr)
    return _unicode.combining(chr)


def normalize(form, unistr, /):
    _check_text("normalize", 1, form)
    _check_text("normalize", 2, unistr)
    if form not in _FORMS:
        raise ValueError("invalid normalization form")
    return _unicode.normalized(unistr, *_FORMS[form])


def is_normalized(form, unistr, /):
    _check_text("is_normalized", 1, form)
    _check_text("is_normalized", 2, unistr)
    return normalize(form, unistr) == unistr
