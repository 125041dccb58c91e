"""How far a comparison is: its steps by what they cost, told as a share and in words."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

Progress: TypeAlias = Callable[[float, str], None]
"""Called with the share that is done, from 0 to 1, and with what comes next, for people."""

# What the steps take for each sentence that is read closely, in the time of a sentence's vector.
READ = 1.4
FACTS = 0.4
OWN = 0.1
# For each of them and each other narrative: reading the sentence, and its cuts.
JUDGED = 2.0
CHOICE = 2.5
# And for each pair of them in two narratives, either way.
CONFLICTS = 0.0003


class Course:
    """The steps of one comparison; without anybody to tell, it does nothing.

    Args:
        progress: Who is told.

    Attributes:
        close: How many sentences are read closely, of all narratives; known when it is planned.
        pairs: How many pairs of them, either way, are of two narratives.
    """

    def __init__(self, progress: Progress | None = None) -> None:
        self._progress = progress
        self.close = self.pairs = 0
        self._total = 1.0
        self._done = self._coming = 0.0

    def plan(self, sentences: Sequence[int], closely: int) -> None:
        """Work out what all of it costs.

        Args:
            sentences: How many each narrative has.
            closely: The most of them that are read closely; others have a vector only.
        """
        close = [min(count, closely) for count in sentences]
        self.close = sum(close)
        self.pairs = self.close**2 - sum(count**2 for count in close)
        vectors = sum(count for count in sentences if count > closely)
        by_sentence = READ + FACTS + OWN + (JUDGED + CHOICE) * (len(sentences) - 1)
        self._total = vectors + by_sentence * self.close + CONFLICTS * self.pairs

    def step(self, words: str, cost: float) -> None:
        """Say what comes next; what was said before is done."""
        self._done += self._coming
        self._coming = cost
        self._tell(self._done / self._total if self._total else 0.0, words)

    def end(self) -> None:
        """Say that all is done."""
        self._tell(1.0, "Done")

    def _tell(self, share: float, words: str) -> None:
        if self._progress:
            self._progress(min(1.0, share), words)
