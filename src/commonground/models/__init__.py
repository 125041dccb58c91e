"""Where model weights come from, and their integrity.

Weights are data: they are found by name, checked by size and sha256 each time they are loaded,
and never unpickled. A model that is not there is an error that says how to get it.
"""

from commonground.models.catalogue import WRITERS, Carrier, File, Hub, Model, manifest
from commonground.models.fetching import fetch
from commonground.models.integrity import sha256_of
from commonground.models.locating import Located, Status, locate, locate_folder, status

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
