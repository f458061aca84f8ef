"""`torch.func`: functions of derivatives, and modules as functions of their parameters.

    grad(lambda x: (x ** 3).sum())(x)                      # 3 * x ** 2
    grad(grad(torch.sin))(torch.tensor(1.0))               # -sin(1)
    functional_call(model, parameters, (x,))               # model(x) with other parameters

A derivative is taken by `torch.autograd.grad` of inputs that are leaves of their own; inside another
derivative they are not, so that it goes through.
"""
import torch
from torch._vmap import vmap
from torch.autograd.functional import _rows

_under_way = 0  # how many derivatives are being taken, one inside the other
_callers_mode = True  # whether the outermost one's caller records gradients


def _map(function, tree):
    """The tensors of a tree of tuples, lists and dicts, each replaced."""
    if isinstance(tree, torch.Tensor):
        return function(tree)
    if isinstance(tree, (tuple, list)):
        return type(tree)([_map(function, each) for each in tree])
    if isinstance(tree, dict):
        return {key: _map(function, value) for key, value in tree.items()}
    return tree


def _tensors(tree):
    found = []
    _map(found.append, tree)
    return found


def _rebuilt(tree, tensors):
    """The tree with other tensors, in order."""
    following = iter(tensors)
    return _map(lambda old: next(following), tree)


def _is_watched(tree):
    """Whether somebody outside may ask how a result depends on these."""
    return _under_way > 1 or any([x.requires_grad for x in _tensors(tree)])


def _leaves(tree):
    return _map(_leaf, tree)


def _leaf(x):
    if x.requires_grad:
        return x.view_as(x)
    return (x.clone() if x.is_inference() else x.detach()).requires_grad_()


def _settled(tree, watched, leaves):
    """Results of a derivative that is over: where nothing else is watched, they have no history."""
    if _under_way <= 1 and not _callers_mode:
        return _map(lambda x: x.detach(), tree)
    if watched or _depend_on_others(_tensors(tree), _tensors(leaves)):
        return tree
    return _map(lambda x: x.detach(), tree)


def _depend_on_others(results, leaves):
    """Whether results have a history that begins elsewhere too, such as at a module's parameters."""
    # The history of a complex tensor is that of its pairs.
    own = {id(each._pairs if each.is_complex() else each) for each in leaves}
    waiting = [each.grad_fn for each in results if each.grad_fn is not None]
    if any([each.requires_grad and each.grad_fn is None and id(each) not in own for each in results]):
        return True
    seen = set()  # of nodes themselves: one is a new object whenever it is asked for
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        if hasattr(node, "variable"):
            if id(node.variable) not in own:
                return True
        else:
            waiting.extend([following for following, _ in node.next_functions if following is not None])
    return False


class _Derivative:
    """A derivative under way: gradients are recorded, and it counts as one."""

    def __enter__(self):
        global _under_way, _callers_mode
        if _under_way == 0:
            _callers_mode = torch.is_grad_enabled()
        _under_way += 1
        self._modes = [torch.inference_mode(False), torch.enable_grad()]
        for mode in self._modes:
            mode.__enter__()

    def __exit__(self, *exception):
        global _under_way
        _under_way -= 1
        for mode in reversed(self._modes):
            mode.__exit__(*exception)


def _gradients(outputs, inputs, seeds=None):
    """Of tensors by tensors, zero where there is no way from one to the other."""
    connected = [i for i, each in enumerate(outputs) if each.requires_grad]
    if not connected or not inputs:
        return [torch.zeros_like(each) for each in inputs]
    found = torch.autograd.grad([outputs[i] for i in connected], inputs,
                                None if seeds is None else [seeds[i] for i in connected],
                                create_graph=True, allow_unused=True)
    return [torch.zeros_like(x) if each is None else each for each, x in zip(found, inputs)]


def _chosen(args, argnums):
    """The arguments that are meant, the tree of them, and their places."""
    if not isinstance(argnums, (int, tuple)):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    places = argnums if isinstance(argnums, tuple) else (argnums,)
    if not places:
        raise RuntimeError("argnums must be non-empty")
    for place in places:
        if not -len(args) <= place < len(args):
            raise RuntimeError(f"Got argnum={place}, but only {len(args)} positional inputs")
    places = [place % len(args) for place in places]
    if len(set(places)) != len(places):
        raise RuntimeError(f"argnums elements must be unique, got {argnums}")
    return [args[place] for place in places], places


def _with_chosen(args, places, values):
    args = list(args)
    for place, value in zip(places, values):
        args[place] = value
    return args


def grad_and_value(func, argnums=0, has_aux=False):
    """A function that gives the gradient of `func`, whose result is one number, and that number."""
    def wrapper(*args, **kwargs):
        with _Derivative():
            given, places = _chosen(args, argnums)
            watched = _is_watched(given)
            leaves = _leaves(given)
            output = func(*_with_chosen(args, places, leaves), **kwargs)
            aux = None
            if has_aux:
                if not isinstance(output, tuple) or len(output) != 2:
                    raise RuntimeError(
                        "grad_and_value(f)(*args): output of function f should be a tuple: "
                        "(output, aux) if has_aux is True")
                output, aux = output
            if not isinstance(output, torch.Tensor):
                raise RuntimeError("grad_and_value(f)(*args): Expected f(*args) to return a "
                                   f"Tensor, got {type(output)}")
            if output.dim() != 0:
                raise RuntimeError("grad_and_value(f)(*args): Expected f(*args) to return a scalar "
                                   f"Tensor, got tensor with {output.dim()} dims. Maybe you wanted "
                                   "to use the vjp or jacrev APIs instead?")
            gradients = _rebuilt(leaves, _gradients([output], _tensors(leaves)))
            gradients = tuple(gradients) if isinstance(argnums, tuple) else gradients[0]
            results = gradients, output if not has_aux else (output, aux)
            return _settled(results, watched, leaves)

    return wrapper


def grad(func, argnums=0, has_aux=False):
    """A function that gives the gradient of `func`, whose result is one number."""
    both = grad_and_value(func, argnums, has_aux)

    def wrapper(*args, **kwargs):
        gradients, value = both(*args, **kwargs)
        return (gradients, value[1]) if has_aux else gradients

    return wrapper


def vjp(func, *primals, has_aux=False):
    """The result, and a function of a vector: its product with the Jacobian."""
    with _Derivative():
        watched = _is_watched(primals)
        leaves = _leaves(primals)
        output = func(*leaves)
        aux = ()
        if has_aux:
            output, aux = output[0], (_settled(output[1], watched, leaves),)
    _check_tensors(output, "vjp(f, *primals)")
    shown = _settled(output, watched, leaves)

    def product(*cotangents):
        vector = cotangents[0] if len(cotangents) == 1 and not isinstance(output, tuple) else cotangents
        if len(cotangents) == 1 and isinstance(cotangents[0], tuple):
            vector = cotangents[0]
        _check_same_structure(vector, output)
        with _Derivative():
            found = _rebuilt(leaves, _gradients(_tensors(output), _tensors(leaves), _tensors(vector)))
        found = _settled(found, watched or _is_watched(vector), leaves)
        return tuple(found)

    return (shown, product) + aux


def _check_tensors(output, what):
    if not _tensors(output):
        raise RuntimeError(f"{what}: Expected f(*args) to return only tensors, got unsupported type "
                           f"{type(output)}")


def _check_same_structure(vector, output):
    if _map(lambda x: x.shape, vector) != _map(lambda x: x.shape, output):
        raise RuntimeError("Expected pytree structure of cotangents to be the same as pytree structure "
                           "of outputs to the function.")


def jvp(func, primals, tangents, *, strict=False, has_aux=False):
    """The result, and the Jacobian's product with a vector: the gradient of a gradient."""
    with _Derivative():
        watched = _is_watched((primals, tangents))
        leaves = _leaves(primals)
        output = func(*leaves)
        aux = ()
        if has_aux:
            output, aux = output[0], (_settled(output[1], watched, leaves),)
        _check_tensors(output, "jvp(f, primals, tangents)")
        seeds = [torch.zeros_like(each, requires_grad=True) for each in _tensors(output)]
        pulled = _gradients(_tensors(output), _tensors(leaves), seeds)
        found = _rebuilt(output, _gradients(pulled, seeds, _tensors(tangents)))
        return (_settled(output, watched, leaves), _settled(found, watched, leaves)) + aux


def linearize(func, *primals):
    """The result, and the function that takes tangents to the Jacobian's product with them."""
    output = func(*primals)
    known = _tensors(primals)

    def product(*tangents):
        given = _tensors(tangents)
        if len(given) != len(known):
            raise RuntimeError(f"Expected the tangents of {len(known)} tensors, got {len(given)}")
        for place, (primal, tangent) in enumerate(zip(known, given)):
            for what in ("shape", "dtype"):
                if getattr(primal, what) != getattr(tangent, what):
                    raise RuntimeError(f"tangent:{place} with {what} {getattr(tangent, what)} in flattened pytree "
                                       f"doesn't match the {what} {getattr(primal, what)} of the corresponding "
                                       "primal.")
        return jvp(func, primals, tangents)[1]

    return output, product


def jacrev(func, argnums=0, *, has_aux=False, chunk_size=None):
    """A function that gives the Jacobian of `func`, a row for each element of the result."""
    def wrapper(*args):
        with _Derivative():
            given, places = _chosen(args, argnums)
            watched = _is_watched(given)
            leaves = _leaves(given)
            output = func(*_with_chosen(args, places, leaves))
            aux = None
            if has_aux:
                output, aux = output
            _check_tensors(output, "jacrev(f, *primals)")
            found = _map(lambda each: _jacobian(each, leaves, isinstance(argnums, tuple)), output)
            return _settled((found, aux) if has_aux else found, watched, leaves)

    return wrapper


def _jacobian(output, leaves, is_tuple):
    made = _rows(output, _tensors(leaves), create_graph=True, strict=False)
    made = _rebuilt(leaves, made)
    return tuple(made) if is_tuple else made[0]


def jacfwd(func, argnums=0, has_aux=False, *, randomness="error", chunk_size=None):
    """The same as `jacrev`, whose rows it is made of."""
    return jacrev(func, argnums, has_aux=has_aux)


def hessian(func, argnums=0):
    """A function that gives the second derivatives of `func`."""
    return jacfwd(jacrev(func, argnums), argnums)


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True,
                    strict=False):
    """The module's result with other parameters and buffers, by their names; it keeps its own."""
    given = parameter_and_buffer_dicts
    given = given if isinstance(given, (tuple, list)) else (given,)
    replaced = {}
    for each in given:
        twice = [name for name in each if name in replaced]
        if twice:
            raise ValueError(f"{twice} appeared in multiple dictionaries; behavior of functional call "
                             "is ambiguous")
        replaced.update(each)
    known = dict(module.named_parameters(remove_duplicate=False))
    known.update(dict(module.named_buffers(remove_duplicate=False)))
    unknown = [name for name in replaced if name not in known]
    missing = [name for name in known if name not in replaced]
    if strict and (unknown or missing):
        raise RuntimeError(_strict_error(module, unknown, missing))
    if tie_weights:
        replaced = _with_tied(known, replaced)
    places = []
    for name, tensor in replaced.items():
        if name in known:
            owner, _, last = name.rpartition(".")
            owner = module.get_submodule(owner)
            places.append((name, owner, last, getattr(owner, last), tensor))
            _put(owner, last, tensor)
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    try:
        return module(*args, **({} if kwargs is None else kwargs))
    finally:
        for name, owner, last, before, tensor in places:
            if getattr(owner, last) is not tensor:  # assigned to: the caller's dict has it now
                for each in given:
                    if name in each:
                        each[name] = getattr(owner, last)
            _put(owner, last, before)


def _put(owner, name, tensor):
    """In the place of a parameter or buffer, which any tensor may take here."""
    (owner._parameters if name in owner._parameters else owner._buffers)[name] = tensor
    object.__setattr__(owner, name, tensor)


def _strict_error(module, unknown, missing):
    texts = [f"{which} key(s): {', '.join([repr(name) for name in sorted(names)])}."
             for which, names in (("Unexpected", unknown), ("Missing", missing)) if names]
    return f"Error(s) in reparametrizing for {type(module).__name__}:\n\t" + "\n\t".join(texts)


def _with_tied(known, replaced):
    """What shares a parameter that is replaced is replaced too."""
    given = {id(known[name]): tensor for name, tensor in replaced.items() if name in known}
    tied = {name: given[id(own)] for name, own in known.items()
            if name not in replaced and id(own) in given}
    return {**replaced, **tied}


def stack_module_state(models):
    """The parameters and the buffers of several models of one class, each stacked, as two dicts."""
    if len(models) == 0:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({model.training for model in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if len({type(model) for model in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    return (_stacked([dict(model.named_parameters()) for model in models]),
            _stacked([dict(model.named_buffers()) for model in models]))


def _stacked(states):
    made = {}
    for name in states[0]:
        tensors = [state[name] for state in states]
        if len({tensor.requires_grad for tensor in tensors}) > 1:
            raise RuntimeError(f"Expected {name} from each model to have the same .requires_grad")
        made[name] = torch.stack(tensors).detach().requires_grad_(tensors[0].requires_grad)
    return made
