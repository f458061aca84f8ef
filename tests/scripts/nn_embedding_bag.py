# tolerance: 1e-5
# EmbeddingBag: sums, means and greatest of bags of rows, gradients, compiled, what it refuses.
import torch
from torch import nn
from torch.nn import functional as F

from helper_both_ways import attempt, both

torch.manual_seed(0)
table = torch.randn(6, 3)
words, begins = torch.tensor([0, 1, 5, 3, 1, 1, 2]), torch.tensor([0, 2, 2, 5])
for mode in ("sum", "mean", "max"):
    both(mode, lambda w: F.embedding_bag(words, w, begins, mode=mode), table)
    both(f"{mode} padded", lambda w: F.embedding_bag(words, w, begins, mode=mode, padding_idx=1), table)
    both(f"{mode} rows", lambda w: F.embedding_bag(words[:6].view(3, 2), w, mode=mode), table)
    both(f"{mode} ends", lambda w: F.embedding_bag(words, w, torch.tensor([0, 3, 7]), mode=mode, include_last_offset=True), table)
both("weighted", lambda w, s: F.embedding_bag(words, w, begins, mode="sum", per_sample_weights=s), table, torch.randn(7))
both("weighted rows", lambda w, s: F.embedding_bag(words[:6].view(2, 3), w, mode="sum", per_sample_weights=s, padding_idx=-1), table, torch.randn(2, 3))
same = torch.tensor([[1.0, 2.0], [1.0, 0.0], [3.0, 2.0]])  # of equal elements the first one learns
both("equal", lambda w: F.embedding_bag(torch.tensor([0, 1, 0, 2]), w, torch.tensor([0, 2]), mode="max"), same)
print(F.embedding_bag(words.int(), table.double(), begins.int()), F.embedding_bag(words, table.half(), begins, mode="max"))
print(F.embedding_bag(words[:0], table, torch.tensor([0, 0])), F.embedding_bag(words, table, begins[:0]).shape)

bags = nn.EmbeddingBag(10, 4, mode="sum", padding_idx=2)
print(bags, bags.weight.shape, bags.weight[2])
print(nn.EmbeddingBag(10, 3), nn.EmbeddingBag.from_pretrained(table, mode="max").weight.requires_grad)
model = nn.Sequential(nn.EmbeddingBag(10, 4), nn.Linear(4, 2))
nn.init.normal_(model[0].weight)
nn.init.constant_(model[1].weight, 0.1)
nn.init.zeros_(model[1].bias)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
texts, labels = torch.randint(0, 10, (4, 5)), torch.tensor([0, 1, 1, 0])


def step():
    optimizer.zero_grad()
    loss = F.cross_entropy(model(texts), labels)
    loss.backward()
    optimizer.step()
    return loss


compiled = torch.compile(step)
for _ in range(3):
    print(f"{step().item():.5f} {compiled().item():.5f}")

attempt("begin", lambda: F.embedding_bag(words, table, torch.tensor([0, 9])))
attempt("range", lambda: F.embedding_bag(torch.tensor([1, 9]), table, torch.tensor([0])))
attempt("padding", lambda: F.embedding_bag(words, table, begins, padding_idx=7))
attempt("weights", lambda: F.embedding_bag(words, table, begins, per_sample_weights=torch.ones(7)))
attempt("weights' dtype", lambda: F.embedding_bag(words, table, begins, mode="sum", per_sample_weights=torch.ones(7).double()))
attempt("weights' shape", lambda: F.embedding_bag(words, table, begins, mode="sum", per_sample_weights=torch.ones(4)))
attempt("float", lambda: F.embedding_bag(words.float(), table, begins))
attempt("whole", lambda: F.embedding_bag(words, table.long(), begins))
attempt("mode", lambda: F.embedding_bag(words, table, begins, mode="prod"))
attempt("rows", lambda: F.embedding_bag(words.view(1, 7), table, begins))
attempt("none", lambda: F.embedding_bag(words, table))
attempt("dimensions", lambda: F.embedding_bag(words.view(1, 1, 7), table, begins))
attempt("table", lambda: F.embedding_bag(words, table[0], begins))
attempt("frequency", lambda: F.embedding_bag(words, table, begins, mode="max", scale_grad_by_freq=True))
attempt("begins", lambda: F.embedding_bag(words, table, begins.view(2, 2)))
attempt("no end", lambda: F.embedding_bag(words, table, begins[:0], include_last_offset=True))

# A bag that begins before the one in front of it.
for function in (F.embedding_bag, torch.compile(F.embedding_bag)):
    try:
        function(torch.tensor([0, 1, 2, 3]), torch.ones(4, 2), torch.tensor([0, 3, 1]))
    except RuntimeError:
        print("refused")
