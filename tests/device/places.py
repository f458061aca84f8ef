# Where results are: on the device that was asked for, or that of the operands. The output is
# recorded.
import torch


def show(what, run, compiled=True):
    for each in (run, torch.compile(run)) if compiled else (run,):
        try:
            found = each()
            if isinstance(found, torch.Tensor):
                print(what, found.device, found.dtype, found.tolist())
            else:
                print(what, found)
        except Exception as error:
            print(what, type(error).__name__, "|", error)


x = torch.arange(6.0, device="cuda").reshape(2, 3)
n = torch.tensor([1, 1, 2, 0], device="cuda")

# What is made where a device was named.
show("logspace", lambda: torch.logspace(0, 2, 3, device="cuda"))
show("normal", lambda: torch.normal(0.0, 1.0, (2,), device="cuda").device)
show("tril_indices", lambda: torch.tril_indices(2, 2, device="cuda"))
show("triu_indices", lambda: torch.triu_indices(2, 2, device="cuda"))
show("scalar_tensor", lambda: torch.scalar_tensor(2, device="cuda"))
show("asarray", lambda: torch.asarray([1, 2], device="cuda"))
show("randint_like", lambda: torch.randint_like(n, 5).device)
show("number", lambda: torch.zeros(2, device=0))
show("to number", lambda: torch.ones(2).to(0))
show("device", lambda: (torch.device(0), torch.device("cuda", 0)), compiled=False)
show("negative", lambda: torch.device(-1), compiled=False)
show("no such", lambda: torch.zeros(2, device=1), compiled=False)
with torch.device("cuda"):
    print(torch.zeros(1).device, torch.tensor([1]).device, torch.get_default_device())
    with torch.device("cpu"):
        print(torch.ones(1).device)
    print(torch.rand(1).device)
try:
    with torch.device(0):
        raise ValueError
except ValueError:
    print(torch.zeros(1).device, torch.get_default_device())

# What is made of tensors there, also where the processor counts.
show("bincount", lambda: torch.bincount(n))
show("bincount weights", lambda: n.bincount(torch.ones(4, device="cuda"), 4))
show("histc", lambda: torch.histc(x, 3))
show("new_tensor", lambda: x.new_tensor([1]))
show("new_tensor cpu", lambda: x.new_tensor([1], device="cpu"))
show("new_tensor of", lambda: x.new_tensor(torch.ones(1)))
show("new_tensor there", lambda: torch.ones(1).new_tensor([1], device="cuda"))
show("unique", lambda: torch.unique(n))
show("unique all", lambda: torch.unique(n, return_inverse=True, return_counts=True))
show("unique rows", lambda: torch.unique(x, dim=0))
show("unique_consecutive", lambda: torch.unique_consecutive(n))
show("quantile", lambda: torch.quantile(x, 0.5))
show("vander", lambda: torch.vander(n))
show("repeat_interleave", lambda: torch.repeat_interleave(n))
show("repeat_interleave rows", lambda: x.repeat_interleave(torch.tensor([2, 1], device="cuda"), 0))
show("normal of tensors", lambda: torch.normal(x, x).device)
show("combinations", lambda: torch.combinations(n[:3]))
show("searchsorted", lambda: torch.searchsorted(torch.sort(n)[0], 1))
show("isin", lambda: torch.isin(n, 2))
show("matrix_power", lambda: torch.matrix_power(x[:, :2], 0))
show("multinomial", lambda: torch.multinomial(x[1], 5, replacement=True).device)
show("attention", lambda: torch.nn.functional.scaled_dot_product_attention(x, x, x, is_causal=True))

# Indices: lists, and tensors and masks of the processor.
row, mask = torch.tensor([-1]), torch.tensor([True, False])


def written(index, value):
    y = x.clone()
    y[index] = value
    return y


def index_tests():
    show("list", lambda: x[[0, 1]])
    show("column", lambda: x[:, [0, -1]])
    show("tensor", lambda: x[row])
    show("tensors", lambda: x[row, [0]])
    show("mask", lambda: x[mask])
    show("behind", lambda: x[:, torch.tensor([True, False, True], device="cpu")])
    show("set list", lambda: written([0], 7.0))
    show("set tensor", lambda: written(row, x[0]))
    show("set mask", lambda: written(mask, 7.0))
    show("index_put_", lambda: x.clone().index_put_((row,), torch.tensor(5.0, device="cuda")))


index_tests()
torch.set_default_device("cuda")
index_tests()
torch.set_default_device("cpu")
show("far index", lambda: torch.zeros(2)[n], compiled=False)
show("far mask", lambda: torch.zeros(4)[n > 0], compiled=False)
show("set far", lambda: torch.zeros(2).__setitem__(n, 1.0), compiled=False)
show("put far", lambda: torch.zeros(3).index_put_((n,), torch.tensor(1.0)))
show("put far value", lambda: torch.zeros(2).index_put_((row,), torch.tensor(1.0, device="cuda")))
show("put far values", lambda: torch.zeros(2).index_put_((row,), torch.ones(1, device="cuda")))
show("put near values", lambda: x.clone().index_put_((row,), torch.ones(3)))
leaf = x.clone().requires_grad_()
leaf[row].sum().backward()
print(leaf.grad)

# Parameters.
nn = torch.nn
for module in (nn.Linear(2, 2, device="cuda"), nn.Bilinear(2, 2, 2, device="cuda"),
               nn.Embedding(2, 2, padding_idx=0, device="cuda"), nn.LayerNorm(2, device="cuda"),
               nn.RMSNorm(2, device="cuda"), nn.BatchNorm1d(2, device="cuda"),
               nn.PReLU(device="cuda"), nn.Conv1d(1, 1, 1, device="cuda"),
               nn.Linear(2, 2, device="cuda", dtype=torch.float64),
               nn.LayerNorm(2, dtype=torch.bfloat16)):
    print(module, [(str(v.device), v.dtype) for v in module.state_dict().values()])

# Errors name sizes.
F = torch.nn.functional
big = torch.ones(64, 32, device="cuda")
show("mm", lambda: big @ big)
show("linear", lambda: F.linear(x, big))
show("addmm", lambda: torch.addmm(x, big, big))
show("cross_entropy", lambda: F.cross_entropy(x, n))
show("nll_loss", lambda: F.nll_loss(x, n))
show("binary_cross_entropy", lambda: F.binary_cross_entropy(x, x[:, :2]))
show("layer_norm", lambda: F.layer_norm(x, (4,)))
show("gather", lambda: x.gather(0, torch.zeros(4, 5, dtype=torch.int64, device="cuda")))
show("attention", lambda: F.scaled_dot_product_attention(x, big, big))
show("copy_", lambda: big.clone().copy_(x))

# One device.
for given in (1, "cpu", -2, "cuda:3"):
    show("memory_allocated", lambda: torch.cuda.memory_allocated(given), compiled=False)
show("peaks", lambda: torch.cuda.reset_peak_memory_stats(1), compiled=False)
