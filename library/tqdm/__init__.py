"""Progress bars, as tqdm draws them.

    from tqdm import tqdm, trange

    for batch in tqdm(batches, desc="epoch 1"):
        ...

`tqdm.auto` and `tqdm.notebook` have the same bar: it knows where it is.
"""
from tqdm.std import tqdm, trange

tqdm_notebook = tqdm
tnrange = trange
