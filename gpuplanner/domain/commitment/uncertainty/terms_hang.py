"""What the terms hang on: whether the mix of terms signed now changes with the price fall or the churn assumed."""

from collections.abc import Callable, Mapping
from typing import Final

from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.commitment.plan.row_plans import Planned
from gpuplanner.domain.figures.typed import significant
from gpuplanner.domain.message import Message, joined, worded, worded_count
from gpuplanner.domain.model.book.model_mapping import paid_gpus
from gpuplanner.domain.model.book.term_words import term_words
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario.assumptions import SPEC_BY_NAME, Assumptions, AssumptionValue

POINT: Final = 0.01
CHANGED_SHARE: Final = 0.25
"""Of the larger sum signed: a mix of terms that moves more than this is another one."""
HUNDREDTH_USD: Final = 0.01

Term = tuple[int, int | None]
"""Months, and days of a term in days."""
Signed = Mapping[Term, tuple[float, float]]
"""What is signed in month 0 by term: GPUs, and $ in all (liability)."""


def signed_now(planned: Planned) -> Signed:
    """Of all rows together, by term; whole units as they are bought.

    Upfront payments are in the $. What is set by hand to a term that nobody offers is left out.
    """
    found: dict[Term, tuple[float, float]] = {}
    for one in planned.rows:
        row, term, place = one.row, one.signed.term[0], one.signed.offer[0]
        for at in sorted(set(place[(term > 0) & (place >= 0)].tolist())):
            offer = row.offers[at]
            gpus = paid_gpus(row.gpus(place == at), row.ratios.get(offer.offer_id), offer.unit_gpus)
            usd = gpus * (offer.term_hours * (offer.rate or 0.0) + offer.upfront)
            key = (offer.term_months, offer.term_days)
            before = found.get(key, (0.0, 0.0))
            found[key] = (before[0] + gpus, before[1] + usd)
    return found


def is_another_mix(here: Signed, there: Signed) -> bool:
    """Whether half the sum over terms of what differs is over a quarter of the larger sum signed.

    Half, since what leaves one term shows again in another.

    >>> is_another_mix({(12, None): (1, 100.0)}, {(36, None): (1, 100.0)}), is_another_mix({}, {})
    (True, False)
    """
    terms = dict.fromkeys((*here, *there))  # no set: what is close to the edge hangs on the order of a sum
    usd = [(here.get(term, (0.0, 0.0))[1], there.get(term, (0.0, 0.0))[1]) for term in terms]
    larger = max(sum(one for one, _ in usd), sum(other for _, other in usd))
    changed = sum(abs(one - other) for one, other in usd) / 2
    return changed > CHANGED_SHARE * larger + HUNDREDTH_USD


def cases_of(assumptions: Assumptions) -> list[tuple[str, float, dict[str, AssumptionValue]]]:
    """What is tried: (name of the assumption, its value there, what is set); churn of pools of their own moves too.

    Values in force are left out, and none goes over the bound of its assumption.
    """
    found: list[tuple[str, float, dict[str, AssumptionValue]]] = []
    own = {f"lambda_{pool}": getattr(assumptions, f"lambda_{pool}") for pool in Pool}
    set_apart = {name: value for name, value in own.items() if value is not None}
    for name, now in (("delta", assumptions.delta), ("lambda", assumptions.lambda_)):
        apart = set_apart if name == "lambda" else {}
        for moved in (0.0, now + POINT):
            high = SPEC_BY_NAME[name].high
            values = {each: min(value + POINT, high) if moved else 0.0 for each, value in apart.items()}
            tried: dict[str, AssumptionValue] = {name: min(moved, high), **values}
            if tried != {name: now, **apart}:
                found.append((name, min(moved, high), tried))
    return found


def terms_hang_on_prices(
    assumptions: Assumptions, planned: Planned, plan_with: Callable[[Mapping[str, AssumptionValue]], Planned]
) -> tuple[Check, ...]:
    """One amber check where the mix of terms is another at a price fall or a churn of 0 or a point more; else none.

    plan_with: the plan with some assumptions set. Source: docs/formulas.md, Price paths.
    """
    here = signed_now(planned)
    said = []
    for name, value, values in cases_of(assumptions):
        there = signed_now(plan_with(values))
        if is_another_mix(here, there):
            said.append(worded("{case}: {mix}", case=_case(name, value), mix=_mix(there)))
    if not said:
        return ()
    text = worded(
        "what the first month signs hangs on what prices and demand do. As assumed ({fall} per month of price fall, "
        "{churn} of churn): {mix}; {others}",
        fall=_percent(assumptions.delta),
        churn=_percent(assumptions.lambda_),
        mix=_mix(here),
        others=joined(said, "; "),
    )
    return (Check("terms_hang_on_prices", "amber", worded("the plan"), text),)


def _case(name: str, value: float) -> Message:
    """A case as the sentence has it."""
    if name == "delta":
        if not value:
            return worded("if prices stay as they are")
        return worded("if they fall by {value} per month", value=_percent(value))
    if not value:
        return worded("if no demand ends")
    return worded("at a churn of {value} per month", value=_percent(value))


def _mix(signed: Signed) -> Message:
    """17 GPUs for 36 months, 20 for 12; nothing."""
    terms = sorted(signed, key=lambda term: (-term[0], -(term[1] or 0)))
    parts = [_layer(months, days, signed[months, days][0]) for months, days in terms]
    return joined(parts, ", ") if parts else worded("nothing for a term")


def _layer(months: int, days: int | None, gpus: float) -> Message:
    """GPUs of one term, in months or days."""
    written, term = significant(gpus, 10), term_words(months, days)
    return worded_count(gpus, "{gpus} GPU for {term}", "{gpus} GPUs for {term}", gpus=written, term=term)


def _percent(value: float) -> Message:
    """A ratio as a percentage, without needless zeros."""
    return joined((significant(100 * value, 10), "%"))
