"""The weights inside an ONNX file, for what runs them in another way.

The file is a protocol buffer. Of its hundred kinds of messages four are read here; the onnx
package would bring all, and 50 MB.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.encoders.protocol import Vectors
from commonground.errors import ModelError

_GRAPH = 7  # field of a model
_NODE, _TENSOR = 1, 5  # of a graph
_INPUT, _OUTPUT, _KIND = 1, 2, 4  # of a node
_SIZE, _TYPE, _NAME, _BYTES = 1, 2, 8, 9  # of a tensor
_TYPES: Mapping[int, np.dtype[Any]] = {
    1: np.dtype("<f4"),
    3: np.dtype("i1"),
}  # those that weights have
_WHOLE, _EIGHT_BYTES, _PART, _FOUR_BYTES = 0, 1, 2, 5  # how a field is written

Field = tuple[int, Any]  # its number, and a whole number or the bytes of a part


def onnx_weights(path: Path) -> Mapping[str, Vectors]:
    """The weights by the names they have upstream; those of 8 bits multiplied with their scales.

    A matrix that lost its name on the way is called after the bias that is added to its product,
    and is turned to stand as torch has it.
    """
    try:
        graph = memoryview(b"".join(_parts(memoryview(path.read_bytes()), _GRAPH)))
        tensors = dict(filter(None, map(_tensor, _parts(graph, _TENSOR))))
        nodes = [_node(part) for part in _parts(graph, _NODE)]
    except (IndexError, KeyError, ValueError) as error:
        raise ModelError(f"{path} is not an ONNX file that can be read ({error})") from None
    if not tensors:
        raise ModelError(f"{path} is not an ONNX file that can be read (it has no weights)")
    names = _matrices(nodes)
    found = {}
    for name, values in tensors.items():
        if name.endswith("_scale"):
            continue
        whole = name.removesuffix("_q")
        scaled = values.astype(np.float32)
        if name.endswith("_q"):
            scaled = scaled * tensors[f"{whole}_scale"]
        turned = whole in names
        known = names.get(whole, whole).removeprefix("inner.")
        found[known] = np.ascontiguousarray(scaled.T) if turned else scaled
    return found


def _matrices(nodes: list[tuple[str, list[str], list[str]]]) -> Mapping[str, str]:
    """Names of matrices in the graph, and what they are called upstream."""
    products = {outputs[0]: inputs[1] for kind, inputs, outputs in nodes if kind == "MatMul"}
    return {
        products[one]: f"{other.removesuffix('.bias')}.weight"
        for kind, inputs, _ in nodes
        if kind == "Add"
        for one, other in (inputs, inputs[::-1])
        if one in products and other.endswith(".bias")
    }


def _tensor(part: memoryview) -> tuple[str, NDArray[Any]] | None:
    """The name and the values of a tensor, or None where it is of a type that weights have not."""
    sizes: list[int] = []
    values: dict[int, Any] = {}
    for number, value in _fields(part):
        if number == _SIZE:
            sizes += [value] if isinstance(value, int) else _packed(value)
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


def _packed(values: memoryview) -> list[int]:
    found, place = [], 0
    while place < len(values):
        number, place = _number(values, place)
        found.append(number)
    return found


def _fields(message: memoryview) -> Iterator[Field]:
    """The fields of a message, one after the other."""
    place = 0
    while place < len(message):
        key, place = _number(message, place)
        number, form = key >> 3, key & 7
        if form == _WHOLE:
            value, place = _number(message, place)
            yield number, value
            continue
        if form == _PART:
            length, place = _number(message, place)
        elif form in (_FOUR_BYTES, _EIGHT_BYTES):
            length = 4 if form == _FOUR_BYTES else 8
        else:
            raise ValueError(f"field of form {form}")
        if place + length > len(message):
            raise ValueError("it ends too early")
        yield number, message[place : place + length]
        place += length


def _number(message: memoryview, place: int) -> tuple[int, int]:
    """A whole number of seven bits a byte, and the place behind it."""
    found = shift = 0
    while True:
        byte = message[place]
        place += 1
        found |= (byte & 0x7F) << shift
        if byte < 0x80:
            return found, place
        shift += 7
