"""Groups of processes, of which Glint runs one: what a script says to others it says to itself.

    init_process_group("gloo")       the variables that `torchrun` sets: RANK=0, WORLD_SIZE=1, ...
    get_rank(), get_world_size()     0, 1
    all_reduce(x)                    x is the sum over all processes already

A script that can run on several machines runs here as the only one; a group of more is refused.
"""
import os

import torch
from torch.distributed._collectives import (
    ReduceOp, Work, all_gather, all_gather_into_tensor, all_gather_object, all_reduce, all_to_all_single,
    barrier, broadcast, broadcast_object_list, gather, gather_object, reduce, reduce_scatter,
    reduce_scatter_tensor, scatter, scatter_object_list, send, recv, isend, irecv)
from torch.distributed._group import GroupMember, ProcessGroup, group, group_of, set_world


class Backend(str):
    GLOO, NCCL, MPI, UCC = "gloo", "nccl", "mpi", "ucc"


def is_available():
    return True


def is_initialized():
    return GroupMember.WORLD is not None


def is_gloo_available():
    return True


def is_nccl_available():
    return torch.cuda.is_available()


def is_mpi_available():
    return False


def is_torchelastic_launched():
    return "TORCHELASTIC_RUN_ID" in os.environ


def _from_environment(name):
    if name not in os.environ:
        raise ValueError("Error initializing torch.distributed using env:// rendezvous: environment variable "
                         f"{name} expected, but not set")
    return os.environ[name]


def init_process_group(backend=None, init_method=None, timeout=None, world_size=-1, rank=-1, store=None,
                       group_name="", pg_options=None, device_id=None):
    """The group of all processes: the number of them and of this one as given, or as the variables
    RANK and WORLD_SIZE say."""
    if is_initialized():
        raise ValueError("trying to initialize the default process group twice!")
    backend = "undefined" if backend is None else str(backend).lower()
    for each in backend.replace(",", ":").split(":"):
        if each not in ("undefined", "gloo", "nccl", "mpi", "ucc", "cpu", "cuda"):
            raise AssertionError(f"Unknown backend type {each}")
    if backend == "nccl" and not is_nccl_available():
        raise ValueError("ProcessGroupNCCL is only supported with GPUs, no GPUs found!")
    if store is None and (init_method is None or init_method == "env://"):
        rank = int(_from_environment("RANK")) if rank == -1 else rank
        world_size = int(_from_environment("WORLD_SIZE")) if world_size == -1 else world_size
        _from_environment("MASTER_ADDR")
        _from_environment("MASTER_PORT")
    if world_size != 1 or rank != 0:
        raise RuntimeError(f"a group of {world_size} processes, of which this is number {rank}, cannot be "
                           "made: a script of Glint runs in one process (rank=0, world_size=1)")
    set_world(ProcessGroup(backend))


def destroy_process_group(group=None):
    assert group is not None or is_initialized(), "Process group cannot be None"
    if group is None or group is GroupMember.WORLD:
        set_world(None)


def new_group(ranks=None, timeout=None, backend=None, pg_options=None, use_local_synchronization=False,
              group_desc=None, device_id=None):
    world = group_of(None)
    if ranks is not None and len(ranks) > 1:
        raise ValueError("the new group's world size should be less or equal to the world size set by "
                         "init_process_group")
    if ranks is not None and list(ranks) != [0]:
        raise ValueError("the new group's rank should be within the world_size set by init_process_group")
    return ProcessGroup(world.backend if backend is None else backend)


def get_rank(group=None):
    group_of(group)
    return 0


def get_world_size(group=None):
    group_of(group)
    return 1


def get_backend(group=None):
    return group_of(group).backend
