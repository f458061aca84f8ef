"""A package whose modules import each other by relative names."""
from . import shapes
from .shapes import area as measure

NAME = "package"
