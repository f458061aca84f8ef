"""`torch.random`: the state of the default generator."""
import torch
from torch import manual_seed, initial_seed, seed, get_rng_state, set_rng_state, default_generator


class fork_rng:
    """The generators are at its end what they were at its beginning."""

    def __init__(self, devices=None, enabled=True):
        self._enabled = enabled

    def __enter__(self):
        self._state = get_rng_state()
        self._on_device = torch.cuda.get_rng_state()

    def __exit__(self, *args):
        if self._enabled:
            set_rng_state(self._state)
            torch.cuda.set_rng_state(self._on_device)
