"""`torch.version`: what this library was built with. CUDA's compiler is looked for when `cuda` is read."""
import _glint_cuda

hip = None


def __getattr__(name):
    if name == "cuda":
        return _glint_cuda.compiler_version()
    raise AttributeError(f"module 'torch.version' has no attribute '{name}'")
