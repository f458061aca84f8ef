# tolerance: 1e-4
"""The forward pass of a small network: matrix products from a tuned library, the rest generated.

Each layer is a matrix product with a bias and an activation behind it. The product calls the
library; bias and activation are one loop over its result. The network is a plain class here, so that
every step is in sight.
"""
import torch


class Layer:
    def __init__(self, inputs, outputs, activation):
        bound = 1 / inputs**0.5
        self.weight = (torch.rand(outputs, inputs) * 2 - 1) * bound
        self.bias = (torch.rand(outputs) * 2 - 1) * bound
        self.activation = activation

    def __call__(self, x):
        y = x @ self.weight.t() + self.bias
        return self.activation(y) if self.activation is not None else y


class Network:
    def __init__(self, sizes):
        self.layers = []
        for i, (inputs, outputs) in enumerate(zip(sizes, sizes[1:])):
            last = i == len(sizes) - 2
            self.layers.append(Layer(inputs, outputs, None if last else torch.relu))

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return torch.log_softmax(x, dim=-1)


torch.manual_seed(3)
network = Network([784, 512, 256, 10])
batch = torch.randn(64, 784)

forward = torch.compile(lambda x: network(x))
eager = network(batch)
compiled = forward(batch)

print("output:", tuple(compiled.shape), compiled.dtype)
print("first row:", compiled[0])
print("classes:", compiled.argmax(dim=1)[:16].tolist())
print("probabilities sum to one:", torch.allclose(compiled.exp().sum(dim=1), torch.ones(64), atol=1e-5))
print("same as eager:", torch.allclose(compiled, eager, atol=1e-5))
