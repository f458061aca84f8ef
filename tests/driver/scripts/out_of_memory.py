# A device of 24 MiB: what is kept goes back, then it is an error, and the session goes on.
# FAKE_DRIVER_MEMORY=25165824
import torch

mib = 1 << 20
x = torch.ones(4 * mib, device="cuda")


def more():
    try:
        return x + 1
    except torch.OutOfMemoryError as error:
        return str(error).split(" GPU 0")[0]


print(more(), torch.cuda.memory_stats()["num_ooms"])
print(x[:2])
del x
y = torch.full((5 * mib,), 2.0, device="cuda")
print(y.sum().item() / mib, torch.cuda.memory_reserved() // mib)
