"""Can a measure be trusted? Human labels, agreement, correlation and comparison of systems."""

from commonground.agreement._adjust import CORRECTIONS, adjusted
from commonground.agreement._annotators import Agreement, PairAgreement, annotator_agreement
from commonground.agreement._bootstrap import RESAMPLED, metric_correlation
from commonground.agreement._correlation import LEVELS, METHODS, correlation
from commonground.agreement._estimate import Estimate, Spread
from commonground.agreement._grid import Anova, GridStudy, GridTask, grid_study, one_way_anova
from commonground.agreement._kappa import cohen_kappa, krippendorff_alpha
from commonground.agreement._label_scores import human_scores, label_scores
from commonground.agreement._labels import (
    Overlaps,
    Place,
    Ratings,
    Sample,
    SentenceLabels,
    read_labels,
)
from commonground.agreement._machine import (
    MachineAgreement,
    SampleText,
    labelled_texts,
    machine_agreement,
    split_texts,
)
from commonground.agreement._paired import PairedTest, paired_metrics, paired_systems
from commonground.agreement._references import (
    ReferenceAgreement,
    ReferencePair,
    reference_agreement,
    reference_scores,
)
from commonground.agreement._reward import REWARDS, reward
from commonground.agreement._scores import Pivot, ScoreRow, Scores
from commonground.agreement._systems import (
    Accuracy,
    PairOutcome,
    compare_systems,
    metric_accuracy,
)

__all__ = [
    "CORRECTIONS",
    "LEVELS",
    "METHODS",
    "RESAMPLED",
    "REWARDS",
    "Accuracy",
    "Agreement",
    "Anova",
    "Estimate",
    "GridStudy",
    "GridTask",
    "MachineAgreement",
    "Overlaps",
    "PairAgreement",
    "PairOutcome",
    "PairedTest",
    "Pivot",
    "Place",
    "Ratings",
    "ReferenceAgreement",
    "ReferencePair",
    "Sample",
    "SampleText",
    "ScoreRow",
    "Scores",
    "SentenceLabels",
    "Spread",
    "adjusted",
    "annotator_agreement",
    "cohen_kappa",
    "compare_systems",
    "correlation",
    "grid_study",
    "human_scores",
    "krippendorff_alpha",
    "label_scores",
    "labelled_texts",
    "machine_agreement",
    "metric_accuracy",
    "metric_correlation",
    "one_way_anova",
    "paired_metrics",
    "paired_systems",
    "read_labels",
    "reference_agreement",
    "reference_scores",
    "reward",
    "split_texts",
]
