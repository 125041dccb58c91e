"""Group articles by event, to make a data set of a pile of articles."""

from typing import TYPE_CHECKING

from commonground.lazy import on_demand

if TYPE_CHECKING:
    from commonground.scale.grouping.alike import check_library
    from commonground.scale.grouping.articles import (
        Pile,
        find_pile,
        read_articles,
        without_copies,
    )
    from commonground.scale.grouping.groups import GROUP, PAIR, Article, Group, group
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "alike": ["check_library"],
            "articles": ["Pile", "find_pile", "read_articles", "without_copies"],
            "groups": ["Article", "GROUP", "Group", "PAIR", "group"],
        },
    )

__all__ = [
    "GROUP",
    "PAIR",
    "Article",
    "Group",
    "Pile",
    "check_library",
    "find_pile",
    "group",
    "read_articles",
    "without_copies",
]
