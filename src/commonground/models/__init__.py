"""Where model weights come from, and their integrity.

Weights are data: they are found by name, checked by size and sha256 each time they are loaded,
and never unpickled. A model that is not there is an error that says how to get it.
"""

from commonground.models._fetch import fetch
from commonground.models._locate import Located, Status, locate, locate_folder, status
from commonground.models._manifest import WRITERS, Carrier, File, Hub, Model, manifest
from commonground.models._verify import sha256_of

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
    "sha256_of",
    "status",
]
