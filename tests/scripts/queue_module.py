import queue
from queue import Empty, Full, LifoQueue, PriorityQueue, Queue, SimpleQueue
from typing_extensions import Annotated, Literal, TypedDict, override


def attempt(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, error)


for kind in (Queue, LifoQueue, PriorityQueue):
    q = kind(maxsize=3)
    for item in (5, 1, 3):
        q.put(item)
    print(q.qsize(), q.full(), q.empty(), q.maxsize)
    attempt(lambda: q.put_nowait(4))
    attempt(lambda: q.put(4, timeout=0.01))
    print(q.get(), q.get_nowait(), q.get(block=False))
    attempt(q.get_nowait)
    attempt(lambda: q.get(timeout=0.01))
    attempt(lambda: q.get(timeout=-1))
    for _ in range(3):
        q.task_done()
    attempt(q.task_done)
    q.join()

q = PriorityQueue()
for weight, name in ((2, "b"), (1, "z"), (1, "a")):
    q.put((weight, name))
print([q.get() for _ in range(q.qsize())])
q = SimpleQueue()
q.put(1)
q.put_nowait(2)
print(q.qsize(), q.empty(), q.get(), q.get_nowait(), q.empty())
attempt(q.get_nowait)
print(Empty, Full, queue.Queue.__name__, list(Queue().queue))


# What typing_extensions has too.
class Base:
    def run(self) -> Literal["run"]:
        return "run"


class Derived(Base):
    @override
    def run(self) -> Annotated[str, 1]:
        return super().run() + " further"


class Options(TypedDict):
    size: int


print(Derived().run(), Derived.run.__override__, Options(size=3))
