"""`Parameter`: a tensor that a module finds when it is assigned to one of its attributes."""
from torch._native import Parameter
