"""As `numpy._core`, by the name that it had before NumPy 2; files keep it."""
