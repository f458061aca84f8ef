# contextvars, and what atexit calls at the end.
import atexit
from contextvars import Context, ContextVar, copy_context

level = ContextVar("level", default=0)
name = ContextVar("name")
print(level.get(), name.get("nobody"), level.name)
try:
    name.get()
except LookupError as error:
    print(type(error).__name__)
token = level.set(1)
print(level.get(), token.var is level, token.old_value)
inner = level.set(2)
print(level.get(), inner.old_value)
level.reset(inner)
level.reset(token)
print(level.get())
try:
    level.reset(token)
except RuntimeError as error:
    print(type(error).__name__)


def work(value):
    level.set(value)
    name.set("worker")
    return level.get(), name.get()


context = copy_context()
print(context.run(work, 7), level.get(), name.get(None), context[level], name in context, len(context), dict(context.items()) == {level: 7, name: "worker"})
print(context.get(level), Context().run(level.get), context.copy() == context)
try:
    context.run(context.run, print)
except RuntimeError as error:
    print(type(error).__name__)


@atexit.register
def last():
    print("called last")


kept = ["a", "b"]
atexit.register(print, "bye", sep="-")
atexit.register(lambda: print("first", kept))
atexit.register(print, "never")
atexit.unregister(print)
atexit.register(print, "again", end="!\n")
print("the end of the script")
