"""The one bar there is, which knows whether it is in a notebook."""
from tqdm.std import tqdm, trange
