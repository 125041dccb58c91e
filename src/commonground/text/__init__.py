"""Text to sentences."""

from commonground.text.sentences import SPLITTERS, Sentence, sentences, split

__all__ = ["SPLITTERS", "Sentence", "sentences", "split"]
