"""Packed sequences as padded tensors, with all that the losses need."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from training.items import Claim
from training.packing import Packed

UNKNOWN = -1


@dataclass(slots=True)
class Batch:
    """A padded batch; places in the batch are counted over its flattened tokens.

    Attributes:
        ids, positions, types: Batch x tokens.
        segments: Batch x tokens, the segment of each token; -1 for padding.
        sees: Batch x segments x segments, true where a segment may look; None where all tokens of
            a sequence may look at each other.
        causal: Whether no token sees what follows it.
        class_at: The token of each claim whose vector gives the class.
        numbers: The number of each claim.
        word_tokens, word_of: Tokens of claims, and the word each belongs to, over all claims.
        claim_of_word: The claim of each word.
        allowed: Claims x classes.
        words: For each word 1, 0 or unknown.
    """

    ids: Tensor
    positions: Tensor
    types: Tensor
    segments: Tensor
    sees: Tensor | None
    causal: bool
    class_at: Tensor
    numbers: Tensor
    word_tokens: Tensor
    word_of: Tensor
    claim_of_word: Tensor
    allowed: Tensor
    words: Tensor

    def to(self, device: str) -> "Batch":
        """The same on a device."""
        moved = {name: getattr(self, name) for name in self.__slots__}
        return Batch(
            **{
                name: value.to(device, non_blocking=True) if isinstance(value, Tensor) else value
                for name, value in moved.items()
            }
        )

    def mask(self) -> Tensor:
        """Which token may look at which; made on the device, since it is large.

        Batch x tokens x tokens; batch x tokens where a sequence's tokens all see each other.
        """
        real = self.segments >= 0
        if self.sees is None:
            return real
        segments = self.segments.clamp(min=0)
        rows = torch.arange(len(segments), device=segments.device)[:, None, None]
        mask = self.sees[rows, segments[:, :, None], segments[:, None, :]]
        mask &= real[:, :, None] & real[:, None, :]
        if self.causal:
            mask = mask.tril()
        # A padding token sees itself, or its softmax is empty.
        return mask | torch.eye(mask.shape[1], dtype=torch.bool, device=mask.device)


def batches(
    packed: Sequence[Packed], tokens: int, rng: random.Random | None = None
) -> list[list[int]]:
    """Group sequences of similar length into padded batches of at most `tokens` tokens."""
    # Without the jitter all copies of one item would stand in one batch.
    jitter = (lambda: 1 + 0.2 * rng.random()) if rng else (lambda: 1.0)
    order = sorted(range(len(packed)), key=lambda place: len(packed[place].ids) * jitter())
    groups: list[list[int]] = [[]]
    longest = 0
    for place in order:
        longest = max(longest, len(packed[place].ids))
        if groups[-1] and (longest * (len(groups[-1]) + 1) > tokens or len(groups[-1]) >= 512):
            groups.append([])
            longest = len(packed[place].ids)
        groups[-1].append(place)
    if rng:
        rng.shuffle(groups)
    return groups


def collate(some: Sequence[Packed], claims: Sequence[Claim], *, causal: bool, pad: int) -> Batch:
    """Pad sequences to a common length and gather what is known of their claims."""
    length = max(len(one.ids) for one in some)
    shape = (len(some), length)
    ids = np.full(shape, pad, dtype=np.int64)
    segments = np.full(shape, -1, dtype=np.int64)
    positions, types = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    columns: dict[str, list[np.ndarray]] = {name: [] for name in _COLUMNS}
    words = 0
    for row, one in enumerate(some):
        count = len(one.ids)
        ids[row, :count], positions[row, :count], types[row, :count] = (
            one.ids,
            one.positions,
            one.types,
        )
        segments[row, :count] = one.segments
        offset = row * length
        for claimed in one.claims:
            known = claims[claimed.number]
            total = int(claimed.words.max()) + 1 if len(claimed.words) else 0
            number = len(columns["class_at"])
            columns["class_at"].append(np.array([claimed.class_at + offset]))
            columns["numbers"].append(np.array([claimed.number]))
            columns["word_tokens"].append(claimed.tokens + offset)
            columns["word_of"].append(claimed.words + words)
            columns["claim_of_word"].append(np.full(total, number))
            columns["words"].append(_word_labels(known, total))
            columns["allowed"].append(_allowed(known))
            words += total
    flat = {name: torch.from_numpy(np.concatenate(parts)) for name, parts in columns.items()}
    flat["allowed"] = flat["allowed"].view(-1, 4)
    return Batch(
        torch.from_numpy(ids),
        torch.from_numpy(positions),
        torch.from_numpy(types),
        torch.from_numpy(segments),
        _sees(some),
        causal,
        **flat,
    )


_COLUMNS = ["class_at", "numbers", "word_tokens", "word_of", "claim_of_word", "allowed", "words"]


def _sees(some: Sequence[Packed]) -> Tensor | None:
    each = [one.sees for one in some if one.sees is not None]
    if not each:
        return None
    most = max(map(len, each))
    sees = np.zeros((len(each), most, most), dtype=bool)
    for row, one in enumerate(each):
        sees[row, : len(one), : len(one)] = one
    return torch.from_numpy(sees)


def _word_labels(known: Claim, total: int) -> np.ndarray:
    labels = np.full(total, UNKNOWN, dtype=np.int64)
    if known.words is not None:
        some = known.words[:total]
        labels[: len(some)] = some
    return labels


def _allowed(known: Claim) -> np.ndarray:
    allowed = np.zeros(4, dtype=np.float32)
    allowed[list(range(4) if known.allowed is None else known.allowed)] = 1
    return allowed


def prefetched(
    packed: Sequence[Packed],
    claims: Sequence[Claim],
    groups: Sequence[list[int]],
    *,
    causal: bool,
    pad: int,
    workers: int = 6,
) -> Iterator[Batch]:
    """Collate on threads, a few batches ahead of the network."""
    from concurrent.futures import ThreadPoolExecutor

    def work(group: list[int]) -> Batch:
        return collate([packed[place] for place in group], claims, causal=causal, pad=pad)

    with ThreadPoolExecutor(workers) as pool:
        ahead = [pool.submit(work, group) for group in groups[: 2 * workers]]
        for number in range(len(groups)):
            batch = ahead.pop(0).result()
            if number + 2 * workers < len(groups):
                ahead.append(pool.submit(work, groups[number + 2 * workers]))
            yield batch
