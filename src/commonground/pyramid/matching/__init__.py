"""Matching: which segment of a summary states which unit."""
