"""What notebooks import of IPython: `IPython.display`. This is not IPython, and `get_ipython` says so."""


def get_ipython():
    """None, as in every program that IPython does not run."""
