"""Evidence: does a text state a unit, and which sentence shows it?"""

from commonground.pyramid.evidence.checks import NEGATION, Check
from commonground.pyramid.evidence.features import FEATURES
from commonground.pyramid.evidence.network import coefficients
from commonground.pyramid.evidence.presence import MODEL, SUPPORTED, Compared, Evidence, Presence
from commonground.pyramid.evidence.units import ReadUnit

__all__ = [
    "FEATURES",
    "MODEL",
    "NEGATION",
    "SUPPORTED",
    "Check",
    "Compared",
    "Evidence",
    "Presence",
    "ReadUnit",
    "coefficients",
]
