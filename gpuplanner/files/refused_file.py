"""A file that was read and is of no use: its intake says why, the other files go on."""

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake, Issue
from gpuplanner.files.source import Source


def refused_file(
    source: Source, fault: PlannerError, kind: str = "jobs", format_name: str = ""
) -> FileIntake:
    """The intake of a readable file that is not what it was given as: no rows, and why."""
    issue = Issue(
        fault.code, 1, 1 if fault.code == "missing_column" else None, f"{fault.what}; {fault.remedy}"
    )
    return FileIntake(source.path, kind, format_name, 0, 0, 0, 0, 0, (issue,), (), source.sha256)
