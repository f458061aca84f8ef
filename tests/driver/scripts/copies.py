# Copies go through pinned memory in pieces: the source may change as soon as the call returns.
import torch

x = torch.arange(3_000_000.0)
far = x.cuda()
x.zero_()
print(far[::1_000_000].tolist(), torch.equal(far.cpu(), torch.arange(3_000_000.0)))
small = [torch.full((5,), float(i)).cuda() for i in range(20)]
print(sum(each.sum().item() for each in small))

pinned = torch.arange(4.0).pin_memory()
far = pinned.cuda(non_blocking=True)
print(pinned.is_pinned(), far, far.cpu().is_pinned())
pinned.copy_(far + 1)
print(pinned)
view = pinned[1:]
del pinned
print(view.is_pinned(), view.cuda().tolist(), torch.ones(2, 0).pin_memory().shape)
