# Scripts for several processes, in one: groups, what processes tell each other, wrappers of modules, samplers.
import os

import torch
import torch.distributed as dist


def told(call):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, str(error).split("\n")[0])


print(dist.is_available(), dist.is_initialized())
told(dist.get_rank)
told(dist.get_world_size)
told(dist.barrier)
told(lambda: dist.all_reduce(torch.ones(1)))
told(dist.get_backend)
told(dist.destroy_process_group)
told(lambda: dist.init_process_group("gloo"))
os.environ["RANK"] = "0"
told(lambda: dist.init_process_group("gloo"))
os.environ["WORLD_SIZE"] = "1"
told(lambda: dist.init_process_group("gloo"))
os.environ["MASTER_ADDR"] = "127.0.0.1"
told(lambda: dist.init_process_group("gloo"))
os.environ["MASTER_PORT"] = "29612"
told(lambda: torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(1, 1)))
told(lambda: dist.init_process_group("gloo"))
told(lambda: dist.init_process_group("gloo"))
print(dist.is_initialized(), dist.get_rank(), dist.get_world_size(), dist.get_backend(), dist.group.WORLD is not None, dist.GroupMember.WORLD is not None)
x = torch.arange(3.0)
print(dist.all_reduce(x), x)
w = dist.all_reduce(x, op=dist.ReduceOp.MAX, async_op=True)
print(w.wait(), w.is_completed(), x)
told(lambda: dist.all_reduce(x, op=dist.ReduceOp.AVG))
l = [torch.zeros(3)]
print(dist.all_gather(l, x), l)
o = torch.zeros(3)
print(dist.all_gather_into_tensor(o, x), o)
print(dist.broadcast(x, 0), dist.broadcast(x, src=0), dist.reduce(x, 0))
l = [torch.zeros(3)]
print(dist.gather(x, l, dst=0), l)
told(lambda: dist.gather(x))
told(lambda: dist.gather(x, None, 0))
o = torch.zeros(3)
print(dist.scatter(o, [x], src=0), o)
told(lambda: dist.scatter(o, None, 0))
o = torch.zeros(3)
told(lambda: (dist.reduce_scatter(o, [x]), o))
o = torch.zeros(3)
told(lambda: (dist.reduce_scatter_tensor(o, x), o))
o = torch.zeros(3)
told(lambda: (dist.all_to_all_single(o, x), o))
l = [None]
dist.all_gather_object(l, {"a": 1})
print(l)
l = [1,"b"]
dist.broadcast_object_list(l, src=0)
print(l)
l = [None]
dist.gather_object({"a": 2}, l, dst=0)
print(l)
l = [None]
dist.scatter_object_list(l, [5], src=0)
print(l)
told(lambda: dist.send(x, 0))
print(dist.barrier())
g = dist.new_group([0])
print(dist.get_world_size(g), dist.get_rank(g))
told(lambda: dist.new_group([0, 1]))
print(dist.all_reduce(x, group=g))
told(lambda: dist.all_reduce(5))
told(lambda: dist.all_gather(x, x))
told(lambda: dist.all_reduce([x]))
print(dist.ReduceOp.SUM, dist.ReduceOp.SUM == dist.ReduceOp.SUM, repr(dist.ReduceOp.AVG), dist.Backend.GLOO, dist.Backend("gloo"))
m = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(3, 2))
print(m)
print(list(m.state_dict()), m.module.weight.shape, type(m.module).__name__, m.device_ids, m.training)
m(x).sum().backward()
print(m.module.bias.grad)
with m.no_sync():
    m(x).sum().backward()
print(m.module.bias.grad, m.require_backward_grad_sync)
told(lambda: torch.nn.parallel.DistributedDataParallel(torch.nn.ReLU()))
told(lambda: torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(1, 1), device_ids=[0]))
told(lambda: m.weight)
m.eval()
print(m.module.training)
from torch.utils.data.distributed import DistributedSampler
s = DistributedSampler(range(10), shuffle=True)
print(list(s), len(s))
s.set_epoch(1)
print(list(s))
s = DistributedSampler(range(10), num_replicas=4, rank=1, shuffle=False)
print(list(s), len(s))
s = DistributedSampler(range(10), num_replicas=4, rank=3, shuffle=False, drop_last=True)
print(list(s), len(s))
s = DistributedSampler(range(2), num_replicas=5, rank=4, shuffle=True, seed=3)
print(list(s), len(s))
told(lambda: DistributedSampler(range(2), num_replicas=2, rank=2))
d = torch.nn.DataParallel(torch.nn.Linear(3, 2))
print(d, d(x).shape, list(d.state_dict()), d.device_ids)
print(torch.nn.parallel.DataParallel is torch.nn.DataParallel)
dist.destroy_process_group()
print(dist.is_initialized())
told(lambda: dist.all_reduce(x))
told(lambda: m(x).shape)
print(dist.is_gloo_available(), dist.is_mpi_available(), dist.is_torchelastic_launched())
