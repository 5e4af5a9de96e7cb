"""Hindsight: the cheapest way to have bought a log, by the same recursion fed with what came."""

from collections.abc import Sequence
from math import ceil

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.backtest.history import History, Span, in_order, span_of
from gpuplanner.domain.commitment.backtest.walk_forward import Held, calendar_at, held_of
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.busy import BusyTable
from gpuplanner.domain.commitment.demand.slices import busy_shares
from gpuplanner.domain.commitment.demand.users import Row
from gpuplanner.domain.commitment.recursion.allocation import RowToPlan, allocate
from gpuplanner.domain.commitment.recursion.calendar import Calendar
from gpuplanner.domain.commitment.recursion.rates import Flex, committed_offers
from gpuplanner.domain.commitment.recursion.slice_policy import Market
from gpuplanner.domain.commitment.slicing import Slicing, asked_block, block_for
from gpuplanner.domain.demand.newsvendor import ROUNDING
from gpuplanner.domain.fit.eligibility import eligible_offers, need_of
from gpuplanner.domain.model.book.model_mapping import ModelMapping, ratios_of
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.domain.model.window import HOURS_PER_MONTH


def hindsight_of(history: History, first_month: int, offers: tuple[Offer, ...]) -> tuple[Held, ...]:
    """All that the cheapest policy holds from a month of the log to its end, knowing every hour of it.

    sigma, lambda, delta and wacc are 0, the horizon is the rest of the log, and no term reaches beyond it.
    A month's r_flex is its own: it scales how busy its slices are.
    """
    came = [span_of(history, span.log, HOURS_PER_MONTH, offers) for span in history.came[first_month:]]
    calendar = calendar_at(history.came[first_month - 1].end_s)
    names = in_order({row for span in came for row in span.users})
    rows = [_row_to_plan(history, row, came, offers, calendar) for row in names]
    months = len(came)
    signed, _, _ = allocate(rows, months, AdviceCache())
    answer = []
    for row, one in zip(rows, signed, strict=True):
        for month in range(months):
            for place, option in enumerate(row.offers):
                gpus = row.gpus((one.term[month] > 0) & (one.offer[month] == place))
                if gpus:
                    name = (row.pool, row.gpu_model)
                    answer.append(held_of(name, option, gpus, first_month + month, row.ratios))
    return tuple(answer)


def _row_to_plan(
    history: History, row: Row, came: list[Span], offers: tuple[Offer, ...], calendar: Calendar
) -> RowToPlan:
    """A row as the recursion reads it, with what came in place of a forecast. came: the months from the first
    on.
    """
    there = [span for span in came if row in span.users]
    several = any(span.several_nodes[row] for span in there)
    mappings = history.project.mappings
    return knowing_all(
        row,
        [span.gpus(row) if row in span.users else np.zeros(1) for span in came],
        [span.flex(row).rate if row in span.users else 0.0 for span in came],
        eligible_offers(offers, need_of(*row, several), mappings),
        history.assumptions.block,
        mappings,
        calendar,
    )


def knowing_all(
    row: Row,
    came: Sequence[Floats],
    rates: Sequence[float | None],
    eligible: Sequence[Offer],
    block: int | None,
    mappings: Sequence[ModelMapping],
    calendar: Calendar,
    last_month: float = 1.0,
) -> RowToPlan:
    """A row as the recursion reads it, with what came in place of a forecast: sigma, lambda, delta and wacc are 0.

    came: mean GPUs in each hour of each month; rates: by use, $ per GPU-hour of each month (None: nobody sells): a rate
    of its own is put into how busy the slices of a month are. block: as assumed. last_month: how long the last one is,
    a share of 730 h. No term reaches beyond it.
    """
    committed = committed_offers(eligible)
    is_known = None not in rates
    base = max((rate for rate in rates if rate), default=0.0) if is_known else 0.0
    peak_gpus = max(float(gpus.max()) for gpus in came)
    width = block_for(peak_gpus, asked_block(block, committed))
    slices = ceil(peak_gpus / width - ROUNDING)
    shares = np.zeros((len(came), 1, slices))
    for month, (gpus, rate) in enumerate(zip(came, rates, strict=True)):
        price = rate / base if rate is not None and base else 1.0
        shares[month, 0] = busy_shares(gpus[None] / width, slices, None)[0] * price
    months = len(came)
    return RowToPlan(
        row[0],
        row[1],
        BusyTable(shares, np.arange(months, dtype=np.int64)),
        Market(months, 0.0, (1.0,), 0.0, 0.0, last_month),
        Slicing(width, slices),
        committed,
        Flex(base if is_known else None, PricingCategory.STANDARD, None, 0.0),
        ends_by_month=months,
        ratios=ratios_of(committed, row[1], mappings),
        calendar=calendar,
    )
