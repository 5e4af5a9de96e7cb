"""Totals: the monthly money of today, of doing nothing and of the plan, each workload's, and budgets."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

from gpuplanner.domain.audit.chargeback import NOBODYS, Charge, Charges, as_logged, team_of
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.spend.total_spend import UNKNOWN_MODEL
from gpuplanner.domain.audit.unit_costs.business_costs import PlanMonth
from gpuplanner.domain.commitment import result
from gpuplanner.domain.commitment.demand.slicing import weighted_mean
from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.plan.layers import mean_paid_gpus
from gpuplanner.domain.commitment.plan.orders import due_at_once_usd, gpus_to_sign, liability_usd, to_sign
from gpuplanner.domain.commitment.plan.twelve_months import part_name, side_by_side
from gpuplanner.domain.figures.chargeback import BUDGET_MONTH
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR, floats, optional
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model import amounts
from gpuplanner.domain.model.book.contract import (
    gpus_in_month,
    in_month,
    mean_extras_in_month,
    mean_rates_in_month,
)
from gpuplanner.domain.model.book.extras import ExtraAmounts, extras_in_all
from gpuplanner.domain.model.book.only import gpu_model_of, ratio_for
from gpuplanner.domain.model.book.renewal import bound_usd
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.lazy_dataclass import asdict, dataclass, replace

# --- Totals: the monthly money of today, of doing nothing and of the plan, and each workload's share of it


def idle_existing(
    ground: Ground, pools: Sequence[result.PoolPlan], month: int = 0
) -> tuple[result.IdleExisting, ...]:
    """What existing contracts of each model are paid for and do not serve in a month; nothing idle: no row.

    Source: docs/formulas/layers.md.
    """
    drafts: list[tuple[str | None, float, float | None]] = []
    extras: list[ExtraAmounts] = []
    running = in_month(ground.plan.contracts, ground.window, month)
    for model in sorted({contract.gpu_model for contract in running}, key=lambda model: model or ""):
        rows = [contract for contract in running if contract.gpu_model == model]
        idle = gpus_in_month(rows, ground.window, month)
        for demand in (pool.demand for pool in pools if gpu_model_of(pool.gpu_model) == model):
            idle -= weighted_mean(demand.hourly_gpus - demand.residual_gpus, demand.weights)
        if idle > 1e-9:  # less is rounding of the mean
            drafts.append((model, idle, mean_rates_in_month(rows, ground.window, month).idle))
            extras.append(mean_extras_in_month(rows, ground.window, month))
    costs = result.cost_per_month([gpus for _, gpus, _ in drafts], [rate for *_, rate in drafts])
    parts = zip(drafts, costs, extras, strict=True)
    return tuple(
        result.IdleExisting(gpu_model=model, gpus=gpus, rate=rate, cost_per_month=usd, extras=more)
        for (model, gpus, rate), usd, more in parts
    )


COSTS: Final = ("today", "do_nothing", "plan", "unused_now", "unused_plan", "liability_now", "liability")
"""Fields of Totals that are at least the sum of what is known of them; of savings nothing is known then."""


def cost_sum(advice: result.Advice, name: str) -> amounts.PartSum:
    """One of COSTS: the whole of it, or what is known of it with the names of what has no rate.

    Nothing is known where contracts are still asked about. Source: docs/formulas/totals.md.
    """
    whole: float | None = getattr(advice.totals, name)
    return advice.at_least.get(name, amounts.NOTHING_KNOWN) if whole is None else amounts.PartSum(whole)


def unused_today(audit: Audit, advice: result.Advice | None) -> amounts.PartSum:
    """What contracts are paid and served nothing today, $ a month; with a rate missing at least what is known."""
    if audit.unused_per_month is None and advice is not None:
        return advice.at_least.get("unused_now", amounts.NOTHING_KNOWN)
    if audit.unused_per_month is None:
        return amounts.part_sum((row.contract_id, row.unused_per_month) for row in audit.contracts)
    return amounts.PartSum(audit.unused_per_month)


def plan_sum(advice: result.Advice) -> amounts.PartSum:
    """What a plan costs a month: the whole of it, or what is known, as `cost_sum`."""
    return cost_sum(advice, "plan")


def missing_rates(advice: result.Advice) -> list[str]:
    """Contracts, and pools with their GPU model, of which a rate is missing, sorted."""
    return sorted({str(name) for of in advice.at_least.values() for name in of.missing})


def costs_at_least(
    ground: Ground,
    month: result.ComparisonMonth,
    audit: Audit,
    pools: Sequence[result.PoolPlan],
    idle: Sequence[result.IdleExisting] | None,
    orders: Sequence[result.Order],
) -> dict[str, amounts.PartSum]:
    """What is known of COSTS where the rate of a part is missing, a month; {} where none is.

    month: the first. idle: None where nobody knows yet what contracts serve, and then the plan is unknown, whatever has
    a rate. What stands idle is named by its contracts.
    """
    asked = audit.asked_contracts  # of these clusters what overflows is unknown at any rate
    nothing, plan = month.nothing_parts, month.plan_parts
    if not (nothing.missing or plan.missing or (audit.spend_parts.missing and not asked)):
        return {}
    unknown = {
        "do_nothing": bool(asked),
        "unused_now": bool(asked),
        "plan": bool(asked) and idle is None,
        "unused_plan": idle is None,
    }
    running = in_month(ground.plan.contracts, ground.window, 0)
    lacking = {row.gpu_model: row.part_name for row in running if row.rate is None}
    unsold: list[tuple[Text, float | None]] = [
        (part_name(pool), None) for pool in pools if not is_priced((pool,))
    ]
    unused = unsold + [
        (part_name(pool), layer.unused_per_month) for pool in pools for layer in pool.layers if layer.is_new
    ]
    unused += [(lacking.get(row.gpu_model, row.gpu_model or ""), row.cost_per_month) for row in idle or ()]
    signed = [order for order in orders if order.is_certain]
    of_orders = [
        amounts.part_sum([*unsold, *((part_name(order), order.liability) for order in some)])
        for some in (to_sign(signed, ground.window.end_s), signed)
    ]
    ran = [
        (row.inputs.contract.part_name, row.unused_per_month) for row in audit.contracts if row.paid_gpu_hours
    ]
    sums = (audit.spend_parts, nothing, plan, amounts.part_sum(ran), amounts.part_sum(unused), *of_orders)
    return {name: of for name, of in zip(COSTS, sums, strict=True) if not unknown.get(name) and of.parts}


def paid_gpus(advice: result.Advice) -> float | None:
    """Mean GPUs that a plan pays for in month 0; None where nobody knows yet what contracts serve.

    New layers at what they hold on average, existing contracts whether they serve or not.
    """
    if advice.unknown_models:
        return None
    of_layers = sum(mean_paid_gpus(pool.layers) for pool in advice.pools)
    return of_layers + sum(row.gpus for row in advice.idle_existing)


def asked_words(advice: result.Advice) -> Text:
    """Why nobody knows what a plan comes to though all has a price; empty where no contract is asked about."""
    models = sorted(str(model or UNKNOWN_MODEL) for model in advice.asked_models)
    if not models:
        return ""
    names = ", ".join(models)
    return worded("Unknown: contracts of {names} have no cluster", names=names)


def plan_inputs(
    ground: Ground,
    pools: Sequence[result.PoolPlan],
    idle: Sequence[result.IdleExisting] | None,
    month: int = 0,
) -> result.PlanInputs:
    """What a plan's utilization and lock-in are of; None where prices that are missing leave open what it signs.

    Months bound, weighted by $: new layers by their term, existing contracts by what is left of them.
    Source: docs/formulas/totals.md.
    """
    running = in_month(ground.plan.contracts, ground.window, month)
    bound = [bound_usd(contract, ground.window) for contract in running]
    layers = [layer for pool in pools for layer in pool.layers]
    bound += [layer.bound for layer in layers if layer.is_new]
    if idle is None or not is_priced(pools):
        return result.PlanInputs(bound=amounts.known_sum(bound))
    paid = gpus_in_month(running, ground.window, month)
    paid += mean_paid_gpus([layer for layer in layers if not layer.existing])
    served = sum(layer.busy_gpus * layer.paid_hours for layer in layers) / HOURS_PER_MONTH
    return result.PlanInputs(served, paid, amounts.known_sum(bound))


def is_priced(pools: Sequence[result.PoolPlan]) -> bool:
    """Whether all that is to be signed or paid by use has a price; else nobody knows what a plan would sign."""
    return all(is_priced_layer(layer) for pool in pools for layer in pool.layers)


def is_priced_layer(layer: result.Layer) -> bool:
    """Whether a layer is there already, or has a price; without one it only says that there is demand."""
    return layer.existing or layer.rate is not None


VS_NOTHING: Final = "savings_vs_do_nothing"
SAVED: Final = ("savings", "savings_percent", VS_NOTHING, "effective_savings_rate")
"""Totals that hold the plan against what serves as much."""


def totals_of(
    ground: Ground,
    audit: Audit,
    pools: Sequence[result.PoolPlan],
    idle: Sequence[result.IdleExisting] | None,
    month: result.ComparisonMonth,
    orders: Sequence[result.Order],
    inputs: result.PlanInputs,
    has_savings: bool = True,
) -> result.Totals:
    """All totals but the cost of separation, which the outlook works out.

    month: of the comparison, that these are of. idle: None where nobody knows yet what contracts that run serve; then
    what the plan comes to is unknown.
    has_savings: whether what is saved is known; not where the plan serves less than doing nothing does.
    """
    has_prices = is_priced(pools)
    idle_usd = None if idle is None else amounts.known_sum([row.cost_per_month for row in idle])
    rated = [
        (weighted_mean(pool.demand.hourly_gpus, pool.demand.weights), pool.supply.on_demand_rate)
        for pool in pools
    ]
    on_demand = amounts.known_sum(
        None if rate is None else HOURS_PER_MONTH * gpus * rate for gpus, rate in rated
    )
    if any(_has_too_few(ground, model) for _, model in ground.rows):
        on_demand = None
    unused = [layer.unused_per_month for pool in pools for layer in pool.layers if layer.is_new]
    spent = {
        "today": audit.spend,
        "do_nothing": month.do_nothing_usd,
        "plan": month.plan_usd,
        "on_demand_equivalent": on_demand,
    }
    figures = PLAN.row({**spent, **asdict(inputs), "apart": None, "joint": None})
    if None in (month.do_nothing_usd, month.plan_usd):
        nothing, plan, _ = side_by_side([month.nothing_side], [month.plan_side])
        saved = PLAN.row({"do_nothing": nothing, "plan": plan}, [VS_NOTHING])
        figures[VS_NOTHING] = saved[VS_NOTHING]
    saved = figures if has_savings else dict.fromkeys(figures)
    now = to_sign(orders, ground.window.end_s)
    return result.Totals(
        **spent,
        **{key: saved[key] for key in SAVED},
        effective_utilization_now=audit.effective_utilization,
        effective_utilization_plan=figures["effective_utilization_plan"],
        unused_now=audit.unused_per_month,
        unused_plan=amounts.known_sum([*unused, idle_usd]) if has_prices else None,
        lock_in_now_months=audit.lock_in_now_months,
        lock_in_months=figures["lock_in_months"],
        cost_of_separation=None,
        liability_now=liability_usd(now) if has_prices else None,
        liability=liability_usd(orders) if has_prices else None,
        due_at_once_now=due_at_once_usd(now) if has_prices else None,
        gpus_to_sign=gpus_to_sign(now),
        extras=_extras(pools, idle or ()),
    )


def _extras(pools: Sequence[result.PoolPlan], idle: Sequence[result.IdleExisting]) -> ExtraAmounts:
    """What each extra adds to month 0, $; none of what a layer without a rate would cost."""
    layers = [layer for pool in pools for layer in pool.layers]
    return extras_in_all(
        [
            *((dict(layer.extras), layer.mean_gpus * layer.paid_hours) for layer in layers),
            *((dict(row.extras), row.gpus * HOURS_PER_MONTH) for row in idle),
        ]
    )


def _has_too_few(ground: Ground, name: str | None) -> bool:
    """Whether on demand has fewer GPUs than the largest hour of a GPU model wants."""
    mappings = ground.project.mappings
    offers = {
        offer.offer_id: (offer.max_gpus, ratio_for(mappings, name, offer.gpu_model, row.pool) or 1.0)
        for row in ground.rows
        if row.name == name
        for offer in ground.eligible[row]
        if offer.pricing_category is PricingCategory.STANDARD and offer.rate
    }
    if not offers or any(most is None for most, _ in offers.values()):
        return False
    on_offer = sum((most or 0) * ratio for most, ratio in offers.values())
    model = next((model for model in ground.plan.models if name in {of for _, of in model.rows}), None)
    if model is None:  # runs alone
        return False
    wanted = model.hourly(ground.window.hours, lambda _, stream: model.rows[stream.row].name == name)
    return float(wanted.max()) / MILLI_GPU_SECONDS_PER_GPU_HOUR > on_offer + 1e-9


# --- Used hours: what a plan's effective utilization is made of, GPU-hours a month used and paid, part by part


@dataclass(frozen=True, slots=True)
class UsedHours:
    """GPU-hours a month of one part of a plan, used and paid for.

    layer: what is new, with its row; None of existing contracts, which are of gpu_model (None: unknown).
    """

    used: float
    paid: float
    gpu_model: str | None = None
    layer: tuple[result.PoolPlan, result.Layer] | None = None

    @property
    def share(self) -> float | None:
        """Used over paid; None where nothing is paid for."""
        return self.used / self.paid if self.paid else None


def used_hours(advice: result.Advice) -> tuple[UsedHours, ...]:
    """Existing contracts by GPU model, then new layers row by row.

    Contracts of a model are left out where nobody knows what they serve. Source: docs/formulas/totals.md.
    """
    return (*_existing(advice), *_new(advice))


def _existing(advice: result.Advice) -> Iterator[UsedHours]:
    """What contracts of each model serve, and what they are paid for beside it."""
    idle_of = {idle.gpu_model: idle.gpus for idle in advice.idle_existing}
    layers = [(plan.gpu_model, layer) for plan in advice.pools for layer in plan.layers if layer.existing]
    serving = amounts.summed((model, layer.gpus) for model, layer in layers)
    for model in {**serving, **idle_of}:
        if model not in advice.unknown_models:
            used, idle = serving.get(model, 0.0), idle_of.get(model, 0.0)
            yield UsedHours(used * HOURS_PER_MONTH, (used + idle) * HOURS_PER_MONTH, model)


def _new(advice: result.Advice) -> Iterator[UsedHours]:
    """What new layers are used and paid for."""
    for plan in advice.pools:
        for layer in plan.layers:
            if not layer.existing:
                used, paid = (gpus * layer.paid_hours for gpus in (layer.busy_gpus, layer.mean_gpus))
                yield UsedHours(used, paid, plan.gpu_model, (plan, layer))


# --- When budgets of teams are used up: the first month of a plan at whose end a team's $ exceed its budget


def with_used_up(charges: Charges, advice: result.Advice, workloads: Sequence[Workload]) -> Charges:
    """The rows with the month in which their budget is used up; None where it lasts or something is unknown.

    workloads: those that the advice planned. A month's $ are the team's share of what the plan costs in it, and both
    its $ and its budget are added up from where the plan begins. Source: docs/formulas/chargeback.md.
    """
    owners = as_logged((w.owner for w in workloads), (row.name or NOBODYS for row in charges.rows))
    of_workloads = advice.workload_usd
    per_month = amounts.known_sums(
        (team_of(owners[w.owner]), of_workloads.get(w.key, 0.0)) for w in workloads
    )
    every = amounts.known_sum(per_month.values())

    def used_up_s(row: Charge) -> int | None:
        if row.budget_per_month is None:
            return None
        column = BUDGET_MONTH.value(
            "charged_in_month",
            {
                "plan_in_month": floats([month.plan_usd for month in advice.comparison]),
                "team_in_plan": floats([per_month.get(row.team or NOBODYS, 0.0)] * len(advice.comparison)),
                "all_in_plan": floats([every] * len(advice.comparison)),
            },
        )
        charged = accumulate(optional(column), lambda so_far, usd: amounts.known_sum((so_far, usd)))
        for number, (month, so_far) in enumerate(zip(advice.comparison, charged, strict=True), 1):
            if so_far is None:
                return None
            if so_far > number * row.budget_per_month + amounts.HALF_A_CENT:
                return month.start_s
        return None

    return replace(charges, rows=tuple(replace(row, used_up_s=used_up_s(row)) for row in charges.rows))


def month_12_of(advice: result.Advice | None) -> PlanMonth | None:
    """The last of the twelve months of a plan; None without one."""
    if advice is None:
        return None
    last = advice.comparison[-1]
    return PlanMonth(last.start_s, last.plan_usd, last.unserved_gpu_hours)
