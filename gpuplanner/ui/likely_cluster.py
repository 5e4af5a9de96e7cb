"""Which cluster a log may be of that names none: the one its contracts are for, or the one its file is called after."""

import re
from collections.abc import Collection, Sequence
from pathlib import PurePath
from typing import Final

_ENDINGS: Final = frozenset(
    (".csv", ".tsv", ".txt", ".json", ".jsonl", ".xlsx", ".parquet", ".gz", ".zst", ".zip")
)
"""What follows the name of a file, packed or not."""


def likely_cluster(paths: Sequence[str], clusters: Collection[str]) -> str:
    """A proposal to be looked at; empty where there is none. paths: of the logs; clusters: that contracts name.

    Without contracts nothing is proposed: the name of one file would stay the cluster of every month's log.

    >>> likely_cluster(["/logs/saga_sacct_2026-10.csv"], []), likely_cluster(["jobs.csv"], ["atlas"])
    ('', 'atlas')
    """
    if len(clusters) == 1:
        return next(iter(clusters))
    words = {word for path in paths for word in _words(_name(path))}
    called = [cluster for cluster in sorted(clusters) if set(_words(cluster)) <= words]
    return called[0] if len(called) == 1 else ""


def _name(path: str) -> str:
    name = PurePath(path)
    while name.suffix.lower() in _ENDINGS:
        name = name.with_suffix("")
    return name.name


def _words(name: str) -> list[str]:
    return [word for word in re.split(r"[\W_]+", name.casefold()) if word]
