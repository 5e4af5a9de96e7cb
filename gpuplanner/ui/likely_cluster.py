"""Which cluster a log may be of that names none: the one its contracts are for, or what its file is called after."""

import re
from collections.abc import Collection, Sequence
from pathlib import PurePath
from typing import Final

_ENDINGS: Final = frozenset(
    (".csv", ".tsv", ".txt", ".json", ".jsonl", ".xlsx", ".parquet", ".gz", ".zst", ".zip")
)
_SAY_NOTHING: Final = frozenset(
    (
        *("job", "jobs", "joblog", "log", "logs", "sacct", "slurm", "pod", "pods", "trace", "traces", "list"),
        *(
            "export",
            "exports",
            "exported",
            "dump",
            "data",
            "report",
            "history",
            "usage",
            "accounting",
            "kv",
            "csv",
        ),
        *(
            "all",
            "full",
            "raw",
            "new",
            "old",
            "copy",
            "final",
            "default",
            "test",
            "sample",
            "header",
            "noheader",
        ),
        *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october"),
        *("november", "december"),
    )
)
"""Words of a file's name that tell what it holds, or of when, and not of which cluster."""


def likely_cluster(paths: Sequence[str], clusters: Collection[str]) -> str:
    """A proposal to be looked at; empty where there is none. paths: of the logs; clusters: that contracts name.

    >>> likely_cluster(["/logs/saga_sacct_2026-10.csv"], []), likely_cluster(["jobs.csv"], ["atlas"])
    ('saga', 'atlas')
    """
    if len(clusters) == 1:
        return next(iter(clusters))
    names = {_name(path) for path in paths}
    if clusters:
        words = {word for name in names for word in _words(name)}
        called = [cluster for cluster in sorted(clusters) if set(_words(cluster)) <= words]
        return called[0] if len(called) == 1 else ""
    said = {"-".join(word for word in _words(name) if _tells(word)) for name in names}
    return said.pop() if len(said) == 1 else ""


def _name(path: str) -> str:
    name = PurePath(path)
    while name.suffix.lower() in _ENDINGS:
        name = name.with_suffix("")
    return name.name


def _words(name: str) -> list[str]:
    return [word for word in re.split(r"[\W_]+", name.casefold()) if word]


def _tells(word: str) -> bool:
    return word not in _SAY_NOTHING and len(word) > 1 and not word[0].isdigit()
