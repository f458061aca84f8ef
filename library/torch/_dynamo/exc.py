"""What `torch.compile` raises."""


class TorchDynamoException(RuntimeError):
    pass


class Unsupported(TorchDynamoException):
    """A graph break where `fullgraph=True` allows none."""


class BackendCompilerFailed(TorchDynamoException):
    """A backend raised an exception: one of the script's, or a stage of Glint's under
    `fullgraph=True`."""


class InternalTorchDynamoError(TorchDynamoException):
    """Capture itself failed under `fullgraph=True`."""


class FailOnRecompileLimitHit(Exception):
    """Compiled too often under `fullgraph=True`."""


class RecompileError(TorchDynamoException):
    """Another compile of a function, where the setting `error_on_recompile` allows none."""


class InvalidBackend(TorchDynamoException):
    pass
