# A leaf that is a view of another tensor is not written through its views while gradients are recorded.
import torch


def attempt(name, write):
    base = torch.arange(6.0).reshape(3, 2).clone()
    for kind, view in (("t", base.t()), ("row", base[1:]), ("flat", base.reshape(6)), ("detached", base.detach()),
                       ("wide", base[0].expand(2, 2))):
        x = view.requires_grad_()
        try:
            result = write(base, x)
        except RuntimeError as error:
            result = f"RuntimeError {error}"
        print(name, kind, result, x.is_leaf, x.tolist())
        base = torch.arange(6.0).reshape(3, 2).clone()


def set_item(base, x):
    x[0] = 1


def unrecorded(base, x):
    with torch.no_grad():
        x[0].mul_(3)


attempt("view", lambda base, x: x.view_as(x).mul_(3))
attempt("part", lambda base, x: x[0].mul_(3))
attempt("part of part", lambda base, x: x[0][None].mul_(3))
attempt("set item", set_item)
attempt("itself", lambda base, x: x.add_(1))
attempt("base", lambda base, x: base.mul_(3).tolist())
attempt("detached part", lambda base, x: x[0].detach().mul_(2).tolist())
attempt("unrecorded", unrecorded)

base = torch.arange(6.0).reshape(3, 2)
free = base[0]
free.mul_(torch.tensor(2.0, requires_grad=True))
base[1].mul_(2)
print(base.requires_grad, base.is_leaf, free.tolist())


@torch.compile
def compiled(x):
    v = x.t()
    v.mul_(3)
    return v.sum()


try:
    compiled(torch.arange(6.0).reshape(3, 2).t().requires_grad_())
except RuntimeError as error:
    print("a view of a leaf Variable that requires grad" in str(error))
