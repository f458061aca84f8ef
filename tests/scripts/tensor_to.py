# tensor.to and module.to: device, dtype and other tensor, by place and by name; memory formats.
import torch

x = torch.arange(6.0).reshape(2, 3)
images = torch.arange(24.0).reshape(1, 2, 3, 4)


def show(text):
    try:
        result = eval(text)
        if isinstance(result, torch.Tensor):
            result = (result.dtype, result is x, result.stride())
        elif isinstance(result, torch.nn.Module):
            result = (result.weight.dtype, result.weight.stride(), result.weight.is_leaf)
        print(text, "->", result)
    except Exception as error:
        print(text, "->", type(error).__name__)


def show_error(text):
    try:
        eval(text)
    except Exception as error:
        print(text, "->", type(error).__name__, error)


for call in ["'cpu', dtype=torch.float64", "torch.device('cpu'), dtype=torch.float64, non_blocking=True",
             "'cpu', torch.float64", "'cpu', torch.float64, True, True", "'cpu', None, True",
             "'cpu', non_blocking=True", "torch.float64, True", "torch.float64, True, True",
             "torch.float32, False, True", "torch.float32, copy=True", "dtype=torch.float64",
             "device='cpu'", "device='cpu', dtype=torch.float64", "device=None, dtype=torch.float64",
             "None, dtype=torch.float64", "None, torch.float64", "None", "", "copy=True",
             "non_blocking=True", "x.double()", "x.double(), True", "x.double(), False, True",
             "x.double(), non_blocking=True, copy=True", "tensor=x.double()", "x, copy=True", "float",
             "dtype=int"]:
    show(f"x.to({call})")
for call in ["torch.float64, device='cpu'", "other=x.double()", "x.double(), torch.float32",
             "x.double(), dtype=torch.float32", "'cpu', torch.float64, dtype=torch.float64",
             "'cpu', device='cpu'", "torch.float64, dtype=torch.float64", "'cpu', bogus=3",
             "tensor=x, device='cpu'", "x, tensor=x", "memory_format=3",
             "'cpu', torch.float64, False, False, torch.preserve_format", "torch.float64, True, True, True"]:
    show(f"x.to({call})")
for call in ["'cpu', True", "x.double(), torch.float32", "[1]", "torch.float64, 1", "'cpu', 3",
             "dtype='float64'", "device=torch.float64", "memory_format=torch.channels_last",
             "torch.float64, False, non_blocking=3"]:
    show_error(f"x.to({call})")

for call in ["'cpu', dtype=torch.float64", "torch.device('cpu'), dtype=torch.float64, non_blocking=True",
             "'cpu', torch.float64, True", "torch.float64, True", "x.double()", "tensor=x.double()",
             "device='cpu', dtype=torch.float16", "", "None", "torch.float64, device='cpu'", "bogus=1",
             "memory_format=torch.channels_last", "torch.float64, memory_format=torch.contiguous_format"]:
    show(f"torch.nn.Linear(3, 2).to({call})")
for call in ["torch.int64", "dtype=torch.int32", "'cpu', torch.bool", "copy=True"]:
    show_error(f"torch.nn.Linear(3, 2).to({call})")
show("torch.nn.Conv2d(3, 4, 3).to(memory_format=torch.channels_last)")
show("torch.nn.Conv2d(3, 4, 3).to('cpu', torch.float64, memory_format=torch.channels_last)")

print(torch.channels_last, torch.contiguous_format, torch.preserve_format, torch.channels_last_3d)
print(type(torch.channels_last), isinstance(torch.preserve_format, torch.memory_format))
for call in ["x.to(torch.float64, memory_format=torch.preserve_format)",
             "x.t().to(torch.float64, memory_format=torch.contiguous_format)",
             "x.t().to(memory_format=torch.contiguous_format)", "x.to(memory_format=None)",
             "images.to(memory_format=torch.channels_last)",
             "images.to(torch.float64, memory_format=torch.channels_last)",
             "images.permute(0, 2, 3, 1).to(memory_format=torch.contiguous_format)",
             "images[:, :, None].to(memory_format=torch.channels_last_3d)",
             "x.t().clone(memory_format=torch.contiguous_format)", "x.t().clone()",
             "x.t().contiguous(memory_format=torch.contiguous_format)",
             "images.contiguous(memory_format=torch.channels_last)",
             "x.contiguous(memory_format=torch.preserve_format)",
             "x.t().float(memory_format=torch.preserve_format)",
             "torch.zeros_like(x.t(), memory_format=torch.contiguous_format)",
             "torch.zeros_like(x.t(), memory_format=torch.preserve_format)",
             "torch.zeros_like(images, memory_format=torch.channels_last)",
             "torch.empty(2, 3, memory_format=torch.contiguous_format)",
             "torch.empty(1, 2, 3, 4, memory_format=torch.channels_last)",
             "x.is_contiguous(memory_format=torch.contiguous_format)",
             "x.is_contiguous(memory_format=torch.channels_last)",
             "images.is_contiguous(memory_format=torch.channels_last)",
             "images.to(memory_format=torch.channels_last).is_contiguous(memory_format=torch.channels_last)"]:
    show(call)
for call in ["x.t().contiguous(memory_format=torch.preserve_format)",
             "torch.empty(2, 3, memory_format=torch.preserve_format)", "x.clone(memory_format=3)",
             "x.contiguous(memory_format=None)", "images.clone(memory_format=torch.channels_last_3d)"]:
    show_error(call)
laid = images.to(memory_format=torch.channels_last)
print(laid is laid.to(memory_format=torch.channels_last), torch.equal(laid, images))
made = torch.zeros_like(images, memory_format=torch.channels_last, requires_grad=True)
print(made.is_leaf, made.requires_grad)


@torch.compile
def converted(x, dtype, copy):
    return x.to("cpu", dtype=dtype, copy=copy), x.to(dtype, False, copy), x.sum(0).to(x.double(), True)


for size in (2, 3, 4, 5):
    for dtype in (torch.float64, torch.float32):
        for copy in (False, True):
            x = torch.ones(size, 3)
            first, second, third = converted(x, dtype, copy)
            print(first.dtype, first is x, second is x, third.dtype, second.sum())
