"""PyrEval to the letter: its segments, its matching and its scores."""
