# tolerance: 1e-5
# Writes of a compiled function to attributes, globals and variables of outer functions.
import torch


class State:
    shared = 10

    def __init__(self):
        self.calls = 0
        self.last = None
        self.best = None


def run(function, *calls):
    compiled = torch.compile(function)
    for arguments in calls:
        print(compiled(*arguments))


x = torch.tensor([1.0, 2.0])
state = State()
other = State()


def attribute(x):
    state.calls += 1
    state.last = x * 2
    y = state.last + state.calls
    state.calls += 1
    return y


run(attribute, (x,), (x + 1,), (x,), (x,), (x,), (x,), (x,))
print(state.calls, state.last, state.best)


def new_and_deleted(s, x):
    s.fresh = x + 1
    s.fresh2 = s.fresh * 2
    del s.fresh
    return s.fresh2


for i in range(3):
    s = State()
    print(torch.compile(new_and_deleted)(s, x), list(s.__dict__), s.fresh2)


def aliased(a, b, x):
    a.calls = a.calls + 1
    return x * b.calls


run(aliased, (state, other, x), (state, state, x), (state, other, x), (state, state, x))
print(state.calls, other.calls)


def written_twice(a, b, x):
    a.best = x + 1
    b.best = x + 2
    return a.best


run(written_twice, (state, other, x), (other, state, x))
print(state.best, other.best)

total = 0
seen = None


def globals_written(x):
    global total, seen
    total += 1
    seen = x.sum()
    return x * total


run(globals_written, (x,), (x,), (x,), (x,), (x,), (x,))
print(total, seen)


def make():
    count = 5
    name = "a"

    def f(x):
        nonlocal count, name
        count += 2
        name = name + "b" if count < 9 else "c"
        return x * count

    def read():
        return count, name

    return f, read


f, read = make()
run(f, (x,), (x,), (x,), (x,), (x,), (x,))
print(read())
g, read_g = make()
compiled = torch.compile(f)
print(compiled(x), torch.compile(g)(x), read(), read_g())


def make_pair():
    n = 0

    def bump():
        nonlocal n
        n += 1
        return n

    def step(x):
        nonlocal n
        n += 10
        bump()
        return x * n

    return step, bump


step, bump = make_pair()
step2, bump2 = make_pair()
run(step, (x,), (x,), (x,), (x,), (x,))
print(bump(), bump2())


def with_bump(f, x):
    a = f()
    return x + a


run(with_bump, (bump, x), (bump2, x), (bump, x), (bump2, x), (bump2, x))
print(bump(), bump2())


def function_attribute(x):
    function_attribute.calls += 1
    return x * function_attribute.calls


function_attribute.calls = 0
run(function_attribute, (x,), (x,), (x,), (x,), (x,), (x,))
print(function_attribute.calls)

class Namespace:
    pass


module = Namespace()
module.scale = 3


def namespace(x):
    module.scale = module.scale + 1
    setattr(module, "last", x)
    return x * getattr(module, "scale") + hasattr(module, "missing")


run(namespace, (x,), (x,), (x,), (x,), (x,), (x,))
print(module.scale, module.last is x)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 0
        self.history = []
        self.register_buffer("mean", torch.zeros(2))

    def forward(self, x):
        self.steps += 1
        self.mean = self.mean * 0.5 + x * 0.5
        self.history.append(self.mean)
        return self.mean * self.steps


net = Net()
run(net, (x,), (x,), (x,), (x,), (x,), (x,))
print(net.steps, net.mean, net._buffers["mean"] is net.mean, len(net.history), net.history[0])


class Hooked:
    def __init__(self):
        object.__setattr__(self, "log", [])

    def __setattr__(self, name, value):
        self.log.append(name)
        object.__setattr__(self, name, value)


class Bounded:
    __slots__ = ("a", "b")

    @property
    def twice(self):
        return self.a * 2

    @twice.setter
    def twice(self, value):
        self.a = value / 2


hooked, bounded = Hooked(), Bounded()


def hooks(x):
    hooked.value = x + 1
    bounded.a = x * 2
    bounded.twice = bounded.a * 3
    State.shared += 1
    return hooked.value + bounded.a


run(hooks, (x,), (x,), (x,))
print(hooked.log, bounded.a, State.shared)


def undone(s, d, x):
    try:
        s.calls += 1
        s.last = x * 3
        missing = d["nothing"]
        s.calls += 100
    except KeyError as error:
        s.best = x * 2
        return s.last + s.calls
    return missing


run(undone, (state, {}, x), (state, {}, x), (state, {"b": x}, x))
print(state.calls, state.last, state.best)


def raises(s, x):
    s.calls += 1
    s.last = x * 5
    raise ValueError(f"at {s.calls}")


compiled = torch.compile(raises)
for i in range(3):
    try:
        compiled(state, x)
    except ValueError as error:
        print(error, state.calls, state.last)


def fails(s, x, table):
    s.calls += 1
    s.last = x * 7
    y = table[0]
    s.last = y + s.last
    return s.last


compiled = torch.compile(fails)
for table in ([x], [], [x], []):
    try:
        print(compiled(state, x, table))
    except IndexError as error:
        print(error, state.calls, state.last)


def inner(s, x):
    s.calls += 1
    y = x * s.calls
    print("between", s.calls)
    s.calls += 1
    s.last = y
    return y + 1


def outer(s, x):
    s.best = x
    y = inner(s, x + 1)
    s.best = y
    return y * s.calls


run(outer, (state, x), (state, x), (state, x))
print(state.calls, state.last, state.best)
