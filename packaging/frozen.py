"""Where a frozen gpuplanner begins: in a portable folder it keeps to that folder, else it is as the installed one.

Portable is what has a folder named `portable` beside the program: data of the user and settings lie in it then.
"""

import multiprocessing
import os
import sys
from pathlib import Path


def keep_to(folder: Path) -> None:
    """Data and settings of the user go into this folder, on each of the three systems."""
    from PySide6.QtCore import QSettings

    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "WIN_PD_OVERRIDE_LOCAL_APPDATA"):
        os.environ[name] = str(folder)
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(folder))


def portable_folder(program: Path) -> Path:
    """Where the folder would be: beside the program, on macOS beside its bundle."""
    bundle = next((one for one in program.parents if one.suffix == ".app"), None)
    return (program.parent if bundle is None else bundle.parent) / "portable"


if __name__ == "__main__":
    multiprocessing.freeze_support()
    folder = portable_folder(Path(sys.executable).resolve())
    if folder.is_dir():
        keep_to(folder)
    from gpuplanner.__main__ import main

    sys.exit(main())
