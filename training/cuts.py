"""Step 7: learn from cuts made by hand which parts of a sentence can go.

    python -m training.cuts DATA [--write]

A label *partly* comes with the words that the other text states: a cut of the sentence. Each edge
of its tree is an example, dropped or kept. A second model says whether a whole cut is a good
sentence: the cuts made by hand against random ones of the same trees. Support comes from the
answers of fold models (data/reader/answers.npz), so no model has seen what it answers. With
`--write` the weights go into the package; figures are out of fold.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import sparse
from scipy.optimize import minimize

from commonground.narratives.statements.constraints import held, with_joints, with_marks
from commonground.narratives.statements.cutting import (
    Cut,
    CutModel,
    edge,
    form,
    form_features,
    seams,
    support,
)
from commonground.reader.calibration import Calibration
from commonground.text import parse
from commonground.wording import Root, Tree, by_token
from training.calibrate import TARGET as CALIBRATION
from training.figures import auc
from training.folds import FOLDS
from training.items import PARTLY
from training.labelled import ANSWERS, key_of
from training.prepare import labelled_items
from training.raw import load_raw

TARGET = Path(__file__).parent.parent / "src/commonground/narratives/data/cuts.json"
_RIDGE = 3.0
_FEWEST = 8  # examples of a feature
_DROPPED = 0.2  # of the edges, at random


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A sentence with the cut that a reader made, and the log odds of its words."""

    tree: Tree
    root: Root
    cut: Cut
    logits: np.ndarray
    fold: int


def main() -> None:
    """Fit, print figures out of fold, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    examples = made_by_hand(arguments.data)
    print(f"{len(examples):,} cuts")
    for name, figure in figures(examples).items():
        print(f"{name:40} {figure:.3f}")
    if arguments.write:
        TARGET.write_text(json.dumps(_plain(fit(examples)), indent=0) + "\n", encoding="utf-8")


def made_by_hand(data: Path) -> list[Example]:
    """All labelled cuts that are one part of their tree."""
    raw = load_raw(ANSWERS)
    calibration = Calibration.read(CALIBRATION)
    rows = [
        (claim.sentence, claim.words, answer)
        for item in labelled_items(data)
        for claim in item.claims
        for answer in [raw.get(key_of(item, claim.key))]
        if answer is not None and claim.words is not None and claim.allowed == (PARTLY,)
        if len(claim.words) == len(answer.words) == len(claim.sentence.split())
    ]
    docs = parse([sentence for sentence, *_ in rows])
    found = []
    for (_, marks, answer), doc in zip(rows, docs, strict=True):
        tree = Tree.of(doc)
        if len(tree):
            kept = np.array([marks[word] for word in tree.words]) > 0
            root = next((one for one in tree.roots if kept[one.token]), None)
            if root is not None:
                cut = _cut(tree, root, kept)
                part = np.clip(calibration.part(answer.words.astype(float)), 1e-4, 1 - 1e-4)
                logits = by_token(tree, np.log(part / (1 - part)))
                found.append(Example(tree, root, cut, logits, answer.fold))
    return found


def _cut(tree: Tree, root: Root, kept: np.ndarray) -> Cut:
    """The cut of a reader; an edge whose part is kept without its head is left out."""
    dropped, stack = [], [root.token]
    while stack:
        head = stack.pop()
        for token in root.children[head]:
            if kept[token]:
                stack.append(token)
            elif not tree.is_mark(token) and not kept[list(tree.below[token])].any():
                dropped.append((head, token))
    return Cut(root.token, tuple(map(bool, kept)), tuple(dropped))


def _decisions(one: Example) -> list[tuple[int, int, bool]]:
    """Head, token and whether it was dropped, for each edge whose head was kept."""
    found = [(head, token, True) for head, token in one.cut.dropped]
    for head, children in enumerate(one.root.children):
        found += [
            (head, token, False)
            for token in children
            if one.cut.kept[head] and one.cut.kept[token] and not one.tree.is_mark(token)
        ]
    return found


def fit(examples: Sequence[Example]) -> CutModel:
    """All weights."""
    rows = [(one, *decision) for one in examples for decision in _decisions(one)]
    names = [list(edge(one.tree, token, head)) for one, head, token, _ in rows]
    parts = np.array([support(one.tree, token, one.logits) for one, _, token, _ in rows])
    gone = np.array([dropped for *_, dropped in rows], dtype=float)
    known, one_hot = _one_hot(names)
    both = _logistic(one_hot, parts, gone)
    alone = _logistic(one_hot, np.zeros((len(rows), 0)), gone)
    count = len(known)
    edges = {**dict(zip(known, both[:count], strict=True)), "": both[-1]}
    free = {**dict(zip(known, alone[:count], strict=True)), "": alone[-1]}
    model = CutModel(edges, both[count:-1], free, np.zeros(0), {"": 0.0})
    good, bad = _forms(examples, model)
    labels = np.array([1.0] * len(good) + [0.0] * len(bad))
    rows_of = [*good, *bad]
    seamed, hot = _one_hot([names for _, names in rows_of])
    weights = _logistic(hot, np.array([dense for dense, _ in rows_of]), labels)
    joined = {**dict(zip(seamed, weights[: len(seamed)], strict=True)), "": weights[-1]}
    return CutModel(edges, both[count:-1], free, weights[len(seamed) : -1], joined)


def _one_hot(names: Sequence[list[str]]) -> tuple[list[str], sparse.csr_matrix]:
    """The features that are frequent enough, and a row of 0 and 1 for each example."""
    counts = Counter(name for some in names for name in some)
    known = {name: n for n, name in enumerate(sorted(n for n, c in counts.items() if c >= _FEWEST))}
    inside = [[known[name] for name in some if name in known] for some in names]
    ends = np.cumsum([0, *map(len, inside)])
    flat = np.concatenate([np.array(some, dtype=int) for some in inside])
    shape = (len(names), len(known))
    return list(known), sparse.csr_matrix((np.ones(len(flat)), flat, ends), shape=shape)


Form = tuple[np.ndarray, list[str]]


def _forms(examples: Sequence[Example], model: CutModel) -> tuple[list[Form], list[Form]]:
    """The features of cuts by hand, and of random ones of the same trees."""
    rng = random.Random(0)
    both = [(one, one.cut, _at_random(one, rng)) for one in examples]
    return (
        [_form(one.tree, cut, model) for one, cut, _ in both],
        [_form(one.tree, cut, model) for one, _, cut in both],
    )


def _form(tree: Tree, cut: Cut, model: CutModel) -> Form:
    return form_features(tree, cut, model), list(seams(tree, cut))


def _at_random(one: Example, rng: random.Random) -> Cut:
    # What the product never drops goes as well, three times in four: what is left are fragments.
    careful = rng.random() < 0.25
    kept, dropped, stack = [False] * len(one.tree), [], [one.root.token]
    while stack:
        head = stack.pop()
        kept[head] = True
        for token in one.root.children[head]:
            if one.tree.is_mark(token) or one.tree.deps[token] == "cc":
                continue
            if rng.random() < _DROPPED and not (careful and held(one.tree, token, head)):
                dropped.append((head, token))
            else:
                stack.append(token)
    marked = np.array(kept)
    with_joints(one.tree, one.root, marked)
    with_marks(one.tree, marked)
    return Cut(one.root.token, tuple(map(bool, marked)), tuple(dropped))


def _logistic(one_hot: sparse.csr_matrix, dense: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Weights of both kinds of columns and the intercept; only the first kind is held back."""
    ones = np.ones((len(labels), 1))
    inputs = sparse.hstack([one_hot, sparse.csr_matrix(np.hstack([dense, ones]))]).tocsr()
    free = np.zeros(inputs.shape[1])
    free[: one_hot.shape[1]] = _RIDGE

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        values = inputs @ weights
        off = 1 / (1 + np.exp(-np.clip(values, -30, 30))) - labels
        value = np.sum(np.logaddexp(0, values) - labels * values) + (free * weights**2).sum() / 2
        return value, inputs.T @ off + free * weights

    start = np.zeros(inputs.shape[1])
    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x


def figures(examples: Sequence[Example]) -> dict[str, float]:
    """Out of fold: edges with and without support, and whole cuts."""
    gone, both, alone, support_only, labels, forms = [], [], [], [], [], []
    rng = random.Random(1)
    for fold in range(FOLDS):
        model = fit([one for one in examples if one.fold != fold])
        for one in (one for one in examples if one.fold == fold):
            for head, token, dropped in _decisions(one):
                gone.append(dropped)
                both.append(model.odds(one.tree, token, head, one.logits))
                alone.append(model.freely(one.tree, token, head))
                support_only.append(-support(one.tree, token, one.logits)[0])
            for label, cut in ((1, one.cut), (0, _at_random(one, rng))):
                labels.append(label)
                forms.append(form(one.tree, cut, model))
    return {
        "a part is dropped: AUC": auc(np.array(gone), np.array(both)),
        "  without support": auc(np.array(gone), np.array(alone)),
        "  by the mean support alone": auc(np.array(gone), np.array(support_only)),
        "a cut by hand against a random one: AUC": auc(np.array(labels) == 1, np.array(forms)),
    }


def _plain(model: CutModel) -> dict[str, object]:
    """Values for JSON; weights that are next to nothing are left out."""

    def some(weights: dict[str, float]) -> dict[str, float]:
        return {n: round(float(v), 3) for n, v in weights.items() if abs(v) >= 0.02 or not n}

    return {
        "edges": some(dict(model.edges)),
        "support": np.round(model.support, 4).tolist(),
        "alone": some(dict(model.alone)),
        "form": np.round(model.form, 4).tolist(),
        "seams": some(dict(model.seams)),
    }


if __name__ == "__main__":
    main()
