"""Models that write summaries; `commonground.overlap.generators` is their public face."""
