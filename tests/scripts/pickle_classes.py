# Copies and pickles of what classes say themselves, of PyTorch's objects, and what was once wrong beside them.
import ast
import collections
import copy
import datetime
import io
import pickle
import platform
import random

import torch
from torch import nn
from dataclasses import dataclass


def told(call):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, str(error)[:150])


class Tree:
    def __init__(self):
        self.kids = []
        self.up = None

    def __deepcopy__(self, memo):
        n = type(self)()
        memo[id(self)] = n
        n.kids = copy.deepcopy(self.kids, memo)
        n.up = copy.deepcopy(self.up, memo)
        return n


t = Tree()
k = Tree()
k.up = t
t.kids.append(k)
u = copy.deepcopy(t)
print(u.kids[0].up is u, u is not t)
memo = {}
b = copy.deepcopy(k, memo)
print(memo[id(k)] is b)


@dataclass(frozen=True, slots=True)
class F:
    x: int
    y: list


f = F(1, [2])
print(copy.copy(f), copy.deepcopy(f), pickle.loads(pickle.dumps(f)))


class S:
    def __init__(self):
        self.a, self.b = 1, 2

    def __getstate__(self):
        s = dict(super().__getstate__())
        s["c"] = 3
        return s


print(copy.copy(S()).__dict__, pickle.loads(pickle.dumps(S())).__dict__, hasattr(S(), "__reduce__"), hasattr(object, "__getstate__"))
m = nn.Linear(2,2)
sched = torch.optim.lr_scheduler.MultiStepLR(torch.optim.SGD(m.parameters(), 0.1), [1, 3])
file = io.BytesIO()
torch.save({"s": sched.state_dict()}, file)
file.seek(0)
print(torch.load(file)["s"]["milestones"])
p = nn.Parameter(torch.ones(2))
p.tag = "x"
q = torch.zeros(2)
q.note = [1]
file = io.BytesIO()
torch.save([p, q], file)
file.seek(0)
r = torch.load(file)
print(r[0].__dict__, r[1].__dict__, r)
print(copy.copy(p).__dict__, pickle.loads(pickle.dumps(q)).__dict__, copy.deepcopy(p).__dict__)
g = torch.Generator()
g.manual_seed(3)
h = copy.deepcopy(g)
print(torch.rand(1, generator=g) == torch.rand(1, generator=h))
a = random.Random(5)
b = copy.deepcopy(a)
print(a.random() == b.random(), pickle.loads(pickle.dumps(a)).random() == a.random())
o = torch.optim.SGD(m.parameters(), lr=0.1)
o.register_step_post_hook(lambda *a: print("hook"))
o2 = pickle.loads(pickle.dumps(o))
print(o2)
o3 = copy.deepcopy(o)
o3.step()
print(pickle.loads(pickle.dumps(datetime.timezone.utc)), copy.deepcopy(datetime.timezone.utc) is datetime.timezone.utc, repr(pickle.loads(pickle.dumps(datetime.datetime(2024,1,1,tzinfo=datetime.timezone.utc)))))
told(lambda: pickle.loads(b"\x80\x04(."))
told(lambda: pickle.loads(b"\x80\x04](a."))


class P(pickle.Pickler):
    def reducer_override(self, obj): return (int, ("7",)) if isinstance(obj, S) else NotImplemented


file = io.BytesIO()
P(file).dump([S()])
print(pickle.loads(file.getvalue()))
file = io.BytesIO()
other = pickle.Pickler(file)
other.dispatch_table = {S: lambda s: (int, ("9",))}
other.dump(S())
print(pickle.loads(file.getvalue()))
import torch.utils.data

print(torch.utils.data.DistributedSampler.__name__, torch.utils.data.distributed.DistributedSampler.__name__, platform.python_implementation())
print(ast.literal_eval("[1, # lr\n 2]"), ast.literal_eval("(1,\\\n2)"), ast.literal_eval("1 # c"))
import torch.nn.functional as FF
im = torch.arange(9.).reshape(1,1,3,3)
nan = float("nan")
for mode in ("bilinear","nearest"):
    for pad in ("zeros","border","reflection"):
        told(lambda: FF.grid_sample(im, torch.tensor([nan, 0.]).view(1,1,1,2), mode, pad, align_corners=False))
        told(lambda: FF.grid_sample(im, torch.tensor([float("inf"), 0.]).view(1,1,1,2), mode, pad, align_corners=False))


gr = torch.zeros(1,1,2,2, requires_grad=True)
FF.grid_sample(im, gr, "nearest", align_corners=False).sum().backward()
print(gr.grad)
print(FF.grid_sample(im[:0], torch.zeros(0,2,2,2), align_corners=False).shape)
told(lambda: FF.grid_sample(im[:, :, :0], torch.zeros(1,2,2,2), align_corners=False))
told(lambda: FF.grid_sample(im, torch.zeros(1,2,2,2).double(), align_corners=False))
from torch.func import vmap
print(type(vmap(lambda a: collections.OrderedDict(s=a.sum()))(torch.ones(2,3))).__name__)
from torch.nn.utils.rnn import *
y, _ = pad_packed_sequence(pack_padded_sequence(torch.ones(3,4,2), [2,4,3], batch_first=True, enforce_sorted=False), batch_first=True)
print(y.view(-1, 2).shape)
told(lambda: pack_padded_sequence(torch.ones(0,4,2), [], batch_first=True))
told(lambda: nn.LSTM(4,2)(pack_padded_sequence(torch.ones(3,2,2), [3,1])))
told(lambda: nn.LSTM(2,2)(pack_padded_sequence(torch.ones(3,2,2).double(), [3,1])))
c = collections.Counter("ab")
print(copy.copy(c), [].__reduce_ex__(4)[0].__name__)
