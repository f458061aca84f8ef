# `import torch` alone offers its submodules.
import torch

print(torch.utils.data.DataLoader.__name__, torch.utils.data.TensorDataset.__name__)
print(torch.nn.functional.relu(torch.tensor([-1.0, 2.0])), torch.nn.Linear.__name__)
print(torch.optim.SGD.__name__, torch.optim.lr_scheduler.StepLR.__name__)
print(torch.autograd.grad.__name__, torch.autograd.functional.jacobian.__name__)
print(torch.cuda.is_available(), torch.backends.mps.is_available())
print(torch.are_deterministic_algorithms_enabled(), torch.get_default_device())
print(torch.typename(torch.zeros(1)), torch.typename(3))
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.arange(4.0)), 2)
print([batch[0] for batch in loader])
