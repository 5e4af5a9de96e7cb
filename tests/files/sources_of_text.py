"""Sources of a text: a file of its own for each, as long as the process runs."""

import tempfile
from functools import cache
from pathlib import Path

from gpuplanner.files.sources.source import Source, survey


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="texts-")


@cache
def text_source(text: str, name: str = "table.csv") -> Source:
    """Return the source of a file with a text. Its path, in errors too, is the name alone."""
    folder = Path(tempfile.mkdtemp(dir=_folder().name))
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return survey(name, at=path)
