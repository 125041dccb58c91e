"""Names of the formats and dates as people see them on the pages."""

import re
from datetime import datetime


def seen_name(name: str) -> str:
    """Return a name as people see it: the pages call a narrative a text.

    Example:
        >>> seen_name("narratives"), seen_name("narrative 2"), seen_name("A narrative poem")
        ('texts', 'text 2', 'A narrative poem')
    """
    return re.sub(r"^narrative(s| \d+)$", r"text\1", name)


def seen_day(moment: datetime) -> str:
    """Return the day of a moment; `strftime` has no day without a zero that works everywhere.

    Example:
        >>> seen_day(datetime(2024, 3, 9, 8, 5))
        '9 March 2024'
    """
    return f"{moment.day} {moment:%B %Y}"
