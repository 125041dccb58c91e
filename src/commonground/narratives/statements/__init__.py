"""Statements: cuts of sentences that enough narratives state."""
