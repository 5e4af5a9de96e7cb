"""What a plan has paid when: owed if everything stops, and cash by quarter of the fiscal year."""

from collections.abc import Iterator, Mapping
from typing import Final

from gpuplanner.domain.commitment.plan.ground import contracts_in
from gpuplanner.domain.commitment.plan.twelve_months import part_name
from gpuplanner.domain.commitment.result import Advice, Order
from gpuplanner.domain.figures.cash import CASH, OWED
from gpuplanner.domain.figures.order import OWNED
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import NOTHING_KNOWN, PartSum, part_sum
from gpuplanner.domain.model.book.contract import continued, in_force, in_month, usd_by_hour
from gpuplanner.domain.model.book.offer import owned_inputs
from gpuplanner.domain.model.book.renewal import notice_s
from gpuplanner.domain.model.calendar_months import MONTHS_OF_YEAR, month_bounds, month_of
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, MONTH_S, has_calendar, iso_day
from gpuplanner.lazy_dataclass import dataclass, field, replace

MONTHS_OF_QUARTER: Final = 3


BY_USE: Final = worded("on demand")


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidRow:
    """A contract that is owed, or a quarter that is paid: what it is called, its span, and figures by their keys.

    known: of a quarter what is known of a figure where a rate is missing.
    """

    key: str
    name: Text
    from_s: int
    to_s: int
    figures: Mapping[str, float | None] = field(hash=False)
    known: Mapping[str, PartSum] = field(default_factory=dict, hash=False)


def owed_rows(project: Project, plan: Scenario, is_later: bool = False) -> tuple[PaidRow, ...]:
    """Each commitment in force when the plan begins, to its end as the plan counts it, by contract_id.

    Without an end: to the end of the notice. What is paid by use is owed to nobody. What a ramp in force brings
    later is owed from then on, in rows of its own too. is_later: those that begin later, each from then on.
    """
    begins_s, rows = project.plan_window.end_s, []
    held = contracts_in(project, replace(plan, greenfield=False)).plan
    runs = in_force(held, begins_s)
    ramps, steps = {contract.ramp_of for contract in runs} - {None}, continued(held)
    for contract in runs:  # grows by each step
        runs += [steps[contract.contract_id]] if contract.contract_id in steps else []
    now = {contract.contract_id for contract in runs}
    for contract in held:
        contract_id, comes = contract.contract_id, contract.start_s > begins_s
        is_owed = contract_id in now or (comes and contract.ramp_of in ramps)
        if comes and not is_owed if is_later else is_owed:
            from_s = max(begins_s, contract.start_s)
            to_s = from_s + notice_s(contract) if contract.end_s is None else contract.end_s
            hours, rate = (to_s - from_s) / HOUR_S, contract.owed_rate
            if rate is not None and hours:  # a renewal that was not prevented
                rate += contract.prepaid_between(from_s, to_s) / (contract.gpus * hours)
            given = {"gpus": contract.gpus, "rate": rate, "hours_left": hours}
            rows.append(
                PaidRow(key=contract_id, name=contract_id, from_s=from_s, to_s=to_s, figures=OWED.row(given))
            )
    return tuple(rows)


def owed_in_all(project: Project, plan: Scenario) -> PartSum:
    """What all contracts in force are owed, or what is known of it; nothing where no contracts were given."""
    owed = part_sum((row.name, row.figures["owed"]) for row in owed_rows(project, plan))
    return owed if project.contracts else NOTHING_KNOWN


def cash_rows(project: Project, plan: Scenario, advice: Advice | None) -> tuple[PaidRow, ...]:
    """The plan's twelve months by quarter of the fiscal year; the first and the last may be parts of one; none without
    its advice.

    A quarter is named by the year in which its fiscal year ends. A log that counts its time from 0 has none.
    """
    if advice is None or not has_calendar(project.plan_window.end_s):
        return ()
    starts = project.assumptions_in(plan).fiscal_year_starts
    contracts, running, rows = advice.contracts, compute_running_rates(project, plan, advice), list[PaidRow]()
    for name, from_s, to_s in quarters(
        advice.comparison[0].start_s, advice.comparison[-1].start_s + MONTH_S, starts
    ):
        due: list[tuple[Text, float | None]] = [
            (part_name(order), order.due_at_once)
            for order in advice.orders
            if from_s <= order.order_by_s < to_s
        ]
        due += [(contract.part_name, contract.cash_on_days(from_s, to_s)) for contract in contracts]
        by_hour: list[tuple[Text, float | None]] = [
            *(
                (
                    held.part_name,
                    usd_by_hour(held, max(from_s, month.start_s), min(to_s, month.start_s + MONTH_S)),
                )
                for month in advice.comparison
                for held in in_month(contracts, project.plan_window, month.month)
                if held.overlaps(max(from_s, month.start_s), min(to_s, month.start_s + MONTH_S))
            ),
            *(
                (part_name(order), None if rate is None else order.bought_gpus * rate * hours)
                for order, rate in zip(advice.orders, running, strict=True)
                if (hours := _hours_of(order, from_s, to_s))
            ),
            *(
                (name, None if usd is None else usd * inside / MONTH_S)
                for month in advice.comparison
                if (inside := min(month.start_s + MONTH_S, to_s) - max(month.start_s, from_s)) > 0
                for name, usd in (
                    (BY_USE, month.use_parts.known),
                    *((part, None) for part in month.use_parts.missing),
                )
            ),
        ]
        known = {key: part_sum(parts) for key, parts in (("at_once", due), ("by_hour", by_hour))}
        given = CASH.row({key: sums.total for key, sums in known.items()})
        known["cash"] = part_sum([*due, *by_hour])
        if advice.asked_models:  # nobody knows what contracts leave to order
            known = dict.fromkeys(known, NOTHING_KNOWN)
        rows.append(
            PaidRow(key=iso_day(from_s), name=name, from_s=from_s, to_s=to_s, figures=given, known=known)
        )
    return tuple(rows)


def quarters(from_s: int, to_s: int, starts: int) -> Iterator[tuple[str, int, int]]:
    """The quarters of a span, cut to it, epoch seconds. starts: the month in which the fiscal year does, 1..12.

    >>> [name for name, *_ in quarters(1_790_812_800, 1_798_761_600, 4)]  # October to December 2026
    ['2027 Q3']
    """
    first_s = from_s
    while first_s < to_s:
        year, month = map(int, month_of(first_s).split("-"))
        inside = (month - starts) % MONTHS_OF_YEAR
        ahead = year * MONTHS_OF_YEAR + month - 1 + MONTHS_OF_QUARTER - inside % MONTHS_OF_QUARTER
        next_s = month_bounds(f"{ahead // MONTHS_OF_YEAR}-{ahead % MONTHS_OF_YEAR + 1:02d}")[0]
        named = year + (starts > 1 and month >= starts)
        yield f"{named} Q{inside // MONTHS_OF_QUARTER + 1}", first_s, min(next_s, to_s)
        first_s = next_s


def _hours_of(order: Order, from_s: int, to_s: int) -> float:
    return max(0, min(order.end_s, to_s) - max(order.start_s, from_s)) / HOUR_S


def compute_running_rates(project: Project, plan: Scenario, advice: Advice) -> list[float | None]:
    """Return the running $ per GPU-hour of each order: without setup, and without the price of owned GPUs."""
    values, offers = project.assumptions_in(plan), {offer.offer_id: offer for offer in project.offers}
    rates: list[float | None] = []
    for order in advice.orders:
        rate = None
        if order.rate is not None:
            rate = order.rate + order.extras_rate - order.setup_per_gpu / order.term_hours
        if order.is_bought:
            inputs = owned_inputs(offers[order.offer_id], values.wacc, values.pue)
            inputs |= {"capex_per_gpu": order.capex_per_gpu}
            capital = OWNED.row(inputs, ["capital_per_month"])["capital_per_month"]
            rate = rate if not capital or rate is None else rate - capital / HOURS_PER_MONTH
        rates.append(rate)
    return rates
