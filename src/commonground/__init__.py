"""What do these narratives agree on, and how well does a summary say it?"""

import logging

from commonground._version import __version__

logging.getLogger(__name__).addHandler(logging.NullHandler())

__all__ = ["__version__"]
