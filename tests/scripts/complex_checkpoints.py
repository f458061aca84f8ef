# Complex tensors and numbers in checkpoints, pickles and copies.
import torch, pickle, io, copy
z = torch.polar(torch.ones(3, 2), torch.arange(6.).view(3, 2))
p = torch.nn.Parameter(z.clone())
f = io.BytesIO()
torch.save({"z": z, "row": z[1], "t": z.T, "p": p, "d": torch.complex64}, f)
f.seek(0)
back = torch.load(f)
print(back)
back["z"][1, 0] = 9
print(back["row"], back["t"])
print(pickle.loads(pickle.dumps([1 + 2j, z, torch.complex128, p])), copy.deepcopy([1j, z]), copy.copy(z))
