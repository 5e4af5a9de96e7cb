"""Hindsight: the cheapest way to have bought a log, by the same recursion fed with what came."""

from math import ceil
from typing import Final

import numpy as np

from gpuplanner.domain.commitment.allocation import RowToPlan, allocate
from gpuplanner.domain.commitment.busy import BusyTable
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.calendar import Calendar
from gpuplanner.domain.commitment.history import History, Span, span_of
from gpuplanner.domain.commitment.rates import blend, committed_offers
from gpuplanner.domain.commitment.recursion import Market
from gpuplanner.domain.commitment.slices import busy_shares
from gpuplanner.domain.commitment.slicing import Slicing, asked_block, block_for
from gpuplanner.domain.commitment.strategies import ROUNDING
from gpuplanner.domain.commitment.users import Row
from gpuplanner.domain.commitment.walk_forward import Held, held_of
from gpuplanner.domain.model.model_mapping import ratios_of
from gpuplanner.domain.model.offer import Offer
from gpuplanner.domain.model.window import HOURS_PER_MONTH


def hindsight_of(history: History, first_month: int, offers: tuple[Offer, ...]) -> tuple[Held, ...]:
    """All that the cheapest policy holds from a month of the log to its end, knowing every hour of it.

    sigma, lambda and delta are 0, the horizon is the rest of the log, and no term reaches beyond it.
    A month's r_flex is its own: it scales how busy its slices are.
    """
    months = history.months - first_month
    end_h = history.months * HOURS_PER_MONTH
    whole = span_of(history, first_month * HOURS_PER_MONTH, end_h, offers)
    monthly = [
        span_of(history, begin, begin + HOURS_PER_MONTH, offers)
        for begin in range(whole.begin_h, end_h, HOURS_PER_MONTH)
    ]
    peaks = {row: float(history.gpus(row, whole.begin_h, end_h).max()) for row in whole.users}
    market = Market(months, 0.0, (1.0,), 0.0, history.assumptions.wacc)
    rows = [_row_to_plan(history, row, whole, monthly, market, peaks[row]) for row in whole.users]
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


WHOLE_MONTHS: Final = Calendar(free_leads=True, whole_months=True)
"""A backtest pays what it holds for whole months."""


def _row_to_plan(
    history: History, row: Row, whole: Span, monthly: list[Span], market: Market, peak_gpus: float
) -> RowToPlan:
    flex = whole.flex(row)
    offers = committed_offers(whole.eligible[row])
    block = block_for(peak_gpus, asked_block(history.assumptions.block, offers))
    slices = ceil(peak_gpus / block - ROUNDING)
    shares = np.zeros((len(monthly), 1, slices))
    for month, span in enumerate(monthly):
        if row not in span.users:
            continue
        demand = history.gpus(row, span.begin_h, span.end_h) / block
        own = blend([(whole.prices[row], span.users[row])]).rate
        price = 1.0 if own is None or not flex.rate else own / flex.rate
        shares[month, 0] = busy_shares(demand[None], slices, None)[0] * price
    busy = BusyTable(shares, np.arange(len(monthly), dtype=np.int64))
    return RowToPlan(
        row[0],
        row[1],
        busy,
        market,
        Slicing(block, slices),
        offers,
        flex,
        ends_by_month=market.horizon_months,
        ratios=ratios_of(offers, row[1], history.project.mappings),
        calendar=WHOLE_MONTHS,
    )
