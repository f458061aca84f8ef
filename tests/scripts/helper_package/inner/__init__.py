from ..units import FACTOR
from .. import shapes as outer


def late():
    from ... import beyond
