# What `dir` tells of a compiled module: the module's own names.
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(2, 2)])
        self.register_buffer("scale", torch.ones(2))
        self.note = "plain"

    def twice(self, x):
        return x * 2

    def forward(self, x):
        return self.layers[0](x) * self.scale


net = torch.compile(Net())
wanted = {"layers", "scale", "note", "twice", "forward", "parameters", "_orig_mod"}
print(sorted(wanted & set(dir(net))))
print(dir(net) == sorted(dir(net)), len(dir(net)) == len(set(dir(net))))


class Short:
    def __dir__(self):
        return ["b", "a"]

    def __len__(self):
        return 0


# A class is asked by its own class: what it has is for its objects.
print(dir(Short()), {"__dir__", "__len__"} <= set(dir(Short)))
