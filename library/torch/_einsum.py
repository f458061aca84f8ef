"""`torch.einsum`: sums of products by the names of dimensions.

    einsum("bij,bjk->bik", a, b)     # a batch of matrix products

Operands are taken two at a time from the left. Names that only one of the two has and nobody needs
later are summed at once; the rest is one `bmm` over (shared and kept, left only, summed, right only).
"""


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


def _sum_out(operand, names, needed):
    dims = [i for i, name in enumerate(names) if name not in needed]
    if dims:
        operand = operand.sum(dims)
        names = "".join([name for name in names if name in needed])
    return operand, names


def _arrange(operand, names, order):
    return operand.permute([names.index(name) for name in order])


def _sum_behind(operand, names, output):
    """The operand in the output's order; what stands behind that is summed."""
    rest = [name for name in names if name not in output]
    arranged = _arrange(operand, names, output + "".join(rest))
    return arranged.sum(list(range(len(output), len(names)))) if rest else arranged


def _spread(operand, names, order):
    """Dimensions of size 1 for the letters that an operand lacks."""
    for name in order:
        if name not in names:
            operand, names = operand.unsqueeze(-1), names + name
    return _arrange(operand, names, order)


def _product(sizes):
    result = 1
    for size in sizes:
        result *= size
    return result


def _contract(a, a_names, b, b_names, needed):
    letters = len(a_names) + len(b_names)
    a, a_names = _sum_out(a, a_names, needed + b_names)
    b, b_names = _sum_out(b, b_names, needed + a_names)
    plain = letters == len(a_names) + len(b_names)
    shared = [name for name in a_names if name in b_names]
    kept = [name for name in shared if name in needed]
    summed = [name for name in shared if name not in needed]
    left = [name for name in a_names if name not in b_names]
    right = [name for name in b_names if name not in a_names]
    sizes = {}
    for tensor, names in ((a, a_names), (b, b_names)):
        for i, name in enumerate(names):
            size = tensor.shape[i]
            if sizes.get(name, 1) == 1:  # 1 spreads, also over none at all
                sizes[name] = size

    def shaped(tensor, names, order):
        tensor = _arrange(tensor, names, order)
        return tensor.expand([sizes[name] for name in order])

    order = kept + left + right
    wanted = "".join([name for name in dict.fromkeys(needed) if name in order])
    if not summed:
        product = _spread(a, a_names, wanted) * _spread(b, b_names, wanted)
        return product if plain else product.view(product.shape), wanted
    batch = _product([sizes[name] for name in kept])
    rows = _product([sizes[name] for name in left])
    inner = _product([sizes[name] for name in summed])
    columns = _product([sizes[name] for name in right])
    x = shaped(a, a_names, kept + left + summed).reshape(batch, rows, inner)
    y = shaped(b, b_names, kept + summed + right).reshape(batch, inner, columns)
    product = _arrange(x.bmm(y).reshape([sizes[name] for name in order]), order, wanted)
    return product.view([sizes[name] for name in wanted]), wanted


def einsum(equation, *operands):
    """Products summed by index letters: `ij,jk->ik` is a matrix product."""
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = tuple(operands[0])
    terms, output = _parse(equation, operands)
    pairs = [_diagonals(place, operand, names) for place, (operand, names) in enumerate(zip(operands, terms))]
    _check_sizes(pairs)
    if len(pairs) == 1:
        return _sum_behind(*pairs[0], output)
    result, names = pairs[0]
    for i in range(1, len(pairs)):
        needed = output + "".join([later for _, later in pairs[i + 1:]])
        result, names = _contract(result, names, pairs[i][0], pairs[i][1], needed)
    return result
