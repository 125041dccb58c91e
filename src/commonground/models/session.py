"""Sessions of onnxruntime: one thread each, no telemetry."""

import os
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any


def open_session(graph: Path | bytes, disabled: Sequence[str] = ()) -> Any:
    """Load a graph for the CPU. Callers run several at once, each in its own thread.

    Args:
        graph: The file, or its bytes.
        disabled: Names of onnxruntime's optimizers to leave out.
    """
    runtime = _runtime()
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return runtime.InferenceSession(
        graph if isinstance(graph, bytes) else str(graph),
        options,
        providers=["CPUExecutionProvider"],
        disabled_optimizers=list(disabled),
    )


def runtime_name() -> str:
    """Return onnxruntime with its version; versions differ in the last digits of their results."""
    return f"onnxruntime-{_runtime().__version__}"


def _runtime() -> ModuleType:
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # works only before the import
    import onnxruntime  # slow

    module: ModuleType = onnxruntime
    return module
