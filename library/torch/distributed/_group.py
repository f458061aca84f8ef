"""The groups of processes that were made."""


class ProcessGroup:
    def __init__(self, backend):
        self.backend = backend

    def rank(self):
        return 0

    def size(self):
        return 1


class GroupMember:
    """`WORLD`: the group of all processes, as soon as it is made."""

    WORLD = None


class group:
    WORLD = None


def set_world(made):
    GroupMember.WORLD = group.WORLD = made


def group_of(asked):
    """The group that a call means: one that is given, or that of all."""
    if asked is not None:
        return asked
    if GroupMember.WORLD is None:
        raise ValueError("Default process group has not been initialized, please make sure to call "
                         "init_process_group.")
    return GroupMember.WORLD
