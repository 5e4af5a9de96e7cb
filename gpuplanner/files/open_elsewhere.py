"""Whether a file that is to be replaced is open in another program, by the lock that such programs put beside it."""

import os
from pathlib import Path


def program_that_has(path: Path) -> str:
    """The name of the lock beside a file that another program has open; empty where none has.

    LibreOffice leaves `.~lock.NAME#` beside an open file, Excel `~$NAME`; on some systems the file could be replaced
    all the same, and what is written in the other program would be lost or written over ours.
    """
    for name in (f".~lock.{path.name}#", f"~${path.name}", f"~${path.name[2:]}"):
        lock = path.with_name(name)
        if lock != path and os.path.exists(lock):  # False, too, for a name that is too long
            return name
    return ""
