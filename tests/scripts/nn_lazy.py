# tolerance: 1e-4
# Modules that learn sizes from their first input, and others that few scripts use.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
model = nn.Sequential(nn.LazyConv2d(4, 3, padding=1), nn.LazyBatchNorm2d(), nn.ReLU(), nn.Flatten(), nn.LazyLinear(5))
print(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(2, 3, 4, 4)
model(x)
print(model)
for _ in range(2):
    optimizer.zero_grad()
    loss = model(x).square().mean()
    loss.backward()
    optimizer.step()
    print(loss)
print([(name, tuple(each.shape)) for name, each in model.named_parameters()])
other = nn.Sequential(nn.LazyConv2d(4, 3, padding=1), nn.LazyBatchNorm2d(), nn.ReLU(), nn.Flatten(), nn.LazyLinear(5))
print(other.load_state_dict(model.state_dict()))
print(torch.equal(other.eval()(x), model.eval()(x)), other[4])
for layer, shape in ((nn.LazyConv1d(2, 3), (2, 3, 8)), (nn.LazyConv3d(2, 2), (1, 3, 4, 4, 4)),
                     (nn.LazyConvTranspose2d(2, 3, stride=2), (1, 3, 4, 4)), (nn.LazyConvTranspose1d(2, 3), (1, 3, 4)),
                     (nn.LazyBatchNorm1d(), (4, 3)), (nn.LazyInstanceNorm2d(affine=True), (2, 3, 4, 4)),
                     (nn.LazyLinear(2, bias=False), (7,))):
    print(layer)
    torch.manual_seed(1)
    print(layer(torch.randn(shape)).square().sum(), layer)
print(nn.LazyLinear(3).has_uninitialized_params(), isinstance(model[4], nn.LazyLinear), type(model[4]).__name__)

# Adaptive softmax.
torch.manual_seed(2)
adaptive = nn.AdaptiveLogSoftmaxWithLoss(8, 20, cutoffs=[4, 10], div_value=2.0)
print(adaptive)
features = torch.randn(6, 8, requires_grad=True)
classes = torch.tensor([0, 5, 19, 3, 11, 9])
output, loss = adaptive(features, classes)
print(output, loss, adaptive(features, classes).output.shape)
loss.backward()
print(features.grad, [each.grad.square().sum() for each in adaptive.parameters()])
print(adaptive.log_prob(features).exp().sum(1), adaptive.predict(features))
try:
    adaptive(features, classes + 10)
except RuntimeError as error:
    print(error)

# Batch normalisation over one process.
net = nn.Sequential(nn.Conv2d(3, 4, 1), nn.BatchNorm2d(4))
converted = nn.SyncBatchNorm.convert_sync_batchnorm(net)
print(converted, converted(x).sum().abs() < 1e-3, converted[1].running_mean)

# Windows at random places.
samples = torch.tensor([[[0.2, 0.7], [0.5, 0.1], [0.9, 0.3]]]).expand(2, 3, 2)
image = torch.randn(2, 3, 9, 7)
pooled, places = F.fractional_max_pool2d(image, 2, output_size=(4, 3), return_indices=True, _random_samples=samples)
print(pooled, places[0])
torch.manual_seed(3)
print(nn.FractionalMaxPool2d(3, output_ratio=(0.5, 0.6))(image).shape, nn.FractionalMaxPool2d(2, output_size=3)(image).sum())
print(nn.FractionalMaxPool3d(2, output_size=(2, 3, 2))(torch.randn(1, 2, 6, 7, 5)))
