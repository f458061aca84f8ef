"""Parts of parameters set to 0 for good, by a mask that a hook applies before each call.

    l1_unstructured(layer, "weight", amount=0.3)     # parameter weight_orig, buffer weight_mask
    remove(layer, "weight")                          # a parameter again, zeros and all
"""
import torch
from torch.nn.utils import parameters_to_vector


class BasePruningMethod:
    """A subclass says in `compute_mask` what stays, and in PRUNING_TYPE what it looks at."""

    def __call__(self, module, inputs):
        setattr(module, self._tensor_name, self.apply_mask(module))

    def compute_mask(self, t, default_mask):
        raise NotImplementedError

    def apply_mask(self, module):
        mask, original = getattr(module, self._tensor_name + "_mask"), getattr(module, self._tensor_name + "_orig")
        return mask.to(dtype=original.dtype) * original

    @classmethod
    def _joined(cls, module, name, args, kwargs):
        """The method, or all that prune this parameter, with it at the end."""
        hooks = [(key, hook) for key, hook in module._forward_pre_hooks.items()
                 if isinstance(hook, BasePruningMethod) and hook._tensor_name == name]
        for key, _ in hooks:
            del module._forward_pre_hooks[key]
        method = cls(*args, **kwargs)
        method._tensor_name = name
        if not hooks:
            return method
        old = hooks[0][1]
        container = old if isinstance(old, PruningContainer) else PruningContainer(old)
        container.add_pruning_method(method)
        return container

    @classmethod
    def apply(cls, module, name, *args, importance_scores=None, **kwargs):
        method = cls._joined(module, name, args, kwargs)
        original = getattr(module, name)
        if importance_scores is not None and importance_scores.shape != original.shape:
            raise AssertionError(f"importance_scores should have the same shape as parameter {name} of {module}, got "
                                 f"{importance_scores.shape} vs {original.shape}")
        scores = original if importance_scores is None else importance_scores
        first = not isinstance(method, PruningContainer)
        before = torch.ones_like(original) if first else getattr(module, name + "_mask").detach().clone()
        mask = method.compute_mask(scores, default_mask=before)
        if first:
            delattr(module, name)
            module.register_parameter(name + "_orig", original)
        if name + "_mask" in module._buffers:
            setattr(module, name + "_mask", mask)
        else:
            module.register_buffer(name + "_mask", mask)
        setattr(module, name, method.apply_mask(module))
        module.register_forward_pre_hook(method)
        return method

    def prune(self, t, default_mask=None, importance_scores=None):
        if importance_scores is not None and importance_scores.shape != t.shape:
            raise AssertionError("importance_scores should have the same shape as tensor t, got "
                                 f"{importance_scores.shape} vs {t.shape}")
        before = torch.ones_like(t) if default_mask is None else default_mask
        return t * self.compute_mask(t if importance_scores is None else importance_scores, default_mask=before)

    def remove(self, module):
        name = self._tensor_name
        weight = self.apply_mask(module)
        original = module._parameters[name + "_orig"]
        original.data = weight.data
        for each in (name, name + "_orig", name + "_mask"):
            delattr(module, each)
        setattr(module, name, original)


class PruningContainer(BasePruningMethod):
    """Several methods: each looks at what the ones before it have left."""

    def __init__(self, *methods):
        self._pruning_methods = ()
        if methods:
            self._tensor_name = methods[0]._tensor_name
        for method in methods:
            self.add_pruning_method(method)

    def add_pruning_method(self, method):
        if not isinstance(method, BasePruningMethod):
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if self._tensor_name != method._tensor_name:
            raise ValueError("Can only add pruning methods acting on the parameter named "
                             f"'{self._tensor_name}' to PruningContainer {self}. Found '{method._tensor_name}'")
        self._pruning_methods += (method,)

    def __len__(self):
        return len(self._pruning_methods)

    def __iter__(self):
        return iter(self._pruning_methods)

    def __getitem__(self, index):
        return self._pruning_methods[index]

    @staticmethod
    def _left(method, t, mask):
        """The index of what is left of the tensor."""
        if method.PRUNING_TYPE == "unstructured":
            return mask == 1
        everything = [slice(None)] * t.dim()
        if method.PRUNING_TYPE == "structured":
            dim = method.dim % t.dim()
            everything[dim] = mask.sum(dim=[each for each in range(t.dim()) if each != dim]) != 0
        elif method.PRUNING_TYPE != "global":
            raise ValueError(f"Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}")
        return tuple(everything)

    def compute_mask(self, t, default_mask):
        method = self._pruning_methods[-1]
        result = default_mask.to(dtype=t.dtype)
        left = self._left(method, t, default_mask)
        result[left] = method.compute_mask(t[left], default_mask=default_mask[left]).to(dtype=result.dtype)
        return result


def _check_amount(amount):
    if isinstance(amount, bool) or not isinstance(amount, (int, float)):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    if amount < 0 or (isinstance(amount, float) and amount > 1.0):
        raise ValueError(f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer")


def _count(amount, size):
    """How many of so many."""
    if isinstance(amount, int):
        if amount > size:
            raise ValueError(f"amount={amount} should be smaller than the number of parameters to prune={size}")
        return amount
    return round(amount * size)


class Identity(BasePruningMethod):
    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        return default_mask


class RandomUnstructured(BasePruningMethod):
    PRUNING_TYPE = "unstructured"

    def __init__(self, amount):
        _check_amount(amount)
        self.amount = amount

    def _pruned(self, t, count):
        """The places of so many elements."""
        return torch.topk(torch.rand_like(t).view(-1), k=count).indices

    def compute_mask(self, t, default_mask):
        count = _count(self.amount, t.nelement())
        mask = default_mask.clone()
        if count != 0:
            mask.view(-1)[self._pruned(t, count)] = 0
        return mask


class L1Unstructured(RandomUnstructured):
    def _pruned(self, t, count):
        return torch.topk(torch.abs(t).view(-1), k=count, largest=False).indices


class RandomStructured(BasePruningMethod):
    PRUNING_TYPE = "structured"

    def __init__(self, amount, dim=-1):
        _check_amount(amount)
        self.amount, self.dim = amount, dim

    def _kept(self, t, size, count):
        """An index of the channels that stay where `count` of them go."""
        chances = torch.rand(size)
        return chances > torch.kthvalue(chances, k=count).values

    def compute_mask(self, t, default_mask):
        if t.dim() <= 1:
            raise ValueError("Structured pruning can only be applied to multidimensional tensors. Found tensor of "
                             f"shape {t.shape} with {t.dim()} dims")
        if self.dim >= t.dim():
            raise IndexError(f"Invalid index {self.dim} for tensor of size {t.shape}")
        size = t.shape[self.dim]
        count = _count(self.amount, size)
        if count == 0:
            return default_mask
        mask = torch.zeros_like(t)
        place = [slice(None)] * t.dim()
        place[self.dim] = self._kept(t, size, count)
        mask[tuple(place)] = 1
        return mask * default_mask.to(dtype=mask.dtype)


class LnStructured(RandomStructured):
    def __init__(self, amount, n, dim=-1):
        super().__init__(amount, dim)
        self.n = n

    def _kept(self, t, size, count):
        dims = [each for each in range(t.dim()) if each != self.dim % t.dim()]
        if self.n == "nuc" or (self.n == "fro" and len(dims) == 2):
            norms = torch.linalg.matrix_norm(t, ord=self.n, dim=dims if len(dims) == 2 else (-2, -1))
        else:
            norms = torch.linalg.vector_norm(t, ord=2 if self.n == "fro" else self.n, dim=dims)
        return torch.topk(norms, k=size - count, largest=True).indices


class CustomFromMask(BasePruningMethod):
    PRUNING_TYPE = "global"

    def __init__(self, mask):
        self.mask = mask

    def compute_mask(self, t, default_mask):
        if default_mask.shape != self.mask.shape:
            raise AssertionError(f"default_mask shape {default_mask.shape} must match self.mask shape "
                                 f"{self.mask.shape}")
        return default_mask * self.mask.to(dtype=default_mask.dtype)


def identity(module, name):
    Identity.apply(module, name)
    return module


def random_unstructured(module, name, amount):
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module, name, amount, importance_scores=None):
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module, name, amount, dim):
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(module, name, amount, n, dim, importance_scores=None):
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module, name, mask):
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(parameters, pruning_method, importance_scores=None, **kwargs):
    """As one vector: a layer may lose more than another."""
    parameters = list(parameters)
    given = {} if importance_scores is None else importance_scores
    if not isinstance(given, dict):
        raise TypeError("global_unstructured(): importance_scores must be of type dict")
    tensors = [getattr(module, name) for module, name in parameters]
    scores = parameters_to_vector([given.get(key, tensor) for key, tensor in zip(parameters, tensors)])
    masks = [getattr(module, name + "_mask", torch.ones_like(getattr(module, name))) for module, name in parameters]
    method = pruning_method(**kwargs)
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError('Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method '
                        f"{pruning_method} of type {method.PRUNING_TYPE}")
    method._tensor_name = "temp"
    mask = PruningContainer(method).compute_mask(scores, parameters_to_vector(masks))
    for (module, name), part in zip(parameters, mask.split([tensor.numel() for tensor in tensors])):
        custom_from_mask(module, name, mask=part.view_as(getattr(module, name)))


def remove(module, name):
    for key, hook in list(module._forward_pre_hooks.items()):
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")


def is_pruned(module):
    return any([isinstance(hook, BasePruningMethod) for each in module.modules()
                for hook in each._forward_pre_hooks.values()])
