"""What a loss does with its elements' numbers, by PyTorch's names of before 1.0.

    F.nll_loss(scores, classes, size_average=False)      the sum, with a warning that says reduction="sum"
    nn.MSELoss(reduce=False)                             "none"
"""
import warnings


def reduction_of(size_average, reduce, reduction):
    """`reduction`, unless one of the two old names is given."""
    if size_average is None and reduce is None:
        return reduction
    found = "sum"
    if reduce is not None and not reduce:
        found = "none"
    elif size_average is None or size_average:
        found = "mean"
    warnings.warn("size_average and reduce args will be deprecated, please use "
                  f"reduction='{found}' instead.")
    return found
