"""Remedies in the words of the window: what the readers say of options of the command line, said of its controls."""

import re
from typing import Final

from gpuplanner.domain.model.worded import Worded, worded

WINDOW_WORDS: Final = (
    (
        worded("add it, or name the columns with --map"),
        worded("add it to the file, or map its columns"),
    ),
    (
        worded("state the zone, as in --timezone Europe/Oslo"),
        worded("choose the zone at the left, such as Europe/Oslo"),
    ),
    (worded("check that --timezone is right"), worded("check that the zone chosen at the left is right")),
    (
        worded("give a job log, or say with --map what its columns are"),
        worded("choose another file, or map its columns"),
    ),
    (
        worded("if it is a table of jobs, say with --map what its columns are"),
        worded("if it is a table of jobs, map its columns"),
    ),
    (worded("name the columns with --map"), worded("map its columns")),
    (worded("or map it with --map"), worded("or map its columns")),
    (worded("say with --map what its columns are"), worded("map its columns")),
    (worded("drop them with --drop-alike if"), worded("tick Drop rows that are alike if")),
    (worded("give it as --jobs"), worded("choose Job log at the left")),
    (worded("give it as --contracts"), worded("choose Contracts at the left")),
    (worded("give it as --prices"), worded("choose Prices at the left")),
    (
        worded(
            "plan from a day on which they run (--plan-from), or import a log and contracts of the same time"
        ),
        worded("choose Plan from in the menu Scenario, or import a log and contracts of the same time"),
    ),
    (worded(" or as a number with its unit in the mapping"), ""),
)
"""What a reader says, and what the window says for it."""


_MAPPING_TO_TRY: Final = re.compile(r"it may be read with --map .*$", re.DOTALL)
"""The words of a mapping, which the columns page shows column by column."""


def in_window_words(text: str) -> str:
    """A message or remedy of a reader without the command line's options that the window has controls for."""
    if isinstance(text, Worded) and text.values and text.number is None:
        values = {
            name: in_window_words(value) if isinstance(value, str) else value
            for name, value in text.values.items()
        }
        if values != text.values:  # the whole keeps its template, so that it can be translated
            return Worded(text.template.format(**values), text.template, values)
    for said, ours in WINDOW_WORDS:
        if said == text:
            return ours
        if said in text:  # else it stays what it is, with its template
            text = text.replace(said, ours)
    return _MAPPING_TO_TRY.sub("map its columns", text) if _MAPPING_TO_TRY.search(text) else text
