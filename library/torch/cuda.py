"""`torch.cuda`: there is no device here yet, and these say so."""


def is_available():
    return False


def device_count():
    return 0


def synchronize(device=None):
    raise AssertionError("Torch not compiled with CUDA enabled")


def manual_seed(seed):
    pass


def manual_seed_all(seed):
    pass


def empty_cache():
    pass
