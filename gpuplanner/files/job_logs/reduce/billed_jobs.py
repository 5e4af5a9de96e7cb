"""Billed jobs: the use of GPUs that bills state, by cluster, GPU model and rate, from the job rows of a window."""

from collections.abc import Iterator
from itertools import groupby
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.model.billed import RATES_AT_MOST, BilledUse, Span
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.files.job_logs.reduce.job_rows import JOB_ROWS
from gpuplanner.files.system.engine import Engine

_DIGITS: Final = 6
"""Rates that agree to so many digits are one."""


def billed_use(engine: Engine, window: Window) -> tuple[BilledUse, ...]:
    """Use that bills state in a window, sorted by cluster, GPU model, way to pay and rate; empty without a bill.

    What a line was charged is spread evenly over its run. Law: by hour the GPU time is that of the same jobs in the
    demand cube, and the amounts add up to those of the lines, as far as they lie in the window.
    """
    if not engine.all(f"select 1 from {JOB_ROWS} where billed_amount is not null limit 1"):
        return ()
    rows = engine.all(
        f"""select cluster, gpu_model, billed_as, start_s::bigint, end_s::bigint, sum(milli_gpus)::bigint,
            sum(billed_amount)
        from {JOB_ROWS}
        where billed_amount is not null and milli_gpus > 0 and end_s > start_s and not is_running
            and start_s < {window.end_s} and end_s > {window.start_s}
        group by all order by all"""
    )
    used: list[BilledUse] = []
    for (cluster, gpu_model, billed_as), lines in groupby(rows, key=lambda row: row[:3]):
        used += _of_rows(cluster, gpu_model, billed_as, [line[3:] for line in lines], window)
    return tuple(used)


def _of_rows(
    cluster: str,
    gpu_model: str | None,
    billed_as: str,
    rows: list[tuple[int, int, int, float]],
    window: Window,
) -> Iterator[BilledUse]:
    """Yield the use of one cluster, GPU model and way to pay by rate. rows: start, end, milli_gpus and amount."""
    category, currency, is_daily = billed_as.split("|")
    hour, spent, amount = _by_hour(rows, window)
    for chosen in _by_rate(spent, amount):
        yield BilledUse(
            cluster=cluster,
            gpu_model=gpu_model,
            pricing_category=PricingCategory(category),
            currency=currency,
            is_daily=is_daily == "1",
            amount=float(amount[chosen].sum()),
            spans=tuple(_spans(hour[chosen], spent[chosen], window)),
        )


def _by_hour(rows: list[tuple[int, int, int, float]], window: Window) -> tuple[Ints, Ints, Floats]:
    """Hours of the window with use, their milli-GPU-seconds and what was charged for them; shapes (n,)."""
    start, end, milli_gpus, amount = (np.array(column) for column in zip(*rows, strict=True))
    begin, stop = np.maximum(start, window.start_s), np.minimum(end, window.end_s)
    first, last = (begin - window.start_s) // HOUR_S, (stop - 1 - window.start_s) // HOUR_S
    counts = last - first + 1
    row = np.repeat(np.arange(len(counts)), counts)
    hour = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts) + first[row]
    hour_s = window.start_s + hour * HOUR_S
    seconds = np.minimum(stop[row], hour_s + HOUR_S) - np.maximum(begin[row], hour_s)
    spent, charged = np.zeros(window.hours, dtype=np.int64), np.zeros(window.hours)
    np.add.at(spent, hour, milli_gpus[row] * seconds)
    np.add.at(charged, hour, amount[row] * seconds / (end - start)[row])
    used = np.flatnonzero(spent)
    return used, spent[used], charged[used]


def _by_rate(spent: Ints, amount: Floats) -> Iterator[Bools]:
    """Which hours have one rate, from the lowest on; where there are too many rates, classes of as much GPU time."""
    rates = amount / spent
    with np.errstate(divide="ignore"):
        digits = np.where(rates == 0, 0, _DIGITS - 1 - np.floor(np.log10(np.abs(rates))))
    kinds = np.round(rates * 10.0**digits) / 10.0**digits
    different = np.unique(kinds)
    if len(different) > RATES_AT_MOST:
        order = np.argsort(kinds, kind="stable")
        share = np.cumsum(spent[order]) / spent.sum()
        kinds = np.empty(len(spent))
        kinds[order] = np.minimum((share * RATES_AT_MOST).astype(np.int64), RATES_AT_MOST - 1)
        different = np.unique(kinds)
    for kind in different:
        yield kinds == kind


def _spans(hour: Ints, spent: Ints, window: Window) -> Iterator[Span]:
    """Neighbouring hours with as much GPU time as one."""
    is_first = np.ones(len(hour), dtype=np.bool_)
    is_first[1:] = (np.diff(hour) != 1) | (np.diff(spent) != 0)
    starts = np.flatnonzero(is_first)
    lengths = np.diff(np.append(starts, len(hour)))
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        yield window.start_s + int(hour[start]) * HOUR_S, length, int(spent[start])
