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

# Out of pinned memory with non_blocking nobody waits: the stream has work left, and what is freed
# meanwhile is read in full. Without it the call waits, and the source may change.
s = torch.cuda.current_stream()
torch.cuda.synchronize()
near = torch.arange(1000.0).pin_memory()
far = near.to("cuda", non_blocking=True)
print(s.query())
del near
other = [torch.zeros(1000).pin_memory() for _ in range(3)]
print(far.sum().item() == 499500, s.query())
far.copy_(other[0], non_blocking=True)
print(s.query(), far.sum().item())
near = torch.ones(1000).pin_memory()
far = near.cuda()
print(s.query())
near.zero_()
print(far.sum().item())
for kind in (torch.float64, None):
    near = torch.ones(10).pin_memory()
    far = near.to("cuda", kind, True) if kind else near.cuda(None, True)
    print(s.query(), far.dtype, far.sum().item())
