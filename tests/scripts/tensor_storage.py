# The memory of tensors, methods that write by a function or a place, and what complex numbers would be.
import warnings

import torch

warnings.simplefilter("ignore")
x = torch.arange(6.0).reshape(2, 3)
memory = x.untyped_storage()
print(len(memory), memory.nbytes(), memory.size(), memory.device, memory.data_ptr() == x.data_ptr())
print(x[1].untyped_storage().data_ptr() == memory.data_ptr(), x.clone().untyped_storage().data_ptr() == memory.data_ptr())
print(torch.tensor([1, 2], dtype=torch.int16).untyped_storage())
typed = x.storage()
print(typed, len(typed), typed.nbytes(), typed[2], typed.dtype, typed.tolist(), typed.size())
print(x.t().storage().data_ptr() == typed.data_ptr(), x.is_shared())
print(x.apply_(lambda value: value + 1), x.map_(torch.ones(2, 3), lambda left, right: left - right))
print(x.put_(torch.tensor([0, 4]), torch.tensor([9.0, 8.0])))
print(torch.put(x, torch.tensor([1, 1]), torch.tensor([5.0, 1.0]), accumulate=True), x)
print(torch.angle(torch.tensor([-1.0, 0.0, 2.0])), torch.conj(x) is x, torch.real(x) is x, x.adjoint(), x.is_conj())
print(torch.tensor([12, 18]).gcd_(torch.tensor([8, 12])), torch.tensor([4, 6]).lcm_(torch.tensor([6, 9])))
print(torch.ones(2, 2).mul_(3).renorm_(2, 0, 1.0), torch.tensor([2.0], dtype=torch.float64).float_power_(3))
leaf = torch.ones(3, requires_grad=True)
torch.put(leaf, torch.tensor([1]), torch.tensor([7.0])).sum().backward()
print(leaf.grad)
try:
    x.put_(torch.tensor([0, 4]), torch.tensor([9.0]))
except IndexError as error:
    print(error)
