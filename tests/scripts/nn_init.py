"""torch.nn.init beyond the uniform and normal ones: bounds, orthogonal rows, generators, errors."""
import warnings

import torch
import torch.nn as nn
from torch.nn import init


def attempt(what, f):
    try:
        print(what, f())
    except Exception as error:
        print(what, type(error).__name__, error)


torch.manual_seed(0)
w = torch.empty(3, 5)
print(init.trunc_normal_(w) is w)
print(w)
print(init.trunc_normal_(torch.empty(4, 4), std=0.02))
print(init.trunc_normal_(torch.empty(3, 4), mean=1.0, std=2.0, a=-1.5, b=1.25))
print(init.trunc_normal_(torch.empty(2, 6), 0.0, 1.0, 2.0, 3.0))        # a tail
print(init.trunc_normal_(torch.empty(2, 6), 0.0, 1.0, -0.05, 0.1))      # a narrow part
print(init.trunc_normal_(torch.empty(2, 3, dtype=torch.float64), std=0.5))
print(init.trunc_normal_(torch.empty(2, 3, dtype=torch.bfloat16), a=-0.3, b=1.9))
many = init.trunc_normal_(torch.empty(20000), std=1.0, a=-1.0, b=2.0)
print(many.min() >= -1, many.max() <= 2, many.mean(), many.std())
print(init.trunc_normal_(torch.empty(0, 3)).shape)

for sizes in ((3, 3), (2, 5), (6, 4), (4, 2, 3), (3, 1, 2, 2)):
    w = init.orthogonal_(torch.empty(*sizes), gain=nn.init.calculate_gain("relu"))
    print(w)
    flat = w.reshape(sizes[0], -1)
    product = flat @ flat.t() if flat.size(0) <= flat.size(1) else flat.t() @ flat
    print(torch.allclose(product, 2 * torch.eye(product.size(0)), atol=1e-5))
w = init.orthogonal_(torch.empty(128, 64))
print(w[5], w.abs().mean(), torch.allclose(w.t() @ w, torch.eye(64), atol=1e-5))
print(init.orthogonal_(torch.empty(0, 3)).shape, init.orthogonal_(torch.empty(3, 0)).shape)

print(init.dirac_(torch.empty(3, 2, 3)))
print(init.dirac_(torch.empty(4, 2, 3, 3), 2).nonzero().tolist())
print(init.dirac_(torch.empty(2, 3, 2, 2, 2)).nonzero().tolist())
print(init.sparse_(torch.empty(6, 3), sparsity=0.4))

# A layer as people set it up.
layer = init.orthogonal_(nn.Linear(4, 3).weight, 0.01)
print(layer)
parameter = nn.Parameter(torch.empty(2, 3))
init.trunc_normal_(parameter, std=0.02)
print(parameter, parameter.requires_grad, parameter.grad_fn)

warnings.simplefilter("ignore")  # of the names that they had once
for old in (init.uniform, init.normal, init.xavier_uniform, init.xavier_normal, init.kaiming_uniform,
            init.kaiming_normal, init.orthogonal):
    print(old.__name__, old(torch.empty(2, 3)))
print(init.constant(torch.empty(2), 3.0), init.eye(torch.empty(2, 2)))
print(init.dirac(torch.empty(1, 1, 3)), init.sparse(torch.empty(2, 2), 0.5))

# A generator of its own leaves the default one as it was.
own = torch.Generator().manual_seed(3)
before = torch.get_rng_state()
for fill in (init.uniform_, init.normal_, init.xavier_uniform_, init.xavier_normal_,
             init.kaiming_uniform_, init.kaiming_normal_, init.trunc_normal_, init.orthogonal_):
    print(fill.__name__, fill(torch.empty(2, 3), generator=own))
print(torch.equal(before, torch.get_rng_state()))

for name in ("conv_transpose2d", "sigmoid", "tanh", "selu"):
    print(name, init.calculate_gain(name))
attempt("slope", lambda: init.calculate_gain("leaky_relu", True))
attempt("slope", lambda: init.calculate_gain("leaky_relu", "a"))
attempt("gain", lambda: init.calculate_gain("gelu"))
attempt("mode", lambda: init.kaiming_normal_(torch.empty(2, 3), mode="fan"))
attempt("mode", lambda: init.kaiming_normal_(torch.empty(2, 3), mode="FAN_OUT"))
attempt("mode first", lambda: init.kaiming_normal_(torch.empty(2, 3), mode="q", nonlinearity="gelu"))
attempt("no spread", lambda: init.trunc_normal_(torch.empty(2), 0, 0))
attempt("turned", lambda: init.orthogonal_(torch.empty(5, 3).t()).shape)
attempt("no view", lambda: init.orthogonal_(torch.empty(4, 3, 5).transpose(1, 2)).shape)
print(init._calculate_fan_in_and_fan_out(torch.empty(4, 3, 2)),
      init._calculate_correct_fan(torch.empty(4, 3, 2), "fan_out"))
attempt("vector", lambda: init.kaiming_uniform_(torch.empty(3)))
attempt("vector", lambda: init.orthogonal_(torch.empty(3)))
attempt("matrix", lambda: init.dirac_(torch.empty(3, 2)))
attempt("groups", lambda: init.dirac_(torch.empty(3, 2, 1), groups=2))
attempt("block", lambda: init.sparse_(torch.empty(3, 2, 1), 0.1))
