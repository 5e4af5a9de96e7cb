"""Hindsight: the cheapest way to have bought a log, by the same recursion fed with what came."""

from math import ceil

import numpy as np

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
from gpuplanner.domain.model.book.model_mapping import ratios_of
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
    on; a rate of its own in each month is put into how busy its slices are.
    """
    there = [span for span in came if row in span.users]
    several = any(span.several_nodes[row] for span in there)
    mappings = history.project.mappings
    committed = committed_offers(eligible_offers(offers, need_of(*row, several), mappings))
    rates = [span.flex(row).rate if row in span.users else 0.0 for span in came]
    is_known = None not in rates
    base = max((rate for rate in rates if rate), default=0.0) if is_known else 0.0
    peak_gpus = max(float(span.gpus(row).max()) for span in there)
    block = block_for(peak_gpus, asked_block(history.assumptions.block, committed))
    slices = ceil(peak_gpus / block - ROUNDING)
    shares = np.zeros((len(came), 1, slices))
    for month, (span, rate) in enumerate(zip(came, rates, strict=True)):
        if row in span.users:
            price = rate / base if rate is not None and base else 1.0
            shares[month, 0] = busy_shares(span.gpus(row)[None] / block, slices, None)[0] * price
    months = len(came)
    return RowToPlan(
        row[0],
        row[1],
        BusyTable(shares, np.arange(months, dtype=np.int64)),
        Market(months, 0.0, (1.0,), 0.0, 0.0),
        Slicing(block, slices),
        committed,
        Flex(base if is_known else None, PricingCategory.STANDARD, None, 0.0),
        ends_by_month=months,
        ratios=ratios_of(committed, row[1], mappings),
        calendar=calendar,
    )
