"""Models that write what narratives have in common, with a check on every sentence they write.

Example:
    >>> from commonground.overlap.generators import Generator, Llm
    >>> writer = Llm("some-model", "https://host/v1")                         # doctest: +SKIP
    >>> Generator(writer).find([left, right]).summary                         # doctest: +SKIP
"""

from commonground.overlap._generators._endpoint import Patience
from commonground.overlap._generators._generated import VERIFY, Generated, Generator
from commonground.overlap._generators._gguf import DEFAULT_MODEL as DEFAULT_GGUF
from commonground.overlap._generators._gguf import Gguf
from commonground.overlap._generators._llm import Llm
from commonground.overlap._generators._prompts import DEFAULT_LEVEL, LEVELS, messages
from commonground.overlap._generators._replies import KEYS
from commonground.overlap._generators._seq2seq import DEVICES, Seq2Seq
from commonground.overlap._generators._writer import Tokens, Writer, Written

__all__ = [
    "DEFAULT_GGUF",
    "DEFAULT_LEVEL",
    "DEVICES",
    "KEYS",
    "LEVELS",
    "VERIFY",
    "Generated",
    "Generator",
    "Gguf",
    "Llm",
    "Patience",
    "Seq2Seq",
    "Tokens",
    "Writer",
    "Written",
    "messages",
]
