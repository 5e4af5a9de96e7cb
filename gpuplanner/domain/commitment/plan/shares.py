"""How much of a plan one provider, or one that is named, may have: $ of month 0 that new commitments may come to."""

from collections.abc import Collection, Iterable, Mapping
from math import inf

from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.plan.row_list import Bought
from gpuplanner.domain.commitment.recursion import allocation
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract, usd_in_month
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import named_words, only_of
from gpuplanner.domain.model.window import MONTH_S


def share_rooms(ground: Ground) -> Mapping[str, float]:
    """The shares that a plan keeps to, 0..1, by the key that `allocate` knows them by.

    One provider, whichever: of each that offers or contracts name. All of it binds too: what is signed later counts
    beside the first month's $ that it is of. Empty where no share is limited.
    """
    limited = {f"{allocation.NAMED}{who}": share for who, share in ground.scenario.shares.items()}
    most = ground.assumptions.max_provider_share
    if most is not None:
        limited |= dict.fromkeys(provider_keys(ground), most)
    return dict(sorted(limited.items()))


def provider_keys(ground: Ground) -> Collection[str]:
    """The key of the share of each provider that offers or contracts of a plan name."""
    both: tuple[Offer | Contract, ...] = (*ground.project.offers, *ground.plan.contracts)
    return {allocation.PROVIDER + seller.provider for seller in both if seller.provider is not None}


def share_called(key: str) -> Text:
    """Who a share is of, in words."""
    is_named = key.startswith(allocation.NAMED)
    return named_words(only_of(key)) if is_named else key.removeprefix(allocation.PROVIDER)


def rooms_of(bought: Iterable[Bought], ground: Ground, shares: Mapping[str, float]) -> dict[str, float]:
    """$ a month that new commitments with each who is limited may still come to, by the key of its share.

    bought: the plan without these limits, whose month 0 the shares are of. Nothing is limited where the $ of that plan
    are unknown. Below 0: contracts alone are over it.
    """
    usd = usd_now(ground, bought)
    if usd is None:
        return {}
    return {key: share * usd - _contracts_usd(ground, key) for key, share in shares.items()}


def usd_now(ground: Ground, bought: Iterable[Bought]) -> float | None:
    """$ of month 0 of a plan that buys so: contracts, orders and use; None where one is unknown."""
    of_lists = (usd for p in bought for usd in (p.listed.orders_usd(0), p.listed.use_usd(0)))
    return known_sum([ground.contracts_usd(0), *of_lists])


def usd_of_share(bought: Iterable[Bought], ground: Ground, key: str, months: int | None = None) -> float:
    """$ a month that one has as a limit of its share counts it: contracts, and slices that ever take an offer of it.

    key: of the share; months: only what starts in so many, None: ever.
    """
    usd, until_s = _contracts_usd(ground, key), inf if months is None else months * MONTH_S
    for purchase in bought:
        orders = purchase.signed.orders
        takes = {
            place: ((orders.offer == place) & (orders.start_s < until_s)).any(axis=0)
            for place in range(len(purchase.row.offers))
        }
        usd += float(allocation.usd_of_room(purchase.row, key, takes).sum())
    return usd


def _contracts_usd(ground: Ground, key: str) -> float:
    """$ of month 0 of the contracts that a share is of."""
    of_key = [contract for contract in ground.plan.contracts if allocation.has_offer(key, contract)]
    return usd_in_month((c for c in of_key if c.rate is not None), ground.window, 0) or 0.0
