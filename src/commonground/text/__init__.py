"""Text to sentences."""
