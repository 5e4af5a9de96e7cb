"""Where this user's own files are: kept job rows, the key of pseudonyms, the demo."""

from pathlib import Path
from typing import Final

ROWS: Final = "rows"
"""The folder in it that keeps job rows."""


def data_folder() -> Path:
    """The user's data folder; it need not be there yet."""
    import platformdirs

    return Path(platformdirs.user_data_dir("gpuplanner", appauthor=False))
