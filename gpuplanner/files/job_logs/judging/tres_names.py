"""Which resources a cluster's numbers stand for: as the planner says, or as its own table of them does."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.small_table import RowEnds
from gpuplanner.lazy_re import lazy_re

HOW_TO_NAME: Final = worded(
    "give the GPU's resource id (--tres gpu=1002), sacctmgr show tres -P, or AllocTRES from sacct -P"
)

_SAID: Final = lazy_re(r"(?i)(?:gres/)?gpu(?P<model>:[^=:,\s]+)?=(?P<number>\d{1,9})")
_HEADER: Final = lazy_re(r"(?im)^\s*Type\s*\|\s*Name\s*\|\s*ID\s*\|?\s*$")
_ROW: Final = lazy_re(
    r"(?m)^[^\S\n]*(?P<type>[\w-]+)[^\S\n]*\|(?P<name>[^|\n]*)\|[^\S\n]*(?P<number>\d{1,9})[^\S\n]*\|?[^\S\n]*$"
)
_GPU: Final = lazy_re(r"(?i)gres/gpu(?::|$)")
_HEAD_LETTERS: Final = 256 * 1024


def parse_tres(words: Iterable[str]) -> dict[str, str]:
    """`gpu=1001,gpu:a100=1002`, several times: resources by number. Errors: PlannerError usage.

    >>> parse_tres(["gpu=1001", "gpu:a100=1002"])
    {'1001': 'gres/gpu', '1002': 'gres/gpu:a100'}
    """
    names: dict[str, str] = {}
    for item in (part.strip() for text in words for part in text.split(",")):
        found = _SAID.fullmatch(item)
        if found is None:
            raise PlannerError(
                f"--tres {item}",
                "usage",
                worded("not of the form gpu=NUMBER"),
                worded("write the GPU's resource id: gpu=1002 or gpu:a100=1002"),
            )
        names[found["number"]] = f"gres/gpu{found['model'] or ''}"
    return names


def is_tres_table(head: str) -> bool:
    """Whether a text is what `sacctmgr show tres -P` prints, and nothing else.

    Its header is Type|Name|ID, with a sign at the end or without; every line has as many.
    """
    lines = [line for line in head.splitlines() if line.strip()]
    return (
        bool(lines)
        and _HEADER.fullmatch(lines[0]) is not None
        and all(2 <= line.count("|") <= 3 for line in lines)
    )


def tres_in(head: str) -> dict[str, str]:
    """All resources of such a table in a text, alone or above a log, by number; empty where there is none.

    Names are as Slurm writes them, type and name with a slash between, such as gres/gpu.
    """
    if _HEADER.search(head) is None:
        return {}
    return {
        found["number"]: "/".join(filter(None, (found["type"], found["name"].strip())))
        for found in _ROW.finditer(head)
    }


def gpus_among(names: Mapping[str, str]) -> dict[str, str]:
    """Of resources by number those that are GPUs."""
    return {number: name for number, name in names.items() if _GPU.match(name)}


def tres_of_files(paths: Sequence[str]) -> dict[str, str]:
    """The resources of the tables among files: read before any log, in whatever order they were given.

    A file that cannot be read brings none here: its own reading says so.
    """
    names: dict[str, str] = {}
    for path in paths:
        try:
            if not Path(path).is_file():  # a pipe waits for whoever writes into it
                continue
            with Path(path).open("rb") as file:
                head = file.read(_HEAD_LETTERS).decode("utf-8-sig", "replace")
        except (OSError, ValueError):  # said when it is read
            continue
        names |= tres_in(head) if is_tres_table(head) else {}
    return names


def numbers_words(texts: Iterable[str]) -> Message:
    """What is wrong with lists of resources in which GPUs stand by a number that nobody explained.

    The first eight numbers, ascending.
    """
    numbers = sorted(
        {number for text in texts for number in lazy_re(r"(?:^|,) *(\d{4,})=").findall(text)}, key=int
    )
    return worded("cluster-specific resource ids ({numbers})", numbers=", ".join(numbers[:8]))


# A cluster's own list of its resources and their numbers, as `sacctmgr show tres -P` prints it: what it holds.
KIND: Final = "tres"
FORMAT: Final = "sacctmgr"
WHY: Final = worded("resource ids, not jobs")


def sniff(head: str) -> float:
    """How sure it is that a text is such a list, 0..1."""
    return 1.0 if is_tres_table(head) else 0.0


def describe(source: Source) -> FileIntake:
    """Every resource is a row; the GPUs among them by number are its facts.

    The header is no row. Tables of trackable resources explain logs and bring no jobs.
    """
    with source.rows("|", is_quoted=False) as rows:
        count = max(0, sum(1 for _ in rows) - 1)
    facts = (("resources", count), ("gpus_by_number", gpus_among(tres_in(source.head))))
    return RowEnds(read=count).intake(source, KIND, FORMAT, facts)
