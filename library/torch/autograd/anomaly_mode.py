"""Anomaly mode: backward stops at the first node that gives a NaN, and says where it was made."""
from torch import _native


class set_detect_anomaly:
    """On or off from now on, or for a `with` block."""

    def __init__(self, mode, check_nan=True):
        self._before = _native.anomaly_mode()
        _native.set_anomaly_mode(mode, check_nan)

    def __enter__(self):
        pass

    def __exit__(self, *args):
        _native.set_anomaly_mode(*self._before)


class detect_anomaly:
    def __init__(self, check_nan=True):
        self._check_nan = check_nan
        print_warning()

    def __enter__(self):
        self._before = _native.anomaly_mode()
        _native.set_anomaly_mode(True, self._check_nan)

    def __exit__(self, *args):
        _native.set_anomaly_mode(*self._before)


def print_warning():
    import warnings
    warnings.warn("Anomaly Detection has been enabled. This mode will increase the runtime and "
                  "should only be enabled for debugging.")


def is_anomaly_enabled():
    return _native.anomaly_mode()[0]


def is_anomaly_check_nan_enabled():
    return _native.anomaly_mode()[1]
