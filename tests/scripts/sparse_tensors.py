"""Sparse tensors: what they are, what is computed with them, their gradients, and what they refuse."""
import warnings

import torch

warnings.simplefilter("ignore")
i=torch.tensor([[0,1,1,0],[2,0,2,2]]); v=torch.tensor([3.,4.,5.,1.])
s=torch.sparse_coo_tensor(i,v,(2,3))
print(s); print(repr(s.coalesce())); print(s.shape,s.size(),s.size(1),s.dim(),s.ndim,s.dtype,s.device,s.layout,s.is_sparse,torch.ones(1).is_sparse,s.is_coalesced(),s._nnz(),s.requires_grad, s.numel(), len(s))
print(s.coalesce().indices(), s.coalesce().values(), s._indices(), s._values())
try: s.indices()
except RuntimeError as e: print(e)
try: s.values()
except RuntimeError as e: print(e)
print(s.to_dense()); print(torch.sparse_coo_tensor(i,v))
print(torch.sparse_coo_tensor(torch.zeros(2,0,dtype=torch.int64),torch.zeros(0),(2,2)))
print(torch.sparse_coo_tensor((2,3)))
print(torch.sparse_coo_tensor([[0,1],[1,0]],[1,2]))
d=torch.arange(6.).view(3,2)
print(torch.sparse.mm(s,d), torch.spmm(s,d), s@d, torch.mm(s,d), s.mm(d), s.matmul(d), s@d[:,0], torch.mv(s,d[:,0]))
print((s*2), s/2, (-s), (s+s), (s+s).coalesce())
print(s.t(), s.transpose(0,1).shape)
print(torch.sparse.sum(s), torch.sparse.sum(s,dim=1), torch.sparse.sum(s,0).to_dense(), s.sum())
e=torch.eye(3).to_sparse(); print(e, e.is_coalesced())
w=torch.tensor([[1.,2.],[3.,4.]],requires_grad=True)
o=torch.sparse.mm(torch.eye(2).to_sparse(), w); print(o.detach()); o.sum().backward(); print(w.grad)
vv=torch.tensor([1.,2.],requires_grad=True)
q=torch.sparse_coo_tensor([[0,1],[1,0]],vv,(2,2)); print(q, q.requires_grad)
r=torch.sparse.mm(q,w.detach()); print(r.detach()); r.sum().backward(); print(vv.grad)
print(q.to_dense().detach())
print(torch.sparse.FloatTensor(i,v,torch.Size([2,3])))
print(isinstance(s,torch.Tensor), torch.is_tensor(s), type(s), s.double().dtype, s.to(torch.float64).dtype, s.float() is s, s.detach().requires_grad, s.clone()._nnz())
print(torch.sparse.softmax(e,1).to_dense(), torch.sparse.log_softmax(s,1).to_dense())
print(torch.sparse.addmm(torch.ones(2,2),s,d), torch.addmm(torch.ones(2,2),s,d))
print(s.coalesce()*torch.ones(2,3)*2, s.to_dense()+s, torch.ones(2,3)+s)
print(torch.sparse.mm(s,s.t()).to_dense(), (s@s.t()).layout)
print(e[0], e[1,1], s.index_select(0,torch.tensor([1])).to_dense())
for f in (lambda: torch.sparse_coo_tensor(torch.tensor([[0, 1]]), torch.ones(3)), lambda: torch.sparse.mm(s, torch.ones(2, 2)),
          lambda: torch.relu(s), lambda: torch.cat([s, s]), lambda: s.view(3, 2), lambda: torch.exp(s), lambda: s.numpy(),
          lambda: s.tolist(), lambda: bool(s), lambda: s[0, 0], lambda: d @ s):
    try: print(f())
    except Exception as ex: print(type(ex).__name__, str(ex)[:140])
print(s.abs(), s.pow(2).coalesce(), torch.sqrt(s), s.coalesce().values().sum(), s.T.shape, s.cpu().shape)
h=torch.sparse_coo_tensor(torch.tensor([[0,1]]),torch.ones(2,3),(4,3)); print(h, h.sparse_dim(), h.dense_dim(), h.to_dense())
print(torch.stack([s,s]).shape, torch.equal(s.to_dense(),s.to_dense()), torch.strided, torch.ones(1).layout, torch.sparse_coo)
print(s.to_dense().to_sparse().indices(), torch.sparse.spdiags(torch.tensor([[1.,2.,3.]]),torch.tensor([0]),(3,3)).to_dense())
print(s.half().dtype, s.long().dtype, s.bool().coalesce().values())
print((s.t()@s).coalesce().values(), torch.sparse.sum(s,dim=(0,1)), (s*s).coalesce().values(), (s-s).coalesce().values())


# A graph's convolution, and a sparse buffer.
class Convolution(torch.nn.Module):
    def __init__(self, adjacency, n_in, n_out):
        super().__init__()
        self.register_buffer("adjacency", adjacency)
        self.weight = torch.nn.Parameter(torch.arange(n_in * n_out).reshape(n_in, n_out) * 0.1)
        self.bias = torch.nn.Parameter(torch.zeros(n_out))

    def forward(self, x):
        return torch.spmm(self.adjacency, torch.mm(x, self.weight)) + self.bias


edges = torch.tensor([[0, 1, 2, 3, 1], [1, 2, 3, 0, 1]])
adjacency = torch.sparse_coo_tensor(edges, torch.tensor([0.5, 0.25, 1.0, 2.0, 1.0]), (4, 4)).coalesce()
layer = Convolution(adjacency, 3, 2)
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
x = torch.arange(12.0).reshape(4, 3) / 10
for step in range(4):
    loss = torch.nn.functional.cross_entropy(layer(x), torch.tensor([0, 1, 0, 1]))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.5f}", [round(v, 4) for v in layer.weight.grad.flatten().tolist()])
print(layer.double().adjacency.dtype, [name for name, _ in layer.named_buffers()])
weights = torch.sparse_coo_tensor(edges, torch.ones(5), (4, 4), requires_grad=True)
torch.sparse.mm(weights, x).sum().backward()
print(weights.grad)
