"""Write the graph that multiplies for the parser; it has no weights.

    python -m training.product OUT.onnx

`commonground.text.products` says why the parser needs one.
"""

import argparse
from pathlib import Path

import onnx
from onnx import TensorProto, helper

OPSET, FORMAT = 17, 8


def product() -> bytes:
    """Return the graph: rows times the transpose of the weights."""
    inputs = [_matrix("rows", "n", "k"), _matrix("weights", "m", "k")]
    node = helper.make_node("Gemm", ["rows", "weights"], ["product"], transB=1)
    graph = helper.make_graph([node], "product", inputs, [_matrix("product", "n", "m")])
    opset = helper.make_opsetid("", OPSET)
    model = helper.make_model(graph, opset_imports=[opset], ir_version=FORMAT)
    onnx.checker.check_model(model)
    return model.SerializeToString(deterministic=True)


def _matrix(name: str, rows: str, columns: str) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, [rows, columns])


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.parse_args().out.write_bytes(product())


if __name__ == "__main__":
    main()
