# What compiled functions do is set: stances, settings of capture, backends that count.
import torch
import torch._dynamo.config as config
from torch._dynamo.testing import CompileCounter, CompileCounterWithBackend, EagerAndRecordGraphs


def tell(error):
    print(type(error).__name__, str(error).split("filename")[0].split(" in ")[0])


def told(call):
    try:
        print(call())
    except Exception as error:
        tell(error)


# Backends that count.
counter = CompileCounter()


@torch.compile(backend=counter)
def broken(x):
    y = x * 2 + 1
    print("between")
    return y.relu()


for size in (2, 2, 3):
    broken(torch.ones(size))
print(counter.frame_count, counter.op_count)
counter.clear()
print(counter.frame_count, counter.op_count)
for backend in ("eager", "aot_eager", "inductor"):
    counter = CompileCounterWithBackend(backend)
    print(torch.compile(lambda x: (x + 1).sin(), backend=counter)(torch.zeros(2)), counter.frame_count,
          counter.op_count, len(counter.graphs), counter.backend)
recorder = EagerAndRecordGraphs()
print(torch.compile(lambda x: x * 3, backend=recorder)(torch.ones(2)), len(recorder.graphs))

# Stances.
counter = CompileCounter()


@torch.compile(backend=counter)
def f(x):
    return x + torch.compiler.is_compiling()


torch.compiler.set_stance("force_eager")
print(f(torch.zeros(1)), counter.frame_count)
torch.compiler.set_stance("default")
print(f(torch.zeros(1)), counter.frame_count)
with torch.compiler.set_stance("force_eager"):
    print(f(torch.zeros(1)), f(torch.zeros(2)), counter.frame_count)
with torch.compiler.set_stance("eager_on_recompile"):
    print(f(torch.zeros(1)), f(torch.zeros(1, 2)), counter.frame_count)
    with torch.compiler.set_stance("fail_on_recompile"):
        print(f(torch.zeros(1)))
        try:
            f(torch.zeros(1, 2))
        except RuntimeError as error:
            tell(error)
    print(f(torch.zeros(1, 2)), counter.frame_count)
print(f(torch.zeros(1, 2)), counter.frame_count)


told(lambda: torch.compiler.set_stance("force_eager", force_backend="eager"))
print(f(torch.zeros(1)))


@torch.compiler.set_stance("force_eager")
def eagerly():
    return f(torch.zeros(1))


print(eagerly(), f(torch.zeros(1)), eagerly(), eagerly.__name__)


print(f(torch.zeros(1, 2, 3)), counter.frame_count)

# Settings.
print(config.recompile_limit, config.cache_size_limit, config.suppress_errors, config.error_on_recompile)
config.cache_size_limit = 3
print(config.recompile_limit, torch._dynamo.config.cache_size_limit)
config.recompile_limit = 8
told(lambda: config.nonsense)
told(lambda: setattr(config, "nonsense", 3))
print(hasattr(config, "nonsense"), hasattr(config, "verbose"))
with config.patch(recompile_limit=5, suppress_errors=True):
    print(config.recompile_limit, config.suppress_errors)
print(config.recompile_limit, config.suppress_errors)
nested = config.patch(recompile_limit=5)
with nested:
    with nested:
        print(config.recompile_limit)
print(config.recompile_limit)


@config.patch("recompile_limit", 4)
def patched():
    return config.recompile_limit


print(patched(), config.recompile_limit)
told(lambda: config.patch(nonsense=1).__enter__())
with config.patch({"error_on_recompile": True}):
    print(f(torch.zeros(1)))
    try:
        f(torch.zeros(1, 2, 3, 4))
    except torch._dynamo.exc.RecompileError as error:
        tell(error)
print(f(torch.zeros(1, 2, 3, 4)).shape)
for automatic in (True, False):
    counter = CompileCounter()
    g = torch.compile(lambda x: x + automatic, backend=counter)
    with config.patch(automatic_dynamic_shapes=automatic):
        for size in (3, 4, 5, 6):
            g(torch.ones(size))
    print(counter.frame_count)


# Names that need nothing here.
@torch.compiler.allow_in_graph
def allowed(x):
    return x * 2


torch.compiler.cudagraph_mark_step_begin()
print(torch.compile(lambda x: allowed(x) + 1)(torch.ones(2)), torch._dynamo.utils.counters["stats"]["unique_graphs"] > 5)
