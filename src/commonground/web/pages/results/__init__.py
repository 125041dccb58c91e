"""Pages that compute a result: Compare, Score and Pyramid, and the results saved by link."""
