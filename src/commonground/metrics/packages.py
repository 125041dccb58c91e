"""Metrics of other packages: chrF and BLEU of sacreBLEU, METEOR of NLTK; the extra [metrics].

The numbers are the packages' own (BLEU and chrF from 0 to 100), and their versions are in the
signature. A corpus is the mean over its summaries, which for BLEU is not corpus BLEU.
"""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any, ClassVar

from commonground.errors import InputError, MissingExtraError
from commonground.metrics.base import Corpus, Metric, Score
from commonground.metrics.texts import Text, check_references, check_text, one_line
from commonground.text import stem


class _SacreBleu(Metric[Score, Corpus]):
    """A metric of sacreBLEU on single summaries; `_measure` is its object."""

    columns = ("score",)
    title: ClassVar[str]
    _measure: Any

    @property
    def settings(self) -> Mapping[str, str]:
        """The fields of sacreBLEU's own signature."""
        fields = dict(self._measure.get_signature().info)
        kept = {
            key: str(value)
            for key, value in fields.items()
            if value is not None and key not in ("nrefs", "seed", "version")
        }
        return {**kept, "sacrebleu": version("sacrebleu")}

    def score(self, prediction: Text, references: Sequence[Text]) -> Score:
        """Score one summary; sacreBLEU combines several references."""
        targets = [one_line(text) for text in check_references(references)]
        value = self._measure.sentence_score(one_line(check_text(prediction)), targets).score
        return Score({"score": float(value)}, self.signature(prediction, references))


class ChrF(_SacreBleu):
    """chrF of sacreBLEU: the F-score of character n-grams.

    Args:
        char_order: The longest n-gram of characters.
        word_order: The longest n-gram of words; 2 makes chrF++.
        beta: How much more recall counts than precision.
    """

    name = "chrf"

    def __init__(self, char_order: int = 6, word_order: int = 0, beta: int = 2) -> None:
        self._measure = _sacrebleu("chrF").CHRF(char_order, word_order, beta)
        self._measure.sentence_score("", [""])  # sets the fields of the signature


class Bleu(_SacreBleu):
    """Sentence BLEU of sacreBLEU, with effective order, as it advises for sentences.

    Args:
        lowercase: Whether case does not matter.
        tokenize: One of sacreBLEU's tokenizers.
    """

    name = "bleu"

    def __init__(self, lowercase: bool = False, tokenize: str = "13a") -> None:
        try:
            self._measure = _sacrebleu("BLEU").BLEU(
                lowercase=lowercase, tokenize=tokenize, effective_order=True
            )
        except KeyError:
            raise InputError(f"unknown tokenizer of BLEU {tokenize!r}") from None
        self._measure.sentence_score("", [""])


class Meteor(Metric[Score, Corpus]):
    """METEOR of NLTK: aligned words, by form, stem and synonym; words are lower-cased runs.

    Args:
        synonyms: Whether synonyms of WordNet match, which NLTK must have downloaded.
    """

    name = "meteor"
    columns = ("score",)

    def __init__(self, synonyms: bool = True) -> None:
        try:
            from nltk.translate import meteor_score
        except ImportError:
            raise MissingExtraError("METEOR", "metrics") from None
        self.synonyms = synonyms
        self._score = meteor_score.meteor_score
        self._wordnet = _wordnet() if synonyms else _NoSynonyms()

    @property
    def settings(self) -> Mapping[str, str]:
        """Whether synonyms match, and the version of NLTK."""
        return {
            "stem": "porter",
            "syn": "wordnet" if self.synonyms else "no",
            "nltk": version("nltk"),
        }

    def score(self, prediction: Text, references: Sequence[Text]) -> Score:
        """Score one summary; the best reference counts."""
        targets = [one_line(text).lower().split() for text in check_references(references)]
        words = one_line(check_text(prediction)).lower().split()
        value = self._score(targets, words, stemmer=_Stemmer(), wordnet=self._wordnet)
        return Score({"score": float(value)}, self.signature(prediction, references))


class _Stemmer:
    """Our Porter stemmer, which equals NLTK's and is faster."""

    def stem(self, word: str) -> str:
        return stem(word) if word.isascii() else word


class _NoSynonyms:
    """A WordNet without words."""

    def synsets(self, word: str) -> list[Any]:
        return []


def _wordnet() -> Any:
    from nltk.corpus import wordnet

    try:
        wordnet.ensure_loaded()
    except LookupError:
        raise InputError(
            "METEOR needs NLTK's WordNet (python -m nltk.downloader wordnet), or synonyms=False"
        ) from None
    return wordnet


def _sacrebleu(what: str) -> Any:
    try:
        from sacrebleu import metrics
    except ImportError:
        raise MissingExtraError(what, "metrics") from None
    return metrics
