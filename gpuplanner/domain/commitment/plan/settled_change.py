"""Difference between the change that an edit promised and the settled plan, with the whole decisions behind it."""

from collections.abc import Iterator
from typing import Final

from gpuplanner.domain.commitment.plan.comparison import Horizon, HorizonRow, horizon_row
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.figures.typed import amount, day, whole
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.plan.scenario import WholeDecisions
from gpuplanner.lazy_dataclass import dataclass

LEAST_SHARE: Final = 0.01
LEAST_USD: Final = 100.0
"""A plan that settles within this share of the promised change, or within these dollars, is as promised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledChange:
    """A settled plan that costs another amount than the edit promised.

    promised: the plan after the edit, with the whole decisions of before, beside the plan before it. added: the settled
    plan beside the promised one. reasons: the whole decisions that differ, each as a part of a sentence.
    """

    promised: HorizonRow
    added: HorizonRow
    reasons: tuple[Message, ...]


def settled_change(
    horizon: Horizon, before: Advice, promised: Advice, settled: Advice
) -> SettledChange | None:
    """Return what settling adds to a promised change; None if it is as promised, or if a cost is unknown.

    before: of the plan before the edit, settled. promised: after the edit, with the whole decisions of `before`.
    settled: after the edit, with its own whole decisions.
    """
    change, added = horizon_row(horizon, promised, before), horizon_row(horizon, settled, promised)
    if change.changed is None or added.changed is None:
        return None
    if abs(added.changed) <= max(LEAST_USD, LEAST_SHARE * abs(change.changed)):
        return None
    then, now = promised.whole_decisions, settled.whole_decisions
    reasons = decided_otherwise(then or WholeDecisions(), now or WholeDecisions())
    return SettledChange(promised=change, added=added, reasons=tuple(reasons))


def decided_otherwise(before: WholeDecisions, after: WholeDecisions) -> Iterator[Message]:
    """Yield each whole decision that differs: contracts, then minima, then commitments in dollars.

    >>> [str(reason) for reason in decided_otherwise(WholeDecisions(), WholeDecisions(ends=(("held", 0),)))]
    ['held then ends']
    """
    ends_before, ends_after = dict(before.ends), dict(after.ends)
    for contract in sorted({*ends_before, *ends_after}):
        then, now = ends_before.get(contract), ends_after.get(contract)
        if now is None:
            yield worded("{contract} then runs on", contract=contract)
        elif then is None:
            yield worded("{contract} then ends", contract=contract)
        elif then != now:
            yield worded("{contract} then ends on {day}", contract=contract, day=day(now))
    gpus_before, gpus_after = _gpus_of_minima(before), _gpus_of_minima(after)
    for offer in sorted({*gpus_before, *gpus_after}):
        gpus = gpus_after.get(offer, 0)
        if not gpus:
            yield worded("{offer} is then not ordered", offer=offer)
        elif offer not in gpus_before:
            yield worded("{gpus} GPUs of {offer} are then ordered", gpus=whole(gpus), offer=offer)
        elif before.minima != after.minima and _of_offer(before, offer) != _of_offer(after, offer):
            yield worded("{offer} is then ordered for other pools or days", offer=offer)
    usd_before = {own.offer_id: own.cents for own in before.dollars}
    usd_after = {own.offer_id: own.cents for own in after.dollars}
    for offer in sorted({*usd_before, *usd_after}):
        if usd_before.get(offer) != (cents := usd_after.get(offer, 0)):
            yield (
                worded("{offer} is then {usd} per hour", offer=offer, usd=amount(cents / 100))
                if cents
                else worded("{offer} is then not ordered", offer=offer)
            )


def _gpus_of_minima(decisions: WholeDecisions) -> dict[str, int]:
    """Return the GPUs of each offer that is bought whole, over its pools."""
    gpus: dict[str, int] = {}
    for own in decisions.minima:
        gpus[own.offer_id] = gpus.get(own.offer_id, 0) + own.gpus
    return gpus


def _of_offer(decisions: WholeDecisions, offer_id: str) -> tuple[object, ...]:
    """Return the shares of one offer that is bought whole."""
    return tuple(own for own in decisions.minima if own.offer_id == offer_id)
