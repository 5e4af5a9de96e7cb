"""Whether a file that is to be replaced is open in another program, by the lock that such programs put beside it."""

from pathlib import Path

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.worded import joined, worded


def check_not_open(path: Path) -> None:
    """Errors: PlannerError file_unwritable where another program has the file open.

    LibreOffice leaves `.~lock.NAME#` beside an open file, Excel `~$NAME`; on some systems the file could be replaced
    all the same, and what is written in the other program would be lost or written over ours.
    """
    if not path.exists():
        return
    for name in (f".~lock.{path.name}#", f"~${path.name}", f"~${path.name[2:]}"):
        lock = path.with_name(name)
        if lock != path and lock.exists():
            what = worded("another program has it open ({name} lies beside it)", name=name)
            remedy = worded("close it there, or export under another name")
            raise PlannerError(str(path), "file_unwritable", what, remedy)


def unwritable(path: Path, error: Exception) -> PlannerError:
    """What to tell the planner where a file could not be written."""
    if isinstance(error, PermissionError):
        what = worded("the system does not let it be written; another program may have it open")
        remedy = worded("close it there, or export under another name or into another folder")
        return PlannerError(str(path), "file_unwritable", what, remedy)
    reason = getattr(error, "strerror", None) or str(error)
    return PlannerError(str(path), "file_unwritable", joined((reason,)), worded("choose another place"))
