# What an operator refuses by values is the script's exception, whichever backend runs the graph.
import torch
import torch.nn.functional as F

table = torch.arange(4.0).reshape(2, 2)
for backend in ["eager", "aot_eager"]:
    look_up = torch.compile(lambda i: F.embedding(i, table) + 1, backend=backend)
    for places in [[0, 1], [0, 2], [1, 1]]:
        try:
            print(backend, look_up(torch.tensor(places)).tolist())
        except IndexError as error:
            print(backend, "IndexError", error)
