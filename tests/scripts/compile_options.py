# What torch.compile checks: modes, options, backends; fullgraph; explain's counts.
import torch
import torch._dynamo


def f(x):
    return x + 1


for arguments in (
    {"mode": "fast"},
    {"mode": "default", "options": {}},
    {"mode": "reduce-overhead"},
    {"options": {"max_autotune": 3}},
    {"options": {"max_autotune": True, "triton.cudagraphs": False}},
    {"backend": "nope"},
    {"backend": "eager", "mode": "fast"},
):
    try:
        torch.compile(f, **arguments)
        print(arguments, "accepted")
    except Exception as error:
        print(arguments, type(error).__name__, error)
try:
    torch.compile(f, options={"no_such_option": 1})
except RuntimeError as error:
    print(str(error)[:55])


@torch.compile(fullgraph=True)
def whole(x):
    y = x + 1
    if y.sum() > 0:
        return y
    return x


try:
    whole(torch.ones(2))
except torch._dynamo.exc.Unsupported as error:
    print(type(error).__name__, isinstance(error, RuntimeError), "if y.sum() > 0" in str(error))


def broken(x):
    y = x + 1
    print("in between")
    y = y * 3
    if y.sum() > 0:
        y = y - 1
    return y * 2


told = torch._dynamo.explain(broken)(torch.ones(2))
print(told.graph_count, told.graph_break_count, told.op_count, len(told.break_reasons))
for reason in told.break_reasons:
    print(reason.user_stack[0].lineno)


def raises(gm, example_inputs):
    raise ValueError("not today")


try:
    torch.compile(f, backend=raises)(torch.ones(2))
except torch._dynamo.exc.BackendCompilerFailed as error:
    print(str(error).splitlines()[:2])
