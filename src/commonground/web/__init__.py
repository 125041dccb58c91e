"""Pages in a browser: compare, score, grade and annotate."""
