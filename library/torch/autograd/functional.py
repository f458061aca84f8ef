"""Derivatives of functions: Jacobians, Hessians, and their products with vectors.

    jacobian(lambda x: x ** 2, torch.tensor([1.0, 2.0]))     # tensor([[2., 0.], [0., 4.]])

Made of `torch.autograd.grad`, one run backward an element of the result.
"""
import torch


def _leaves(inputs, create_graph):
    """The inputs as a tuple, not connected to what made them unless a graph is wanted."""
    given = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    if create_graph:
        return tuple([x.view_as(x) if x.requires_grad else x.detach().requires_grad_()
                      for x in given])
    return tuple([x.detach().requires_grad_() for x in given])


def _gradients(output, inputs, seed, create_graph, strict):
    gradients = torch.autograd.grad(output, inputs, seed, retain_graph=True,
                                    create_graph=create_graph, allow_unused=True)
    for i, gradient in enumerate(gradients):
        if gradient is None and strict:
            raise RuntimeError(f"Output 0 of the user-provided function is independent of input {i}"
                               ". This is not allowed in strict mode.")
    return [torch.zeros_like(x) if g is None else g for g, x in zip(gradients, inputs)]


def _rows(output, inputs, create_graph, strict):
    """For each input, the gradients of all elements of the output, stacked in its shape."""
    if not output.requires_grad or output.numel() == 0:
        return [torch.zeros(output.shape + x.shape, dtype=x.dtype, device=x.device) for x in inputs]
    rows = []
    for i in range(output.numel()):
        seed = torch.zeros(output.numel(), dtype=output.dtype, device=output.device)
        seed[i] = 1.0
        rows.append(_gradients(output, inputs, seed.reshape(output.shape), create_graph, strict))
    return [torch.stack([row[k] for row in rows]).reshape(output.shape + x.shape)
            for k, x in enumerate(inputs)]


def _shaped(values, inputs):
    return tuple(values) if isinstance(inputs, (tuple, list)) else values[0]


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False,
             strategy="reverse-mode"):
    with torch.enable_grad():
        leaves = _leaves(inputs, create_graph)
        outputs = func(*leaves)
        if isinstance(outputs, (tuple, list)):
            return tuple([_shaped(_rows(output, leaves, create_graph, strict), inputs)
                          for output in outputs])
        return _shaped(_rows(outputs, leaves, create_graph, strict), inputs)


def hessian(func, inputs, create_graph=False, strict=False, vectorize=False,
            outer_jacobian_strategy="reverse-mode"):
    def gradient(*given):
        output = func(*given)
        if output.numel() != 1:
            raise RuntimeError("The Tensor returned by the function given to hessian should "
                               "contain a single element")
        return tuple(_gradients(output.reshape(()), given, None, True, strict))

    with torch.enable_grad():
        leaves = _leaves(inputs, create_graph)
        rows = [tuple(_rows(g, leaves, create_graph, strict)) for g in gradient(*leaves)]
    return tuple(rows) if isinstance(inputs, (tuple, list)) else rows[0][0]


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    with torch.enable_grad():
        leaves = _leaves(inputs, create_graph)
        outputs = func(*leaves)
        gradients = _gradients(outputs, leaves, v, create_graph, strict)
    if not create_graph:
        outputs = (tuple([o.detach() for o in outputs]) if isinstance(outputs, (tuple, list))
                   else outputs.detach())
    return outputs, _shaped(gradients, inputs)


def jvp(func, inputs, v=None, create_graph=False, strict=False):
    """Forward products, by the gradient of a gradient."""
    with torch.enable_grad():
        leaves = _leaves(inputs, create_graph)
        outputs = func(*leaves)
        seed = torch.zeros_like(outputs).requires_grad_()
        gradients = _gradients(outputs, leaves, seed, True, strict)
        vectors = None if v is None else list(v) if isinstance(v, (tuple, list)) else [v]
        if vectors is None:
            vectors = [torch.ones_like(x) for x in leaves]
        total = sum([(g * w).sum() for g, w in zip(gradients, vectors)])
        product = _gradients(total, (seed,), None, create_graph, strict)[0]
    return (outputs if create_graph else outputs.detach()), product


def vhp(func, inputs, v=None, create_graph=False, strict=False):
    def gradient(*given):
        return tuple(_gradients(func(*given), given, None, True, strict))

    with torch.enable_grad():
        leaves = _leaves(inputs, create_graph)
        output = func(*leaves)
        gradients = gradient(*leaves)
        vectors = [v] if isinstance(v, torch.Tensor) else list(v)
        total = sum([(g * w).sum() for g, w in zip(gradients, vectors)])
        products = _gradients(total, leaves, None, create_graph, strict)
    return (output if create_graph else output.detach()), _shaped(products, inputs)


hvp = vhp
