"""Builders: from the similarity graph of segments to content units."""
