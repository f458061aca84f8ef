"""`torch.backends`: which libraries there are. None of PyTorch's is, and these say so."""


class _Absent:
    """A library that is not there; its switches may be set, and change nothing."""
    enabled = False
    benchmark = False
    deterministic = False
    allow_tf32 = False

    @staticmethod
    def is_available():
        return False

    @staticmethod
    def is_built():
        return False


cudnn, mps, mkl, openmp = _Absent(), _Absent(), _Absent(), _Absent()
cuda = _Absent()
cuda.matmul = _Absent()
