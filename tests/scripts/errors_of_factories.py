# Functions that make tensors, called with what they do not take.
import torch

one = torch.ones(2)
for call in (
    lambda: torch.randn(2, foo=1),
    lambda: torch.randn(2, 3, requires_gradd=True),
    lambda: torch.randn([2, 3], foo=(1,)),
    lambda: torch.randn(2, foo=1, bar=2.5, dtype=torch.float32),
    lambda: torch.randn(),
    lambda: torch.rand(2, foo=None),
    lambda: torch.rand(),
    lambda: torch.randint(0, 5, (2,), foo=1),
    lambda: torch.arange(3, foo=1),
    lambda: torch.arange(3, foo=one, dtype=torch.float32),
    lambda: torch.arange(),
    lambda: torch.arange(1, 2, 3, 4),
    lambda: torch.linspace(0, 1, 3, foo=1),
    lambda: torch.linspace(0),
    lambda: torch.linspace(0, 1),
    lambda: torch.eye(2, foo=1),
    lambda: torch.eye(n=2, k=3),
    lambda: torch.eye(2, 2, 2),
    lambda: torch.eye(),
    lambda: torch.randperm(3, foo=1),
    lambda: torch.randperm(),
    lambda: torch.randn_like(one, foo=1),
    lambda: torch.rand_like(one, foo="a"),
    lambda: torch.zeros(2, foo=1),
    lambda: torch.ones(2, foo=1),
    lambda: torch.empty(2, foo=1),
    lambda: torch.full((2,), 1.0, foo=1),
    lambda: torch.tensor([1], foo=1),
    lambda: torch.zeros_like(one, foo=1),
    lambda: one.new_zeros(2, foo=1),
    lambda: torch.zeros(2, size=(3,)),
    lambda: torch.empty(2, size=(3,)),
    lambda: torch.full((2,), 1, size=(2,)),
    lambda: one.expand(3, 2, size=(2, 2)),
    lambda: torch.relu(one, input=one),
):
    try:
        print(call())
    except TypeError as error:
        print(error)
