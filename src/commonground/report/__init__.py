"""Results as pages: HTML from plain dicts, so that nothing here depends on how they were made."""
