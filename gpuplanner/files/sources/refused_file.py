"""A file that was read and is of no use: its intake says why, the other files go on."""

from typing import Final

from gpuplanner.domain.message import joined
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.intake import FileIntake, Issue
from gpuplanner.files.sources.source import Source

UNREADABLE: Final = ("file_unreadable", "truncated_file")
"""Codes of what could not be read at all, where other files of the same archive could."""


def refused_file(
    source: Source, fault: PlannerError, kind: str = "jobs", format_name: str = ""
) -> FileIntake:
    """The intake of a readable file that is not what it was given as: no rows, and why.

    Its hash is kept, so that the same file is known again.
    """
    issue = Issue(
        fault.code,
        1,
        1 if fault.code == "missing_column" else None,
        joined((fault.what, fault.remedy), "; "),
    )
    return FileIntake(source.path, kind, format_name, 0, 0, 0, 0, 0, (issue,), (), source.sha256)


def unreadable_file(fault: PlannerError, kind: str = "jobs") -> FileIntake:
    """The intake of a file of an archive that could not be read: no rows, and why."""
    issue = Issue(fault.code, 1, None, joined((fault.what, fault.remedy), "; "))
    return FileIntake(str(fault.where), kind, "", 0, 0, 0, 0, 0, (issue,))


def is_unreadable(file: FileIntake) -> bool:
    """Whether nothing of a file could be read.

    A file without rows that could be read is none.
    """
    return not file.rows_read and any(issue.code in UNREADABLE for issue in file.issues)
