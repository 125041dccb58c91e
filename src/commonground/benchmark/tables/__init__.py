"""The tables of the papers, rebuilt from a run."""
