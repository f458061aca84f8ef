"""`torch.einsum`: sums of products by the names of dimensions.

    einsum("bij,bjk->bik", a, b)     # a batch of matrix products

1. `_Plan`: operands are taken two at a time from the left; what becomes of each dimension follows from
   the names alone, so that a plan is made once for an equation and kept.
2. `_contract`: a pair is one `bmm`, between `permute` and `reshape` where dimensions do not lie so.
"""
from torch.compiler import is_compiling


def _parse(equation, operands):
    equation = equation.replace(" ", "")
    inputs, arrow, output = equation.partition("->")
    terms = inputs.split(",")
    if len(terms) != len(operands):
        raise RuntimeError(f"einsum(): {'fewer' if len(terms) > len(operands) else 'more'} operands "
                           "were provided than specified in the equation")
    rest = 0
    for term, operand in zip(terms, operands):
        if "..." in term:
            rest = max(rest, operand.dim() - len(term) + 3)
    ellipsis = [chr(0x100 + i) for i in range(rest)]  # one-letter names for the dimensions of `...`
    named = []
    for i, (term, operand) in enumerate(zip(terms, operands)):
        if "..." in term:
            count = operand.dim() - len(term) + 3
            term = term.replace("...", "".join(ellipsis[rest - count:]))
        if len(term) != operand.dim():
            raise RuntimeError(f"einsum(): the number of subscripts in the equation ({len(term)}) "
                               f"does not match the number of dimensions ({operand.dim()}) for "
                               f"operand {i} and no ellipsis was given")
        named.append(term)
    if arrow:
        output = output.replace("...", "".join(ellipsis))
        for name in output:
            if output.count(name) > 1:
                raise RuntimeError(f"einsum(): output subscript {name} appears more than once in the "
                                   "output")
            if name not in "".join(named) and name not in ellipsis:
                raise RuntimeError(f"einsum(): output subscript {name} does not appear in the "
                                   "equation for any input operand")
    else:
        letters = "".join(named)
        once = [c for c in sorted(set(letters)) if letters.count(c) == 1 and c not in ellipsis]
        output = "".join(ellipsis) + "".join(once)
    return named, output


def _check_sizes(pairs):
    """A name has one size, or that and 1, in all operands. The dimensions of `...` are letters from 0x100."""
    seen = {}
    for place, (operand, names) in enumerate(pairs):
        for name, size in zip(names, operand.shape):
            if name not in seen or seen[name] == 1:
                seen[name] = size
            elif size != seen[name] and size != 1:
                raise RuntimeError(
                    f"einsum(): dimension {ord(name) - 0x100} covered by ellipsis in operand {place}has size "
                    f"{size} which does not broadcast with previously seen ellipsis with size {seen[name]} for "
                    "the respective dimension" if ord(name) >= 0x100 else
                    f"einsum(): subscript {name} has size {size} for operand {place} which does not broadcast "
                    f"with previously seen size {seen[name]}")


def _diagonals(place, operand, names):
    """Repeated names of one operand become the diagonal of their dimensions."""
    for name in sorted(set(names)):
        while names.count(name) > 1:
            first = names.index(name)
            second = names.index(name, first + 1)
            if operand.shape[first] != operand.shape[second]:
                raise RuntimeError(f"einsum(): subscript {name} is repeated for operand {place} but the sizes "
                                   f"don't match, {operand.shape[second]} != {operand.shape[first]}")
            operand = operand.diagonal(0, first, second)
            names = names[:first] + names[first + 1:second] + names[second + 1:] + name
    return operand, names


def _sum_behind(operand, names, output):
    """The operand in the output's order; what stands behind that is summed."""
    rest = [name for name in names if name not in output]
    arranged = operand.permute(_places(names, output + "".join(rest)))
    return arranged.sum(list(range(len(output), len(names)))) if rest else arranged


def _places(names, order):
    """Where each name of the order stands among the names."""
    return [names.index(name) for name in order]


def _is_as_it_lies(order):
    return order == list(range(len(order)))


def _product(sizes):
    result = 1
    for size in sizes:
        result *= size
    return result


# ---- What to do, by the names alone -------------------------------------------------------------

class _Plan:
    """Of an equation over operands of so many dimensions; `_made` keeps it."""

    def __init__(self, equation, operands):
        self.terms, self.output = _parse(equation, operands)
        self.repeats = any(len(set(term)) < len(term) for term in self.terms)
        names = ["".join(_once(term)) for term in self.terms]
        self.meetings = _meetings(names)
        self.steps = []
        joined = names[0]
        for i in range(1, len(names)):
            needed = self.output + "".join(names[i + 1:])
            step = _Step(joined, names[i], needed)
            self.steps.append(step)
            joined = step.wanted


def _once(term):
    """The names in the order in which `_diagonals` leaves them."""
    for name in sorted(set(term)):
        if term.count(name) > 1:
            term = term.replace(name, "") + name
    return term


def _meetings(names):
    """Two places of one name in two operands: (operand, dimension, other operand, its dimension)."""
    first, found = {}, []
    for place, term in enumerate(names):
        for dim, name in enumerate(term):
            if name in first:
                found.append((*first[name], place, dim))
            else:
                first[name] = place, dim
    return found


class _Step:
    """Two operands joined. Names that one alone has and nobody needs are summed at once; the rest is one `bmm`
    over (kept, left, summed) and (kept, summed, right), or, where nothing is summed, a product."""

    def __init__(self, a_names, b_names, needed):
        self.a_sum = [i for i, name in enumerate(a_names) if name not in needed + b_names]
        self.b_sum = [i for i, name in enumerate(b_names) if name not in needed + a_names]
        self.plain = not self.a_sum and not self.b_sum
        a_names = "".join([name for name in a_names if name in needed + b_names])
        b_names = "".join([name for name in b_names if name in needed + a_names])
        shared = [name for name in a_names if name in b_names]
        kept = [name for name in shared if name in needed]
        summed = [name for name in shared if name not in needed]
        left = [name for name in a_names if name not in b_names]
        right = [name for name in b_names if name not in a_names]
        order = kept + left + right
        self.wanted = "".join([name for name in dict.fromkeys(needed) if name in order])
        self.counts = len(kept), len(left), len(summed), len(right)
        if summed:
            self.a_order = _places(a_names, kept + left + summed)
            self.b_order = _places(b_names, kept + summed + right)
            self.last = _places(order, self.wanted)
        else:
            self.a_new, self.b_new = len(right), len(left)  # dimensions of size 1 for letters that one lacks
            self.a_order = _places(a_names + "".join(right), self.wanted)
            self.b_order = _places(b_names + "".join(left), self.wanted)


# ---- The tensors --------------------------------------------------------------------------------

def _arranged(tensor, order):
    return tensor if _is_as_it_lies(order) else tensor.permute(order)


def _spread(tensor, new, order):
    for _ in range(new):
        tensor = tensor.unsqueeze(-1)
    return tensor.permute(order)


def _wider(one, other):
    """Of two sizes of a name: 1 spreads, also over none at all."""
    return [b if a == 1 else a for a, b in zip(one, other)]


def _contract(a, b, step, is_even):
    if step.a_sum:
        a = a.sum(step.a_sum)
    if step.b_sum:
        b = b.sum(step.b_sum)
    kept, left, summed, right = step.counts
    if summed == 0:
        product = _spread(a, step.a_new, step.a_order) * _spread(b, step.b_new, step.b_order)
        return product if step.plain else product.view(product.shape)
    x, y = _arranged(a, step.a_order), _arranged(b, step.b_order)
    x_shape, y_shape = list(x.shape), list(y.shape)
    rows, inner, columns = x_shape[kept:kept + left], x_shape[kept + left:], y_shape[kept + summed:]
    batch = x_shape[:kept]
    if not is_even:
        batch, inner = _wider(batch, y_shape[:kept]), _wider(inner, y_shape[kept:kept + summed])
        x, y = x.expand(batch + rows + inner), y.expand(batch + inner + columns)
    if kept != 1 or left != 1 or summed != 1:
        x = x.reshape(_product(batch), _product(rows), _product(inner))
    if kept != 1 or summed != 1 or right != 1:
        y = y.reshape(_product(batch), _product(inner), _product(columns))
    product = x.bmm(y)
    if kept != 1 or left != 1 or right != 1:
        product = product.reshape(batch + rows + columns)
    product = product.permute(step.last)
    return product.view(product.shape)


_made = {}  # the plans, by the equation and how many dimensions the operands have


def _plan(equation, operands):
    if is_compiling():
        return _Plan(equation, operands)  # which the graph does away with; a look into the table would be a guard
    key = equation, *[operand.dim() for operand in operands]
    plan = _made.get(key)
    if plan is None:
        plan = _made[key] = _Plan(equation, operands)
    return plan


def _name(subscript):
    if subscript is Ellipsis:
        return "..."
    if not 0 <= subscript < 52:
        raise ValueError("einsum(): subscript in subscript list is not within the valid range [0, 52)")
    return chr(ord("A") + subscript if subscript < 26 else ord("a") + subscript - 26)


def _from_lists(arguments):
    """`(x, [0, 1], y, [1, 2], [0, 2])` as the equation `AB,BC->AC` and its operands."""
    terms = ["".join(map(_name, names)) for names in arguments[1::2]]
    equation = ",".join(terms)
    if len(arguments) % 2:
        equation += "->" + "".join(map(_name, arguments[-1]))
    return equation, arguments[:len(arguments) // 2 * 2:2]


def einsum(equation, *operands):
    """Products summed by index letters: `ij,jk->ik` is a matrix product. Numbers do as letters, in a list behind
    each operand: `einsum(x, [0, 1], y, [1, 2], [0, 2])`."""
    if not isinstance(equation, str):
        if not operands:
            raise ValueError("einsum(): must specify the equation string and at least one operand, or at least "
                             "one operand and its subscripts list")
        equation, operands = _from_lists((equation, *operands))
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = tuple(operands[0])
    plan = _plan(equation, operands)
    if plan.repeats:
        pairs = [_diagonals(place, operand, names) for place, (operand, names) in enumerate(zip(operands, plan.terms))]
        operands = [operand for operand, _ in pairs]
    if len(operands) == 1:
        return _sum_behind(operands[0], _once(plan.terms[0]), plan.output)
    shapes = [operand.shape for operand in operands]
    is_even = True
    for a, i, b, k in plan.meetings:
        if shapes[a][i] != shapes[b][k]:
            is_even = False
    if not is_even:
        _check_sizes([(operand, _once(names)) for operand, names in zip(operands, plan.terms)])
    result = operands[0]
    for i, step in enumerate(plan.steps):
        result = _contract(result, operands[i + 1], step, is_even)
    return result
