"""The ROUGE metric."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, ClassVar

from commonground.errors import InputError, check_known
from commonground.frames import HasRows
from commonground.metrics.base import PARTS, CorpusBase, Metric
from commonground.metrics.rouge.reading import (
    DEFAULT_TYPES,
    TOKENIZERS,
    Kind,
    Reader,
    Reading,
    Vocabulary,
)
from commonground.metrics.texts import (
    CheckedPair,
    CheckedReferences,
    CheckedText,
    Text,
    check_references,
    check_text,
    split_used,
)
from commonground.plain import to_plain
from commonground.score import PRF, Citable, Interval, Progress, Signature

_MULTI = ("best", "mean")

# A vocabulary of more tokens is dropped once its references are done: some 20 MB.
_MOST_TOKENS = 200_000


@dataclass(frozen=True, slots=True, repr=False)
class RougeScore(HasRows, Citable):
    """The ROUGE of one summary: precision, recall and F1 by type.

    Example:
        >>> from commonground.metrics.rouge import Rouge
        >>> score = Rouge(types=["rouge1"]).score("the cat sat", ["the cat was sitting"])
        >>> score["rouge1"]
        PRF(precision=0.6667, recall=0.5000, f1=0.5714)
        >>> print(score.signature)
        ROUGE|types:rouge1|stem:no|tok:ascii|refs:1|multi:best|v:0.1.0
    """

    scores: Mapping[str, PRF]
    signature: Signature

    def __getitem__(self, name: str) -> PRF:
        return self.scores[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.scores)

    def to_dict(self) -> dict[str, Any]:
        """Return `["rouge1"]["f1"]` and so on, and the signature as text."""
        return {**to_plain(self.scores), "signature": str(self.signature)}

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return a row for each type."""
        return [{"type": name, **score.to_dict()} for name, score in self.scores.items()]

    def __repr__(self) -> str:
        numbers = "".join(f"{name}={score.f1:.4f}, " for name, score in self.scores.items())
        return f"RougeScore({numbers}signature='{self.signature}')"


@dataclass(frozen=True, slots=True, repr=False)
class RougeCorpus(CorpusBase):
    """The ROUGE of a corpus.

    Attributes:
        mean: By type, the mean precision, the mean recall and the mean of the items' F1.
        interval: By type, the interval of the mean F1.
    """

    items: tuple[RougeScore, ...]
    mean: Mapping[str, PRF]
    interval: Mapping[str, Interval]
    signature: Signature

    @property
    def columns(self) -> Sequence[str]:
        """`rouge1.precision`, `rouge1.recall`, `rouge1.f1` and so on."""
        return [f"{name}.{part}" for name in self.mean for part in PARTS]

    def __repr__(self) -> str:
        numbers = "".join(
            f"{name}={score.f1:.4f} {self.interval[name]}, " for name, score in self.mean.items()
        )
        return f"RougeCorpus({len(self.items)} items, {numbers}signature='{self.signature}')"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rouge(Metric[RougeScore, RougeCorpus]):
    """ROUGE as rouge-score 0.1.2 computes it, for one summary or a corpus.

    A text is a `str` or a list of sentences. ROUGE-Lsum takes each line of a `str` as a
    sentence; the other kinds do not look at sentences. An empty text scores 0, also against
    an empty reference.

    Args:
        types: Any of `rouge1`, `rouge2`, ... for n-grams of that length, `rougeL`, `rougeLsum`;
            `rougeSU4` for skip-bigrams with up to 4 tokens between them and single tokens
            (`rougeS4` without these), `rougeW` for weighted common subsequences.
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

    name: ClassVar[str] = "rouge"
    study_options: ClassVar[Mapping[str, Any]] = {
        "types": ("rouge1", "rouge2", "rougeL"),
        "stemmer": True,  # as in the papers
    }
    types: Sequence[str] = DEFAULT_TYPES
    stemmer: bool = False
    tokenizer: str = "ascii"
    multi: str = "best"

    def __post_init__(self) -> None:
        if isinstance(self.types, str):
            raise InputError(f"types must be a list, got one string; write [{self.types!r}]")
        if not isinstance(self.types, Iterable):
            raise InputError(f"types must be a list of names, got {self.types!r}")
        if not self.types:
            raise InputError("types is empty; name at least one, such as 'rouge1'")
        names = tuple(dict.fromkeys(Kind.parse(name).name for name in self.types))
        object.__setattr__(self, "types", names)
        check_known("tokenizer", TOKENIZERS, self.tokenizer)
        check_known("multi", _MULTI, self.multi)

    @property
    def columns(self) -> Sequence[str]:
        """`rouge1.precision`, `rouge1.recall`, `rouge1.f1` and so on."""
        return tuple(f"{name}.{part}" for name in self.types for part in PARTS)

    @property
    def main_columns(self) -> Mapping[str, str]:
        """The F1 of each type, by the name of the type."""
        return {name: f"{name}.f1" for name in self.types}

    def score(self, prediction: Text, references: Sequence[Text]) -> RougeScore:
        """Score one summary against its references.

        Raises:
            InputError: `references` is a bare string, is empty, or holds a value that is no text.
        """
        output, targets = check_text(prediction), check_references(references)
        return next(self._scores([output], targets, Vocabulary(self.stemmer)))

    def score_all(
        self, pairs: Mapping[str, Sequence[CheckedPair]], progress: Progress | None
    ) -> dict[str, list[RougeScore]]:
        """Score one set of references after the other, so that each reference is read once."""
        groups: dict[CheckedReferences, list[tuple[str, int]]] = {}
        for system, items in pairs.items():
            for index, (_, targets) in enumerate(items):
                groups.setdefault(targets, []).append((system, index))
        total = sum(map(len, pairs.values()))
        scores: dict[tuple[str, int], RougeScore] = {}
        vocabulary = Vocabulary(self.stemmer)
        for targets, keys in groups.items():
            outputs = [pairs[system][index][0] for system, index in keys]
            scores.update(zip(keys, self._scores(outputs, targets, vocabulary), strict=True))
            if len(vocabulary) > _MOST_TOKENS:
                vocabulary = Vocabulary(self.stemmer)
            if progress:
                progress(len(scores), total)
        return {
            system: [scores[system, index] for index in range(len(items))]
            for system, items in pairs.items()
        }

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
            signature = self.signature(prediction, references)
            reading = reader.read(prediction)
            scores = {kind.name: self._combined(kind, reading, targets) for kind in kinds}
            yield RougeScore(scores, signature)

    def _combined(self, kind: Kind, prediction: Reading, targets: Sequence[Reading]) -> PRF:
        each = [kind.compare(prediction, target) for target in targets]
        if self.multi == "mean":
            return _mean(each)
        return max(each, key=lambda score: (score.f1, score.recall, score.precision))

    def combine(
        self,
        items: tuple[RougeScore, ...],
        mean: Mapping[str, float],
        interval: Mapping[str, Interval],
        signature: Signature,
    ) -> RougeCorpus:
        """Return means and intervals by type."""
        return RougeCorpus(
            items,
            {name: PRF(*(mean[f"{name}.{part}"] for part in PARTS)) for name in self.types},
            {name: interval[f"{name}.f1"] for name in self.types},
            signature,
        )

    def signature(self, prediction: Text, references: Sequence[Text]) -> Signature:
        """Return the signature; it names the sentence splitter only if ROUGE-Lsum needs it."""
        split = {"split": split_used(prediction, references, "lines")}
        return Signature.of(
            "ROUGE",
            types="+".join(self.types),
            stem="porter" if self.stemmer else "no",
            tok=self.tokenizer,
            refs=str(len(references)),
            multi=self.multi,
            **(split if "rougeLsum" in self.types else {}),
        )

    @classmethod
    def cells(cls, corpus: Mapping[str, Any]) -> dict[str, str]:
        """Return the mean F1 of each type."""
        return {name: f"{prf['f1']:.3f}" for name, prf in corpus["mean"].items()}


def _mean(scores: Sequence[PRF]) -> PRF:
    """Return the mean of each number; the exact sum makes it the same in any order."""
    precision, recall, f1 = (fsum(values) / len(scores) for values in zip(*scores, strict=True))
    return PRF(precision, recall, f1)
