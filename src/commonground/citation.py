"""BibTeX for results: the papers behind a measure, and this software."""

import re
from collections.abc import Mapping
from importlib import resources
from typing import Final

from commonground.version import __version__

# The papers behind a measure, by the first word of its signature and the keys in papers.bib.
# Other measures cite the software only.
MEASURES: Final[Mapping[str, tuple[str, ...]]] = {
    "BERT-SCORE": ("zhang-etal-2020-bertscore",),
    "BLEU": ("papineni-etal-2002-bleu", "post-2018-call"),
    "CHRF": ("popovic-2015-chrf", "post-2018-call"),
    "METEOR": ("banerjee-lavie-2005-meteor",),
    "OVERLAP": ("bansal-etal-2022-semantic",),
    "PYRAMID": ("nenkova-passonneau-2004-evaluating", "gao-etal-2019-automated"),
    "ROUGE": ("lin-2004-rouge",),
    "SEM-F1": ("bansal-etal-2022-sem",),
}

_SOFTWARE: Final = """@software{commonground,
  title = {commonground: what do these narratives agree on, and how well does a summary say it?},
  author = {{The commonground authors}},
  version = {%s},
  license = {Apache-2.0},
  year = {2026}
}"""


def bibtex(*measures: str) -> str:
    """Return BibTeX entries for the papers behind measures and, last, for this software.

    Example:
        >>> print(bibtex("ROUGE").splitlines()[0])
        @inproceedings{lin-2004-rouge,
    """
    entries = resources.files("commonground").joinpath("papers.bib").read_text("utf-8")
    papers = dict(re.findall(r"^(?=@\w+{([^,]+),)(.*?^})", entries, flags=re.DOTALL | re.MULTILINE))
    keys = dict.fromkeys(key for measure in measures for key in MEASURES.get(measure, ()))
    return "\n\n".join([*(papers[key] for key in keys), _SOFTWARE % __version__]) + "\n"
