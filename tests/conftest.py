"""What all tests share: a cache of their own, so that nothing leaks in or out."""

import pytest
from hypothesis import settings

# A busy machine is no reason to fail: nothing here depends on time.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMMONGROUND_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        for key in ("ENCODER", "CACHE_SIZE", "MODELS", "THREADS", "DEVICE"):
            patch.delenv(f"COMMONGROUND_{key}", raising=False)
        yield
