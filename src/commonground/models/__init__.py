"""Find and verify model weights.

Weights are data: found by name, checked by size and sha256 each time they are loaded, and never
unpickled. The error for a missing model says how to get it.
"""

from commonground.io import sha256_of
from commonground.models.catalogue import (
    WRITERS,
    Carrier,
    File,
    Hub,
    Located,
    Model,
    Status,
    locate,
    locate_folder,
    manifest,
    status,
)
from commonground.models.fetching import fetch
from commonground.models.session import open_session, runtime_name

__all__ = [
    "WRITERS",
    "Carrier",
    "File",
    "Hub",
    "Located",
    "Model",
    "Status",
    "fetch",
    "locate",
    "locate_folder",
    "manifest",
    "open_session",
    "runtime_name",
    "sha256_of",
    "status",
]
