"""The ROUGE measure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np

from commonground.errors import InputError, unknown_name
from commonground.metrics.intervals import interval_fields, mean_intervals
from commonground.metrics.rouge.kinds import DEFAULT_TYPES, Kind
from commonground.metrics.rouge.reading import Reader, Reading, Vocabulary
from commonground.metrics.rouge.result import RougeCorpus, RougeScore
from commonground.metrics.rouge.tokens import TOKENIZERS
from commonground.metrics.texts import (
    CheckedPair,
    CheckedReferences,
    CheckedText,
    Corpora,
    Progress,
    Text,
    check_corpora,
    check_references,
    check_text,
    split_used,
)
from commonground.score import PRF, Signature, count_range

_MULTI = ("best", "mean")

# A vocabulary of more tokens is dropped once its references are done: some 20 MB.
_MOST_TOKENS = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Rouge:
    """ROUGE as rouge-score 0.1.2 computes it, for one summary or a corpus.

    A text is a `str` or a list of sentences. ROUGE-Lsum takes each line of a `str` as a
    sentence; the other kinds do not look at sentences. An empty text scores 0, also against
    an empty reference.

    Args:
        types: Any of `rouge1`, `rouge2`, ... for n-grams of that length, `rougeL`, `rougeLsum`.
        stemmer: Whether words match by their Porter stems (English).
        tokenizer: `ascii` keeps a-z and 0-9, as rouge-score does, so text in other scripts
            scores 0; `unicode` keeps the letters of every script.
        multi: Of several references, `best` takes for each type the one with the highest
            F1 (then recall, then precision); `mean` averages precision, recall and F1.

    Example:
        >>> rouge = Rouge(types=["rouge1", "rougeL"])
        >>> rouge.score("the cat sat", ["the cat was sitting", "a dog"])["rouge1"]
        PRF(precision=0.6667, recall=0.5000, f1=0.5714)
    """

    types: Sequence[str] = DEFAULT_TYPES
    stemmer: bool = False
    tokenizer: str = "ascii"
    multi: str = "best"

    def __post_init__(self) -> None:
        if isinstance(self.types, str):
            raise InputError(f"types must be a list, got one string; write [{self.types!r}]")
        if not self.types:
            raise InputError("types is empty; name at least one, such as 'rouge1'")
        names = tuple(dict.fromkeys(Kind.parse(name).name for name in self.types))
        object.__setattr__(self, "types", names)
        if self.tokenizer not in TOKENIZERS:
            raise unknown_name("tokenizer", self.tokenizer, TOKENIZERS)
        if self.multi not in _MULTI:
            raise unknown_name("multi", self.multi, _MULTI)

    def score(self, prediction: Text, references: Sequence[Text]) -> RougeScore:
        """Score one summary against its references.

        Raises:
            InputError: If `references` is a bare string, is empty or holds what is no text.
        """
        output, targets = check_text(prediction), check_references(references)
        return next(self._scores([output], targets, Vocabulary(self.stemmer)))

    def corpus(
        self,
        predictions: Sequence[Text],
        references: Sequence[Sequence[Text]],
        *,
        progress: Progress | None = None,
    ) -> RougeCorpus:
        """Score many summaries, each against its own references, with means and intervals.

        Each score is the one that `score` gives. `progress` is called with the number of
        summaries scored so far and of all.

        Raises:
            InputError: If there are no items, not as many predictions as lists of references,
                or an item that `score` would refuse; the message names the item's index.
        """
        return self.corpora({"": (predictions, references)}, progress=progress)[""]

    def each(
        self, predictions: Sequence[Text], references: Sequence[Sequence[Text]]
    ) -> list[RougeScore]:
        """The items of `corpus` alone, where means and intervals are worked out elsewhere."""
        pairs = check_corpora({"": (predictions, references)})
        found = self._by_references(pairs, None)
        return [found["", index] for index in range(len(found))]

    def corpora(
        self, corpora: Corpora, *, progress: Progress | None = None
    ) -> dict[str, RougeCorpus]:
        """Score several systems at once: references that they share are read once.

        Args:
            corpora: For each system its predictions and their references, as for `corpus`.
            progress: Called with the number of summaries scored so far and of all.
        """
        pairs = check_corpora(corpora)
        found = self._by_references(pairs, progress)
        return {
            system: self._summary(tuple(found[system, index] for index in range(len(some))), some)
            for system, some in pairs.items()
        }

    def _by_references(
        self, pairs: Mapping[str, Sequence[CheckedPair]], progress: Progress | None
    ) -> dict[tuple[str, int], RougeScore]:
        """All scores by system and index, computed one set of references after the other."""
        groups: dict[CheckedReferences, list[tuple[str, int]]] = {}
        for system, some in pairs.items():
            for index, (_, targets) in enumerate(some):
                groups.setdefault(targets, []).append((system, index))
        total = sum(map(len, pairs.values()))
        found: dict[tuple[str, int], RougeScore] = {}
        vocabulary = Vocabulary(self.stemmer)
        for targets, places in groups.items():
            outputs = [pairs[system][index][0] for system, index in places]
            found.update(zip(places, self._scores(outputs, targets, vocabulary), strict=True))
            if len(vocabulary) > _MOST_TOKENS:
                vocabulary = Vocabulary(self.stemmer)
            if progress:
                progress(len(found), total)
        return found

    def _scores(
        self,
        predictions: Sequence[CheckedText],
        references: CheckedReferences,
        vocabulary: Vocabulary,
    ) -> Iterator[RougeScore]:
        kinds = [Kind.parse(name) for name in self.types]
        lengths = {1, *(kind.length for kind in kinds if kind.length)}
        reader = Reader(TOKENIZERS[self.tokenizer], vocabulary, lengths)
        targets = [reader.read(reference) for reference in references]
        for prediction in predictions:
            signature = self._signature([(prediction, references)])
            reading = reader.read(prediction)
            scores = {kind.name: self._combined(kind, reading, targets) for kind in kinds}
            yield RougeScore(scores, signature)

    def _combined(self, kind: Kind, prediction: Reading, targets: Sequence[Reading]) -> PRF:
        each = [kind.compare(prediction, target) for target in targets]
        if self.multi == "mean":
            return _mean(each)
        return max(each, key=lambda score: (score.f1, score.recall, score.precision))

    def _summary(self, items: tuple[RougeScore, ...], pairs: Sequence[CheckedPair]) -> RougeCorpus:
        f1 = np.array([[item[name].f1 for name in self.types] for item in items])
        return RougeCorpus(
            items=items,
            mean={name: _mean([item[name] for item in items]) for name in self.types},
            interval=dict(zip(self.types, mean_intervals(f1), strict=True)),
            signature=self._signature(pairs, **interval_fields(len(items))),
        )

    def _signature(self, pairs: Sequence[CheckedPair], **more: str) -> Signature:
        # Only ROUGE-Lsum looks at sentences.
        split = {"split": split_used(pairs, "lines")} if "rougeLsum" in self.types else {}
        return Signature.of(
            "ROUGE",
            types="+".join(self.types),
            stem="porter" if self.stemmer else "no",
            tok=self.tokenizer,
            refs=count_range({len(references) for _, references in pairs}),
            multi=self.multi,
            **split,
            **more,
        )


def _mean(scores: Sequence[PRF]) -> PRF:
    """Each number's own mean; the exact sum makes it the same in any order."""
    precision, recall, f1 = (fsum(values) / len(scores) for values in zip(*scores, strict=True))
    return PRF(precision, recall, f1)
