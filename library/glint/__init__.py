"""What Glint has beside PyTorch's API."""
