"""The file format of parameters: the length of a JSON header, 8 bytes, little endian; the
header, {name: {dtype, shape, data_offsets}}; the data.
"""

import json

import numpy

_DTYPES = {"F32": numpy.float32, "I32": numpy.int32, "I64": numpy.int64}


def read(path):
    """Returns {name: array} of all tensors of a file."""
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        array = numpy.frombuffer(data[begin:end], _DTYPES[entry["dtype"]])
        tensors[name] = array.reshape(entry["shape"])
    return tensors


def write(path, tensors):
    """Writes {name: array} to a file."""
    names = {numpy.dtype(type_): name for name, type_ in _DTYPES.items()}
    header, parts, offset = {}, [], 0
    for name, array in tensors.items():
        part = numpy.ascontiguousarray(array).tobytes()
        header[name] = {"dtype": names[array.dtype], "shape": list(array.shape),
                        "data_offsets": [offset, offset + len(part)]}
        parts.append(part)
        offset += len(part)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text + b"".join(parts))
