"""Images read at the places of a grid: `affine_grid` makes one, `grid_sample` reads there.

    grid = F.affine_grid(theta, x.shape, align_corners=False)     where each pixel comes from, in [-1, 1]
    F.grid_sample(x, grid, align_corners=False)                   the image turned, moved or scaled

Values between pixels come from those around: each is gathered and weighed, in operators, so that both the
image and the grid have gradients.
"""
import warnings

import torch
from torch._output import scalar_name

_MODES = ("bilinear", "nearest", "bicubic")
_PADDINGS = ("zeros", "border", "reflection")
_CUBIC = -0.75  # the slope of the cubic convolution, as PyTorch's


def _warn_of_default(name):
    warnings.warn("Default grid_sample and affine_grid behavior has changed to align_corners=False since "
                  "1.3.0. Please specify align_corners=True if the old behavior is desired. See the "
                  f"documentation of {name} for details.")


def _steps(count, align_corners, like):
    """The places of so many pixels between -1 and 1."""
    if count <= 1:
        return torch.zeros(count, dtype=like.dtype, device=like.device)
    steps = torch.linspace(-1, 1, count, dtype=like.dtype, device=like.device)
    return steps if align_corners else steps * (count - 1) / count


def affine_grid(theta, size, align_corners=None):
    """For each pixel of a result of that size the place that `theta`, [n, 2, 3] or [n, 3, 4], takes it to."""
    if align_corners is None:
        _warn_of_default("affine_grid")
        align_corners = False
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    rank = len(size) - 2
    if rank not in (2, 3):
        raise NotImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. Got "
            f"size {tuple(size)}.")
    if theta.dim() != 3 or theta.shape[1:] != (rank, rank + 1):
        raise ValueError(f"Expected a batch of {rank}D affine matrices of shape Nx{rank}x{rank + 1} for size "
                         f"{size}. Got {theta.shape}.")
    if min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    sizes = list(size[2:])
    if align_corners and min(sizes) == 1:
        warnings.warn("Since version 1.3.0, affine_grid behavior has changed for unit-size grids when "
                      "align_corners=True. This is not an intended use case of affine_grid. See the "
                      "documentation of affine_grid for details.")
    places = torch.meshgrid(*[_steps(count, align_corners, theta) for count in sizes], indexing="ij")
    ones = torch.ones(sizes, dtype=theta.dtype, device=theta.device)
    base = torch.stack([*reversed(places), ones], -1).reshape(1, -1, rank + 1)
    return base.matmul(theta.transpose(1, 2)).reshape(size[0], *sizes, rank)


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    if mode not in _MODES:
        raise ValueError("nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or "
                         f"'bicubic', but got: '{mode}'")
    if padding_mode not in _PADDINGS:
        raise ValueError("nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or "
                         f"'reflection', but got: '{padding_mode}'")
    if align_corners is None:
        _warn_of_default("grid_sample")
        align_corners = False
    rank = input.dim() - 2
    _check(input, grid, mode, rank)
    sizes = list(reversed(input.shape[2:]))  # in the order of the grid: x first
    image = _Image(input, sizes, padding_mode, bool(align_corners))
    places = [_in_pixels(grid[..., i], count, align_corners) for i, count in enumerate(sizes)]
    if mode == "bicubic":
        return image.weighed([_cubic_taps(place) for place in places], of_any_place=True)
    places = [image.inside(place, i) for i, place in enumerate(places)]
    if mode == "nearest":
        return image.weighed([[(place.detach().round(), _one_of(place))] for place in places])
    return image.weighed([_linear_taps(place) for place in places])


def _check(input, grid, mode, rank):
    if rank not in (2, 3) or grid.dim() != input.dim():
        raise RuntimeError("grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, "
                           f"but got input with sizes {list(input.shape)} and grid with sizes "
                           f"{list(grid.shape)}")
    if grid.size(0) != input.size(0):
        raise RuntimeError("grid_sampler(): expected grid and input to have same batch size, but got input "
                           f"with sizes {list(input.shape)} and grid with sizes {list(grid.shape)}")
    if grid.size(-1) != rank:
        raise RuntimeError(f"grid_sampler(): expected grid to have size {rank} in last dimension, but got grid "
                           f"with sizes {list(grid.shape)}")
    for i, size in enumerate(input.shape[2:]):
        if size == 0:
            raise RuntimeError("grid_sampler(): expected input to have non-empty spatial dimensions, but input "
                               f"has sizes {list(input.shape)} with dimension {i + 2} being empty")
    if not input.is_floating_point():
        raise NotImplementedError(f'"grid_sampler_{rank}d_cpu" not implemented for \'{scalar_name(input)}\'')
    if input.dtype != grid.dtype:
        raise RuntimeError(f"expected scalar type {scalar_name(input)} but found {scalar_name(grid)}")
    if mode == "bicubic" and rank != 2:
        raise RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")


def _in_pixels(place, count, align_corners):
    return (place + 1) / 2 * (count - 1) if align_corners else ((place + 1) * count - 1) / 2


def _one_of(place):
    """How much the nearest pixel counts: all, and a gradient of zero."""
    return torch.where(torch.zeros_like(place, dtype=torch.bool), place, 1) if place.requires_grad else None


def _linear_taps(place):
    """The two pixels around a place, and how much each counts."""
    low = place.detach().floor()
    above = place - low
    return [(low, 1 - above), (low + 1, above)]


def _cubic_taps(place):
    low = place.detach().floor()
    above = place - low
    near = lambda x: ((_CUBIC + 2) * x - (_CUBIC + 3)) * x * x + 1
    far = lambda x: ((_CUBIC * x - 5 * _CUBIC) * x + 8 * _CUBIC) * x - 4 * _CUBIC
    return [(low - 1, far(above + 1)), (low, near(above)), (low + 1, near(1 - above)),
            (low + 2, far(2 - above))]


class _Image:
    def __init__(self, input, sizes, padding_mode, align_corners):
        self.sizes, self.padding_mode, self.align_corners = sizes, padding_mode, align_corners
        self.flat = input.flatten(2)

    def inside(self, place, i):
        """A place outside taken to one inside, unless what is there counts as zero."""
        count = self.sizes[i]
        if self.padding_mode == "reflection":
            place = self._reflected(place, count)
        if self.padding_mode == "zeros":
            return place
        return torch.where(place.isnan(), 0, place).clamp(0, count - 1)

    def _reflected(self, place, count):
        low, span = (0.0, count - 1) if self.align_corners else (-0.5, count)
        if span == 0:
            return torch.zeros_like(place)
        place = (place - low).abs()
        rest = place.fmod(span)
        is_even = (place.detach() / span).floor() % 2 == 0
        return torch.where(is_even, rest, span - rest) + low

    def weighed(self, taps, of_any_place=False):
        """The sum over all combinations of taps, one of each dimension: x first in `taps`."""
        combinations = _combinations(taps)
        values = [self._tap(chosen, of_any_place) for chosen in combinations]
        return values[0] if len(values) == 1 else sum(values)

    def _tap(self, chosen, of_any_place):
        """What one pixel gives to each place; nothing where it is outside."""
        index, step, weight, there = 0, 1, None, True
        for i, (place, part) in enumerate(chosen):
            place = self.inside(place, i) if of_any_place else place
            there = there & (place >= 0) & (place < self.sizes[i])
            index = index + torch.where(there, place, 0).long() * step
            step *= self.sizes[i]
            weight = part if weight is None else weight * part
        value = torch.where(there.unsqueeze(1), self._at(index), 0)
        return value if weight is None else value * weight.unsqueeze(1)

    def _at(self, index):
        """The values of all channels at places of the flat image, [n, channels, *places]."""
        batch, channels = self.flat.shape[:2]
        rows = index.flatten(1).unsqueeze(1).expand(-1, channels, -1)
        return self.flat.gather(2, rows).reshape(batch, channels, *index.shape[1:])


def _combinations(taps):
    if not taps:
        return [[]]
    return [[first, *rest] for rest in _combinations(taps[1:]) for first in taps[0]]
