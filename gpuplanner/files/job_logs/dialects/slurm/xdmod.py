"""Open XDMoD's shredder files: what its sacct command writes, without a header."""

from collections.abc import Sequence
from itertools import product
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.job_logs.dialects.slurm import sacct_layout, slurm_fields
from gpuplanner.files.job_logs.dialects.slurm.sacct import delimited_rows
from gpuplanner.files.job_logs.judging.dialect import Dialect, JobTable
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.values.job_states import read_state
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.lazy_re import lazy_re

_DELIMITER: Final = "|"
_WHOSE: Final = phrases("Account|Group|GID|User|UID|Submit|Eligible|Start|End|Elapsed|ExitCode|State")
_HOW_MUCH: Final = ("NNodes", "NCPUS", "ReqCPUS", "ReqMem")
_RESOURCES: Final = (
    ("ReqTRES", "AllocTRES"),
    ("ReqGRES", "ReqTRES", "AllocTRES"),
    ("ReqGRES", "ReqTRES"),
    ("ReqTRES",),
    ("ReqGRES",),
)
_AT_THE_END: Final = ("Timelimit", "NodeList", "JobName")
LAYOUTS: Final = tuple(
    ("JobID", *raw, "Cluster", "Partition", *qos, *_WHOSE, *_HOW_MUCH, *resources, *_AT_THE_END)
    for resources, raw, qos in product(_RESOURCES, (("JobIDRaw",), ()), (("QOS",), ()))
)
"""The field lists of its versions, the newest first."""

_FORMS: Final = {column: lazy_re(pattern) for column, pattern in plain_table("sacct_form").items()}
_TIMES: Final = ("Submit", "Eligible", "Start", "End")
_ENOUGH: Final = 0.9
_SAMPLE: Final = 200


def layout_of(head: str) -> tuple[str, ...] | None:
    """The layout that most lines fit, with an empty column at its end for -p; None where none does."""
    lines = [line for line in head.splitlines() if line.strip()][:_SAMPLE]
    records = [line.split(_DELIMITER) for line in lines]
    for layout in LAYOUTS:
        if records and sum(_fits(record, layout) for record in records) >= _ENOUGH * len(records):
            ends_so = sum(len(record) > len(layout) and record[-1] == "" for record in records)
            return (*layout, "") if ends_so >= _ENOUGH * len(records) else layout
    return None


def _fits(record: Sequence[str], layout: Sequence[str]) -> bool:
    """Whether a record has the form of a layout: numbers, times and states stand in their places."""
    if len(record) < len(layout):
        return False
    cells = dict(zip(layout, record, strict=False))
    return (
        all(form.fullmatch(cells[name]) for name, form in _FORMS.items() if name in cells)
        and all(sacct_layout.is_time(cells[name]) for name in _TIMES)
        and read_state(cells["State"]) in sacct_layout.SLURM_STATES
    )


def sniff_xdmod(head: str) -> float:
    """How sure it is that a text begins a shredder file, 0..1."""
    return 0.96 if layout_of(head) is not None else 0.0


def xdmod_rows(source: Source, engine: Engine, table: str) -> JobTable:
    """The records of a file and where each field stands. A name takes what delimiters it holds.

    Errors: PlannerError not_a_job_log.
    """
    layout = layout_of(source.head)
    if layout is None:
        problem = worded("lines match no shredder layout")
        raise PlannerError(source.path, "not_a_job_log", problem, slurm_fields.ASK_SLURM)
    return delimited_rows(source, engine, table, layout, _DELIMITER, 0)


XDMOD: Final = Dialect(
    format="xdmod", title=worded("Open XDMoD shredder file"), sniff=sniff_xdmod, rows=xdmod_rows
)
