"""Conflicts: what narratives tell differently of the same matter."""
