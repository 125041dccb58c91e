"""Names of the formats as people see them on the pages."""

import re


def seen_name(name: str) -> str:
    """Return a name as people see it: the pages call a narrative a text.

    Example:
        >>> seen_name("narratives"), seen_name("narrative 2"), seen_name("A narrative poem")
        ('texts', 'text 2', 'A narrative poem')
    """
    return re.sub(r"^narrative(s| \d+)$", r"text\1", name)
