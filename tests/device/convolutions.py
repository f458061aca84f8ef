# Convolutions and their gradients, in every form, eager and compiled.
import torch
import torch.nn.functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(1)


def made(*sizes, dtype=torch.float32):
    return torch.randint(-4, 5, sizes).div(4).to(dtype).to(device).requires_grad_()


def show(*tensors):
    for x in tensors:
        print(x.dtype, tuple(x.shape), x.detach().float().flatten()[:5].mul(64).round().tolist())


@torch.compile
def layers(x, w, v):
    return F.relu(F.conv2d(F.relu(F.conv2d(x, w, padding=1)), v, stride=2))


for count, sizes, kernel in ((1, (11,), (3,)), (2, (7, 8), (3, 2)), (3, (4, 5, 4), (2, 2, 3))):
    convolve = getattr(F, f"conv{count}d")
    for stride, padding, dilation, groups in ((1, 0, 1, 1), (2, 1, 1, 1), (1, 2, 2, 1), (1, 1, 1, 2),
                                              (1, "same", 1, 1)):
        if count == 3 and stride == 1 and dilation == 1 and groups == 1:
            continue
        x, w, b = made(2, 4, *sizes), made(6, 4 // groups, *kernel), made(6)
        y = convolve(x, w, b, stride=stride, padding=padding, dilation=dilation, groups=groups)
        show(y, *torch.autograd.grad(y.sin().sum(), (x, w, b)))

for dtype in (torch.float64, torch.bfloat16, torch.float16):
    x, w, b = made(1, 2, 5, 6, dtype=dtype), made(3, 2, 3, 3, dtype=dtype), made(3, dtype=dtype)
    y = F.conv2d(x, w, b, padding=1)
    show(y, *torch.autograd.grad(y.sum(), (x, w, b)))

x, w, v = made(2, 3, 9, 8), made(4, 3, 3, 3), made(2, 4, 3, 3)
y = layers(x, w, v)
show(y, *torch.autograd.grad(y.sin().sum(), (x, w, v)))
x = made(1, 3, 7, 8)
with torch.no_grad():
    show(layers(x, w, v), F.conv2d(x[0], w), F.conv2d(x.transpose(2, 3), w.flip(2), padding=(2, 0)))

# Gradients of gradients.
x, w = made(1, 2, 5), made(3, 2, 2)
y = F.conv1d(x, w)
of_x, of_w = torch.autograd.grad((y * y * y).sum(), (x, w), create_graph=True)
show(of_x, of_w, *torch.autograd.grad((of_x * of_x).sum() + (of_w * of_w).sum(), (x, w)))

# A group for each channel; tiles of 32 and of 64 channels; and a strided input.
torch.manual_seed(2)
for channels, outputs, groups, side in ((6, 12, 6, 5), (3, 32, 1, 48), (2, 64, 1, 56)):
    x, w, b = made(2, channels, side, side), made(outputs, channels // groups, 3, 3), made(outputs)
    y = F.conv2d(x.transpose(2, 3), w, b, padding=1, groups=groups)
    show(y, *torch.autograd.grad(y.sum(), (x, w, b)))
    y = F.conv2d(x, w, groups=groups)
    print([int((t * 16).double().sum()) for t in (y, *torch.autograd.grad(y.sum(), (x, w)))])
