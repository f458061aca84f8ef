# Modes and settings that scripts set, and detach.
import torch

x = torch.ones(2)
with torch.no_grad():
    y = x * 2
print(y, y.requires_grad, x.detach(), x.detach() is x, torch.is_grad_enabled())


@torch.no_grad()
def f(x):
    return x + 1, torch.is_grad_enabled()


print(f(x), torch.get_num_threads() >= 1)
with torch.inference_mode():
    print(x + 1)
torch.set_printoptions(precision=2)
print(torch.tensor([1.23456, 2.0]))
torch.set_printoptions(precision=4)
print(torch.tensor([1.23456, 2.0]), torch.numel(x), torch.__name__)
