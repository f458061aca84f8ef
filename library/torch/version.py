"""`torch.version`: what this library was built with."""
cuda = None
hip = None
