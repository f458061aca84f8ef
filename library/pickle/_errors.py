"""What a pickle that cannot be written or read raises."""


class PickleError(Exception):
    pass


class PicklingError(PickleError):
    pass


class UnpicklingError(PickleError):
    pass


for _class in (PickleError, PicklingError, UnpicklingError):
    _class.__module__ = "_pickle"  # where CPython has them
