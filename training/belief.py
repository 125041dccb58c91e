"""Step 8: the probability that a narrative states a cut in full.

    python -m training.belief DATA READERS [--write] [--every 1]

READERS holds 0.onnx to 3.onnx, the fold models: each labelled event is read by a model that was not
trained on it. Every wording that the product would consider is an example for each other narrative:
stated in full if all its content words are labelled as stated there. With `--write` the weights go
into the package; figures are out of fold.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path

import numpy as np

from commonground.narratives.conflicts.disputed import Disputed
from commonground.narratives.conflicts.find import conflicts_of
from commonground.narratives.statements.belief import FEATURES
from commonground.narratives.statements.find import Finder
from training.figures import auc
from training.labels import read_lines
from training.prepare import news_events, policy_events
from training.regressions import (
    Event,
    Example,
    Row,
    opened,
    out_of_fold,
    own_events,
    parser,
    write,
)


def main() -> None:
    """Collect, print figures out of fold, fit, write."""
    options = parser(__doc__)
    options.add_argument("--every", type=int, default=1, help="use every nth event")
    arguments = options.parse_args()
    events = opened(labelled_events(arguments.data)[:: arguments.every], arguments.readers)
    examples = [example for event in events for example in _examples(event)]
    stated = np.mean([example.label for example in examples])
    print(f"{len(examples):,} cuts, {stated:.2f} stated in full")
    print_figures(examples)
    if arguments.write:
        write("belief", FEATURES, examples)


def labelled_events(data: Path) -> list[Row]:
    """Labelled pairs, three-way and other news, policies in new pairs, the project's own events."""
    pairs = read_lines(data / "reading/pairs.jsonl")
    three = read_lines(data / "reading/three_way.jsonl")
    return [
        *({**row, "group": row["kind"]} for row in pairs),
        *({**row, "group": "three"} for row in three),
        *({**row, "group": "policy"} for row in policy_events(data)),
        *({**row, "group": "news"} for row in news_events(data)),
        *own_events(),
    ]


def _examples(event: Event) -> Iterator[Example]:
    row, readings = event.row, event.readings
    conflicts = [conflict for _, conflict in conflicts_of(event.facts)]
    finder = Finder(readings, event.reader, 2, Disputed(readings, event.facts, conflicts))
    labels = {(label["n"], label["s"], label["in"]): label for label in row["labels"]}
    for narrative, document in enumerate(readings.narratives):
        sentences = row["narratives"][narrative]
        starts = accumulate((len(sentence) + 1 for sentence in sentences), initial=0)
        by_start = {start: s for s, start in zip(range(len(sentences)), starts, strict=False)}
        for judged in finder.judged(narrative):
            sentence = document.sentences[document.close[judged.candidate.row]]
            s = by_start.get(sentence.start)
            if s is None or sentences[s].split() != sentence.text.split():
                continue  # the product splits this sentence otherwise
            for other, values in judged.features.items():
                label = labels.get((narrative, s, other))
                if label is None or label["label"] == "nothing":
                    continue
                marks = label["words"]
                full = label["label"] == "stated" or bool(
                    marks and all(marks[k] for k in judged.candidate.kept if k < len(marks))
                )
                yield Example(values, full, event.fold, row["group"])


def print_figures(examples: Sequence[Example]) -> None:
    """AUC, precision and recall of the belief beside those of the reader's own answer."""
    truth = np.array([example.label for example in examples])
    groups = np.array([example.group for example in examples])
    reader = 1 / (1 + np.exp(-np.array([example.values[0] for example in examples])))
    for name, score in (("belief", out_of_fold(examples)), ("reader", reader)):
        for group in (*sorted(set(groups)), ""):
            chosen = (groups == group) | (group == "")
            line = [auc(truth[chosen], score[chosen])]
            for threshold in (0.4, 0.5, 0.6, 0.7):
                above = chosen & (score >= threshold)
                line += [truth[above].mean(), truth[above].sum() / truth[chosen].sum()]
            print(f"{name} {group:8} auc {line[0]:.3f}", *(f"{value:.2f}" for value in line[1:]))


if __name__ == "__main__":
    main()
