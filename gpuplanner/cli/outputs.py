"""The files that a call writes, looked at before anything is read: a call of minutes does not end on a wrong name."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from gpuplanner.cli.arguments import UsageError
from gpuplanner.files.export.cube_file import CUBE_NAME
from gpuplanner.files.system.output_place import is_same_file, place_of

_FILES: Final = ("out", "focus", "brief")
"""Options of `export` that name files to write; the project that it saves is one too, and may be the one it reads."""

_GIVEN: Final = ("project", "jobs", "contracts", "prices", "rules", "traffic", "pseudonym_key")
"""What names files to read; of KEY=FILE the last part."""


def check_outputs(words: argparse.Namespace) -> None:
    """Errors: PlannerError file_unreadable where an output cannot be written; UsageError where two are one file.

    Nothing is written. The project that a call saves may be the one that it reads.
    """
    seen: list[Path] = []
    given = given_files(words)
    outputs = [(path, given) for path in _outputs(words)]
    if saved := getattr(words, "save_to", None):
        outputs.append((Path(saved), tuple(one for one in given if one != words.project)))
    for path, kept in outputs:
        place = place_of(path, kept)
        if any(place.target == other or is_same_file(place.target, other) for other in seen):
            raise UsageError(f"{str(path)!r} is written twice; give each output a name of its own")
        if not place.is_stream:
            seen.append(place.target)


def given_files(words: argparse.Namespace) -> tuple[str, ...]:
    """What the call names to be read, and some words that are no files.

    Every part of a text behind an equals sign counts: what is no file harms nothing.
    """
    named: list[str] = []
    for option in _GIVEN:
        said = getattr(words, option, None) or ()
        for text in [said] if isinstance(said, str) else said:
            named += [text, *(text[at + 1 :] for at, letter in enumerate(text) if letter == "=")]
    return tuple(named)


def _outputs(words: argparse.Namespace) -> Iterator[Path]:
    """Files that the command writes, in the order of its options; a folder that is not there yet cannot be in
    the way.
    """
    if words.command == "reduce":  # a folder, which need not be there yet
        cube = Path(words.out) / CUBE_NAME if words.out else None
        if cube is not None and cube.parent.is_dir():
            yield cube
        return
    for option in _FILES:
        said = getattr(words, option, None) or ()
        yield from map(Path, [said] if isinstance(said, str) else said)
