"""Check a summary against its sources, word by word."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from commonground.encoders import DEFAULT, Encoder, TokenEncoder, shown
from commonground.errors import InputError, unknown_name
from commonground.io import Narrative
from commonground.narratives.conflicts.find import Facts, conflicts_of
from commonground.narratives.reading import CLOSELY, sentences_of
from commonground.narratives.result import Conflict, Passage
from commonground.narratives.texts import (
    Text,
    given_narratives,
    given_sentences,
    joined,
    split_by,
)
from commonground.narratives.verification.claims import Claim, claims_of, speaks_of
from commonground.narratives.verification.verified import (
    MODES,
    SUPPORTED,
    Checked,
    CheckedWord,
    Mode,
    Verified,
)
from commonground.reader import Label, Reader, Reading
from commonground.reading import read, token_encoder
from commonground.score import Signature
from commonground.text import PARSER, SPLITTERS, Sentence, split, unmarked, warn_unless_english
from commonground.text import sentences as split_sentences
from commonground.text.clauses import Loose, bearable, without

STATED = 0.35
"""Minimum probability for a claim to count as stated; precision equals recall there."""

CONTRADICTED = 0.5
"""Minimum probability for a source to contradict a claim."""

PARTLY = 0.5
"""Minimum probability for a source to state a claim at least in part."""

_NEAR = 0.3  # conflict rules skip claims that a source shares with a lower probability
_MAX_WORDS = 12  # named in a reason

Array = NDArray[np.float64]
Floats = NDArray[np.float32]


class Checker:
    """Sources that summaries can be checked against; they are read once.

    Args:
        narratives: One source or more, in any order.
        encoder: Finds the nearest sentences: a name for `commonground.encoders.load`, or an
            encoder.
        at_least: Minimum number of sources that must state a claim (default: all).

    Example:
        >>> checker = Checker(["The dam broke at night.", "At night the dam burst."])
        >>> checker.verify("The dam broke. Two cooks fell in love.").summary
        'The dam broke.'
    """

    def __init__(
        self,
        narratives: Sequence[Text | Narrative],
        encoder: str | Encoder = DEFAULT,
        *,
        at_least: int | None = None,
    ) -> None:
        self._narratives, given = given_narratives(narratives, fewest=1)
        count = len(self._narratives)
        if at_least is not None and not (isinstance(at_least, int) and 1 <= at_least <= count):
            raise InputError(f"at_least must be from 1 to {count} (sources), not {at_least}")
        self._needed = at_least or count
        self._given = given
        self._reader = Reader(encoder)
        self._sentences = [tuple(sentences_of(text)) for text in given]
        self._texts = [
            self._reader.prepare([sentence.text for sentence in sentences])
            for sentences in self._sentences
        ]
        for narrative, text in zip(self._narratives, self._texts, strict=True):
            if not any(text.sizes):
                warnings.warn(
                    f"{narrative.source} has no words, so it states nothing", stacklevel=2
                )
        self._event_has_texts = speaks_of([narrative.text for narrative in self._narratives])

    def verify(self, summary: Text, mode: Mode = "drop") -> Verified:
        """Check every sentence of a summary; "drop" removes unsupported ones, "flag" marks them."""
        if mode not in MODES:
            raise unknown_name("mode", mode, MODES)
        if not isinstance(summary, str | list | tuple):
            raise InputError(f"summary must be a text, got {type(summary).__name__}")
        split_text = split_by([summary, *self._given])
        if isinstance(summary, str):
            own = split(unmarked(summary))
        else:
            given = split_sentences(summary)
            own = list(given_sentences([unmarked(sentence) for sentence in given]))
            summary = joined(given)
        claims = claims_of(own, self._event_has_texts)
        texts = [claim.text for claim in claims]
        warn_unless_english(texts, "the summary")
        first = self._read(texts)
        # Before cutting, since an optional part can conflict too.
        conflicts = self._conflicts(texts, first)
        cuts = [
            [] if index in conflicts else self._unstated_parts(claim, first[index])
            for index, claim in enumerate(claims)
        ]
        changed = [index for index, cut in enumerate(cuts) if cut]
        for index in changed:
            texts[index] = without(claims[index].doc, cuts[index], claims[index].text)
        readings = dict(enumerate(first))
        readings |= zip(changed, self._read([texts[index] for index in changed]), strict=True)
        checked = []
        for index, claim in enumerate(claims):
            start, end = claim.sentence.start, claim.sentence.end
            label, reason = self._verdict(readings[index], conflicts.get(index))
            stated = np.array([reading.stated for reading in readings[index]])
            checked.append(
                Checked(
                    text=summary[start:end],
                    start=start,
                    end=end,
                    claim=texts[index],
                    cut=tuple(part.text(claim.doc) for part in cuts[index]),
                    words=self._words(summary, claim, first[index]),
                    label=label,
                    evidence=self._passages(readings[index]),
                    probability=float(self._enough(stated)),
                    supported=reason is None,
                    reason=reason,
                )
            )
        signed = signature(self._reader, mode, len(self._narratives), self._needed, split_text)
        return Verified(summary, self._narratives, tuple(checked), mode, signed)

    def _read(self, claims: Sequence[str]) -> list[tuple[Reading, ...]]:
        """Read each claim against each source: claims x sources."""
        by_source = [self._reader.read(claims, text) for text in self._texts]
        return list(zip(*by_source, strict=True))

    def _enough(self, values: Array) -> Array:
        """Return the K-th largest value over the sources, if K of them must agree."""
        return np.asarray(np.sort(values, axis=0)[len(values) - self._needed])

    def _unstated_parts(self, claim: Claim, readings: Sequence[Reading]) -> list[Loose]:
        """Return the optional parts that too few sources state, if the claim can lose them."""
        support = self._enough(_support(readings))
        unstated = [
            part
            for part in claim.loose
            if (indices := claim.words_of(part)) and support[indices].mean() < SUPPORTED
        ]
        return bearable(claim.doc, unstated)

    def _words(
        self, summary: str, claim: Claim, readings: Sequence[Reading]
    ) -> tuple[CheckedWord, ...]:
        support = _support(readings)
        words = []
        for start, end, index in claim.words():
            word = CheckedWord(summary[start:end], start, end, None, ())
            if index is not None and support.size:
                sources = tuple(np.flatnonzero(support[:, index] >= SUPPORTED).tolist())
                enough = float(self._enough(support[:, index]))
                word = replace(word, support=enough, sources=sources)
            words.append(word)
        return tuple(words)

    def _verdict(
        self, readings: Sequence[Reading], conflict: tuple[int, Conflict] | None
    ) -> tuple[Label, str | None]:
        """Return the label of a claim, and why it is not supported or None."""
        if conflict is not None:
            source, (ours, theirs) = self._names(conflict[:1]), conflict[1].sides
            return "contradicted", f"{source} says {theirs.value!r}, not {ours.value!r}"
        chances = np.array([reading.probabilities for reading in readings])
        against = np.flatnonzero(chances[:, 2] >= CONTRADICTED).tolist()
        if against:
            return "contradicted", f"contradicted by {self._names(against)}"
        stated = np.round(chances[:, 0], 6) >= STATED
        if stated.sum() >= self._needed:
            return "stated", None
        shared = np.round(chances[:, 0] + chances[:, 1], 6) >= PARTLY
        if shared.sum() >= self._needed:
            support = self._enough(_support(readings))
            words = [word.text for word in readings[0].words]
            unstated = [words[index] for index in np.flatnonzero(support < SUPPORTED)]
            quoted = " ".join(unstated[:_MAX_WORDS]).strip(".,;:")
            return "partly", f"not stated: {quoted!r}" if quoted else "not fully stated"
        return "absent", self._missing(stated | shared)

    def _missing(self, sharing: NDArray[np.bool_]) -> str:
        """Say which sources do not state a claim, or the only one of many that shares it."""
        if not sharing.any() and len(sharing) > 1:
            return "found in no source"
        only = sharing.sum() == 1 < len(sharing) - 1
        sources = np.flatnonzero(sharing if only else ~sharing).tolist()
        return f"{'found only' if only else 'not found'} in {self._names(sources)}"

    def _names(self, sources: Sequence[int]) -> str:
        """Return the names of sources; the index, as in passages, for one without a name."""
        names = [self._narratives[index].source for index in sources]
        return ", ".join(
            f"narratives[{index}]" if name == f"narrative {index + 1}" else name
            for index, name in zip(sources, names, strict=True)
        )

    def _passages(self, readings: Sequence[Reading]) -> tuple[Passage, ...]:
        """Return the best sentence of each source that has words."""
        passages = []
        for index, reading in enumerate(readings):
            best = reading.evidence[0].sentence if reading.evidence else reading.nearest
            if best is not None:
                start, end = self._sentences[index][best].start, self._sentences[index][best].end
                text = self._narratives[index].text[start:end]
                passages.append(Passage(index, text, start, end, reading.stated))
        return tuple(passages)

    def _conflicts(
        self, claims: Sequence[str], readings: Sequence[Sequence[Reading]]
    ) -> Mapping[int, tuple[int, Conflict]]:
        """Return, by claim, a source that shares it with another value, and the conflict.

        The rules name the two values; the reader only detects a contradiction.
        """
        shared = np.array([[1 - reading.absent >= _NEAR for reading in row] for row in readings])
        near = [index for index, row in enumerate(shared) if row.any()]
        if not near:
            return {}
        sentences = [Sentence(claims[index], 0, len(claims[index])) for index in near]
        document = read(sentences, self._encoder, entities=True)
        # Each claim alone, so that other claims cannot explain a conflict away.
        facts = {index: Facts.of(document.only(row)) for row, index in enumerate(near)}
        conflicts: dict[int, tuple[int, Conflict]] = {}
        # The first conflict counts: sources are sorted, so that the caller's order has no effect.
        for source in sorted(range(len(self._texts)), key=lambda s: self._narratives[s].text):
            if not shared[:, source].any():
                continue
            other = self._sources[source].near(document.vectors)
            for index in np.flatnonzero(shared[:, source]).tolist():
                for _, conflict in conflicts_of([facts[index], other]):
                    conflicts.setdefault(index, (source, conflict))
        return conflicts

    @cached_property
    def _encoder(self) -> TokenEncoder:
        return token_encoder(DEFAULT)

    @cached_property
    def _sources(self) -> list["_Source"]:
        return [_Source(sentences, self._encoder) for sentences in self._sentences]


class _Source:
    """The facts of a source; those of a short one are read once for all summaries."""

    def __init__(self, sentences: Sequence[Sentence], encoder: TokenEncoder) -> None:
        self._sentences = sentences
        self._encoder = encoder

    def near(self, claims: Floats) -> Facts:
        """Return the facts of the sentences nearest to the claims (unit rows)."""
        if len(self._sentences) <= CLOSELY:
            return self._all
        chosen = nearest(claims @ self._vectors.T, CLOSELY)
        return self._facts([self._sentences[index] for index in chosen])

    def _facts(self, sentences: Sequence[Sentence]) -> Facts:
        return Facts.of(read(sentences, self._encoder, entities=True))

    @cached_property
    def _all(self) -> Facts:
        return self._facts(self._sentences)

    @cached_property
    def _vectors(self) -> Floats:
        return self._encoder.encode([sentence.text for sentence in self._sentences])


def nearest(cosines: Floats, count: int) -> list[int]:
    """Return `count` columns: the best of every row, then the second best, and so on.

    A claim with a single matching sentence thus keeps it beside a claim with many.

    Example:
        >>> nearest(np.array([[0.9, 0.8, 0.7, 0.1], [0.0, 0.0, 0.0, 0.2]], dtype=np.float32), 2)
        [0, 3]
    """
    # Rounded and stable, so that the last digits have no effect.
    order = np.argsort(-np.round(cosines, 5), axis=1, kind="stable")
    best = np.argsort(order, axis=1).min(axis=0, initial=cosines.shape[1])
    return sorted(np.argsort(best, kind="stable")[:count].tolist())


def _support(readings: Sequence[Reading]) -> Array:
    """Return the support of each word of a claim: sources x words."""
    return np.array([[word.support for word in reading.words] for reading in readings])


def signature(
    reader: Reader,
    mode: Mode,
    narratives: int,
    at_least: int,
    split_text: str = SPLITTERS["layout"],
) -> Signature:
    """Return the signature of a check against n sources; `split_text` names what split them."""
    return Signature.of(
        "VERIFY",
        mode=mode,
        reader=reader.shown,
        enc=shown(reader.encoder),
        above=f"{STATED:g}-{SUPPORTED:g}",
        split=split_text,
        parse=PARSER,
        narratives=str(narratives),
        **({} if at_least == narratives else {"at_least": str(at_least)}),
    )


def verify(
    summary: Text,
    narratives: Sequence[Text | Narrative],
    *,
    mode: Mode = "drop",
    encoder: str | Encoder = DEFAULT,
    at_least: int | None = None,
) -> Verified:
    """Check a summary against its sources; use `Checker` for many summaries of one event.

    Args:
        summary: A `str`, or a list of sentences, which are not split further.
        narratives: One source or more, likewise; their order only sets their indices.
        mode: "drop" removes unsupported sentences from `summary`; "flag" keeps them.
        encoder: Finds the nearest sentences: a name, or an encoder.
        at_least: Minimum number of sources that must state a sentence (default: all).

    Example:
        >>> left = "The ferry ran aground on Saturday. The captain resigned."
        >>> right = "On Saturday a ferry hit rocks and ran aground."
        >>> verify("The ferry ran aground. The captain resigned.", [left, right]).summary
        'The ferry ran aground.'
    """
    return Checker(narratives, encoder, at_least=at_least).verify(summary, mode)
