# Threads that are started and joined, locks, events, thread-local attributes, pools of threads.
import threading
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, as_completed, wait
from queue import Queue
from threading import Event, Lock, RLock, Thread

results = []
lock = Lock()


def work(number, scale=1):
    with lock:
        results.append(number * scale)


threads = [Thread(target=work, args=(n,), kwargs={"scale": 10}) for n in range(4)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print(sorted(results), [t.is_alive() for t in threads], [t.name for t in threads])


class Counter(Thread):
    def __init__(self, limit):
        super().__init__(name="counter", daemon=True)
        self.limit, self.total = limit, 0

    def run(self):
        for i in range(self.limit):
            self.total += i


c = Counter(100)
print(c.is_alive(), c.daemon, c.name, c.ident)
c.start()
c.join(timeout=5)
print(c.total, c.is_alive(), c.ident is not None)
try:
    c.start()
except RuntimeError as error:
    print(error)
try:
    Thread(target=print).join()
except RuntimeError as error:
    print(error)

main = threading.current_thread()
print(main.name, main is threading.main_thread(), threading.get_ident() == main.ident, threading.active_count(), threading.enumerate() == [main])
print(main.daemon, main.is_alive())
seen = {}


def look():
    me = threading.current_thread()
    seen["same"] = me is t
    seen["ident"] = threading.get_ident() == me.ident != main.ident
    seen["main"] = threading.main_thread() is main


t = Thread(target=look, name="looker")
t.start()
t.join()
print(seen, threading.current_thread() is main)

print(lock.locked(), lock.acquire(), lock.locked(), lock.acquire(blocking=False), lock.acquire(timeout=0.01))
lock.release()
try:
    lock.release()
except RuntimeError as error:
    print(error)
r = RLock()
with r:
    with r:
        print("twice", r.acquire(blocking=False))
        r.release()
event = Event()
print(event.is_set(), event.wait(0.01))
event.set()
print(event.is_set(), event.wait())
event.clear()
s = threading.Semaphore(2)
print(s.acquire(), s.acquire(), s.acquire(blocking=False))
s.release()
with s:
    print("inside")
b = threading.BoundedSemaphore(1)
try:
    b.release()
except ValueError as error:
    print(error)
condition = threading.Condition()
with condition:
    print(condition.wait_for(lambda: True), condition.wait(0.01))
    condition.notify_all()
try:
    condition.notify()
except RuntimeError as error:
    print(error)

local = threading.local()
local.x = 1


def other():
    print(hasattr(local, "x"))
    local.x = 2
    print(local.x)


t = Thread(target=other)
t.start()
t.join()
print(local.x, local.__dict__)


class Own(threading.local):
    kind = "own"

    def __init__(self, start):
        self.value = start


own = Own(5)
own.value += 1
found = []
t = Thread(target=lambda: found.append((own.value, own.kind)))
t.start()
t.join()
print(own.value, found)

q = Queue()


def produce():
    for i in range(3):
        q.put(i)
    q.put(None)


t = Thread(target=produce)
t.start()
items = []
while (item := q.get()) is not None:
    items.append(item)
t.join()
print(items)

with ThreadPoolExecutor(max_workers=4) as pool:
    futures = [pool.submit(pow, 2, n) for n in range(5)]
    print([f.result() for f in futures], all(f.done() for f in futures))
    print(list(pool.map(lambda x, y: x + y, [1, 2, 3], [10, 20, 30])))
    print(sorted(f.result() for f in as_completed(futures)))
    failed = pool.submit(lambda: 1 / 0)
    print(type(failed.exception()).__name__)
    try:
        failed.result()
    except ZeroDivisionError as error:
        print(error)
    done, not_done = wait(futures)
    print(len(done), len(not_done))
    called = []
    futures[0].add_done_callback(lambda f: called.append(f.result()))
    print(called, futures[0].cancel(), futures[0].cancelled(), futures[0].running())
try:
    pool.submit(print)
except RuntimeError as error:
    print(error)
f = Future()
print(f.done(), f.cancel(), f.cancelled())
f = Future()
f.set_result(3)
print(f.result(), f.exception())
try:
    ThreadPoolExecutor(max_workers=0)
except ValueError as error:
    print(error)
print(time.time() > 0, threading.active_count())
