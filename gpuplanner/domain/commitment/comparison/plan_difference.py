"""Two plans held against each other: $ by line, from today to each, and what each change between them is worth."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.result import Advice, Layer
from gpuplanner.domain.figures.plan import STEP
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.pool import POOLS, Pool, PricingCategory
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.assumptions import SPEC_BY_NAME, AssumptionValue
from gpuplanner.domain.model.scenario.plan_inputs import Scenario

MOVES_ALONE: Final = 6
"""So many moves are worked out one by one, largest first; the rest together."""

EXISTING, COMMITTED, ON_DEMAND, SPOT, IDLE = "existing", "committed", "on demand", "spot", "idle"
WAYS = {
    EXISTING: worded("existing"),
    COMMITTED: worded("committed"),
    ON_DEMAND: worded("on demand"),
    SPOT: worded("spot"),
    IDLE: worded("idle"),
}
"""A way to pay -> its words."""
KINDS: Final = (EXISTING, COMMITTED, ON_DEMAND, SPOT)

LineKey = tuple[Pool | None, str]
"""(pool, kind); what existing contracts are paid and do not serve is (None, IDLE)."""


def cost_lines(advice: Advice) -> dict[LineKey, float | None]:
    """$ a month of every line of a plan, None unknown; a mixed layer is split by its share on spot of the GPU-hours.

    Law: they add up to the plan's $ a month.
    """
    amounts: dict[LineKey, list[float | None]] = {}
    for row in advice.pools:
        for layer in row.layers:
            for kind, share in kinds_of(layer).items():
                usd = layer.cost_per_month
                amounts.setdefault((row.pool, kind), []).append(None if usd is None else usd * share)
    if advice.idle_existing:
        amounts[None, IDLE] = [idle.cost_per_month for idle in advice.idle_existing]
    order = [(pool, kind) for pool in POOLS for kind in KINDS] + [(None, IDLE)]
    return {key: known_sum(amounts[key]) for key in order if key in amounts}


def kinds_of(layer: Layer) -> dict[str, float]:
    """In which ways a layer is paid, and by what share of its $ each: they add up to 1.

    Existing layers first, then committed ones; a blend by its share of GPU-hours on spot.
    """
    if layer.existing:
        return {EXISTING: 1.0}
    if layer.term_months:
        return {COMMITTED: 1.0}
    if layer.pricing_category is PricingCategory.MIXED:
        return {ON_DEMAND: 1 - layer.spot_share, SPOT: layer.spot_share}
    return {SPOT if layer.pricing_category is PricingCategory.DYNAMIC else ON_DEMAND: 1.0}


@dataclass(frozen=True, slots=True)
class FromToday:
    """How today's spend becomes the plan's, in $ a month; None unknown.

    Law: today - unused_now + sum of pools + other + unused_plan = plan. pools: what the workloads of a pool of the plan
    cost there while busy, less what they cost today. other: rounding, and cost of today that is no workload's.
    """

    today: float | None
    unused_now: float | None
    pools: Mapping[Pool, float | None]
    other: float | None
    unused_plan: float | None
    plan: float | None


def from_today(audit: Audit, advice: Advice, pools: Sequence[Pool]) -> FromToday:
    """The steps from today to a plan. pools[i] is the pool of the audit's workload i in it.

    Errors: ValueError where there are not as many pools as workloads of the audit.
    """
    totals = advice.totals
    today_usd: dict[Pool, list[float | None]] = {pool: [] for pool in POOLS}
    for workload, pool in zip(audit.workloads, pools, strict=True):
        today_usd[pool].append(workload.usd_per_month)
    busy: dict[Pool, list[float | None]] = {pool: [] for pool in POOLS}
    for row in advice.pools:
        busy[row.pool] += [busy_usd(layer) for layer in row.layers]
    change = {pool: _less(known_sum(busy[pool]), known_sum(today_usd[pool])) for pool in POOLS}
    unused = totals.unused_now
    reached = known_sum(
        [
            totals.today,
            None if unused is None else -unused,
            *change.values(),
            totals.unused_plan,
        ]
    )
    return FromToday(
        totals.today,
        unused,
        change,
        _less(totals.plan, reached),
        totals.unused_plan,
        totals.plan,
    )


def busy_usd(layer: Layer) -> float | None:
    """What a layer costs while it is used: a new commitment less what of it is unused, all else in full.

    Units: $ a month. None where its cost is unknown.
    """
    usd, unused = layer.cost_per_month, layer.unused_per_month
    return None if usd is None or unused is None else usd - unused


def _less(left: float | None, right: float | None) -> float | None:
    """None where either is unknown."""
    return None if left is None or right is None else left - right


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """One step on the way from one plan to another, with the plan as it is after it.

    keys: workloads that it moves (none: it is about something else, said in `what`). scenario, pools: what is advised
    on after it; pools[i] is the pool of project.workloads[i].
    """

    what: str
    keys: tuple[str, ...]
    scenario: Scenario
    pools: tuple[Pool, ...]


def changes_between(
    project: Project,
    before: tuple[Scenario, tuple[Pool, ...]],
    after: tuple[Scenario, tuple[Pool, ...]],
    moves_alone: int = MOVES_ALONE,
) -> tuple[Change, ...]:
    """The steps from one plan to another, each keeping those before it: moves, assumptions, contracts, rates, when
    workloads are there, steps of demand, planned work, steps of prices, who alone may serve, levels.

    Moves come largest first by GPU time. Law: the last step, where there is any, plans as `after` does.
    """
    (here, pools), (there, goal) = before, after
    scenario, now, found = replace(here, name=there.name), list(pools), list[Change]()
    for keys, places in _moves(project, pools, goal, moves_alone):
        for place in places:
            now[place] = goal[place]
        found.append(Change("move", keys, scenario, tuple(now)))
    for what, fields in _PARTS:
        values = {name: getattr(there, name) for name in fields}
        if any(getattr(scenario, name) != value for name, value in values.items()):
            scenario = replace(scenario, **values)
            found.append(Change(what, (), scenario, tuple(now)))
    return tuple(found)


_PARTS: Final = (
    ("assumptions", ("assumptions",)),
    ("contracts", ("greenfield",)),
    ("rates", ("price_case",)),
    ("dates", ("spells",)),
    ("demand", ("changes",)),
    ("planned", ("planned",)),
    ("only", ("only",)),
    ("shares", ("shares",)),
    ("price steps", ("price_changes",)),
    ("levels", ("hand_layers", "advised_around")),
)


def _moves(
    project: Project, pools: Sequence[Pool], goal: Sequence[Pool], alone: int
) -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
    """Keys and places of workloads that change pool, largest first; those beyond `alone` together, but never
    a single one.
    """
    places = [at for at, (one, other) in enumerate(zip(pools, goal, strict=True)) if one is not other]
    places.sort(key=lambda at: (-project.workloads[at].milli_gpu_seconds, project.workloads[at].key))
    if len(places) <= alone + 1:
        alone = len(places)
    groups = [(at,) for at in places[:alone]] + ([tuple(places[alone:])] if places[alone:] else [])
    return [(tuple(project.workloads[at].key for at in group), group) for group in groups]


@dataclass(frozen=True, slots=True)
class Worth:
    """What one change is worth, by the keys of STEP: $ a month of the plans before and after it (None: unknown)."""

    change: Change
    plan_before: float | None
    plan_after: float | None
    worth_per_month: float | None


def worths(
    begin_usd: float | None, changes: Sequence[Change], plan_usd_after: Callable[[Change], float | None]
) -> tuple[Worth, ...]:
    """What each change is worth in this order. Law: they add up to the last plan less the first.

    begin_usd: $ a month of the first plan, None unknown; a step beside an unknown plan is unknown.
    plan_usd_after: called once for each change, in order.
    """
    found, before = list[Worth](), begin_usd
    for change in changes:
        after = plan_usd_after(change)
        row = STEP.row({"plan_before": before, "plan_after": after})
        found.append(Worth(change, before, after, row["worth_per_month"]))
        before = after
    return tuple(found)


def differing_assumptions(
    project: Project, scenarios: Sequence[Scenario]
) -> tuple[tuple[str, tuple[AssumptionValue, ...]], ...]:
    """The assumptions (by --set name) that are not the same in all of these plans, with the value in each.

    Values in the order of the scenarios; names in the order of the table of assumptions.
    """
    values = [project.assumptions_in(scenario) for scenario in scenarios]
    rows = (
        (name, tuple(getattr(each, spec.field) for each in values)) for name, spec in SPEC_BY_NAME.items()
    )
    return tuple((name, row) for name, row in rows if any(value != row[0] for value in row))
