# Files of the gzip format: an MNIST that is written and read as data sets are, text, and what is damaged.
import gzip
import io
import os
import pickle
import struct
import tempfile

import numpy as np
import torch

folder = tempfile.mkdtemp()
path = os.path.join(folder, "images.gz")
pixels = np.arange(2 * 28 * 28).reshape(2, 28, 28).astype(np.uint8)
with gzip.open(path, "wb") as file:
    file.write(struct.pack(">IIII", 2051, 2, 28, 28))
    print(file.write(pixels.tobytes()), file.mode, file.name == path, file.readable(), file.writable())
print(file.closed, os.path.getsize(path))
with gzip.open(path) as file:
    magic, count, rows, columns = struct.unpack(">IIII", file.read(16))
    images = np.frombuffer(file.read(), dtype=np.uint8).reshape(count, rows, columns)
    print(magic, images.shape, (images == pixels).all(), file.tell(), file.seek(3), file.read(2))
print(torch.from_numpy(images.copy()).float().mean())

with gzip.open(os.path.join(folder, "data.pkl.gz"), "wb") as file:
    pickle.dump(((pixels[0, 0, :3].tolist(), [5]), {"a": 1}), file)
with gzip.open(os.path.join(folder, "data.pkl.gz"), "rb") as file:
    print(pickle.load(file))

text = os.path.join(folder, "log.gz")
with gzip.open(text, "wt", encoding="utf-8") as file:
    print("epoch 1", file=file)
    file.write("loss é\n")
with gzip.open(text, "at") as file:
    file.write("more\n")
with gzip.open(text, "rt") as file:
    print([line.rstrip() for line in file])
with gzip.open(text) as file:
    print(file.readline(), file.readlines(), file.read())

packed = gzip.compress(b"hello" * 10, mtime=0)
print(packed, gzip.compress(b"hello" * 10, 1, mtime=0), gzip.compress(b"", mtime=5))
print(gzip.decompress(packed + gzip.compress(b"!") + b"\0\0"), gzip.decompress(b""))
print(gzip.GzipFile(fileobj=io.BytesIO(packed)).read(7), gzip.open(io.BytesIO(packed)).read())
buffer = io.BytesIO()
with gzip.GzipFile(fileobj=buffer, mode="w", mtime=0) as file:
    file.write(b"in memory" * 1000)
print(len(buffer.getvalue()), gzip.decompress(buffer.getvalue()) == b"in memory" * 1000)
noise = np.random.RandomState(0).bytes(300000)
print(gzip.decompress(gzip.compress(noise, 3)) == noise)


def fails(call):
    try:
        print(call())
    except (OSError, EOFError, ValueError, TypeError) as error:
        print(type(error).__name__, str(error).replace(folder, ""))


def changed(place):
    return packed[:place] + bytes([packed[place] ^ 1]) + packed[place + 1:]


at_crc, at_length = len(packed) - 6, len(packed) - 1
fails(lambda: gzip.decompress(b"abc"))
fails(lambda: gzip.decompress(packed[:-9]))
fails(lambda: gzip.decompress(packed[:-3]))
fails(lambda: gzip.decompress(packed[:5]))
fails(lambda: gzip.decompress(changed(2)))
fails(lambda: gzip.decompress(changed(at_crc)))
fails(lambda: gzip.decompress(changed(at_length)))
fails(lambda: gzip.decompress(packed + b"xx"))
fails(lambda: gzip.open(os.path.join(folder, "none.gz")))
fails(lambda: gzip.open(path, "q"))
fails(lambda: gzip.open(path, "rbt"))
fails(lambda: gzip.open(path, "rb", encoding="utf8"))
fails(lambda: gzip.open(path).write(b"a"))
fails(lambda: gzip.open(os.path.join(folder, "new.gz"), "wb").read())
fails(lambda: gzip.open(5.5))
fails(lambda: gzip.open(__file__).read())
print(issubclass(gzip.BadGzipFile, OSError))
