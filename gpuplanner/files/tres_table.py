"""A cluster's own list of its resources and their numbers, as `sacctmgr show tres -P` prints it: what it holds."""

from typing import Final

from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.worded import worded
from gpuplanner.files.job_logs.tres_names import gpus_among, is_tres_table, tres_in
from gpuplanner.files.source import Source

KIND: Final = "tres"
FORMAT: Final = "sacctmgr"
WHY: Final = worded("it lists the resources that a cluster numbers")


def sniff(head: str) -> float:
    """How sure it is that a text is such a list, 0..1."""
    return 1.0 if is_tres_table(head) else 0.0


def describe(source: Source) -> FileIntake:
    """Every resource is a row; the GPUs among them by number are its facts."""
    with source.rows("|", is_quoted=False) as rows:
        count = max(0, sum(1 for _ in rows) - 1)
    facts = (("resources", count), ("gpus_by_number", gpus_among(tres_in(source.head))))
    return FileIntake(source.path, KIND, FORMAT, count, count, 0, 0, 0, sha256=source.sha256, facts=facts)
