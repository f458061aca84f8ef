"""The name by which pickles of old protocols make bytes of a text."""


def encode(obj, encoding="utf-8", errors="strict"):
    return obj.encode(encoding, errors)
