"""What became of the rows of a log, in one line each."""

from collections.abc import Callable

from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.importing.intake import ReadResult
from gpuplanner.files.importing.windowed_jobs import JobsRead

Read = Callable[..., ReadResult]
"""What the fixture read_log is."""
HOUR = 3_600_000
"""A GPU for an hour, as a cube counts: in thousandths, times seconds."""


def fates(read: ReadResult | JobsRead | FileIntake) -> tuple[str, int, int, int, int, int]:
    """Of the one file: its format; how many rows were read, accepted, rejected, seen before, ignored."""
    file = _file(read)
    ends = (file.rows_accepted, file.rows_rejected, file.rows_duplicate, file.rows_ignored)
    return (file.format, file.rows_read, *ends)


def codes(read: ReadResult | JobsRead | FileIntake) -> dict[str, int]:
    """Of the one file: each issue, and how many rows have it."""
    return {issue.code: issue.count for issue in _file(read).issues}


def counts(**rows: int) -> dict[str, int]:
    """What codes are to be: shorter to write than a dict of theirs."""
    return rows


def _file(read: ReadResult | JobsRead | FileIntake) -> FileIntake:
    (file,) = (read,) if isinstance(read, FileIntake) else read.intake
    return file
