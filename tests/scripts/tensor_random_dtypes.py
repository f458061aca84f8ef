# Random fills of every dtype: which are drawn, and in which words the others are refused.
import torch
import torch.nn.functional as F

dtypes = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64,
          torch.float16, torch.bfloat16, torch.float32, torch.float64]
fills = [
    ("rand", lambda x: torch.rand(x.shape, dtype=x.dtype)),
    ("randn", lambda x: torch.randn(x.shape, dtype=x.dtype)),
    ("rand_like", lambda x: torch.rand_like(x)),
    ("randn_like", lambda x: torch.randn_like(x)),
    ("rand_like of float32", lambda x: torch.rand_like(x.float(), dtype=x.dtype)),
    ("bernoulli", lambda x: torch.bernoulli(x)),
    ("bernoulli p", lambda x: x.bernoulli(0.7)),
    ("bernoulli_", lambda x: x.clone().bernoulli_()),
    ("bernoulli_ p", lambda x: x.clone().bernoulli_(0.7)),
    ("normal_", lambda x: x.clone().normal_()),
    ("uniform_", lambda x: x.clone().uniform_()),
    ("exponential_", lambda x: x.clone().exponential_()),
    ("randint", lambda x: torch.randint(0, 2, x.shape, dtype=x.dtype)),
    ("randint 257", lambda x: torch.randint(0, 257, (3,), dtype=x.dtype)),
    ("random_", lambda x: x.clone().random_()),
    ("random_ 2", lambda x: x.clone().random_(2)),
    ("random_ 1, 2", lambda x: x.clone().random_(1, 2)),
    ("random_ 3, 5", lambda x: x.clone().random_(3, 5)),
    ("randint -1", lambda x: torch.randint(-200, 2, (3,), dtype=x.dtype)),
    ("dropout", lambda x: F.dropout(x, 0.5)),
    ("dropout 1", lambda x: F.dropout(x, 1.0)),
]
refused = [
    ("random_ 0", lambda x: x.clone().random_(0)),
    ("random_ 5, 2", lambda x: x.clone().random_(5, 2)),
    ("randint of int16", lambda x: torch.randint(0, 40000, (2,), dtype=torch.int16)),
    ("normal_ std", lambda x: x.clone().normal_(0, -1.5)),
    ("uniform_ range", lambda x: x.clone().uniform_(2.5, 1.25)),
    ("exponential_ rate", lambda x: x.clone().exponential_(0)),
    ("bernoulli p", lambda x: x.bernoulli(1.5)),
    ("bernoulli_ p", lambda x: x.clone().bernoulli_(-1)),
    ("bernoulli", lambda x: torch.bernoulli(x * 4)),
]


def outcome(fill, x):
    torch.manual_seed(0)
    try:
        return str(fill(x))
    except (NotImplementedError, RuntimeError) as error:
        return f"{type(error).__name__} {error}"


def show(label, fill, x):
    print(label, outcome(fill, x))


for dtype in dtypes:
    print("---", dtype)
    for label, fill in fills:
        show(label, fill, torch.full((4,), 0.5).to(dtype) if dtype.is_floating_point
             else torch.ones(4, dtype=dtype))
        show("  none", fill, torch.ones(0, dtype=dtype))
for dtype in [torch.int64, torch.float32]:
    for label, fill in refused:
        show(label, fill, torch.ones(3, dtype=dtype))
show("randperm", lambda x: torch.randperm(3, dtype=x.dtype), torch.ones(1, dtype=torch.bool))

# A graph refuses the same, and draws the same.
for label, fill in fills + refused:
    for x in [torch.ones(4, dtype=torch.int64), torch.full((4,), 0.5)]:
        compiled = torch.compile(lambda x: fill(x), backend="eager")
        eager, graph = outcome(fill, x), outcome(compiled, x)
        refused_twice = "Error" in eager and "Error" in graph
        print(label, x.dtype, "refused" if refused_twice else eager == graph)
