"""Text to sentences."""

from commonground.text.sentences import SPLITTER, Sentence, sentences, split

__all__ = ["SPLITTER", "Sentence", "sentences", "split"]
