"""Other definitions of the overlap: common words, topics, facets, graph."""

from typing import TYPE_CHECKING

from commonground.lazy import on_demand

if TYPE_CHECKING:
    from commonground.narratives.definitions.facets import (
        CommonFacets,
        FacetOverlaps,
        common_facets,
    )
    from commonground.narratives.definitions.graph import CommonGraph, GraphOverlaps, common_graph
    from commonground.narratives.definitions.topics import (
        CommonTopics,
        TopicOverlaps,
        common_topics,
    )
    from commonground.narratives.definitions.words import CommonWords, WordOverlaps, common_words
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "facets": ["CommonFacets", "FacetOverlaps", "common_facets"],
            "graph": ["CommonGraph", "GraphOverlaps", "common_graph"],
            "topics": ["CommonTopics", "TopicOverlaps", "common_topics"],
            "words": ["CommonWords", "WordOverlaps", "common_words"],
        },
    )

__all__ = [
    "CommonFacets",
    "CommonGraph",
    "CommonTopics",
    "CommonWords",
    "FacetOverlaps",
    "GraphOverlaps",
    "TopicOverlaps",
    "WordOverlaps",
    "common_facets",
    "common_graph",
    "common_topics",
    "common_words",
]
