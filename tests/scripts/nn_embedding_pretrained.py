"""Embeddings of rows that are known already, as one loads word vectors."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def attempt(what, f):
    try:
        print(what, f())
    except Exception as error:
        print(what, type(error).__name__, error)


vectors = torch.tensor([[1, 2.3, 3], [4, 5.1, 6.3], [0.5, 0, -1]])
embedding = nn.Embedding.from_pretrained(vectors)
print(embedding, embedding.weight.requires_grad)
print(embedding(torch.tensor([1, 0])))
print(embedding.weight.data_ptr() == vectors.data_ptr())
print([name for name, _ in embedding.named_parameters()], list(embedding.state_dict()))

torch.manual_seed(0)
before = torch.get_rng_state()
tuned = nn.Embedding.from_pretrained(vectors.clone(), freeze=False, padding_idx=-1)
print(torch.equal(before, torch.get_rng_state()), tuned, tuned.padding_idx)


class Classifier(nn.Module):
    def __init__(self, vectors, classes):
        super().__init__()
        self.embedding = nn.Embedding.from_pretrained(vectors, freeze=False, padding_idx=2)
        self.output = nn.Linear(vectors.size(1), classes)

    def forward(self, tokens):
        return self.output(self.embedding(tokens).mean(dim=1))


model = Classifier(vectors.clone(), 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
tokens, labels = torch.tensor([[0, 1, 2], [1, 2, 2]]), torch.tensor([0, 1])
for _ in range(3):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(tokens), labels)
    loss.backward()
    optimizer.step()
    print(loss)
print(model.embedding.weight)
print(model.embedding.weight.grad)
attempt("vector", lambda: nn.Embedding.from_pretrained(torch.zeros(3)))
attempt("padding", lambda: nn.Embedding(3, 2, padding_idx=3))
attempt("padding", lambda: nn.Embedding(3, 2, padding_idx=-4))
attempt("weight", lambda: nn.Embedding(3, 2, _weight=torch.zeros(2, 2)))
print(nn.Embedding.from_pretrained(torch.zeros(0, 2), padding_idx=0, sparse=False))
print(nn.Embedding(3, 2, _freeze=True).weight.requires_grad)
print(nn.Embedding(3, 2, padding_idx=-3).weight[0])
