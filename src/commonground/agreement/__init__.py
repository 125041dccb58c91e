"""Can a metric be trusted? Human labels, agreement, correlation and comparison of systems."""

from commonground.agreement import tables
from commonground.agreement.adjust import CORRECTIONS, Correction, adjusted
from commonground.agreement.annotators import Agreement, PairAgreement, annotator_agreement
from commonground.agreement.correlations import (
    LEVELS,
    METHODS,
    RESAMPLED,
    correlation,
    metric_correlation,
)
from commonground.agreement.estimate import Estimate, Spread
from commonground.agreement.grid import Anova, GridStudy, GridTask, grid_study, one_way_anova
from commonground.agreement.kappa import cohen_kappa, krippendorff_alpha
from commonground.agreement.labels import (
    HIGHEST,
    LABELS,
    LOWEST,
    Overlaps,
    Place,
    Ratings,
    Sample,
    SentenceLabels,
    read_labels,
)
from commonground.agreement.machine import (
    MachineAgreement,
    SampleText,
    labelled_texts,
    machine_agreement,
    split_texts,
)
from commonground.agreement.paired import PairedTest, paired_metrics, paired_systems
from commonground.agreement.references import (
    ReferenceAgreement,
    ReferencePair,
    reference_agreement,
    reference_scores,
)
from commonground.agreement.rewards import REWARDS, human_scores, label_scores, reward
from commonground.agreement.rows import guarded, is_csv, read_tables
from commonground.agreement.scores import Pivot, ScoreRow, Scores
from commonground.agreement.systems import Accuracy, PairOutcome, compare_systems, metric_accuracy

__all__ = [
    "CORRECTIONS",
    "HIGHEST",
    "LABELS",
    "LEVELS",
    "LOWEST",
    "METHODS",
    "RESAMPLED",
    "REWARDS",
    "Accuracy",
    "Agreement",
    "Anova",
    "Correction",
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
    "guarded",
    "human_scores",
    "is_csv",
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
    "read_tables",
    "reference_agreement",
    "reference_scores",
    "reward",
    "split_texts",
    "tables",
]
