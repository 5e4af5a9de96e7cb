"""Beside it: what the same plan says on the later log, and what the cheapest way to have bought it would have cost."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from math import ceil

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.backtest.hindsight import knowing_all
from gpuplanner.domain.commitment.backtest.walk_forward import calendar_at, offers_at
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.busy import capacities_of, in_turn
from gpuplanner.domain.commitment.demand.users import Row
from gpuplanner.domain.commitment.plan.ground import sold_in_units
from gpuplanner.domain.commitment.recursion.allocation import allocate
from gpuplanner.domain.commitment.recursion.slice_policy import IMPOSSIBLE_USD
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.book.who_sells import seller_of
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, MONTH_S, Window
from gpuplanner.domain.track.came import Came
from gpuplanner.domain.track.expected import HourByHour
from gpuplanner.domain.track.holdings import Holdings
from gpuplanner.domain.track.rates import Rates
from gpuplanner.domain.track.saved_plan import SavedPlan
from gpuplanner.domain.track.spans import Span


def made_again(
    later: Project, plan: SavedPlan, came: Came, *, has_contracts: bool, has_prices: bool
) -> Project:
    """The later log with the plan's settings, as a project to plan on.

    What had happened by then is in the log, and in prices that are given: it steps no second time. Without contracts
    the plan's orders count as signed, each on the cluster that most of its demand came on. A plan that waits has
    waited meanwhile.
    """
    scenario, end_s = plan.ground.scenario, later.window.end_s
    wait_months = plan.ground.assumptions.wait_months
    if wait_months:
        left = max(0, ceil(wait_months - (end_s - plan.window.end_s) / MONTH_S))
        scenario = replace(scenario, assumptions={**scenario.assumptions, "wait_months": left})
    scenario = replace(
        scenario,
        changes=tuple(one for one in scenario.changes if one.from_s > end_s),
        price_changes=tuple(one for one in scenario.price_changes if not has_prices or one.from_s > end_s),
    )
    scenarios = tuple(scenario if one.name == scenario.name else one for one in later.scenarios)
    later = replace(later, scenarios=scenarios, plan_from_s=None)
    if has_contracts:
        return later
    signed = sorted((*later.contracts, *_as_contracts(plan, came)), key=lambda one: one.contract_id)
    return replace(later, contracts=tuple(signed))


def _as_contracts(plan: SavedPlan, came: Came) -> list[Contract]:
    """The orders of a plan that had begun by the end of what came."""
    answer, offers = [], {offer.offer_id: offer for offer in plan.ground.project.offers}
    for number, held in enumerate(plan.holdings.orders):
        if held.start_s >= came.window.end_s or held.usd_per_hour is None:
            continue
        pool, name = held.row
        seller = seller_of(held.order.offer_id, name, offers)
        spent: dict[str, int] = {}
        for (of, cluster, model), amounts in came.cells.items():
            if (of, model) == held.row:
                spent[cluster] = spent.get(cluster, 0) + int(amounts.sum())
        clusters = sorted(spent, key=lambda cluster: (-spent[cluster], cluster))
        answer.append(
            Contract(
                f"~{number:03d} {held.order.offer_id}",
                clusters[0] if clusters else "",
                gpu_model_of(name),
                max(1, round(1000 * held.order.gpus)),
                Decimal(str(held.usd_per_hour / held.order.gpus)),
                held.start_s,
                held.end_s,
                provider=seller.provider or None,
                pricing_category=PricingCategory.COMMITTED,
                region=seller.region or None,
                pool=pool,
            )
        )
    return answer


def hindsight_usd(
    later: Project, plan: SavedPlan, demand: HourByHour, contracts: Sequence[Contract], rates: Rates
) -> float | None:
    """What the cheapest policy would have paid, knowing every hour, with contracts that ran when the plan began.

    $ of the window; None where a rate is missing. contracts: those that were there; later: whose offers are open.
    Months are of 730 h from the window's start, the last as long as it is. Source: docs/formulas.md, Backtest.
    """
    window, begin_s = demand.came.window, plan.window.end_s
    kept = Holdings(
        tuple(
            one
            for one in contracts
            if one.is_committed and one.start_s <= begin_s and (one.end_s is None or one.end_s > begin_s)
        )
    )
    paid = known_sum(
        _paid(one, span, share, rates) for span in demand.spans for one, share in _running(kept, span)
    )
    months = ceil(window.hours / HOURS_PER_MONTH)
    last = window.hours / HOURS_PER_MONTH - (months - 1)
    project = sold_in_units(later.priced_in(plan.ground.scenario), plan.ground.assumptions.unit)
    soon = [offer for offer in project.offers if offer.lead_time_hours <= HOURS_PER_MONTH]
    offers, calendar = offers_at(soon, (), months), calendar_at(begin_s)
    rows = [
        knowing_all(
            row,
            _by_month(hourly, months),
            [rates.of_use(row, _month(window, plan, month)) for month in range(months)],
            demand.came.eligible(row, offers, project),
            plan.ground.assumptions.block,
            project.mappings,
            calendar,
            last,
        )
        for row, hourly in _left(demand, kept).items()
        if hourly.any()
    ]
    signed, _, _ = allocate(rows, months, AdviceCache())
    values = [float(one.value_usd.sum()) for one in signed]
    return known_sum([paid, *(None if usd >= IMPOSSIBLE_USD else usd for usd in values)])


def _running(kept: Holdings, span: Span) -> list[tuple[Contract, float]]:
    """The contracts that run in a span, each with the share of it."""
    there = kept.there_in(span)
    return [(one, there[one.contract_id]) for one in kept.contracts if one.contract_id in there]


def _paid(contract: Contract, span: Span, share: float, rates: Rates) -> float | None:
    """$ of a contract in a share of a span, used or not; None: its rate is missing."""
    rate = rates.of_contract(contract, span)
    return None if rate is None else contract.gpus * rate * span.hours * share


def _left(demand: HourByHour, kept: Holdings) -> dict[Row, Floats]:
    """GPUs that contracts leave over of every row, hour by hour of the window, (hours,)."""
    found: dict[Row, list[Floats]] = {}
    for model in demand.models:
        serving = in_turn(kept.contracts, model)
        for span in demand.spans:
            left = demand.left(model, span, capacities_of(model, serving, kept.there_in(span)))
            for row, hourly in zip(model.rows, left, strict=True):
                found.setdefault(row, []).append(hourly)
    return {row: np.concatenate(pieces) for row, pieces in found.items()}


def _by_month(hourly: Floats, months: int) -> list[Floats]:
    """The hours of each month of a window."""
    return [hourly[month * HOURS_PER_MONTH : (month + 1) * HOURS_PER_MONTH] for month in range(months)]


def _month(window: Window, plan: SavedPlan, month: int) -> Span:
    """A month of the window, as rates are asked for."""
    start_s = window.start_s + month * HOURS_PER_MONTH * HOUR_S
    end_s = min(start_s + HOURS_PER_MONTH * HOUR_S, window.end_s)
    return Span(start_s, end_s, (start_s - plan.window.end_s) // (HOURS_PER_MONTH * HOUR_S))
