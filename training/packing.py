"""Items as token sequences: what a network sees, and where its answers are read off.

Two layouts. *Shared*: a text once, followed by all claims that are read against it; a mask keeps
claims apart, and the text never sees a claim. So the text is encoded once for all claims, in
training as in the product. *Crossed*: a sequence for each claim, text and claim see each other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from training.items import Item

Ints = NDArray[np.int64]

CHUNK = 384  # word pieces of a text that see each other
LONGEST_CLAIM = 160
LONGEST_SENTENCE = 256  # of a text; what follows is not read
LONGEST_CROSSED = 420  # of text and claim together
LONGEST_CAUSAL = 1500  # of a text before a language model


@dataclass(frozen=True, slots=True)
class Claimed:
    """Where a claim stands in its sequence.

    Attributes:
        number: Of the claim among all claims of all items.
        class_at: The token whose vector gives the class.
        tokens: Its tokens.
        words: For each of them the word it is part of.
    """

    number: int
    class_at: int
    tokens: Ints
    words: Ints


@dataclass(frozen=True, slots=True)
class Packed:
    """A sequence.

    `segments` numbers the sentences of the text, then the claims; `sees` says which segment sees
    which. It is None where all tokens see each other.
    """

    ids: Ints
    positions: Ints
    types: Ints
    segments: Ints
    sees: NDArray[np.bool_] | None
    claims: tuple[Claimed, ...]


@dataclass(frozen=True, slots=True)
class Special:
    """Token ids that frame a chunk of text and a claim; `repeat` gives a claim twice.

    A causal language model has seen the whole claim only when it reads it a second time.
    """

    text_start: tuple[int, ...]
    text_end: tuple[int, ...]
    claim_start: tuple[int, ...]
    claim_end: tuple[int, ...]
    repeat: tuple[int, ...] | None = None


class Packer:
    """Packs items for one network.

    Args:
        tokenizer: Of the network.
        special: What frames texts and claims.
        layout: "shared", "crossed" or "causal" (shared, but nothing sees what follows it).
        before_word: What stands before each word: a space for tokenizers that keep it.
    """

    def __init__(
        self, tokenizer: Tokenizer, special: Special, layout: str, before_word: str = ""
    ) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self._special = special
        self._layout = layout
        self._before = before_word
        self._known: dict[str, tuple[list[int], list[int]]] = {}

    def pack(self, items: Sequence[Item], first: Sequence[int]) -> list[Packed]:
        """Pack items; `first` has the number of each item's first claim."""
        self._tokenize(items)
        packed: list[Packed] = []
        for item, number in zip(items, first, strict=True):
            if self._layout == "crossed":
                packed += self._crossed(item, number)
            else:
                packed += self._shared(item, number)
        return packed

    def _tokenize(self, items: Sequence[Item]) -> None:
        texts = {text for item in items for text in item.text}
        texts |= {claim.sentence for item in items for claim in item.claims}
        new = sorted(texts - self._known.keys())
        split = [[self._before + word for word in text.split()] for text in new]
        encoded = self._tokenizer.encode_batch(
            split, is_pretokenized=True, add_special_tokens=False
        )
        for text, one in zip(new, encoded, strict=True):
            self._known[text] = one.ids[:LONGEST_SENTENCE], one.word_ids[:LONGEST_SENTENCE]

    def _crossed(self, item: Item, first: int) -> Iterator[Packed]:
        special = self._special
        for offset, claim in enumerate(item.claims):
            own = self._claim(claim.sentence)
            room = LONGEST_CROSSED - len(own[0]) - 4
            chosen: list[int] = []
            for place in claim.near:
                size = len(self._known[item.text[place]][0])
                if size <= room or not chosen:
                    chosen.append(place)
                    room -= size
            ids = list(special.text_start)
            for place in sorted(chosen):
                ids += self._known[item.text[place]][0]
            ids += special.text_end
            start = len(ids)
            ids += [*own[0], *special.claim_end]
            tokens = np.arange(start, start + len(own[0]))
            yield Packed(
                np.array(ids),
                np.arange(len(ids)),
                np.array([0] * start + [1] * (len(ids) - start)),
                np.zeros(len(ids), dtype=np.int64),
                None,
                (Claimed(first + offset, 0, tokens, np.array(own[1], dtype=np.int64)),),
            )

    def _shared(self, item: Item, first: int) -> Iterator[Packed]:
        causal = self._layout == "causal"
        kept = self._text_within(item) if causal else list(range(len(item.text)))
        parts = [self._known[item.text[place]][0] for place in kept]
        chunks = [0] * len(parts) if causal else list(chunk_numbers([len(part) for part in parts]))
        builder = _Builder(self._special, parts, chunks)
        near = [set(claim.near) for claim in item.claims]
        count = len(parts) + len(item.claims)
        sees = np.zeros((count, count), dtype=bool)
        sees[: len(parts), : len(parts)] = np.equal.outer(chunks, chunks)
        claims = []
        for offset, claim in enumerate(item.claims):
            seen = [n for n, place in enumerate(kept) if causal or place in near[offset]]
            segment = len(parts) + offset
            sees[segment, seen] = True
            sees[segment, segment] = True
            ids, words = self._claim(claim.sentence)
            class_at, tokens = builder.add_claim(ids, segment)
            claims.append(
                Claimed(first + offset, class_at, tokens, np.array(words, dtype=np.int64))
            )
        yield builder.packed(sees, tuple(claims))

    def _text_within(self, item: Item) -> list[int]:
        sizes = [len(self._known[text][0]) for text in item.text]
        if sum(sizes) <= LONGEST_CAUSAL:
            return list(range(len(sizes)))
        near = {place for claim in item.claims for place in claim.near[:4]}
        order = [*sorted(near), *(place for place in range(len(sizes)) if place not in near)]
        ends = accumulate(sizes[place] for place in order)
        return sorted(p for p, end in zip(order, ends, strict=True) if end <= LONGEST_CAUSAL)

    def _claim(self, sentence: str) -> tuple[list[int], list[int]]:
        ids, words = self._known[sentence]
        return ids[:LONGEST_CLAIM], words[:LONGEST_CLAIM]


class _Builder:
    """Puts one shared sequence together."""

    def __init__(self, special: Special, parts: Sequence[list[int]], chunks: Sequence[int]) -> None:
        self._special = special
        self._ids: list[int] = []
        self._positions: list[int] = []
        self._segments: list[int] = []
        for number, part in enumerate(parts):
            begins = number == 0 or chunks[number - 1] != chunks[number]
            ends = number + 1 == len(parts) or chunks[number + 1] != chunks[number]
            framed = [*(special.text_start if begins else ()), *part]
            framed += special.text_end if ends else ()
            start = 0 if begins else self._positions[-1] + 1
            self._extend(framed, start, number)
        self._text = len(self._ids)
        self._claims_from = 0 if special.repeat is None else self._text

    def add_claim(self, ids: list[int], segment: int) -> tuple[int, Ints]:
        special = self._special
        begin = len(self._ids)
        framed = [*special.claim_start, *ids]
        if special.repeat is not None:
            framed += [*special.repeat, *ids]
        start = len(framed) - len(ids)
        framed += special.claim_end
        self._extend(framed, self._claims_from, segment)
        class_at = begin if special.repeat is None else begin + len(framed) - 1
        return class_at, np.arange(begin + start, begin + start + len(ids))

    def packed(self, sees: NDArray[np.bool_], claims: tuple[Claimed, ...]) -> Packed:
        types = np.zeros(len(self._ids), dtype=np.int64)
        types[self._text :] = 1
        ids, positions = np.array(self._ids), np.array(self._positions)
        return Packed(ids, positions, types, np.array(self._segments), sees, claims)

    def _extend(self, ids: Sequence[int], start: int, segment: int) -> None:
        self._ids += ids
        self._positions += range(start, start + len(ids))
        self._segments += [segment] * len(ids)


def chunk_numbers(sizes: Sequence[int]) -> Iterator[int]:
    """The chunk of each sentence: as many whole sentences as fit into `CHUNK` word pieces."""
    number = filled = 0
    for size in sizes:
        if filled and filled + size > CHUNK:
            number, filled = number + 1, 0
        filled += size
        yield number
