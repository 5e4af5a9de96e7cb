"""Stated totals: the run times and GPU-hours that a log states beside starts and ends, against what was read of it."""

import re
from functools import lru_cache
from typing import Final

from gpuplanner.domain.model.intake import StatedFigure
from gpuplanner.domain.model.window import DAY_S, HOUR_S
from gpuplanner.files.job_logs.judging.column_names import name_readings, words_of
from gpuplanner.files.job_logs.judging.dialect import JobTable, StatedColumn
from gpuplanner.files.job_logs.judging.job_store import JOBS
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.system.resources import rows_of
from gpuplanner.files.tables.fields import DURATION
from gpuplanner.files.values.column_values import known
from gpuplanner.files.values.number_styles import column_style, plain_sql
from gpuplanner.files.values.word_lists import in_words
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

# --- What numbers under a heading, or behind a label, are

SAID: Final = {row["name"]: lazy_re(row["pattern"]) for row in rows_of("stated_words.csv")}
FIGURES: Final = {row["name"]: row for row in rows_of("stated_figures.csv")}


@lru_cache(maxsize=4096)
def figure_named(text: str) -> str:
    """What numbers under a heading or behind a label are, as `what` of a StatedFigure; empty where that is open.

    >>> [figure_named(text) for text in ("Monthly charge", "Jahreskosten (EUR)", "TCV", "Total GPUs", "Term (months)")]
    ['usd_per_month', 'usd_per_year', 'usd_total', 'gpus', '']
    >>> figure_named("monthly_cost"), figure_named("TotalCost")
    ('usd_per_month', 'usd_total')
    """
    text = in_words(text)
    is_sum = SAID["sum"].search(text) is not None
    quantities = (
        quantity
        for quantity, row in FIGURES.items()
        if (is_sum or not row["with"]) and re.search(row["pattern"], text)
    )
    return "" if SAID["other"].search(text) else next(quantities, "")


# --- The columns of a log that state such figures, and their sums against those of the accepted jobs

ELAPSED, GPU_HOURS = "elapsed_s", "gpu_hours"
_SECONDS_OF: Final = {"s": 1.0, "min": 60.0, "h": float(HOUR_S), "d": float(DAY_S), "epoch_ms": 0.001}
_READ: Final = {
    ELAPSED: ("cast(end_s as double) - start_s", "60"),
    GPU_HOURS: (f"milli_gpus * (cast(end_s as double) - start_s) / {1000 * HOUR_S}", "milli_gpus / 60e3"),
}
"""By quantity, SQL of what was read of a job, and how much of it a minute is."""

_SHARE: Final = 0.005
"""Sums that differ by no more agree."""

_OF_USE: Final = lazy_re(r"\b(?:used|usage|consumed|actual|verbraucht|consommées?)\b")
_SURELY: Final = 0.9
_LOOKED_AT: Final = 200
_TOTALS_AT_MOST: Final = 20
_WORST: Final = 3


@dataclass(frozen=True, slots=True)
class StatedTotals:
    """figures: of the file, of its rows of totals, and the worst rows where it disagrees. rows: how many jobs differ
    there; first_row: the first of them.
    """

    figures: tuple[StatedFigure, ...] = ()
    rows: int = 0
    first_row: int | None = None


def with_stated(engine: Engine, table: JobTable) -> JobTable:
    """A log with its columns of run times beside ends, and of GPU-hours; a bill has amounts in their place."""
    is_read = {int(at) for sql in table.fields.values() for at in re.findall(r"\bc(\d+)\b", sql)}
    others = {name: f"c{at}" for at, name in enumerate(table.raw.columns) if at not in is_read}
    lengths = {
        (reading.unit, others[name]): reading.confidence
        for name in others
        if (reading := name_readings(name).get(DURATION)) and reading.confidence >= _SURELY
    }
    if (read := table.fields.get("elapsed")) is not None:
        lengths = {(table.elapsed_unit, read): 1.0}
    named = {" ".join(words_of(name)): column for name, column in others.items()}
    columns = [
        (GPU_HOURS, "", column)
        for name, column in named.items()
        if figure_named(_OF_USE.sub(" ", name)) == GPU_HOURS
    ]
    columns = [
        *columns[:1],
        *((ELAPSED, *length) for length in sorted(lengths, key=lengths.__getitem__)[-1:]),
    ]
    columns = [column for column in columns if column[0] == GPU_HOURS or "end" in table.fields]
    is_told = "start" in table.fields and not table.are_ignored_rows
    stated = (_column(engine, table, *column) for column in columns if column[1] in ("", *_SECONDS_OF))
    return replace(table, stated=tuple(filter(None, stated))) if is_told else table


def _column(engine: Engine, table: JobTable, quantity: str, unit: str, text: str) -> StatedColumn | None:
    """A column as numbers, in the style of its first texts; None where it has none. What is ignored may be a total,
    unless it has a start, as steps have.
    """
    rows = engine.all(f"select {text} as t from \"{table.raw.name}\" where t <> '' limit {_LOOKED_AT}")
    texts = known([row[0] for row in rows])
    per = _SECONDS_OF.get(unit, 1.0)
    digits = max((len(cell.partition(".")[2]) for cell in texts if ":" not in cell), default=0)
    number = f"try_cast({plain_sql(text, column_style(texts).style)} as double)"
    if quantity == ELAPSED:
        paused = table.raw.column("Suspended") or "null"
        number = f"coalesce({number} * {per}, {_clock_s(text)}) + coalesce({_clock_s(paused)}, 0)"
    is_part = f"coalesce({table.is_ignored}, false) and {table.fields['start']} >= '0'"
    return (
        StatedColumn(quantity, f"if({is_part}, null, {number})", 10.0**-digits * per, unit) if texts else None
    )


def _clock_s(text: str) -> str:
    """SQL: the seconds of `3-02:00:00`, `02:00:00`, `00:15` or `2 hours`; null for anything else."""
    clock = f"if({text} like '%:%' and {text} not like '%:%:%', '00:' || {text}, {text})"
    return f"epoch(try_cast(replace({clock}, '-', ' days ') as interval))"


def stated_totals(engine: Engine, table: JobTable, file: int, marks: str) -> StatedTotals:
    """The figures that a log states, each column as one sum, and its rows of totals. marks: SQL of its marks."""
    figures, worst = list[StatedFigure](), list[StatedFigure]()
    rows, first = 0, list[int]()
    for column in table.stated:
        quantity = column.quantity
        read, minute = _READ[quantity]
        jobs = f"""(select line, {quantity} as stated, {read} as read, {minute} as minute
            from {JOBS} join (select line, {quantity} from {marks}) using (line) where file = {file} and code = 0)"""
        both = f"{jobs} where stated + read is not null"
        stated, total = engine.one(f"select coalesce(sum(stated), 0), sum(read) from {both}")
        is_open = quantity == ELAPSED and not column.unit and total is not None
        unit = min(_SECONDS_OF.values(), key=lambda each: abs(stated * each - total)) if is_open else 1.0
        off = f"abs(stated * {unit} - read)"
        is_odd = f"{off} > greatest({column.digit * unit}, {_SHARE} * stated * {unit}, minute)"
        count, line = engine.one(f"select count(*), min(line) from {both} and {is_odd}")
        if total is not None:
            agrees = not count or abs(stated * unit - total) <= _SHARE * stated * unit
            figures.append(
                StatedFigure(
                    quantity=quantity, subject="file", stated=stated * unit, read=total, agrees=agrees
                )
            )
            if not agrees:
                rows, first = max(rows, count), [*first, line]
                worst += [
                    StatedFigure(
                        quantity=quantity,
                        subject=f"row {row}",
                        stated=number * unit,
                        read=amount,
                        agrees=False,
                    )
                    for row, number, amount in engine.all(
                        f"select line, stated, read from {both} and {is_odd} order by {off} desc, line limit {_WORST}"
                    )
                ]
        figures += _totals(engine, column, jobs, marks, unit)
    return StatedTotals(tuple(dict.fromkeys((*figures, *worst))), rows, min(first, default=None))


def _totals(engine: Engine, column: StatedColumn, jobs: str, marks: str, unit: float) -> list[StatedFigure]:
    """Rows of totals against the jobs above, or those since the total before; of jobs that run on what is stated."""
    figures, before = list[StatedFigure](), 0
    totals = engine.all(
        f"""select line, {column.quantity} * {unit} from {marks} where is_ignored and {column.quantity} is not null
            order by line limit {_TOTALS_AT_MOST}"""
    )
    for line, stated in totals:
        amount = f"sum(coalesce(read, stated * {unit}))"
        reads = engine.one(
            f"select {amount}, {amount} filter (where line > {before}) from {jobs} where line < {line}"
        )
        read = min(map(float, filter(None, reads)), key=lambda near: abs(near - stated), default=None)
        if read is not None:
            agrees = abs(read - stated) <= max(column.digit * unit / 2, _SHARE * stated)
            subject = "file" if line == totals[-1][0] else "group"
            figures.append(
                StatedFigure(
                    quantity=column.quantity, subject=subject, stated=stated, read=read, agrees=agrees
                )
            )
        before = line
    return figures
