"""Human labels: projects, annotators and their labels, stored in a database.

Example:
    >>> from commonground.annotate import invite, make_project, open_database
    >>> database = open_database("sqlite:///labels.db")  # doctest: +SKIP
    >>> project = make_project(database, "Ferry", "sentences", events, outputs)  # doctest: +SKIP
    >>> token, annotator = invite(database, project.id, "L1")  # doctest: +SKIP
"""

from commonground.annotate.annotators import (
    Annotator,
    Progress,
    accept,
    close_invitation,
    each_progress,
    find_annotator,
    invite,
    progress_now,
    renew_invitation,
)
from commonground.annotate.confusion import Confusion, confusion_matrix
from commonground.annotate.decisions import Decision, decide, withdraw
from commonground.annotate.export import (
    adjudicated_rows,
    agreement_now,
    change_mark,
    exported,
    final_count,
    label_rows,
    sentence_labels,
    written_now,
)
from commonground.annotate.guidelines import Guidelines, guideline_versions, save_guidelines
from commonground.annotate.labels import Item, Saved, find_item, save, undo
from commonground.annotate.projects import (
    Prepared,
    Project,
    check_project,
    each_project,
    find_project,
    prepare,
)
from commonground.annotate.protocols import (
    PROTOCOLS,
    ConflictError,
    NotFoundError,
    Protocol,
    Unit,
    units_of,
)
from commonground.annotate.quotas import QuotaError
from commonground.annotate.remarks import COMMENT_LENGTH, Remark, save_remark
from commonground.annotate.review import (
    ReviewCounts,
    ReviewItem,
    ReviewRow,
    ReviewUnit,
    Show,
    Sort,
    review_counts,
    review_item,
    review_positions,
    review_rows,
)
from commonground.annotate.storing import (
    delete_project,
    hide_project,
    make_project,
    purge_unfinished,
    store_project,
)
from commonground.database import Database, open_database

__all__ = [
    "COMMENT_LENGTH",
    "PROTOCOLS",
    "Annotator",
    "ConflictError",
    "Confusion",
    "Database",
    "Decision",
    "Guidelines",
    "Item",
    "NotFoundError",
    "Prepared",
    "Progress",
    "Project",
    "Protocol",
    "QuotaError",
    "Remark",
    "ReviewCounts",
    "ReviewItem",
    "ReviewRow",
    "ReviewUnit",
    "Saved",
    "Show",
    "Sort",
    "Unit",
    "accept",
    "adjudicated_rows",
    "agreement_now",
    "change_mark",
    "check_project",
    "close_invitation",
    "confusion_matrix",
    "decide",
    "delete_project",
    "each_progress",
    "each_project",
    "exported",
    "final_count",
    "find_annotator",
    "find_item",
    "find_project",
    "guideline_versions",
    "hide_project",
    "invite",
    "label_rows",
    "make_project",
    "open_database",
    "prepare",
    "progress_now",
    "purge_unfinished",
    "renew_invitation",
    "review_counts",
    "review_item",
    "review_positions",
    "review_rows",
    "save",
    "save_guidelines",
    "save_remark",
    "sentence_labels",
    "store_project",
    "undo",
    "units_of",
    "withdraw",
    "written_now",
]
