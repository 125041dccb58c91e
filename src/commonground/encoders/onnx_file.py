"""Read the weights of an ONNX file, to run them without onnxruntime.

The file is a protocol buffer, of which four kinds of messages are read here; the onnx package
would add 50 MB.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.encoders.base import Vectors
from commonground.errors import ModelError

_GRAPH = 7  # field of a model
_NODE, _TENSOR = 1, 5  # fields of a graph
_INPUT, _OUTPUT, _KIND = 1, 2, 4  # fields of a node
_SIZE, _TYPE, _NAME, _BYTES = 1, 2, 8, 9  # fields of a tensor
_TYPES: Mapping[int, np.dtype[Any]] = {1: np.dtype("<f4"), 3: np.dtype("i1")}
_VARINT, _PART = 0, 2  # wire types
_FIXED = {1: 8, 5: 4}  # wire types of fixed length, in bytes

_Field = tuple[int, Any]  # number of the field, and an integer or the bytes of a part


def onnx_weights(path: Path) -> Mapping[str, Vectors]:
    """Return the weights by their upstream names; 8-bit weights are multiplied by their scales.

    A matrix that lost its name in the export is named after the bias that is added to its
    product, and transposed to the layout of torch.
    """
    try:
        graph = memoryview(b"".join(_parts(memoryview(path.read_bytes()), _GRAPH)))
        tensors = dict(filter(None, map(_tensor, _parts(graph, _TENSOR))))
        nodes = [_node(part) for part in _parts(graph, _NODE)]
    except (IndexError, KeyError, ValueError) as error:
        raise ModelError(f"{path} is not a readable ONNX file ({error})") from None
    if not tensors:
        raise ModelError(f"{path} is not a readable ONNX file (it has no weights)")
    names = _matrices(nodes)
    weights = {}
    for name, values in tensors.items():
        if name.endswith(("_scale", "_shrink", "_rest")):
            continue
        base = name.removesuffix("_q")
        scaled = values.astype(np.float32)
        if name.endswith("_q"):
            scaled = scaled * tensors[f"{base}_scale"]
        if f"{base}_shrink" in tensors:
            # Inputs are multiplied by it; the last ones may have weights of their own.
            scaled = scaled * tensors[f"{base}_shrink"][:, None]
            rest = tensors.get(f"{base}_rest", scaled[:0])
            scaled = np.concatenate([scaled, rest]).T
        upstream = names.get(base, base).removeprefix("inner.")
        weights[upstream] = np.ascontiguousarray(scaled.T) if base in names else scaled
    return weights


def _matrices(nodes: list[tuple[str, list[str], list[str]]]) -> Mapping[str, str]:
    """Return the upstream names of matrices by their names in the graph."""
    products = {outputs[0]: inputs[1] for kind, inputs, outputs in nodes if kind == "MatMul"}
    return {
        products[product]: f"{bias.removesuffix('.bias')}.weight"
        for kind, inputs, _ in nodes
        if kind == "Add"
        for product, bias in (inputs, inputs[::-1])
        if product in products and bias.endswith(".bias")
    }


def _tensor(part: memoryview) -> tuple[str, NDArray[Any]] | None:
    """Return the name and the values of a tensor; None for a type that weights do not have."""
    sizes: list[int] = []
    values: dict[int, Any] = {}
    for number, value in _fields(part):
        if number == _SIZE:
            sizes += [value] if isinstance(value, int) else _varints(value)
        else:
            values[number] = value
    kind = _TYPES.get(values[_TYPE])
    if kind is None or _BYTES not in values or not sizes:
        return None
    array = np.frombuffer(values[_BYTES], dtype=kind).reshape(sizes)
    return bytes(values[_NAME]).decode(), array


def _node(part: memoryview) -> tuple[str, list[str], list[str]]:
    kind, ends = "", {_INPUT: list[str](), _OUTPUT: list[str]()}
    for number, value in _fields(part):
        if number in ends and isinstance(value, memoryview):
            ends[number].append(bytes(value).decode())
        elif number == _KIND and isinstance(value, memoryview):
            kind = bytes(value).decode()
    return kind, ends[_INPUT], ends[_OUTPUT]


def _parts(message: memoryview, wanted: int) -> Iterator[memoryview]:
    for number, value in _fields(message):
        if number == wanted and isinstance(value, memoryview):
            yield value


def _varints(values: memoryview) -> Iterator[int]:
    offset = 0
    while offset < len(values):
        number, offset = _varint(values, offset)
        yield number


def _fields(message: memoryview) -> Iterator[_Field]:
    """Yield the fields of a message."""
    offset = 0
    while offset < len(message):
        key, offset = _varint(message, offset)
        number, wire_type = key >> 3, key & 7
        if wire_type == _VARINT:
            value, offset = _varint(message, offset)
            yield number, value
            continue
        if wire_type == _PART:
            length, offset = _varint(message, offset)
        elif wire_type in _FIXED:
            length = _FIXED[wire_type]
        else:
            raise ValueError(f"wire type {wire_type}")
        if offset + length > len(message):
            raise ValueError("truncated")
        yield number, message[offset : offset + length]
        offset += length


def _varint(message: memoryview, offset: int) -> tuple[int, int]:
    """Return an integer, stored with seven bits per byte, and the offset after it."""
    value = shift = 0
    while True:
        byte = message[offset]
        offset += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, offset
        shift += 7
