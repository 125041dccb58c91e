"""Group articles by event, to make a data set of a pile of articles."""

from commonground.scale.grouping.articles import Pile, find_pile, read_articles, without_copies
from commonground.scale.grouping.groups import GROUP, PAIR, Article, Group, check_library, group

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
