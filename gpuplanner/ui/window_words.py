"""Remedies in the words of the window: what the readers say of options of the command line, said of its controls."""

import re
from typing import Final

WINDOW_WORDS: Final = (
    (
        "add it, or name the columns with --map",
        "add it to the file, or map its columns",
    ),
    ("state the zone, as in --timezone Europe/Oslo", "choose the zone at the left, such as Europe/Oslo"),
    ("check that --timezone is right", "check that the zone chosen at the left is right"),
    (
        "give a job log, or say with --map what its columns are",
        "choose another file, or map its columns",
    ),
    (
        "if it is a table of jobs, say with --map what its columns are",
        "if it is a table of jobs, map its columns",
    ),
    ("drop them with --drop-alike if", "tick Drop rows that are alike if"),
    ("give it as --jobs", "choose Job log at the left"),
    ("give it as --contracts", "choose Contracts at the left"),
    ("give it as --prices", "choose Prices at the left"),
    (" or as a number with its unit in the mapping", ""),
)
"""What a reader says, and what the window says for it."""


_MAPPING_TO_TRY: Final = re.compile(r"it may be read with --map .*$", re.DOTALL)
"""The words of a mapping, which the columns page shows column by column."""


def in_window_words(text: str) -> str:
    """A message or remedy of a reader without the command line's options that the window has controls for."""
    for said, ours in WINDOW_WORDS:
        text = text.replace(said, ours)
    return _MAPPING_TO_TRY.sub("map its columns", text)
