"""Meta-evaluation: how well metrics agree with people, on sets of summaries with human scores."""

from commonground.benchmark.meta.evaluation import meta_evaluate, score_judged
from commonground.benchmark.meta.importers import FORMS, read_judged
from commonground.benchmark.meta.judged import JudgedSet
from commonground.benchmark.meta.results import Difference, MetaCell, MetaEvaluation

__all__ = [
    "FORMS",
    "Difference",
    "JudgedSet",
    "MetaCell",
    "MetaEvaluation",
    "meta_evaluate",
    "read_judged",
    "score_judged",
]
