# A record that cannot be replayed is an error of the call, and the session goes on.
# FAKE_DRIVER_FAILS=cuGraphLaunch:2=719
import torch

x = torch.ones(1000, 100).cuda()
kept = torch.arange(4.0)
recorded = torch.compile(lambda x: (x - x.sum(0, keepdim=True)).sum(1, keepdim=True) * x, mode="reduce-overhead")
for attempt in range(4):
    try:
        print(recorded(x).sum())
    except RuntimeError as error:
        print(type(error).__name__, error)
print(kept + 1)
