"""Pyramids in files: JSON, DUCView, and text for people."""
