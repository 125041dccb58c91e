"""How workers share the GPUs of a Ray cluster."""

import pytest

from commonground.scale.ray.engine import gpu_share


@pytest.mark.parametrize(
    ("gpus", "workers", "share"),
    [(1, 1, 1.0), (8, 3, 1.0), (1, 4, 0.25), (3, 4, 0.5), (1, 6, 0.1666), (2, 16, 0.125)],
)
def test_all_workers_find_a_place(gpus, workers, share):
    assert gpu_share(gpus, workers) == share
    assert int(1 / share) * gpus >= workers
