"""What `torch.compile` raises."""


class TorchDynamoException(RuntimeError):
    pass


class Unsupported(TorchDynamoException):
    """A graph break where `fullgraph=True` allows none."""


class BackendCompilerFailed(TorchDynamoException):
    """A backend written in the script raised an exception."""


class InvalidBackend(TorchDynamoException):
    pass
