"""Models that write what narratives have in common, with a check on every sentence they write.

Example:
    >>> from commonground.narratives.generators import Generator, Llm
    >>> writer = Llm("some-model", "https://host/v1")                         # doctest: +SKIP
    >>> Generator(writer).find([left, right]).summary                         # doctest: +SKIP
"""

from commonground.narratives.generators.generated import VERIFY, Generated, Generator
from commonground.narratives.generators.gguf import DEFAULT_MODEL as DEFAULT_GGUF
from commonground.narratives.generators.gguf import Gguf
from commonground.narratives.generators.llm import KEYS, Llm, Patience
from commonground.narratives.generators.seq2seq import DEVICES, Seq2Seq
from commonground.narratives.generators.writer import (
    DEFAULT_LEVEL,
    LEVELS,
    Tokens,
    Writer,
    Written,
    messages,
)

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
