"""Measures of summaries."""
