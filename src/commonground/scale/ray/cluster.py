"""Connect to a running Ray cluster, or start a local one."""

import contextlib
import logging
import os
import shutil
import socket
import sys
import tempfile
import warnings
from collections.abc import Iterator
from typing import Any

from commonground import settings
from commonground.errors import CommongroundError
from commonground.scale.ray import actor, feed

_CONNECT_SECONDS = 10
_OBJECT_BYTES = 512 << 20  # memory of a local cluster's objects; the rest goes to disk
_ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_BACKEND_LOG_LEVEL": "fatal",  # messages for developers of Ray; errors are raised
    # Threads of Ray Data that outlive a failed run would start a cluster of their own.
    "RAY_ENABLE_AUTO_CONNECT": "0",
    "RAY_DEDUP_LOGS": "1",
    "RAY_DEDUP_LOGS_SKIP_REGEX": "^",  # messages about lost workers, which would go to stdout
}


@contextlib.contextmanager
def cluster(address: str | None, workers: int | None) -> Iterator[int]:
    """Connect to a cluster for the block; yield the number of its cores.

    Args:
        address: Address of a running cluster; None to start a local one.
        workers: Cores of a local cluster (default: number of CPUs).
    """
    os.environ.update(_ENVIRONMENT)  # Ray reads them when it is imported and started
    if not address or address.partition(":")[0] in ("127.0.0.1", "localhost"):
        # As Ray does outside Linux: the nodes are on 127.0.0.1, invisible to other machines.
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    import ray

    folder = None
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    if address:
        options |= {"address": _reachable(address)}
    else:
        folder = tempfile.mkdtemp(prefix="cg-ray-")
        options |= {
            "num_cpus": workers or settings.thread_count(),
            "include_dashboard": False,
            "object_store_memory": _OBJECT_BYTES,
            "_node_ip_address": "127.0.0.1",
            "_temp_dir": folder,
        }
    try:
        try:
            with _no_stderr():
                ray.init(**options)
        except (ConnectionError, RuntimeError, ValueError) as error:
            cause = error.__cause__ or error
            reason = " ".join(str(cause).split())[:300] or type(cause).__name__
            raise CommongroundError(
                f"no Ray cluster at {address or 'this machine'}: {reason}"
            ) from None
        for module in (actor, feed):
            ray.cloudpickle.register_pickle_by_value(module)  # nodes may lack it
        _quiet_data()
        yield max(1, int(ray.cluster_resources().get("CPU", 1)))
    finally:
        ray.shutdown()
        if folder:
            shutil.rmtree(folder, ignore_errors=True)


def _reachable(address: str) -> str:
    """Raise at once if nothing answers at an address: Ray would try for minutes, then exit."""
    from ray._private.services import canonicalize_bootstrap_address_or_die

    resolved: str = address
    try:
        resolved = canonicalize_bootstrap_address_or_die(address)  # looks up `auto`
        host, _, port = resolved.rpartition(":")
        host = host.strip("[]")  # of IPv6
        socket.create_connection((host, int(port)), timeout=_CONNECT_SECONDS).close()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or " ".join(str(error).split())
        names = address if resolved == address else f"{address}, {resolved}"
        raise CommongroundError(f"no Ray cluster at {names}: {reason}") from None
    return resolved


@contextlib.contextmanager
def _no_stderr() -> Iterator[None]:
    """Silence the C++ parts of Ray, which write to file descriptor 2."""
    sys.stderr.flush()
    stderr = os.dup(2)
    try:
        with open(os.devnull, "w") as nowhere:  # noqa: PTH123
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)


def _quiet_data() -> None:
    from ray.data import DataContext

    warnings.filterwarnings("ignore", module=r"ray\.")
    warnings.filterwarnings("ignore", message="`ray_remote_args`")  # until 2.64
    for name in ("ray", "ray.data"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # errors are raised or counted
    context = DataContext.get_current()
    context.target_max_block_size = 1  # a chunk is a block, so that none waits for others
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    context.max_errored_blocks = -1  # they are missing at the end, and repeated
