"""Inputs of the command line that are read once, however many commands ask for them.

An import of a few rows takes a quarter of a second, longer than all that most commands make of it.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gpuplanner.files.importing.intake import ReadResult, read_inputs


class ReadOnce:
    """Stands for `read_inputs` in `cli/inputs.py`: the same bytes under the same names and words are read once.

    What leaves something behind (job rows, a key of pseudonyms) or tells how far it is, is done each time.
    """

    def __init__(self) -> None:
        self._kept: dict[object, ReadResult] = {}

    def __call__(self, *paths: Sequence[str] | Mapping[str, str], **said: Any) -> ReadResult:
        files = [Path(path) for some in paths for path in some]
        leaves_something = said["rows_dir"] or said["options"].pseudonyms or said["on_progress"]
        if leaves_something or not all(map(Path.is_file, files)):
            return read_inputs(*paths, **said)
        key = (*map(str, paths), str(said), *(path.read_bytes() for path in files))
        if key not in self._kept:
            self._kept[key] = read_inputs(*paths, **said)
        return self._kept[key]
