"""What narratives have in common."""
