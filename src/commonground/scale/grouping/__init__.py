"""Articles of one event put together, so that a pile becomes a data set."""

from typing import TYPE_CHECKING

from commonground.lazy import on_demand

if TYPE_CHECKING:
    from commonground.scale.grouping.alike import check_library
    from commonground.scale.grouping.articles import read_articles, without_copies
    from commonground.scale.grouping.groups import GROUP, PAIR, Article, Group, group
    from commonground.scale.grouping.pile import Pile, find_pile
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "alike": ["check_library"],
            "articles": ["read_articles", "without_copies"],
            "groups": ["Article", "GROUP", "Group", "PAIR", "group"],
            "pile": ["Pile", "find_pile"],
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
