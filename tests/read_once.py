"""Inputs of the command line that are read once, however many commands ask for them.

An import of a few rows takes a quarter of a second, longer than all that most commands make of it.
"""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gpuplanner.files.importing.intake import ReadResult, read_inputs
from gpuplanner.files.job_logs.reduce.job_rows import rows_path


class ReadOnce:
    """Stands for `read_inputs` in `cli/inputs.py`: the same bytes under the same names and words are read once.

    What leaves a key of pseudonyms behind, or tells how far it is, is done each time; job rows are kept once, and
    copied to where each command wants them.
    """

    def __init__(self, rows_dir: Path) -> None:
        """rows_dir: where the job rows of all that is read are kept."""
        self._kept: dict[object, ReadResult] = {}
        self._rows = rows_dir

    def __call__(self, *paths: Sequence[str] | Mapping[str, str], **said: Any) -> ReadResult:
        files = [Path(path) for some in paths for path in some]
        leaves_something = said["options"].pseudonyms or said["on_progress"]
        if leaves_something or not all(map(Path.is_file, files)):
            return read_inputs(*paths, **said)
        rows_dir = said.pop("rows_dir")
        said["rows_dir"] = self._rows if rows_dir else None
        key = (*map(str, paths), str(said), *(path.read_bytes() for path in files))
        if key not in self._kept:
            self._kept[key] = read_inputs(*paths, **said)
        read = self._kept[key]
        kept = rows_path(said["rows_dir"], read.jobs.rows_sha256) if rows_dir else None
        if kept is not None and kept.exists():
            rows_dir.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(kept, rows_path(rows_dir, read.jobs.rows_sha256))
        return read
