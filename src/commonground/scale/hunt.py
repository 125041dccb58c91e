"""Which rows of a chunk kill the process that works on them: found by halves."""

from collections.abc import Iterator, Sequence

from commonground.scale.work import Chunk, Item

_MOST_DEATHS = 50  # each costs a process that loads its models; then what is suspect is given up


class Hunt:
    """The search for the rows on which processes die.

    Pieces of the chunk are worked on by themselves, and what comes of them is thrown away. When no
    piece is left, the killers are known, and the rest is worked on as a chunk: so its results are
    those of a chunk, and need not be put together.

    Args:
        chunk: One that has killed more than once.
    """

    def __init__(self, chunk: Chunk) -> None:
        self._chunk = chunk
        self._killers: set[int] = set()
        self._deaths = 0
        self._open = 1

    def survived(self) -> None:
        """A piece has been worked on."""
        self._open -= 1

    def killed(self, piece: range) -> Iterator[range]:
        """A piece has killed its process; the pieces to try in its place, none for a killer."""
        self._open -= 1
        self._deaths += 1
        if len(piece) < 2 or self._deaths > _MOST_DEATHS:
            self._killers.update(piece)
            return
        middle = len(piece) // 2
        self._open += 2
        yield from (piece[:middle], piece[middle:])

    @property
    def over(self) -> bool:
        """Whether no piece is left."""
        return not self._open

    def items(self, piece: Sequence[int]) -> tuple[Item, ...]:
        """The rows of a piece."""
        return tuple(self._chunk.items[number] for number in piece)

    def killers(self) -> tuple[Item, ...]:
        """The rows that are given up."""
        return self.items(sorted(self._killers))

    def rest(self) -> tuple[Item, ...]:
        """The others."""
        everything = range(len(self._chunk.items))
        return self.items([number for number in everything if number not in self._killers])
