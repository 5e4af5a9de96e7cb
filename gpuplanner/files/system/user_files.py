"""The user's files and the shipped ones: job rows, the key of pseudonyms, the demo, resources."""

import csv
from contextlib import suppress
from pathlib import Path
from typing import Final

ROWS: Final = "rows"
"""Subfolder with job rows."""


def data_folder() -> Path:
    """Return the user's data folder, which may not exist yet."""
    import platformdirs

    return Path(platformdirs.user_data_dir("gpuplanner", appauthor=False))


def private_folder(folder: Path) -> Path:
    """Create a folder, and the data folder around it, that only this user may read. Errors: OSError."""
    data = data_folder()
    for one in (data, folder) if data in folder.parents else (folder,):
        one.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(OSError):  # owned by someone else, or a file system without permissions
            one.chmod(0o700)
    return folder


def resource_path(name: str) -> Path:
    """Return the path of a shipped file: in the package once installed, otherwise in the source tree."""
    package = Path(__file__).parents[2]
    installed = package / "resources" / name
    return installed if installed.exists() else package.parent / "resources" / name


def rows_of(name: str) -> list[dict[str, str]]:
    """Return the rows of a shipped table; empty if it is not shipped."""
    path = resource_path(name)
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))
