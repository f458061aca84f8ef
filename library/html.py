"""`escape`: a text as HTML shows it."""

_NAMES = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")]
_QUOTES = [('"', "&quot;"), ("'", "&#x27;")]


def escape(s, quote=True):
    for letter, name in _NAMES + _QUOTES if quote else _NAMES:
        s = s.replace(letter, name)
    return s
