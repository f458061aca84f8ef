# What keeps a bool a bool, and what it becomes beside other dtypes.
import torch

b = torch.tensor([[True, False], [False, False]])
i, u = torch.tensor([[3, -2], [0, 7]], dtype=torch.int32), torch.tensor([[200, 2], [0, 7]], dtype=torch.uint8)


def several(b, i, u):
    return (
        torch.add(b, b, alpha=2),
        torch.add(b, True, alpha=3),
        torch.add(i, b, alpha=5),
        torch.add(u, b, alpha=-1),
        torch.add(i.float(), b, alpha=0.5),
        torch.addcmul(b, b, i),
        torch.addcmul(u, b, u, value=3),
        torch.addcmul(i, b, b, value=2),
        *b.max(-1),
        *b.min(0, keepdim=True),
    )


for x in several(b, i, u):
    print(x)
print(b.clone().add_(b, alpha=2))
