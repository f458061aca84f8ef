# Modules of several operators: recurrent ones, attention, normalisation of images, transposed
# convolutions, images in another size; forward and backward, eager and compiled.
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(9)


def show(name, module, *inputs):
    module = module.to(device)
    rows = []
    for function in (module, torch.compile(module)):
        module.zero_grad()
        given = [x.clone().to(device).requires_grad_() for x in inputs]
        result = function(*given)
        result = result[0] if isinstance(result, tuple) else result
        weights = torch.arange(result.numel(), device=device).reshape(result.shape) / result.numel()
        (result * weights).sum().backward()
        rows.append([result.detach(), given[0].grad, *[p.grad.clone() for p in module.parameters()]])
    for eager, compiled in zip(*rows):
        assert (eager - compiled).abs().max() <= 1e-4 * eager.abs().max().clamp(min=1.0), (name, eager, compiled)
    result, gradient, *_ = rows[0]
    print(name, tuple(result.shape), result.flatten()[:4].mul(64).round().tolist(),
          gradient.flatten()[:4].mul(64).round().tolist())


image, words = torch.randn(2, 4, 3, 4), torch.randn(2, 3, 4)
show("lstm", nn.LSTM(4, 3, batch_first=True), words)
show("gru", nn.GRU(4, 2, bidirectional=True), words)
show("attention", nn.MultiheadAttention(4, 2, batch_first=True), words, torch.randn(2, 5, 4), torch.randn(2, 5, 4))
show("encoder", nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True), words)
show("batch norm", nn.Sequential(nn.Conv2d(4, 3, 2), nn.BatchNorm2d(3), nn.ReLU()), image)
show("instance norm", nn.InstanceNorm2d(4, affine=True), image)
show("transposed", nn.ConvTranspose2d(4, 3, 3, stride=2, padding=1, output_padding=1), image)
show("transposed, groups", nn.ConvTranspose2d(4, 4, (2, 3), groups=2, dilation=2), image)
show("bilinear", nn.Upsample(scale_factor=2, mode="bilinear"), image)
