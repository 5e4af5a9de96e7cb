"""How much of a plan one may have: $ of month 0 that contracts and new commitments of it may come to."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.recursion.allocation import (
    NAMED,
    PROVIDER,
    RowToPlan,
    Signed,
    has_offer,
    usd_of_room,
)
from gpuplanner.domain.commitment.recursion.price_levels import over
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.contract_months import monthly_usd
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import named_words, only_of
from gpuplanner.domain.model.window import HOURS_PER_MONTH

UNLIMITED: Final[Mapping[str, float]] = {}


def share_rooms(ground: Ground) -> Mapping[str, float]:
    """The shares that a plan keeps to, 0..1, by the key that `allocate` knows them by.

    One provider, whichever: of each that offers or contracts name. All of it binds too: what is signed later counts
    beside the first month's $ that it is of. Empty where no share is limited.
    """
    limited = {f"{NAMED}{who}": share for who, share in ground.scenario.shares.items()}
    most = ground.assumptions.max_provider_share
    if most is not None:
        limited |= dict.fromkeys(provider_keys(ground), most)
    return dict(sorted(limited.items()))


def provider_keys(ground: Ground) -> Collection[str]:
    """The key of the share of each provider that offers or contracts of a plan name."""
    both: tuple[Offer | Contract, ...] = (*ground.project.offers, *ground.plan.contracts)
    return {PROVIDER + one.provider for one in both if one.provider is not None}


def share_called(key: str) -> Text:
    """Who a share is of, in words."""
    return named_words(only_of(key)) if key.startswith(NAMED) else key.removeprefix(PROVIDER)


def rooms_of(
    rows: Sequence[RowToPlan],
    signed: Sequence[Signed],
    in_month_0: Sequence[Contract],
    shares: Mapping[str, float],
) -> Mapping[str, float]:
    """$ a month that new commitments with each who is limited may still come to, by the key of its share.

    signed: the plan without these limits, whose month 0 the shares are of; in_month_0: contracts that run through it.
    Nothing is limited where the $ of that plan are unknown. Below 0: contracts alone are over it.
    """
    usd = _month_0_usd(rows, signed, in_month_0)
    if usd is None:
        return UNLIMITED
    return {key: share * usd - _contracts_usd(in_month_0, key) for key, share in shares.items()}


def usd_of_share(
    rows: Sequence[RowToPlan],
    signed: Sequence[Signed],
    in_month_0: Sequence[Contract],
    key: str,
    months: int | None = None,
) -> float:
    """$ a month that one has as a limit of its share counts it: contracts, and slices that ever take an offer of it.

    key: of the share; signed: what each row signs; months: only what is signed in so many, None: ever.
    """
    usd = _contracts_usd(in_month_0, key)
    for row, answer in zip(rows, signed, strict=True):
        offer = answer.offer[:months]
        takes = {place: (offer == place).any(axis=0) for place in range(len(row.offers))}
        usd += float(usd_of_room(row, key, takes).sum())
    return usd


def _contracts_usd(in_month_0: Sequence[Contract], key: str) -> float:
    """$ a month of the contracts that a share is of."""
    return sum(contract.cost_per_month or 0.0 for contract in in_month_0 if has_offer(key, contract))


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
