"""What processes tell each other: in a group of one, the process itself.

Each call checks its arguments as among several, and gives what they would have come to: a sum over all
is the tensor, what is gathered is a list of it alone.
"""
import enum

import torch
from torch.distributed._group import group_of


class RedOpType(enum.Enum):
    SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR = 0, 1, 2, 3, 4, 5, 6, 7


class ReduceOp:
    SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR = RedOpType
    RedOpType = RedOpType


class Work:
    """Of a call with `async_op=True`: it was done at once."""

    def wait(self, timeout=None):
        return True

    def is_completed(self):
        return True

    def is_success(self):
        return True


def _done(async_op):
    return Work() if async_op else None


def _check_tensor(value, name):
    if not isinstance(value, torch.Tensor):
        raise TypeError(f"Invalid function argument. Expected parameter `{name}` of type torch.Tensor\n"
                        f"             but got {type(value)} instead.")


def _check_tensors(values, name):
    if not isinstance(values, list) or not all(isinstance(each, torch.Tensor) for each in values):
        raise TypeError(f"Invalid function argument. Expected parameter `{name}` of type "
                        f"List[torch.Tensor]\n             but got {type(values)} instead.")


def _check_root(call, given, in_group):
    root = given if given is not None else 0 if in_group is None else in_group
    if root != 0:
        raise RuntimeError(f"ProcessGroup::{call}: invalid root rank: {root}")


def _check_given(items, name, rank):
    if not items:
        raise ValueError(f"Argument ``{name}`` must be specified on {rank} rank.")


def _copy(to, source):
    with torch.no_grad():
        to.copy_(source)


def _copy_all(to, source, call):
    if len(to) != 1:
        raise ValueError(f"ProcessGroup::{call}: a list of {len(to)} tensors for a group of one process")
    _copy(to[0], source)


def all_reduce(tensor, op=ReduceOp.SUM, group=None, async_op=False):
    _check_tensor(tensor, "tensor")
    group_of(group)
    return _done(async_op)


def broadcast(tensor, src=None, group=None, async_op=False, group_src=None):
    _check_tensor(tensor, "tensor")
    group_of(group)
    _check_root("broadcast", src, group_src)
    return _done(async_op)


def reduce(tensor, dst=None, op=ReduceOp.SUM, group=None, async_op=False, group_dst=None):
    _check_tensor(tensor, "tensor")
    group_of(group)
    _check_root("reduce", dst, group_dst)
    return _done(async_op)


def all_gather(tensor_list, tensor, group=None, async_op=False):
    _check_tensors(tensor_list, "tensor_list")
    _check_tensor(tensor, "tensor")
    group_of(group)
    _copy_all(tensor_list, tensor, "all_gather")
    return _done(async_op)


def gather(tensor, gather_list=None, dst=None, group=None, async_op=False, group_dst=None):
    _check_tensor(tensor, "tensor")
    group_of(group)
    _check_root("gather", dst, group_dst)
    _check_given(gather_list, "gather_list", "destination")
    _check_tensors(gather_list, "gather_list")
    _copy_all(gather_list, tensor, "gather")
    return _done(async_op)


def scatter(tensor, scatter_list=None, src=None, group=None, async_op=False, group_src=None):
    _check_tensor(tensor, "tensor")
    group_of(group)
    _check_root("scatter", src, group_src)
    _check_given(scatter_list, "scatter_list", "source")
    _check_tensors(scatter_list, "scatter_list")
    _copy(tensor, scatter_list[0])
    return _done(async_op)


def reduce_scatter(output, input_list, op=ReduceOp.SUM, group=None, async_op=False):
    _check_tensor(output, "output")
    _check_tensors(input_list, "input_list")
    group_of(group)
    _copy(output, input_list[0])
    return _done(async_op)


def _of_one_tensor(output, input, group, async_op):
    """Of tensors that hold the parts of all processes, of which there is one."""
    _check_tensor(output, "output")
    _check_tensor(input, "input")
    group_of(group)
    _copy(output, input)
    return _done(async_op)


def all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
    return _of_one_tensor(output_tensor, input_tensor, group, async_op)


def reduce_scatter_tensor(output, input, op=ReduceOp.SUM, group=None, async_op=False):
    return _of_one_tensor(output, input, group, async_op)


def all_to_all_single(output, input, output_split_sizes=None, input_split_sizes=None, group=None,
                      async_op=False):
    return _of_one_tensor(output, input, group, async_op)


def all_gather_object(object_list, obj, group=None):
    group_of(group)
    object_list[0] = obj


def gather_object(obj, object_gather_list=None, dst=None, group=None, group_dst=None):
    group_of(group)
    _check_root("gather", dst, group_dst)
    _check_given(object_gather_list, "gather_list", "destination")
    object_gather_list[0] = obj


def broadcast_object_list(object_list, src=None, group=None, device=None, group_src=None):
    group_of(group)
    _check_root("broadcast", src, group_src)


def scatter_object_list(scatter_object_output_list, scatter_object_input_list=None, src=None, group=None,
                        group_src=None):
    group_of(group)
    _check_root("scatter", src, group_src)
    _check_given(scatter_object_input_list, "scatter_list", "source")
    scatter_object_output_list[0] = scatter_object_input_list[0]


def barrier(group=None, async_op=False, device_ids=None):
    group_of(group)
    return _done(async_op)


def _no_other(group, what):
    group_of(group)
    raise ValueError(f"Invalid {what} rank: {what} rank should not be the same as the rank of the current "
                     "process.")


def send(tensor, dst=None, group=None, tag=0, group_dst=None):
    _no_other(group, "destination")


def recv(tensor, src=None, group=None, tag=0, group_src=None):
    _no_other(group, "source")


isend, irecv = send, recv
