"""Arrays, scalars and dtypes in pickles and checkpoints: the bytes are NumPy's, so that files go both ways."""
import io
import pickle
import random

import numpy as np
import torch

values = {"ints": np.arange(6).reshape(2, 3), "floats": np.array([0.5, -1.5], np.float32), "none": np.zeros((0, 2)),
          "bools": np.array([True, False]), "scalar": np.float32(2.5), "count": np.int64(7), "true": np.bool_(True),
          "kind": np.dtype("float16"), "bytes": np.array([1, 255], np.uint8), "point": np.array(1.25)}
for name, value in values.items():
    for protocol in (2, 4):
        data = pickle.dumps(value, protocol)
        print(name, protocol, data.hex())
        print(repr(pickle.loads(data)), type(pickle.loads(data)) is type(value))

back = pickle.loads(pickle.dumps({"a": values["ints"], "again": values["ints"], "turned": values["ints"].T}))
print(back["a"] is back["again"], back["turned"])
back["a"][0, 0] = 100
print(back["again"])

# What NumPy wrote of arrays by columns, and before its version 2.
HEAD = (b"\x80\x02cnumpy._core.multiarray\n_reconstruct\nq\x00cnumpy\nndarray\nq\x01K\x00\x85q\x02c_codecs\nencode\n"
        b"q\x03X\x01\x00\x00\x00bq\x04X\x06\x00\x00\x00latin1q\x05\x86q\x06Rq\x07\x87q\x08Rq\t")
by_columns = HEAD + (b"(K\x01K\x02K\x03\x86q\ncnumpy\ndtype\nq\x0bX\x02\x00\x00\x00i1q\x0c\x89\x88\x87q\rRq\x0e(K\x03X"
                     b"\x01\x00\x00\x00|q\x0fNNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tq\x10b\x88h\x03X\x06\x00\x00\x00"
                     b"\x00\x03\x01\x04\x02\x05q\x11h\x05\x86q\x12Rq\x13tq\x14b.")
print(pickle.loads(by_columns))
words = HEAD + (b"(K\x01K\x02\x85q\ncnumpy\ndtype\nq\x0bX\x02\x00\x00\x00u4q\x0c\x89\x88\x87q\rRq\x0e(K\x03X\x01\x00"
                b"\x00\x00<q\x0fNNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tq\x10b\x89h\x03X\x0c\x00\x00\x00\x01\x00\x00"
                b"\x00\xc3\xbf\xc3\xbf\xc3\xbf\xc3\xbfq\x11h\x05\x86q\x12Rq\x13tq\x14b.")
print(pickle.loads(words).tolist())
old = pickle.dumps(values["floats"], 2).replace(b"numpy._core.multiarray", b"numpy.core.multiarray")
print(pickle.loads(old))

# A whole training state.
random.seed(1)
np.random.seed(1)
torch.manual_seed(1)
file = io.BytesIO()
torch.save({"rng": (random.getstate(), np.random.get_state(), torch.get_rng_state()), "best": np.float64(0.25),
            "curve": np.linspace(0, 1, 3), "weight": torch.ones(2)}, file)
drawn = random.random(), np.random.rand(), torch.rand(1).item()
file.seek(0)
state = torch.load(file, weights_only=False)
random.setstate(state["rng"][0])
np.random.set_state(state["rng"][1])
torch.set_rng_state(state["rng"][2])
print(drawn == (random.random(), np.random.rand(), torch.rand(1).item()))
print(state["best"], state["curve"], state["weight"])
file.seek(0)
try:
    torch.load(file)
except pickle.UnpicklingError as error:
    print(str(error)[-420:-330], "numpy" in str(error))
file = io.BytesIO()
torch.save({"curve": np.linspace(0, 1, 3)}, file)
file.seek(0)
with torch.serialization.safe_globals([np._core.multiarray._reconstruct, np.ndarray, np.dtype, type(np.dtype("float64"))]):
    print(torch.load(file))
