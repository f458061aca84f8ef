"""What pickles and checkpoints name of NumPy's inside: `numpy._core.multiarray`."""
