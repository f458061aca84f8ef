# Work waits in its stream until somebody waits for it: who reads too early sees what was before.
import torch

side = torch.cuda.Stream()
x = torch.zeros(3, device="cuda")
torch.cuda.synchronize()
with torch.cuda.stream(side):
    x += 1
    print(torch.cuda.current_stream() == side)
print(x.tolist(), side.query())
torch.cuda.current_stream().wait_stream(side)
print(x.tolist(), side.query())

# An event of one stream, waited for in another.
with torch.cuda.stream(side):
    x *= 5
    event = side.record_event()
    x += 100
event.wait()
print((x < 10).all().item())
side.synchronize()
print(x.tolist(), event.query())

# Memory that another stream uses is not handed out before that stream is done with it.
y = torch.full((3,), 7.0, device="cuda")
torch.cuda.synchronize()
with torch.cuda.stream(side):
    z = y * 2
    y.record_stream(side)
place = y.data_ptr()
del y
other = torch.full((3,), 9.0, device="cuda")
print(other.data_ptr() == place, other.tolist())
side.synchronize()
print(z.tolist(), torch.empty(3, device="cuda").data_ptr() == place)

# Products and compiled code, recorded too, go into the stream in use.
w = torch.eye(3, device="cuda") * 2
record = torch.compile(lambda a, b: torch.relu(a @ b).sum(dim=1) + a[:, 0], mode="reduce-overhead")
torch.cuda.synchronize()
for stream in (side, torch.cuda.Stream()):
    with torch.cuda.stream(stream):
        result = record(w, w + 1)
    stream.synchronize()
    print(result.tolist())
print(len({torch.cuda.Stream().cuda_stream for _ in range(40)}))
try:
    torch.ones(2).record_stream(side)
except NotImplementedError as error:
    print(error)
