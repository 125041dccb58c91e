"""Text to sentences: where one ends, by layout and by punctuation."""
