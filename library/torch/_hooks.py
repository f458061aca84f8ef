"""`RemovableHandle`: what registering a hook gives back, to take the hook away with.

    handle = RemovableHandle(hooks, hook)     hooks[handle.id] is the hook
    handle.remove()                           it is there no more

Modules and optimisers keep their hooks in dicts by such numbers.
"""


class RemovableHandle:
    __module__ = "torch.utils.hooks"
    next_id = 0

    def __init__(self, hooks, hook, first=False):
        self._hooks = hooks
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1
        hooks[self.id] = hook
        if first:
            hooks.move_to_end(self.id, last=False)

    def remove(self):
        self._hooks.pop(self.id, None)

    def __enter__(self):
        return self

    def __exit__(self, *exc_info):
        self.remove()
