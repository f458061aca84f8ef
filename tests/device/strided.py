# Views of many strides, written and read one after another: a kernel for some serves only its like.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
views = {
    "rows": lambda x: x[::2], "later rows": lambda x: x[1::2], "columns": lambda x: x[:, ::2],
    "block": lambda x: x[1:4, 1:3], "turned": lambda x: x.t(), "turned rows": lambda x: x.t()[::2],
    "all": lambda x: x, "row": lambda x: x[1], "column": lambda x: x[:, 1], "wide": lambda x: x[1:2],
    "spread": lambda x: x[1:2].expand(4, x.shape[1]), "diagonal": lambda x: x.diagonal(),
}
for shape in ((6, 4), (30, 40), (4, 4), (8, 3)):
    for first in views:
        if first == "spread":
            continue
        x = torch.arange(float(shape[0] * shape[1])).reshape(shape).to(device)
        written = torch.zeros(shape, device=device)
        part = views[first](written)
        part.copy_(torch.arange(1.0, part.numel() + 1).reshape(part.shape))
        part += views[first](x)
        sums = [float((written.cpu() * x.cpu()).sum()), sum(views[first](x).reshape(-1).tolist())]
        sums += [float((look(x).cpu() * torch.arange(float(look(x).numel())).reshape(look(x).shape)).sum())
                 for look in views.values()]
        print(shape, first, *(f"{each:.0f}" for each in sums))
        part.fill_(2)
        print(written.sum().item())
