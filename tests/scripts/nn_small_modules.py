# tolerance: 1e-4
# Modules around functions: padding, dropout of channels, losses, what is adaptive.
import torch
from torch import nn
import torch.nn.functional as F


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


signal = torch.arange(6.0).reshape(1, 2, 3)
image = torch.arange(12.0).reshape(1, 1, 3, 4)
volume = torch.arange(8.0).reshape(1, 1, 2, 2, 2)
for module, x in ((nn.ZeroPad1d(1), signal), (nn.ZeroPad2d((1, 0, 2, 1)), image), (nn.ZeroPad3d((1, 0, 0, 0, 1, 0)), volume),
                  (nn.ConstantPad1d((1, 2), 7.5), signal), (nn.ConstantPad2d(1, -1.0), image),
                  (nn.ConstantPad3d(1, 2.0), volume), (nn.ReflectionPad1d(2), signal),
                  (nn.ReflectionPad2d((1, 1, 2, 0)), image), (nn.ReplicationPad1d((0, 2)), signal),
                  (nn.ReplicationPad2d(1), image), (nn.CircularPad1d(1), signal), (nn.CircularPad2d((1, 2, 0, 1)), image)):
    print(module, module(x))
print(nn.ReflectionPad3d(1)(volume).sum(), nn.ReplicationPad3d(1)(volume).sum(), nn.CircularPad3d(1)(volume).sum())

torch.manual_seed(8)
ones = torch.ones(2, 3, 2, 2)
for module, x in ((nn.Dropout1d(), torch.ones(2, 3, 2)), (nn.Dropout1d(0.3), torch.ones(3, 2)), (nn.Dropout2d(0.4), ones),
                  (nn.Dropout3d(0.4), torch.ones(1, 4, 1, 1, 2)), (nn.Dropout3d(), torch.ones(3, 1, 1, 2)),
                  (nn.AlphaDropout(0.4), torch.ones(8)), (nn.Dropout2d(1.0), ones), (nn.Dropout2d(0.0), ones)):
    print(module, module(x))
    print(module.eval()(x).eq(x).all())
print(F.feature_alpha_dropout(torch.ones(2, 3, 2), 0.4, True), torch.rand(2))
inside = torch.ones(2, 3, 2, 2)
print(F.dropout2d(inside, 0.5, inplace=True) is inside, inside.sum())
x = torch.ones(1, 4, 2, 2, requires_grad=True)
F.dropout2d(x, 0.5).sum().backward()
print(x.grad[0, :, 0, 0])

x, y, z = torch.randn(4, 3), torch.randn(4, 3), torch.randn(4, 3)
sign = torch.tensor([1.0, -1.0, 1.0, -1.0])
labels = torch.tensor([0, 2, 1, 1])
for module, given in ((nn.SoftMarginLoss(), (x, y.sign())), (nn.HingeEmbeddingLoss(0.5), (x, y.sign())),
                      (nn.CosineEmbeddingLoss(0.1, reduction="none"), (x, y, sign)),
                      (nn.TripletMarginLoss(swap=True), (x, y, z)), (nn.TripletMarginLoss(2.0, p=1.0, reduction="sum"), (x, y, z)),
                      (nn.MultiMarginLoss(), (x, labels)), (nn.MultiMarginLoss(2, 0.5, torch.tensor([1.0, 2.0, 3.0])), (x, labels)),
                      (nn.MultiLabelSoftMarginLoss(), (x, (y > 0).float())), (nn.PoissonNLLLoss(), (x, y.abs())),
                      (nn.PoissonNLLLoss(log_input=False, full=True), (x.abs() + 1, y.abs() * 3)),
                      (nn.GaussianNLLLoss(full=True), (x, y, z.abs() + 0.1)), (nn.PairwiseDistance(keepdim=True), (x, y)),
                      (nn.GLU(0), (x,)), (nn.Hardshrink(0.4), (x,)), (nn.Softshrink(), (x,)),
                      (nn.Softmax2d(), (torch.randn(1, 2, 2, 2),)), (nn.AdaptiveAvgPool1d(2), (torch.randn(2, 5),)),
                      (nn.AdaptiveAvgPool2d(1), (torch.randn(1, 2, 3, 3),)), (nn.AdaptiveAvgPool2d((None, 2)), (torch.randn(1, 3, 3),))):
    leaf = given[0].clone().requires_grad_()
    result = module(leaf, *given[1:])
    print(module, result.detach())
    (result * result).sum().backward()
    print(leaf.grad + 0.0)

print(nn.LSTM is nn.LSTM, nn.modules.loss.MSELoss is nn.MSELoss, hasattr(nn, "NoSuchModule"))
attempt("name", lambda: nn.NoSuchModule)
attempt("probability", lambda: nn.Dropout2d(1.5))
attempt("channels", lambda: F.dropout1d(torch.ones(2)))
attempt("reflection", lambda: nn.ReflectionPad1d(3)(signal))
attempt("softmax", lambda: nn.Softmax2d()(x))
attempt("margin", lambda: nn.TripletMarginLoss(margin=0))
attempt("p", lambda: nn.MultiMarginLoss(p=3))
