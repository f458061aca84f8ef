"""What notebooks import of IPython: `IPython.display`."""
