# A NaN: nothing special happens, and anomaly mode names the operator that made it first.
import torch


def attempt(what, run):
    try:
        print(what, run())
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")


def nan(value=0.0):
    x = torch.tensor([value, 1.0], requires_grad=True)
    y = (x * 0.0).sqrt() * 0
    y.sum().backward()
    return x.grad


print(nan(), torch.is_anomaly_enabled())


def detected():
    with torch.autograd.detect_anomaly():
        return nan()


import warnings
warnings.simplefilter("ignore")
attempt("sqrt", detected)
print(torch.is_anomaly_enabled())
torch.autograd.set_detect_anomaly(True)
print(torch.is_anomaly_enabled())
attempt("set", nan)


def log_of_zero():
    x = torch.tensor([0.0, 2.0], requires_grad=True)
    (x.log() * x).sum().backward()


def division():
    x = torch.tensor([0.0, 2.0], requires_grad=True)
    (x / x).sum().backward()


attempt("log", log_of_zero)
attempt("division", division)
torch.autograd.set_detect_anomaly(False)
attempt("log, off", log_of_zero)
with torch.autograd.set_detect_anomaly(True, check_nan=False):
    attempt("no check", nan)
print(torch.is_anomaly_enabled())
