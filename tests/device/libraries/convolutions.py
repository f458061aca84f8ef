# What cuDNN is asked for. It is a stand-in, and the output is recorded.
import torch
import glint.cuda
from torch.nn import functional as F


def counted(run):
    """Launches of a second call, and how many times it called the library."""
    run()
    launches, calls = glint.cuda.launches(), glint.cuda.library_calls()
    run()
    return glint.cuda.launches() - launches, glint.cuda.library_calls() - calls


torch.manual_seed(0)
print(torch.backends.cudnn.is_available(), torch.backends.cudnn.version())
x = torch.randn(2, 3, 6, 5, device="cuda")
w = torch.randn(4, 3, 3, 3, device="cuda")
b = torch.randn(4, device="cuda")
print("forward", counted(lambda: F.conv2d(x, w)), counted(lambda: F.conv2d(x, w, b, padding=1)),
      counted(lambda: F.conv1d(x[:, :, 0], w[0])), counted(lambda: F.conv2d(x.transpose(2, 3), w)))


def gradients():
    leaves = [t.clone().requires_grad_() for t in (x, w, b)]
    F.conv2d(*leaves).sum().backward()


print("gradients", counted(gradients))


@torch.compile
def layer(x, w, b):
    return F.relu(F.conv2d(x * 2, w, b) + 1)


print("compiled", counted(lambda: layer(x, w, b)),
      torch.allclose(layer(x, w, b).cpu(), layer(x.cpu(), w.cpu(), b.cpu()), atol=1e-4))

# Windows 5 wide are not this library's, nor integers: what is counted is cuBLASLt's product then.
wide = torch.randn(1, 3, 2, 5, device="cuda")
print("ours", counted(lambda: F.conv2d(x, wide))[1], counted(lambda: layer(x, wide, b[:1]))[1],
      counted(lambda: F.conv2d(x.long(), w.long()))[1])
print(torch.allclose(F.conv2d(x, wide).cpu(), F.conv2d(x.cpu(), wide.cpu()), atol=1e-4))

# Its switches; without it the product of windows and weights is cuBLASLt's.
wanted = F.conv2d(x.cpu(), w.cpu())
for switches in ({"deterministic": True}, {"allow_tf32": False}, {"enabled": False}):
    with torch.backends.cudnn.flags(**{"enabled": True, **switches}):
        print(switches, counted(lambda: F.conv2d(x, w))[1],
              torch.allclose(F.conv2d(x, w).cpu(), wanted, atol=1e-4))
print(torch.backends.cudnn.enabled, torch.backends.cudnn.deterministic)
