"""Meta-evaluation: how well does every column of every metric agree with people?"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from typing import Any, Final

import numpy as np
from threadpoolctl import threadpool_limits

from commonground.agreement import METHODS, ScoreRow, Scores, percentile_interval, resolve
from commonground.benchmark.meta.judged import JudgedSet
from commonground.benchmark.meta.permutation import permutation_p, williams_p
from commonground.benchmark.meta.resampling import (
    Floats,
    bootstrap,
    level_correlations,
    means,
)
from commonground.benchmark.meta.results import LEVELS, Difference, MetaCell, MetaEvaluation
from commonground.errors import InputError
from commonground.metrics import Metric, column_value
from commonground.score import Progress
from commonground.settings import thread_count

RESAMPLES: Final = 1000
PERMUTATIONS: Final = 1000
SIGNIFICANCE: Final = 0.05


def score_judged(
    judged: JudgedSet, metrics: Sequence[Metric[Any, Any]], *, progress: Progress | None = None
) -> tuple[Scores, tuple[str, ...]]:
    """Score every summary with all columns of the metrics; return the scores and signatures."""
    rows: list[ScoreRow] = []
    signatures = []
    for metric in metrics:
        texts = {id_: metric.targets(event) for id_, event in judged.events.items()}
        ids = {
            system: [id_ for id_ in outputs if texts[id_]]
            for system, outputs in judged.outputs.items()
        }
        if not any(ids.values()):
            raise InputError(f"{judged.title}: no event has {metric.against}, for {metric.name}")
        corpora = {
            system: ([judged.outputs[system][id_] for id_ in mine], [texts[id_] for id_ in mine])
            for system, mine in ids.items()
            if mine
        }
        results = metric.corpora(corpora, progress=progress)
        for system, corpus in results.items():
            for name, column in metric.study_columns().items():
                rows += [
                    ScoreRow(id_, system, name, column_value(item, column))
                    for id_, item in zip(ids[system], corpus.items, strict=True)
                ]
        signatures.append(str(next(iter(results.values())).signature))
    return Scores(tuple(rows)), tuple(signatures)


def meta_evaluate(
    judged: JudgedSet,
    scores: Scores,
    *,
    columns: Sequence[str] = (),
    human: Sequence[str] = (),
    resamples: int = RESAMPLES,
    permutations: int = PERMUTATIONS,
    significance: float = SIGNIFICANCE,
    seed: int = 0,
    signatures: Sequence[str] = (),
    progress: Progress | None = None,
) -> MetaEvaluation:
    """Correlate columns of metrics (default: all) with human columns (default: all).

    Intervals are a percentile bootstrap over systems and inputs. The best column of each level and
    method is compared with every other one by a permutation test, and all pairs by the bootstrap
    and, for Pearson's over systems, by Williams' test.
    """
    chosen = [scores.resolve(name) for name in columns] or list(scores.metrics)
    people = [resolve(name, judged.human.metrics, "human column") for name in human]
    cells: list[MetaCell] = []
    differences: list[Difference] = []
    people = people or list(judged.human.metrics)
    for number, name in enumerate(people):
        truth, matrices = _aligned(judged.human, name, scores, chosen)
        values = np.stack([level_correlations(matrix, truth) for matrix in matrices])
        drawn = np.empty((*values.shape, resamples))
        # The products are small: threads of BLAS would wait for each other.
        with threadpool_limits(1):
            for index, draws in bootstrap(matrices, truth, resamples, seed):
                drawn[index] = draws
                if progress:
                    progress(number * len(chosen) + index + 1, len(chosen) * len(people))
            tests = _tests(matrices, truth, values, permutations, seed)
        cells += _cells(name, chosen, values, drawn, tests)
        differences += _differences(name, chosen, matrices, truth, values, drawn)
    systems, inputs = truth.shape
    return MetaEvaluation(
        judged.title,
        systems,
        inputs,
        tuple(cells),
        tuple(differences),
        significance,
        (
            *signatures,
            f"META|boot:{resamples}|over:systems+inputs|perm:{permutations}|seed:{seed}",
        ),
    )


def _aligned(
    human: Scores, name: str, scores: Scores, columns: Sequence[str]
) -> tuple[Floats, Floats]:
    """Return people's scores and each column's as matrices of the same systems and inputs."""
    systems, ids, truth = human.pivot(name)
    places = {(s, i): (a, b) for a, s in enumerate(systems) for b, i in enumerate(ids)}
    wanted = {column: index for index, column in enumerate(columns)}
    matrices = np.full((len(columns), *truth.shape), np.nan)
    for row in scores:
        place = places.get((row.system, row.id))
        index = wanted.get(row.metric)
        if place and index is not None and not row.reference:
            matrices[index, *place] = row.value
    for column, matrix in zip(columns, matrices, strict=True):
        if np.isnan(matrix).all():
            raise InputError(f"metric {column!r} has no summary in common with {name!r}")
    return truth, matrices


def _best(values: Floats) -> Mapping[tuple[int, int], int]:
    """Return the index of the highest value of each level and method that has one."""
    places = [(a, b) for a in range(values.shape[1]) for b in range(values.shape[2])]
    return {
        (a, b): int(np.nanargmax(values[:, a, b]))
        for a, b in places
        if not np.isnan(values[:, a, b]).all()
    }


def _tests(
    matrices: Floats, truth: Floats, values: Floats, permutations: int, seed: int
) -> Mapping[tuple[int, int], Floats]:
    """Test each best column against all others, in threads: numpy releases the lock."""
    levels: dict[int, set[int]] = {}
    for (level, _), index in _best(values).items():
        levels.setdefault(index, set()).add(level)
    pairs = [(a, b) for a in levels for b in range(len(matrices)) if a != b]
    if not permutations:
        return {}

    def test(pair: tuple[int, int]) -> Floats:
        first, second = (matrices[index] for index in pair)
        return permutation_p(
            first, second, truth, permutations=permutations, seed=seed, levels=levels[pair[0]]
        )

    with ThreadPoolExecutor(thread_count()) as pool:
        return dict(zip(pairs, pool.map(test, pairs), strict=True))


def _cells(
    human: str,
    columns: Sequence[str],
    values: Floats,
    drawn: Floats,
    tests: Mapping[tuple[int, int], Floats],
) -> list[MetaCell]:
    best = _best(values)
    cells = []
    for (a, level), (b, method) in [(x, y) for x in enumerate(LEVELS) for y in enumerate(METHODS)]:
        top = best.get((a, b))
        for index, column in enumerate(columns):
            value = float(values[index, a, b])
            test = tests.get((top, index)) if top is not None else None
            cells.append(
                MetaCell(
                    human=human,
                    metric=column,
                    level=level,
                    method=method,
                    value=None if np.isnan(value) else value,
                    interval=percentile_interval(drawn[index, a, b]),
                    best=index == top,
                    p_best=None if test is None or np.isnan(value) else float(test[a, b]),
                )
            )
    return cells


def _differences(
    human: str,
    columns: Sequence[str],
    matrices: Floats,
    truth: Floats,
    values: Floats,
    drawn: Floats,
) -> list[Difference]:
    averages = [means(matrix, matrix, truth) for matrix in matrices]
    found = []
    for first, second in combinations(range(len(columns)), 2):
        known = ~(np.isnan(averages[first]) | np.isnan(averages[second]))
        pair = [averages[index][known] for index in (first, second)]
        varies = all(np.ptp(side) > 0 for side in pair)
        between = float(np.asarray(np.corrcoef(np.stack(pair)))[0, 1]) if varies else float("nan")
        for a, level in enumerate(LEVELS):
            for b, method in enumerate(METHODS):
                draws = drawn[first, a, b] - drawn[second, a, b]
                draws = draws[~np.isnan(draws)]
                difference = float(values[first, a, b] - values[second, a, b])
                if np.isnan(difference) or not len(draws):
                    continue
                smaller = min((draws <= 0).sum(), (draws >= 0).sum())
                closed = level == "system" and method == "pearson" and varies
                found.append(
                    Difference(
                        human=human,
                        first=columns[first],
                        second=columns[second],
                        level=level,
                        method=method,
                        difference=difference,
                        p_bootstrap=float(min(1.0, 2 * (smaller + 1) / (len(draws) + 1))),
                        p_williams=williams_p(
                            float(values[first, a, b]),
                            float(values[second, a, b]),
                            between,
                            int(known.sum()),
                        )
                        if closed
                        else None,
                    )
                )
    return found
