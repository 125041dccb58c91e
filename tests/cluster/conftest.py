"""Clusters of Ray's on this machine, which no other machine sees."""

import os
from pathlib import Path

import pytest

# Ray reads these as it is imported. Its nodes must find the works of the tests.
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_ENABLE_AUTO_CONNECT"] = "0"
os.environ["PYTHONPATH"] = str(Path(__file__).parent.parent)

NODE = {"num_cpus": 1, "node_ip_address": "127.0.0.1", "object_store_memory": 100 << 20}


@pytest.fixture
def cluster():
    """A head and two further nodes, of one core each."""
    from ray.cluster_utils import Cluster

    made = Cluster(
        initialize_head=True, connect=False, head_node_args={**NODE, "include_dashboard": False}
    )
    for _ in range(2):
        made.add_node(**NODE)
    yield made
    made.shutdown()
