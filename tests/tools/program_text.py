"""What the random programs have in common that are made of functions, each of which is shown.

    of_functions(17, ["import torch", DRIVER], function, 12)

`function(chosen, name)` gives the lines of one; the header defines `show(name, f)`.
"""

import random


def of_functions(seed, header, function, count):
    """The text of the program of this seed: the same text for the same seed, always."""
    chosen = random.Random(seed)
    lines = list(header)
    for number in range(count):
        lines += function(chosen, f"f{number}") + [f"show('f{number}', f{number})"]
    return "\n".join(lines) + "\n"
