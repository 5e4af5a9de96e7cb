"""How much of a plan one provider may have: $ of month 0 that its contracts and new commitments may come to."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.commitment.recursion.allocation import PROVIDER, RowToPlan, Signed, usd_of_provider
from gpuplanner.domain.commitment.recursion.price_levels import over
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.contract_months import monthly_usd
from gpuplanner.domain.model.window import HOURS_PER_MONTH

UNLIMITED: Final[Mapping[str, float]] = {}


def room_of_providers(
    rows: Sequence[RowToPlan],
    signed: Sequence[Signed],
    in_month_0: Sequence[Contract],
    share: float,
) -> Mapping[str, float]:
    """$ a month that each provider's new commitments may still come to, by the key that `allocate` knows it by.

    signed: the plan without the limit, whose month 0 the share is of; in_month_0: contracts that run through it.
    Nothing is limited where the $ of that plan are unknown. Below 0: contracts alone are over it.
    """
    usd = _month_0_usd(rows, signed, in_month_0)
    if usd is None:
        return UNLIMITED
    spent = _contracts_usd(in_month_0)
    providers = {offer.provider for row in rows for offer in row.offers if offer.provider is not None}
    return {PROVIDER + name: share * usd - spent.get(name, 0.0) for name in sorted(providers | set(spent))}


def usd_by_provider(
    rows: Sequence[RowToPlan],
    signed: Sequence[Signed],
    in_month_0: Sequence[Contract],
    months: int | None = None,
) -> Mapping[str, float]:
    """$ a month that each provider has as the limit counts it: contracts, and slices that ever take an offer of it.

    signed: what each row signs; months: only what is signed in so many, None: ever.
    """
    usd = _contracts_usd(in_month_0)
    for row, answer in zip(rows, signed, strict=True):
        offer = answer.offer[:months]
        takes = {place: (offer == place).any(axis=0) for place in range(len(row.offers))}
        for name in {one.provider for one in row.offers if one.provider is not None}:
            usd[name] = usd.get(name, 0.0) + float(usd_of_provider(row, name, takes).sum())
    return usd


def _contracts_usd(in_month_0: Sequence[Contract]) -> dict[str, float]:
    """$ a month of the contracts of each provider that is named."""
    usd: dict[str, float] = {}
    for contract in in_month_0:
        if contract.provider is not None:
            usd[contract.provider] = usd.get(contract.provider, 0.0) + (contract.cost_per_month or 0.0)
    return usd


def _month_0_usd(
    rows: Sequence[RowToPlan], signed: Sequence[Signed], in_month_0: Sequence[Contract]
) -> float | None:
    """$ of month 0 as layers and idle contracts add up to it; None where a rate is missing.

    Use pays the mean price of the month, of which a change dated within it is a part.
    """
    total = monthly_usd(in_month_0)
    if total is None:
        return None
    for row, answer in zip(rows, signed, strict=True):
        busy, widths = row.busy.today(0), row.slicing.widths
        by_use = np.where(answer.term[0] == 0, 1.0, 0.0)
        for place in np.unique(answer.offer[0][answer.term[0] > 0]).tolist():
            if place < 0:
                return None
            offer, taken = row.offers[place], answer.offer[0] == place
            hours = min(float(HOURS_PER_MONTH), offer.term_hours)
            total += row.gpus(taken) * (offer.spread_rate or 0.0) * hours
            by_use[taken] = 1 - hours / HOURS_PER_MONTH
        used = busy * widths * by_use
        if row.use is None and row.flex.rate is None and used.any():
            return None
        rate = (row.flex.rate or 0.0) if row.use is None else np.nan_to_num(row.use.rate[0])
        price = float(over(row.market.use_prices, 1)[0])
        total += HOURS_PER_MONTH * price * float((used * rate).sum())  # what nobody serves costs nothing
    return total
