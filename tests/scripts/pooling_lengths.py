# Windows by a tuple of one number, which stands for all dimensions, and by tuples of a wrong length.
import torch
import torch.nn.functional as F


def tell(f, *arguments, **named):
    try:
        r = f(*arguments, **named)
        print(list(r.shape), r.flatten().tolist()[:4])
    except Exception as e:
        print(type(e).__name__, e)


image, signal = torch.arange(36.0).reshape(1, 1, 6, 6), torch.arange(6.0).reshape(1, 1, 6)
square, pair = torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2)
for given in [(), (1,), [2], (1, 1), (1, 1, 1)]:
    tell(F.avg_pool2d, image, given)
    tell(F.avg_pool2d, image, 2, given)
    tell(F.max_pool2d, image, given)
    tell(F.max_pool2d, image, 2, given)
    tell(F.max_pool2d, image, 2, 2, 0, given)
    tell(F.avg_pool1d, signal, given)
    tell(F.avg_pool1d, signal, 2, given)
    tell(F.max_pool1d, signal, given)
    tell(F.max_pool1d, signal, 2, given)
    tell(F.max_pool1d, signal, 2, 2, 0, given)
    tell(F.conv2d, image, square, stride=given)
    tell(F.conv2d, image, square, dilation=given)
    tell(F.conv1d, signal, pair, stride=given)
    tell(F.conv1d, signal, pair, dilation=given)
for given in [(), (1,), [0], (1, 0), (1, 1, 1)]:
    tell(F.avg_pool2d, image, 2, 2, given)
    tell(F.max_pool2d, image, 2, 2, given)
    tell(F.avg_pool1d, signal, 2, 2, given)
    tell(F.max_pool1d, signal, 2, 2, given)
    tell(F.conv2d, image, square, padding=given)
    tell(F.conv1d, signal, pair, padding=given)
tell(torch.nn.AvgPool2d((2,)), image)
for divisor in [0, -2, 3, None]:
    tell(F.avg_pool2d, image, 2, divisor_override=divisor)
