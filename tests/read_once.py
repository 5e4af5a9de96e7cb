"""Inputs of the command line that are read once, however many commands ask for them.

An import of a few rows takes a quarter of a second, longer than all that most commands make of it.
"""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gpuplanner.files.importing.intake import ReadResult, read_inputs
from gpuplanner.files.job_logs.reduce.job_rows import rows_path
from gpuplanner.files.system.own_folder import OwnFolder


class ReadOnce:
    """Stands for `read_inputs` in `cli/inputs.py`: the same bytes under the same names and words are read once.

    What leaves something else behind than job rows (a key of pseudonyms) or tells how far it is, is done each time.
    """

    def __init__(self) -> None:
        self._kept: dict[object, ReadResult] = {}
        self._rows = OwnFolder().path

    def __call__(self, *paths: Sequence[str] | Mapping[str, str], **said: Any) -> ReadResult:
        files = [Path(path) for some in paths for path in some]
        if said["options"].pseudonyms or said["on_progress"] or not all(map(Path.is_file, files)):
            return read_inputs(*paths, **said)
        rows_dir: Path | None = said["rows_dir"]
        said["rows_dir"] = rows_dir and self._rows
        key = (*map(str, paths), str(said), *(path.read_bytes() for path in files))
        if key not in self._kept:
            self._kept[key] = read_inputs(*paths, **said)
        found = self._kept[key]
        if rows_dir is not None and found.jobs.rows_sha256:
            kept = rows_path(self._rows, found.jobs.rows_sha256)
            shutil.copyfile(kept, rows_path(rows_dir, found.jobs.rows_sha256))
        return found
