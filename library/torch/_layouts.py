"""How a tensor's elements are kept: `torch.strided`, in memory with steps, or `torch.sparse_coo`, by their places."""


class layout:
    __module__ = "torch"

    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return f"torch.{self._name}"

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


strided, sparse_coo = layout("strided"), layout("sparse_coo")
