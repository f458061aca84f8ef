"""`torch.testing.assert_close`: fails with a message that says how far apart two results are."""
import torch

_tolerances = {
    torch.float64: (1e-7, 1e-7),
    torch.float32: (1.3e-6, 1e-5),
    torch.float16: (1e-3, 1e-5),
    torch.bfloat16: (1.6e-2, 1e-5),
}


def _tolerance(dtype, rtol, atol):
    if rtol is not None:
        return rtol, atol
    return _tolerances.get(dtype, (0.0, 0.0))


def _place(flat, shape):
    place = []
    for size in reversed(shape):
        place.append(flat % size)
        flat //= size
    return tuple(reversed(place))


def _compare(actual, expected, rtol, atol, equal_nan, check_dtype, check_device):
    if actual.shape != expected.shape:
        return (f"The values for attribute 'shape' do not match: {actual.shape} != "
                f"{expected.shape}.")
    if actual.device != expected.device:
        if check_device:
            return (f"The values for attribute 'device' do not match: {actual.device} != "
                    f"{expected.device}.")
        actual, expected = actual.cpu(), expected.cpu()
    if check_dtype and actual.dtype != expected.dtype:
        return (f"The values for attribute 'dtype' do not match: {actual.dtype} != "
                f"{expected.dtype}.")
    dtype = torch.promote_types(actual.dtype, expected.dtype)
    rtol, atol = _tolerance(dtype, rtol, atol)
    a = actual.to(torch.float64)
    b = expected.to(torch.float64)
    close = torch.isclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan)
    if bool(close.all()):
        return None
    if actual.dim() == 0:
        x, y = actual.item(), expected.item()
        difference = abs(x - y)
        relative = difference / abs(y) if y else float("inf")
        if rtol == 0 and atol == 0:
            return (f"Scalars are not equal!\n\nExpected {y} but got {x}.\n"
                    f"Absolute difference: {difference}\nRelative difference: {relative}")
        return (f"Scalars are not close!\n\nExpected {y} but got {x}.\n"
                f"Absolute difference: {difference} (up to {atol} allowed)\n"
                f"Relative difference: {relative} (up to {rtol} allowed)")
    wrong = int((~close).sum())
    total = actual.numel()
    zero = torch.zeros_like(a)
    distance = torch.where(close, zero, (a - b).abs())
    ratio = torch.where(close, zero, distance / b.abs())
    far = int(distance.flatten().argmax())
    steep = int(ratio.flatten().argmax())
    exact = rtol == 0 and atol == 0
    lines = ["Tensor-likes are not equal!" if exact else "Tensor-likes are not close!", "",
             f"Mismatched elements: {wrong} / {total} ({wrong / total:.1%})"]
    shape = tuple(actual.shape)
    allowed = "" if exact else f" (up to {atol} allowed)"
    lines.append(f"Greatest absolute difference: {float(distance.flatten()[far])} at index "
                 f"{_place(far, shape)}{allowed}")
    allowed = "" if exact else f" (up to {rtol} allowed)"
    lines.append(f"Greatest relative difference: {float(ratio.flatten()[steep])} at index "
                 f"{_place(steep, shape)}{allowed}")
    return "\n".join(lines)


def assert_close(actual, expected, *, allow_subclasses=True, rtol=None, atol=None,
                 equal_nan=False, check_device=True, check_dtype=True, check_layout=True,
                 check_stride=False, msg=None):
    if (rtol is None) != (atol is None):
        raise ValueError("Both 'rtol' and 'atol' must be either specified or unspecified")
    if isinstance(actual, (list, tuple)):
        if len(actual) != len(expected):
            raise AssertionError(f"The length of the sequences mismatch: {len(actual)} != "
                                 f"{len(expected)}")
        for a, b in zip(actual, expected):
            assert_close(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan, check_dtype=check_dtype,
                         check_device=check_device, msg=msg)
        return
    if isinstance(actual, dict):
        for key in expected:
            assert_close(actual[key], expected[key], rtol=rtol, atol=atol, equal_nan=equal_nan,
                         check_dtype=check_dtype, check_device=check_device, msg=msg)
        return
    if not isinstance(actual, torch.Tensor):
        actual = torch.tensor(actual, dtype=torch.float64 if isinstance(actual, float) else None)
    if not isinstance(expected, torch.Tensor):
        expected = torch.tensor(expected,
                                dtype=torch.float64 if isinstance(expected, float) else None)
    problem = _compare(actual, expected, rtol, atol, equal_nan, check_dtype, check_device)
    if problem is None:
        return
    if callable(msg):
        problem = msg(problem)
    elif msg is not None:
        problem = msg
    raise AssertionError(problem)
