# tolerance: 1e-4
# affine_grid and grid_sample: modes, paddings, corners, volumes, gradients of image and grid, what they refuse.
import warnings

import torch
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.randn(2, 3, 4, 5)
theta = torch.tensor([[[0.8, 0.3, 0.1], [-0.2, 1.1, -0.3]], [[1.5, 0.0, 0.6], [0.1, -1.2, 0.0]]])


def told(call):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, error)


for align in (False, True):
    grid = F.affine_grid(theta, (2, 3, 3, 4), align_corners=align)
    print(grid.shape, grid[0])
    for mode in ("bilinear", "nearest", "bicubic"):
        for padding in ("zeros", "border", "reflection"):
            image, places = x.clone().requires_grad_(), grid.clone().requires_grad_()
            out = F.grid_sample(image, places, mode=mode, padding_mode=padding, align_corners=align)
            out.square().sum().backward()
            print(align, mode, padding, out.shape, out[0, 0], out.sum(), image.grad.abs().sum(), places.grad.sum() if mode != "nearest" else "")

volume = torch.randn(1, 2, 3, 4, 5)
theta3 = torch.tensor([[[0.9, 0.1, 0.0, 0.2], [0.0, 1.1, -0.1, 0.0], [0.3, 0.0, 0.8, -0.1]]])
grid = F.affine_grid(theta3, (1, 2, 2, 3, 4), align_corners=True)
print(grid.shape, grid[0, 0])
for mode in ("bilinear", "nearest"):
    for padding in ("zeros", "border", "reflection"):
        out = F.grid_sample(volume, grid * 1.2, mode, padding, align_corners=False)
        print(mode, padding, out[0, 0], out.sum())
print(F.affine_grid(theta, (2, 1, 1, 2), align_corners=False))
print(F.grid_sample(x, torch.zeros(2, 1, 1, 2), align_corners=True).shape, F.grid_sample(x.double(), torch.ones(2, 2, 2, 2).double(), align_corners=True)[0, 0])
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    F.grid_sample(x, F.affine_grid(theta, x.shape))
    print([str(each.message)[:70] for each in said])
told(lambda: F.grid_sample(x, torch.zeros(2, 1, 1, 2), mode="area"))
told(lambda: F.grid_sample(x, torch.zeros(2, 1, 1, 2), padding_mode="wrap"))
told(lambda: F.affine_grid(theta.long(), (2, 1, 2, 2), align_corners=False))
told(lambda: F.affine_grid(theta3, (2, 1, 2, 2), align_corners=False))
told(lambda: F.affine_grid(theta, (2, 1, 0, 2), align_corners=False))


@torch.compile(backend="eager")
def turned(x, theta):
    return F.grid_sample(x, F.affine_grid(theta, x.shape, align_corners=False), align_corners=False).relu()


print(torch.allclose(turned(x, theta), F.grid_sample(x, F.affine_grid(theta, x.shape, align_corners=False), align_corners=False).relu()))
