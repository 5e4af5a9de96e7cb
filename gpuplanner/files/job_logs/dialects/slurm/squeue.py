"""Slurm's squeue as text, where it was asked for starts and TRES: jobs of one moment, read as its JSON."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.job_logs.dialects.slurm.slurm_fields import RECORD_COLUMNS, slurm_table
from gpuplanner.files.job_logs.dialects.slurm.slurm_records import no_record, number, resources_of
from gpuplanner.files.job_logs.judging.dialect import Dialect, JobTable, headings_of
from gpuplanner.files.sources.raw_table import load_records
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values.job_states import PENDING, RUNNING, read_state
from gpuplanner.lazy_re import lazy_re

_NAMES: Final = headings_of("squeue")
"""What squeue calls each column, in small letters."""

_GPUS: Final = {
    "tres_alloc_str": ("tres_alloc", "tres-alloc", "tres"),
    "tres_per_job": ("tres_per_job", "tres-per-job"),
    "tres_per_node": ("tres_per_node", "tres-per-node", "gres"),
}
"""Its columns of resources, by what its JSON calls them."""


_BLANK_CELL: Final = lazy_re(r"\([^()]*\)|\S+")


def _header(head: str) -> tuple[str | None, list[str]]:
    """What stands between columns, None for blanks, and the columns in small letters."""
    line = next((text for text in head.splitlines() if text.strip()), "")
    sign = "|" if "|" in line else None
    return sign, [name.strip().lower() for name in line.split(sign)]


def sniff(head: str) -> float:
    """How sure it is that a text is such a listing, 0..1: by squeue's names of the job, its start and its resources."""
    names = set(_header(head)[1])
    has_gpus = any(names & set(known) for known in _GPUS.values())
    is_listing = {"jobid", "start_time"} <= names and names & {"st", "state"}
    return 0.96 if is_listing and has_gpus else 0.0


def rows(source: Source, engine: Engine, table: str) -> JobTable:
    """The jobs of a listing, one a line; of a job that runs the end is only what its limit allows, so there is none."""
    sign, names = _header(source.head)

    def records() -> Iterator[tuple[int, tuple[str, ...]]]:
        """Each line below the header as the texts of a record; one of another width is none of a job."""
        with source.text_lines() as lines:
            filled = ((at, line.rstrip("\r\n")) for at, line in enumerate(lines, 1) if line.strip())
            next(filled, None)
            for at, line in filled:
                cells = _cells(line, sign, names)
                is_whole = len(cells) == len(names)
                yield (
                    at,
                    _record(dict(zip(names, cells, strict=False)))
                    if is_whole
                    else no_record(name=line[:200]),
                )

    return slurm_table(engine, load_records(engine, source, table, RECORD_COLUMNS, records(), delimiter="|"))


def _cells(line: str, sign: str | None, names: Sequence[str]) -> list[str]:
    """The cells of a line. Between blanks a reason stands in brackets, and what is too many belongs to the name.

    >>> _cells("7 train big ada R (Nodes are DOWN)", None, ("jobid", "name", "user", "st", "nodelist(reason)"))
    ['7', 'train big', 'ada', 'R', '(Nodes are DOWN)']
    """
    if sign is not None:
        return [cell.strip() for cell in line.split(sign)]
    cells = _BLANK_CELL.findall(line)
    more = len(cells) - len(names)
    if more <= 0 or "name" not in names:
        return cells
    at = names.index("name")
    return [*cells[:at], " ".join(cells[at : at + more + 1]), *cells[at + more + 1 :]]


def _record(said: Mapping[str, str]) -> tuple[str, ...]:
    """A line as the texts of a Slurm record."""
    texts = {
        column: next((said[name] for name in names if name in said), "") for column, names in _NAMES.items()
    }
    gpus = {key: next((said[name] for name in names if name in said), "") for key, names in _GPUS.items()}
    texts["NNodes"], texts["AllocTRES"] = resources_of({**gpus, "node_count": number(texts["NNodes"])})
    if read_state(texts["State"]) in (RUNNING, PENDING):
        texts["End"] = ""
    if texts["NodeList"].startswith("("):  # why it waits
        texts["NodeList"] = ""
    return tuple("" if texts.get(column) == "N/A" else texts.get(column, "") for column in RECORD_COLUMNS)


DIALECT: Final = Dialect(format="squeue", title=worded("listing of squeue"), sniff=sniff, rows=rows)
