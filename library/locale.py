"""How numbers and texts are written where the program runs: as in the locale C, whose texts are UTF-8.

    locale.setlocale(locale.LC_ALL, "")
    locale.format_string("%d", 1000, grouping=True)      '1000': C groups no digits
"""
__all__ = ["Error", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_MONETARY", "LC_NUMERIC", "LC_TIME", "atof",
           "atoi", "delocalize", "format_string", "getlocale", "getpreferredencoding", "localeconv", "localize",
           "normalize", "resetlocale", "setlocale", "str", "strcoll", "strxfrm"]

LC_CTYPE, LC_NUMERIC, LC_TIME, LC_COLLATE, LC_MONETARY, LC_MESSAGES, LC_ALL = range(7)
CHAR_MAX = 127


class Error(Exception):
    """There is no such locale."""


def setlocale(category, locale=None):
    if not LC_CTYPE <= category <= LC_ALL:
        raise Error("unsupported locale setting")
    if locale not in (None, "", "C", "POSIX", "C.UTF-8", "C.utf8", (None, None)):
        raise Error("unsupported locale setting")
    return "C"


def resetlocale(category=LC_ALL):
    setlocale(category, "")


def getlocale(category=LC_CTYPE):
    if category == LC_ALL:
        raise TypeError("category LC_ALL is not supported")
    return (None, None)


def getpreferredencoding(do_setlocale=True):
    return "UTF-8"


def getencoding():
    return "UTF-8"


def normalize(localename):
    return localename


def localeconv():
    texts = ("int_curr_symbol", "currency_symbol", "mon_decimal_point", "mon_thousands_sep", "positive_sign",
             "negative_sign", "thousands_sep")
    numbers = ("int_frac_digits", "frac_digits", "p_cs_precedes", "p_sep_by_space", "n_cs_precedes", "n_sep_by_space",
               "p_sign_posn", "n_sign_posn")
    return {**dict.fromkeys(texts, ""), **dict.fromkeys(numbers, CHAR_MAX), "grouping": [], "mon_grouping": [],
            "decimal_point": "."}


def format_string(f, val, grouping=False, monetary=False):
    return f % val


def str(val):
    return format_string("%.12g", val)


def delocalize(string):
    return string


def localize(string, grouping=False, monetary=False):
    return string


def atof(string, func=float):
    return func(string)


def atoi(string):
    return int(string)


def strcoll(os1, os2, /):
    return (os1 > os2) - (os1 < os2)


def strxfrm(string, /):
    return string
