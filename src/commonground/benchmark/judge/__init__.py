"""A language model as judge of summaries, by a rubric."""

from commonground.benchmark.judge.judging import AnswerCache, Judged, Judgement, judge
from commonground.benchmark.judge.rubric import Rubric

__all__ = ["AnswerCache", "Judged", "Judgement", "Rubric", "judge"]
