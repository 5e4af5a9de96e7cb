"""The answer to what is asked: at most three numbers, each with where documents have it, in one sentence."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from gpuplanner.domain.ask import fleet
from gpuplanner.domain.ask.changes import Question, unserved_hours
from gpuplanner.domain.ask.numbers import MOST, Answered, Number, first_day, told
from gpuplanner.domain.audit.leak_list import leak_called
from gpuplanner.domain.audit.model_rates import h100_equivalents
from gpuplanner.domain.audit.quarter import flat_rates
from gpuplanner.domain.audit.spend.overflow import overflow_by_model
from gpuplanner.domain.audit.unit_costs.retraining import retraining_of
from gpuplanner.domain.audit.unit_costs.unit_costs import unit_costs
from gpuplanner.domain.audit.use_leaks import FAILED_WORK, PERMANENT_BURST
from gpuplanner.domain.audit.variance import halves, variance
from gpuplanner.domain.award.offer_worths import OfferWorth
from gpuplanner.domain.commitment.advice_backtest import TOO_SHORT
from gpuplanner.domain.commitment.order_days import verdict_rows
from gpuplanner.domain.commitment.outlook_result import NO_RANGE, trusted_band
from gpuplanner.domain.commitment.plan.comparison import Horizon, horizon_row, savings_buy, step_usd, sum_in
from gpuplanner.domain.commitment.plan.ground import with_ends
from gpuplanner.domain.commitment.plan.orders import most_bought, to_sign
from gpuplanner.domain.commitment.plan.totals import COSTS, cost_sum
from gpuplanner.domain.commitment.words.horizons import HORIZON_NAMES
from gpuplanner.domain.commitment.words.verdicts import decide_by_s
from gpuplanner.domain.evaluation import Evaluation, alone, charges_of
from gpuplanner.domain.figures import subjects
from gpuplanner.domain.figures.cash import UP_FRONT
from gpuplanner.domain.figures.changes import CHANGE
from gpuplanner.domain.figures.typed import amount, percent
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.amounts import NO_PARTS, PartSum, in_all, known_sum, part_sum
from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.model.book.offer import is_owned
from gpuplanner.domain.model.calendar_months import MONTHS_OF_YEAR
from gpuplanner.domain.model.tables import POOL_TITLES, POOLS, AskedFigure, Pool
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH
from gpuplanner.domain.queue.ground import IsCancelled, Queueing
from gpuplanner.domain.queue.rows import QueueRow, jobs_of, log_waits
from gpuplanner.domain.queue.waiting import pool_waits, waiting_of
from gpuplanner.domain.queue.waits import Target, waits_of
from gpuplanner.domain.reports import cash, plan_layers, use
from gpuplanner.domain.reports.costs import IDLE_NIGHTS, USEFUL_RATES
from gpuplanner.domain.serving.placement import placement_of
from gpuplanner.lazy_dataclass import dataclass, replace

Values = Mapping[str, Any]
NO_CLUSTER: Final = worded("jobs without a cluster")
NO_WAITS: Final = worded("Unknown: no submit times or job rows. Import the log again.")


def _horizons(field: str, name: str, part: str, of: Evaluation, values: Values) -> list[Number]:
    """One figure of the plan in each horizon. part: of a month what is known of it; "" where nothing is without all."""
    months, numbers = of.advised.comparison, list[Number]()
    sums = [getattr(month, part) if part else in_all((month.nothing_sum, month.plan_sum)) for month in months]
    for horizon in Horizon:
        usd = getattr(horizon_row(horizon, of.advised, None), field)
        path = f"horizons[horizon={horizon.value}].{name}"
        known = sum_in(horizon, sums) if part else replace(sum_in(horizon, sums), known=0.0)
        numbers.append(Number(title=HORIZON_NAMES[horizon], value=usd, unit="usd", path=path, known=known))
    return numbers


def _worst(of: Evaluation, values: Values) -> list[Number]:
    months = of.advised.comparison
    is_known = all(month.plan_usd is not None for month in months)
    worst = max(months, key=lambda month: month.plan_sum.known)
    known = replace(in_all(month.plan_sum for month in months), known=worst.plan_sum.known)
    path, usd = f"comparison[{worst.month}]", worst.plan_usd if is_known else None
    costs = Number(title=worded("costs"), value=usd, unit="usd", path=f"{path}.plan_usd", known=known)
    if usd is None:
        return [replace(costs, title=worded("Unknown: a rate is missing. The worst month costs"))]
    return [
        Number(title=worded("The month from"), value=float(worst.start_s), unit="date", path=f"{path}.start"),
        costs,
    ]


def _over_budget(of: Evaluation, values: Values) -> list[Number]:
    """The worst month of the plan beside its budget, or beside so much less than is spent today."""
    *_, worst = _worst(of, values)
    limit, known = of.project.assumptions_in(of.figures.basis.plan).budget_usd_per_month, NO_PARTS
    if share := values.keys() & {"percent", "money"}:
        today, parts = of.totals.today if of.totals else None, _known_of("totals.today", of)
        left, less = 1 - values.get("percent", 0.0), values.get("money", 0.0)
        less /= MONTHS_OF_YEAR if "yearly" in values else 1
        limit = None if today is None else today * left - less
        known = replace(parts, known=max(0.0, parts.known * left - less))
        if limit is not None and limit < 0:
            title = worded("That is more than today's spend:")
            return [
                Number(title=title, value=today, unit="usd_per_month", path="totals.current_usd_per_month")
            ]
    verdict = worded("Within the budget")
    if limit is None and not share:
        verdict = worded("No budget set")
    elif limit is None or worst.value is None:
        verdict = worded("Unknown")
    elif worst.value > limit:
        verdict = worded("Over the budget")
    title = worded("{verdict}: the worst month costs", verdict=verdict)
    budget = Number(
        title=worded("the budget is"),
        value=limit,
        unit="usd_per_month",
        name="budget_usd_per_month",
        known=known,
    )
    return [replace(worst, title=title), *([budget] if share or limit is not None else [])]


def _next(of: Evaluation, values: Values) -> list[Number]:
    """Decisions with their day and dollars: all; of a contract, or else what follows it; or those that are planned."""
    if "contract" in values or "party" in values:
        return (_contract if "contract" in values else fleet.decisions_of)(of, values)
    is_any = not values.keys() & {"percent", "money"}
    return [fleet.as_told(row) for row in fleet.open_decisions(of) if row.is_in_plan or is_any]


def _decide(of: Evaluation, values: Values) -> list[Number]:
    """Decisions whose last day is in a time, by day; where none is, the one that is due next."""
    from_s, to_s = values.get("period", (0, float("inf")))
    later = (row for row in fleet.open_decisions(of) if (row.by_s or -1) >= from_s)
    dated = sorted(later, key=lambda row: row.by_s or 0)
    due = [fleet.as_told(row) for row in dated if (row.by_s or 0) < to_s]
    return due or [
        replace(
            fleet.as_told(row),
            sentence=worded("No decision is due then. Next: {decision}", decision=row.text),
        )
        for row in dated[:1]
    ]


def _compared(of: Evaluation, values: Values) -> list[Number]:
    """What each provider asks for today's work at flat rates, who serves most of it first."""
    return [
        Number(
            title=worded(
                "{provider} at flat rates, for {share} of the work ({today} today; not sold: {models}),",
                provider=row.provider or worded("an unnamed provider"),
                share=percent(row.served),
                today=amount(row.same_work_now),
                models=", ".join(row.lacks) or worded("nothing"),
            ),
            value=row.usd_per_month,
            unit="usd_per_month",
            name="flat_usd_per_month",
        )
        for row in flat_rates(of.past)
        if row.served and row.provider in values.get("party", {row.provider})
    ]


def _alone(of: Evaluation, values: Values) -> list[Number]:
    """Twelve months with each provider alone, or with one; what it does not sell is bought from others."""
    numbers = []
    for row in alone(of):
        path = f"one_provider[provider={row.provider}].year_usd"
        title = worded("{provider}, 12 months", provider=row.provider)
        if row.lacks:
            title = worded(
                "{provider}, with {models} as planned, 12 months", provider=row.provider, models=row.lacks
            )
        if "provider" not in values or row.provider == values["provider"].name:
            numbers.append(Number(title=title, value=row.alone_year, unit="usd", path=path))
    return numbers


def _place(of: Evaluation, values: Values) -> list[Number]:
    """The way to the top 80% of users today, and from the cheapest sites within 80 ms; or whether today's is within.

    What is held against 80 ms is the mean one way.
    """
    if not of.project.places.can_be_placed:
        return []
    placement = placement_of(of.project.places)
    today, best = placement.today.current, placement.cheapest_within
    if "limit" in values and (mean_ms := today.mean_one_way_ms) is not None:
        verdict = worded("No") if today.service.is_over_80 else worded("Yes")
        answer = worded("{answer}: mean one-way latency today, top 80% of users,", answer=verdict)
        return [Number(title=answer, value=mean_ms, unit="ms", path="current.mean_one_way_ms")]
    title = worded("Round trip today, top 80% of users,")
    ways = [Number(title=title, value=today.round_trip_ms, unit="ms", path="current.round_trip_ms")]
    if best is not None:
        title = worded("one way from {sites}, the cheapest within 80 ms,", sites=", ".join(best.sites))
        ways += [
            Number(
                title=title,
                value=best.mean_one_way_ms,
                unit="ms",
                path="cheapest_within_80_ms.mean_one_way_ms",
            )
        ]
    return ways


def _contract(of: Evaluation, values: Values) -> list[Number]:
    """What follows a contract, and by when that has to be decided."""
    name = values["contract"].name
    path, rows = f"contract_verdicts[contract_id={name}]", fleet.decisions_of(of, values)
    for row in () if rows else verdict_rows(of.project, of.advice):
        if (verdict := row.verdict).contract_id == name:
            by = None if verdict.order_by_s is None else float(verdict.order_by_s)
            title = worded("{verdict}: GPUs that follow", verdict=verdict.verdict.replace("_", " "))
            last_s = decide_by_s(verdict, row.contract)
            rows = [Number(title=title, value=verdict.gpus, unit="gpus", path=f"{path}.gpus")]
            rows += [
                Number(
                    title=worded("Decide by"), value=by, unit="date", path=f"{path}.order_by", last_s=last_s
                )
            ]
    held = with_ends(of.project, of.figures.basis.plan)
    ends = [contract.end_s for contract in held if contract.contract_id == name and contract.end_s]
    ends_title = worded("it ends") if rows else worded("It ends")
    return [
        *rows,
        *(
            Number(title=ends_title, value=float(end_s), unit="date", name="end", last_s=end_s - 1)
            for end_s in ends
        ),
    ]


def _leaks(of: Evaluation, values: Values, code: str = "") -> list[Number]:
    """Where most money leaks, each GPU-hour counted once; of one code all that it leaks."""
    field, name = (
        ("leaked_per_month", "usd_per_month") if code else ("counted_per_month", "counted_usd_per_month")
    )
    numbers = [
        Number(
            title=leak_called(leak),
            value=getattr(leak, field),
            unit="usd_per_month",
            path=f"leaks[leak_id={leak.leak_id}].{name}",
        )
        for leak in of.audit.leaks
        if code in ("", leak.code)
    ]
    return sorted(numbers, key=lambda number: -(number.value or 0.0))


def _failed_share(of: Evaluation, values: Values) -> list[Number]:
    """How much of all GPU-hours ended in jobs that failed, and the GPU-hours of each cluster."""
    rows = [row for row in of.audit.leaks if row.code == FAILED_WORK.code]
    failed_h = sum(row.gpu_hours for row in rows)
    hours = [
        Number(
            title=leak_called(row),
            value=row.gpu_hours,
            unit="gpu_hours",
            path=f"leaks[leak_id={row.leak_id}].gpu_hours",
        )
        for row in rows
    ]
    used_h = sum(workload.gpu_hours for workload in of.project.workloads)
    title = worded("Share of GPU-hours in failed jobs")
    return (
        [Number(title=title, value=failed_h / used_h, unit="ratio", name="failed_share"), *hours]
        if rows
        else []
    )


def _own(of: Evaluation, values: Values) -> list[Number]:
    """From which utilization on buying beats renting, for each offer to buy, in each pool; or an offer that is named,
    or offers of a term or a GPU model, beat paying by the hour, the lowest first."""
    owned, numbers = {offer.offer_id for offer in of.project.offers if is_owned(offer)}, list[Number]()
    for pool in of.advised.pools:
        path = f"pools[pool={pool.pool},gpu_model={pool.gpu_model}].break_even"
        for point in pool.break_even:
            asked = {"offer": point.offer_id, "months": point.term_months, "model": pool.gpu_model}
            is_asked = all(asked[place] == getattr(value, "name", value) for place, value in values.items())
            if is_asked if values else point.offer_id in owned:
                name = f"{POOL_TITLES[pool.pool]}, {pool.gpu_model}" if values else POOL_TITLES[pool.pool]
                title = worded("{pool}, {offer}: break-even utilization", pool=name, offer=point.offer_id)
                numbers.append(
                    Number(
                        title=title,
                        value=point.break_even,
                        unit="ratio",
                        path=f"{path}[offer_id={point.offer_id}].utilization",
                    )
                )
    return sorted(numbers, key=lambda by: (by.value is None, by.value)) if values else numbers


def _no_term(of: Evaluation, values: Values) -> list[Number]:
    """How many orders of so many months the plan has, and what speaks against more: the longest term allowed, or how
    many workloads are there long enough, and the use from which on the term pays, the lowest first."""
    months, most = values["months"], of.project.assumptions_in(of.figures.basis.plan).max_term_months
    many = sum(row.is_certain and row.term_months == months for row in of.advised.orders)
    title = worded("Orders for {term} in the plan", term=term_words(months, None))
    orders = Number(title=title, value=many, unit="count", name="orders")
    if most is not None and most < months:
        return [
            orders,
            Number(title=worded("longest allowed term:"), value=most, unit="months", name="max_term_months"),
        ]
    if not (pays := _own(of, values)):
        return [
            orders,
            Number(
                title=worded("offers of that term the plan can use"), value=0, unit="count", name="offers"
            ),
        ]
    fits = sum((row.matching_term_months or 0) >= months for row in plan_layers.TERM_MATCH.rows(of))
    return [
        orders,
        Number(title=worded("workloads that fit it"), value=fits, unit="count", name="workloads"),
        *pays,
    ]


def _costs(of: Evaluation, values: Values) -> list[Number]:
    """What a team, a workload or a pool costs today."""
    kind, name = values["costs"]
    owners = {workload.key: workload.owner for workload in of.project.workloads}
    called: Mapping[str, Callable[[Any], str]] = {
        "workload": lambda row: row.key,
        "team": lambda row: owners[row.key],
        "pool": lambda row: row.classification.pool,
    }
    rows = [row for row in of.audit.workloads if called[kind](row) == name]
    where = {"team": f"by_team[team={name}].", "workload": f"workloads[key={name}]."}.get(kind)
    path = f"{where}usd_per_month" if where else ""
    usd = part_sum((row.key, row.usd_per_month) for row in rows)
    # it hangs on contracts, and on prices of what overflows
    known = replace(of.audit.spend_parts, known=usd.known)
    total = usd.total if rows else None  # work that no log has costs nothing yet known
    own = Number(
        title=worded("Today"), value=total, unit="usd_per_month", path=path, name="usd_per_month", known=known
    )
    return [own, *(_top_teams(of, {"team": values["costs"]}) if kind == "team" else ())]


def _up_front(of: Evaluation, values: Values) -> list[Number]:
    """Orders of a term, all of it paid at signing, and the discount from which that pays at the cost of capital."""
    months = values["months"]
    signed = (row for row in of.advised.orders if row.is_certain and not row.is_bought)
    orders = [row for row in signed if row.term_months == months]
    if not orders:
        return []
    monthly = (1 + of.project.assumptions_in(of.figures.basis.plan).wacc) ** (-1 / 12)
    hours = ((order.rate, order.bought_gpus * HOURS_PER_MONTH) for order in orders)
    per_month = known_sum(None if rate is None else rate * gpu_hours for rate, gpu_hours in hours)
    paid = None if per_month is None else per_month * months
    worth = None if per_month is None else per_month * sum(monthly**month for month in range(months))
    values_of = UP_FRONT.row({"paid_up_front": paid, "worth_today": worth})
    return [
        Number(title=UP_FRONT[key].title, value=values_of[key], unit=unit, name=key)
        for key, unit in (("paid_up_front", "usd"), ("least_discount", "ratio"))
    ]


def _bill(of: Evaluation, values: Values) -> list[Number]:
    change = variance(of.past, *halves(of.project.window))
    figures = [CHANGE[key] for key in ("volume_per_month", "efficiency_per_month", "price_per_month")]
    return [
        Number(
            title=figure.title,
            value=getattr(change, figure.key),
            unit="usd_per_month",
            path=f"variance.{figure.json_name}",
        )
        for figure in figures
    ]


def _savings_demand(of: Evaluation, values: Values) -> list[Number]:
    """What is saved in twelve months, and what demand alone adds to a month or takes off it."""
    steps = of.outlook.savings_steps if of.outlook else ()
    path = "savings_steps[step=demand].usd_per_month"
    demand = Number(
        title=worded("demand by itself adds"),
        value=step_usd(steps, "demand"),
        unit="usd_per_month",
        path=path,
    )
    return [*_horizons("saved", "savings_vs_do_nothing_usd", "", of, values)[2:], demand]


def _bought_by_savings(of: Evaluation, values: Values) -> list[Number]:
    buy, hours, gpus = savings_buy(of.advised), worded("They buy, a month,"), worded("or, for a year,")
    return [
        Number(
            title=hours,
            value=buy.bought_gpu_hours_per_month,
            unit="gpu_hours",
            path="savings_buy.gpu_hours_per_month",
        ),
        Number(title=gpus, value=buy.bought_gpus, unit="gpus", path="savings_buy.gpus_for_a_year"),
    ]


def _largest_run(of: Evaluation, values: Values) -> list[Number]:
    """The most expensive run, and what a run of that model costs on average: what each more would add."""
    runs = unit_costs(of.past).runs
    if not runs:
        return []
    at, most = max(enumerate(runs), key=lambda pair: pair[1].cost or 0.0)
    means = retraining_of([row for row in runs if row.key == most.key], of.project.window)
    path, title = f"unit_costs.retraining[key={most.key}].usd_per_run", worded("mean cost per run")
    largest = worded("{name}, its largest run", name=most.name)
    first = Number(title=largest, value=most.cost, unit="usd", path=f"unit_costs.runs[{at}].usd")
    return [first, *(Number(title=title, value=row.cost_per_run, unit="usd", path=path) for row in means)]


def _top_teams(of: Evaluation, values: Values) -> list[Number]:
    """The teams that pay most, of all that the window cost, idle GPUs too, as a month."""
    numbers = []
    for row in charges_of(of).rows:
        usd = None if row.total_in_window is None else row.total_in_window / of.project.window.months
        title = worded("{team}, with its share of idle cost,", team=row.name or "")
        if not row.is_nobodys and ("team" not in values or row.name == values["team"].name):
            numbers.append(Number(title=title, value=usd, unit="usd_per_month", name="total_usd_per_month"))
    return sorted(numbers, key=lambda number: -(number.value or 0.0))


_WAIT_UNKNOWN: Final = Number(title=worded("How long jobs wait"), value=None, unit="hours", name="wait")


def _waited(queueing: Queueing | None, stop: IsCancelled, of: Evaluation, values: Values) -> list[Number]:
    """How long the jobs of the window waited, as the log has it: what is asked for first, of a pool the plan's last."""
    if queueing is None or not (known := queueing.log.measured(of.project.window)).any():
        return [_WAIT_UNKNOWN]
    if pool := values.get("pool"):
        known = known & jobs_of(queueing.of_today, pool)
    waits = waits_of(waited_s := queueing.log.wait_s[known])
    longest = int(waited_s.max()) / HOUR_S if known.any() else None
    mean = Number(title=worded("Mean wait in the log"), value=waits.mean_h, unit="hours", name="mean_h")
    p90 = Number(title=worded("P90"), value=waits.p90_h, unit="hours", name="p90_h")
    most = Number(title=worded("Longest wait in the log"), value=longest, unit="hours", name="longest_h")
    half = Number(title=worded("Median wait in the log"), value=waits.p50_h, unit="hours", name="p50_h")
    first = [number for word, number in (("longest", most), ("median", half)) if word in values]
    last = _waits(queueing, stop, of, values) if pool else [most]
    begins, *rest = [*first, mean, p90, *last][:MOST]
    title = joined((POOL_TITLES[pool], begins.title), ": ") if pool else begins.title
    return [replace(begins, title=title), *rest]


def _waits_by(queueing: Queueing | None, stop: IsCancelled, of: Evaluation, values: Values) -> list[Number]:
    """P90 of each team's jobs, or of each pool's, as the log has it, the longest first."""
    by = "pool" if "pools" in values else "team"
    rows = [row for row in (log_waits(queueing) if queueing else None) or () if row.by == by]
    each = _Listed(
        rows=lambda of: rows,
        value="waits.p90_h",
        unit="hours",
        path=f"waits[by={by},name={{name}}].p90_h",
        title=lambda name: worded("{team}, P90", team=name),
    )
    return each(of, values) or [_WAIT_UNKNOWN]


def _waits(queueing: Queueing | None, stop: IsCancelled, of: Evaluation, values: Values) -> list[Number]:
    """P90 of each pool on the plan's GPUs, and less those of a contract that ends: who waits longer by it is first."""
    rows = pool_waits(queueing, stop)
    if queueing is None or rows is None:
        return [_WAIT_UNKNOWN]
    if "contract" not in values:
        asked = (row for row in rows if row.pool == values.get("pool", row.pool))
        rows_now = [(worded("{pool} in the plan, P90", pool=POOL_TITLES[row.pool]), row) for row in asked]
        return [
            Number(title=title, value=row.waits.p90_h, unit="hours", path=f"waiting[pool={row.pool}].p90_h")
            for title, row in rows_now
        ]
    ended = pool_waits(Queueing(of, queueing.log, values["contract"].name), stop) or ()
    return [
        Number(title=title, value=value, unit="hours", path=path, name="p90_h")
        for with_it, without in sorted(zip(rows, ended, strict=True), key=_added_wait_h)
        for title, value, path in (
            (worded("{pool}, P90", pool=POOL_TITLES[with_it.pool]), without.waits.p90_h, ""),
            (worded("with it"), with_it.waits.p90_h, f"waiting[pool={with_it.pool}].p90_h"),
        )
    ]


def _added_wait_h(pair: tuple[QueueRow, QueueRow]) -> float:
    """The P90 wait of a pool beside that of the same pool otherwise; an unknown one counts as none."""
    row, other = pair
    return (row.waits.p90_h or 0.0) - (other.waits.p90_h or 0.0)


def _size(queueing: Queueing | None, stop: IsCancelled, of: Evaluation, values: Values) -> list[Number]:
    """The fewest GPUs that keep a P90 wait of a pool, or on which no endpoint ever waits, and what they cost."""
    pool, most_h = values.get("pool", Pool.INFERENCE), values.get("ratio")
    asked = Target(pool, most_h or 0.0, is_of_all=most_h is None)
    target = None if queueing is None else waiting_of(queueing, 0, asked, is_cancelled=stop).target
    if target is None or (size := target.found) is None:
        return [Number(title=worded("The size that keeps it"), value=None, unit="gpus", name="size")]
    alone = worded("{model} for {pool} alone, at least", model=size.gpu_model or "", pool=POOL_TITLES[pool])
    return [
        Number(title=alone, value=size.gpus, unit="gpus", name="gpus"),
        Number(
            title=worded("their cost"), value=size.usd_per_month, unit="usd_per_month", name="usd_per_month"
        ),
        Number(
            title=worded("beside the plan's"),
            value=target.difference_usd_per_month,
            unit="usd_per_month",
            name="difference_usd_per_month",
        ),
    ]


def _worth(
    worths: Sequence[OfferWorth] | None, stop: IsCancelled, of: Evaluation, values: Values
) -> list[Number]:
    """Up to which rate offers are worth signing, those of the widest margin first; or one of them."""
    numbers = []
    for worth in sorted(worths or (), key=lambda row: (row.margin_share is None, -(row.margin_share or 0.0))):
        name = worth.offer.offer_id
        if fleet.is_of(worth.offer.gpu_model, values) and (
            "offer" not in values or values["offer"].name == name
        ):
            title = joined(filter(None, (name, worth.why_not_worth)), ": ")
            path = f"worth_signing[offer_id={name}].worth_signing_usd_per_gpu_hour"
            numbers.append(
                Number(title=title, value=worth.worth_rate, unit="rate_usd_per_gpu_hour", path=path)
            )
    return numbers


_NARROWS: Final = ("contract", "team", "cluster")


def _is_meant(values: Values, name: Text) -> bool:
    """Whether something is what a question names, if it names something."""
    asked = {getattr(values[place], "name", values[place]) for place in _NARROWS if place in values}
    return asked <= {name} and fleet.is_of(str(name), values)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Listed:
    """Rows of which the first three are the answer. value: where a row has it; path: with the row, its name and place.

    rank: 1 where those of the largest values come first, -1 of the smallest, 0 as they are; title: what a row is
    called, by its name.
    """

    rows: Callable[[Evaluation], Sequence[Any]]
    value: str
    unit: str
    path: str
    name: str = "name"
    rank: int = 1
    title: Callable[[Text], Text] = lambda name: name

    def __call__(self, of: Evaluation, values: Values) -> list[Number]:
        """The numbers of the answer."""
        numbers = []
        for at, row in enumerate(self.rows(of)):
            name = getattr(row, self.name)
            if not (_is_meant(values, name) and fleet.is_asked(values, name, at)):
                continue
            known = getattr(row, "known", {}).get(self.value.rpartition(".")[2], NO_PARTS)
            path = self.path.format(row=row, name=name, at=at)
            unnamed = "" if path else self.unit
            numbers.append(
                Number(
                    title=self.title(name),
                    value=_at(self.value, row),
                    unit=self.unit,
                    path=path,
                    name=unnamed,
                    known=known,
                )
            )
        return sorted(
            numbers, key=lambda row: (row.value is None, -(row.value or 0.0) * self.rank) if self.rank else ()
        )


def _workloads(of: Evaluation, values: Values) -> list[Number]:
    """What each workload costs a month, of all classes or of one."""
    asked = [row for row in of.audit.workloads if values.get("pool") in (None, row.classification.pool)]
    path = "workloads[key={name}].usd_per_month"
    return _Listed(rows=lambda of: asked, value="usd_per_month", unit="usd_per_month", path=path, name="key")(
        of, {}
    )


def _spent(kind: str, path: str, of: Evaluation, values: Values) -> list[Number]:
    """What each cluster or GPU model costs a month by its contracts; where these do not serve all of it, with use."""
    beyond, numbers = {row.cluster: row.overflow_per_month for row in of.audit.clusters}, list[Number]()
    of_models: dict[str | None, float | None] = {}
    if kind == "gpu_models":
        past = of.past
        of_models = overflow_by_model(past.clusters, past.rates)
    for row in filter(lambda row: _is_meant(values, row.name), _uses(kind)(of)):
        by_use = beyond.get(row.name)
        if kind == "gpu_models":
            usd = of_models.get(row.name or None, 0.0)
            by_use = row.overflow_gpu_hours and (None if usd is None else usd / of.project.window.months)
        title, place = fleet.of_contracts(row.name), path.format(name=row.name)
        if by_use != 0:
            title, place = worded("{name}, contracts and use,", name=row.name or worded("unknown")), ""
        usd = known_sum((row.cost_per_month, by_use))
        numbers.append(Number(title=title, value=usd, unit="usd_per_month", path=place, name="usd_per_month"))
    return sorted(numbers, key=lambda number: (number.value is None, -(number.value or 0.0)))


def _overflow(of: Evaluation, values: Values) -> list[Number]:
    """What ran over contract capacity, of all or of a cluster: in dollars on demand, and in GPU-hours of the log."""
    title, name = worded("Overflow, on demand,"), "overflow_usd_per_month"
    rows = [row for row in of.audit.clusters if _is_meant(values, row.cluster)]
    own = part_sum((row.cluster, row.overflow_per_month) for row in rows)
    usd = own if values else of.audit.whole_spend.overflow
    hours = known_sum(row.overflow_gpu_hours for row in rows)
    cost = Number(
        title=title,
        value=usd.total,
        unit="usd_per_month",
        name=name,
        known=replace(of.audit.spend_parts, known=usd.known),
    )
    return [
        cost,
        Number(title=worded("over the log"), value=hours, unit="gpu_hours", name="overflow_gpu_hours"),
    ]


def _idle_share(of: Evaluation, values: Values) -> list[Number]:
    """The part of what is paid that no job has."""
    used = (of.totals.effective_utilization_now, of.totals.effective_utilization_plan) if of.totals else ()
    titles = worded("Idle, of paid GPU-hours"), worded("in the plan")
    return [
        Number(title=title, value=None if share is None else 1 - share, unit="ratio", name="idle_share")
        for title, share in zip(titles, used, strict=False)
    ]


def _used(name: Text) -> Text:
    return worded("{name}, used", name=name or worded("unknown"))


def _uses(view: str) -> Callable[[Evaluation], Sequence[Any]]:
    return lambda of: getattr(of.audit.use, view, ())


_SIGNED: Final = _Listed(
    rows=lambda of: of.totals.gpus_to_sign if of.totals else (),
    value="gpus",
    unit="gpus",
    path="totals.gpus_to_sign[{at}].gpus",
    name="gpu_model",
    title=lambda name: worded("{name}, to order within a month, at most at a time:", name=name),
)


def _to_sign(of: Evaluation, values: Values) -> list[Number]:
    """The most GPUs at one time of what is to be signed: all of it, as Recommendations has it, then each GPU model."""
    rows = _SIGNED(of, values)
    if len(rows) < 2 or values or of.advice is None:
        return rows
    most = most_bought(to_sign(of.advice.orders, of.project.plan_window.end_s))
    return [
        Number(
            title=worded("To order within a month, at most at a time:"), value=most, unit="gpus", name="gpus"
        ),
        *rows,
    ]


Numbers = Callable[[Evaluation, Values], Sequence[Number]]
_PAID: Final[Mapping[str, Any]] = {"value": "cost_per_month", "unit": "usd_per_month"}
_VIEWS: Final = (
    ("clusters", "clusters", "clusters[cluster={name}]."),
    ("models", "gpu_models", "by_gpu_model[gpu_model={name}]."),
    ("contracts", "contracts", "contracts[contract_id={name}]."),
)
"""Forms about the rows of a view of the window's use, and where documents have them."""
_STRANDED: Final[Mapping[str, Any]] = {
    "value": "stranded_audit",
    "unit": "usd_per_month",
    "path": "clusters[cluster={name}].bridge.audit_usd_per_month",
    "name": "cluster",
}
"""Where a cluster has its stranded cost."""
_UNUSED_PATH: Final = "contracts[contract_id={name}].unused_usd_per_month"
SLOW: Final = frozenset(
    {
        "waits",
        "waited",
        "team_waits",
        "size",
        "worth",
        "backtest",
        "award",
        "alone",
        "place",
        "gpus",
        "history",
    }
)
"""Forms that a window answers in a thread."""
OF_OUTLOOK: Final = frozenset(
    {
        "npv",
        "coverage",
        "range",
        "spot",
        "limits",
        "savings_demand",
        "next",
        "budget_less",
        "decide",
        "lapse",
        "contract",
        "notice",
        "orders",
        "terms",
        "return",
    }
)
"""Forms of what comes after the plan's own figures."""
_WORKED: Final[Mapping[str, Numbers]] = {
    "do_nothing": partial(_horizons, "do_nothing", "do_nothing_usd", "nothing_sum"),
    "plan": partial(_horizons, "plan", "plan_usd", "plan_sum"),
    "year": lambda of, values: [
        replace(_WORKED[key](of, values)[2], title=title)
        for key, title in (
            ("plan", worded("The plan, twelve months")),
            ("do_nothing", worded("without new commitments")),
        )
    ],
    "savings": partial(_horizons, "saved", "savings_vs_do_nothing_usd", ""),
    "spend_ahead": lambda of, values: _WORKED["do_nothing"](of, values)[1:],
    "savings_demand": _savings_demand,
    "buy": _bought_by_savings,
    "owed": fleet.owed_of,
    "notice": fleet.notices,
    "expiring": fleet.expiring,
    "orders": lambda of, values: [
        fleet.as_told(row)
        for row in fleet.open_decisions(of)
        if any(fleet.is_of(order.gpu_model, values) for order in row.orders)
    ],
    "lapse": lambda of, values: [
        fleet.as_told(row) for row in fleet.open_decisions(of) if row.kind in ("end", "let_expire")
    ],
    "overflow": _overflow,
    "paid": fleet.paid_by,
    "idle_share": _idle_share,
    "contract": _contract,
    "leaks": _leaks,
    "expensive": _leaks,
    "gpus": fleet.gpus,
    "cheapest": fleet.cheapest,
    "co2_year": fleet.co2_year,
    "alone": _alone,
    "place": _place,
    "worst": _worst,
    "spend_in": fleet.spend_in,
    "sellers": fleet.by_seller,
    "spot": fleet.spot,
    "limits": fleet.limits,
    "over_budget": _over_budget,
    "budget_less": lambda of, values: [*_over_budget(of, values), *_next(of, values)],
    "decide": _decide,
    "valid": fleet.valid,
    "held": fleet.held_with,
    "terms": fleet.terms,
    "peak": fleet.peak,
    "break_even": lambda of, values: [
        *_Listed(
            rows=_uses("contracts"),
            value="break_even_utilization",
            unit="ratio",
            path="contracts[contract_id={name}].break_even_utilization",
            rank=0,
            title=lambda name: worded("{contract}: break-even utilization", contract=name),
        )(of, values),
        *_WORKED["contracts_use"](of, values),
    ],
    "next": _next,
    "compare": _compared,
    "mixed": _Listed(
        rows=lambda of: [
            row for row in of.audit.clusters if all(of.past.members(row.cluster, pool) for pool in POOLS)
        ],
        **_STRANDED,
        title=lambda name: worded(
            "{cluster} holds all classes, stranded (audit estimate)", cluster=name or worded("unknown")
        ),
    ),
    "sign": lambda of, values: first_day(
        worded("First by"), [pair for pair in enumerate(of.advised.orders) if pair[1].is_certain]
    ),
    "top_team": _top_teams,
    "costs": _costs,
    "by_class": lambda of, values: [
        replace(_costs(of, {"costs": ("pool", pool)})[0], title=POOL_TITLES[pool]) for pool in POOLS
    ],
    "runs": _largest_run,
    "bill": _bill,
    "own": _own,
    "pays": _own,
    "no_term": _no_term,
    "upfront": _up_front,
    "unserved": lambda of, values: [
        Number(
            title=worded("Unserved in twelve months"),
            value=unserved_hours(of.advice) if of.advice else None,
            unit="gpu_hours",
            name="unserved_gpu_hours",
        )
    ],
    # --- rows as reports have them: of what, the value, its unit, its path
    "cash": _Listed(
        rows=cash.CASH_BY_QUARTER.rows,
        value="figures.cash",
        unit="usd",
        path="cash[{at}].usd",
        rank=0,
        title=lambda name: worded("Cash of {quarter}", quarter=name),
    ),
    "fiscal": fleet.by_year,
    "useful": _Listed(
        rows=lambda of: USEFUL_RATES.rows(of.past),
        value="figures.useful_rate",
        unit="usd_per_gpu_hour",
        path="expensive_workloads[{at}].usd_per_useful_gpu_hour",
    ),
    "nights": _Listed(
        rows=lambda of: IDLE_NIGHTS.rows(of.past),
        value="figures.known_idle_nights",
        unit="usd_per_month",
        path="idle_nights[team={name}].at_least_usd_per_month",
        title=lambda name: worded("{name}, idle nights and weekends, at least", name=name),
    ),
    "workloads": _workloads,
    "clusters": partial(_spent, "clusters", "clusters[cluster={name}].cost_usd_per_month"),
    "models": partial(_spent, "gpu_models", "by_gpu_model[gpu_model={name}].usd_per_month"),
    "contracts": _Listed(
        rows=_uses("contracts"), **_PAID, path="contracts[contract_id={name}].cost_usd_per_month"
    ),
    **{
        f"{form}_use": _Listed(
            rows=_uses(view),
            value="utilization",
            unit="ratio",
            path=f"{path}utilization",
            rank=-1,
            title=_used,
        )
        for form, view, path in _VIEWS
    },
    "rates": lambda of, values: _Listed(
        rows=lambda of: fleet.of_party(of.project.contracts, values),
        value="bare_rate",
        unit="rate_usd_per_gpu_hour",
        path="",
        name="contract_id",
    )(of, {}),
    "idle_clusters": fleet.idle_by_cluster,
    "team_hours": _Listed(
        rows=_uses("teams"), value="gpu_hours", unit="gpu_hours", path="by_team[team={name}].gpu_hours"
    ),
    "team_activity": _Listed(
        rows=_uses("teams"),
        value="activity",
        unit="ratio",
        path="by_team[team={name}].activity",
        rank=-1,
        title=lambda name: worded("{team}, activity,", team=name),
    ),
    "team_share": _Listed(
        rows=_uses("teams"),
        value="share",
        unit="ratio",
        path="by_team[team={name}].share",
        title=lambda name: worded("{team}, of all GPU-hours,", team=name),
    ),
    "team_gpus": _Listed(
        rows=_uses("teams"),
        value="mean_gpus",
        unit="gpus",
        path="by_team[team={name}].mean_gpus",
        title=lambda name: worded("{team}, on average", team=name),
    ),
    "energy_team": _Listed(
        rows=lambda of: use.ENERGY_OF_TEAMS.rows(of.audit),
        value="kwh_per_month",
        unit="kwh_per_month",
        path="energy.teams[team={name}].kwh_per_month",
    ),
    "model_rates": _Listed(
        rows=lambda of: [row for row in h100_equivalents(of.past) if row.figures["gpu_hours"]],
        value="figures.rate",
        unit="rate_usd_per_gpu_hour",
        path="",
        name="gpu_model",
        title=lambda name: worded("{model}, mean paid rate,", model=name or worded("unknown")),
    ),
    "classes": _Listed(
        rows=lambda of: [*of.audit.classes.values()],
        value="share",
        unit="ratio",
        path="classes.{name}.share",
        name="pool",
        title=lambda name: worded("{pool}, of all GPU-hours,", pool=POOL_TITLES[Pool(str(name))]),
    ),
    **{
        form: _Listed(
            rows=lambda of: getattr(of.advice, "idle_existing", ()),
            value=value,
            unit=unit,
            path=f"idle_existing[gpu_model={{name}}].{unit}",
            name="gpu_model",
            title=lambda name: worded(
                "{name}, idle in the plan's first month,", name=name or worded("unknown")
            ),
        )
        for form, value, unit in (
            ("idle_models", "cost_per_month", "usd_per_month"),
            ("idle_gpus", "gpus", "gpus"),
        )
    },
    "to_sign": _to_sign,
    "co2_team": _Listed(
        rows=lambda of: use.ENERGY_OF_TEAMS.rows(of.audit),
        value="kg_co2_per_month",
        unit="kg_per_month",
        path="energy.teams[team={name}].kg_co2_per_month",
    ),
    "failed_share": _failed_share,
    "failed": partial(_leaks, code=FAILED_WORK.code),
    "stranded_clusters": _Listed(
        rows=lambda of: of.audit.clusters,
        **_STRANDED,
        title=lambda name: worded("{cluster}, stranded (audit estimate)", cluster=name or NO_CLUSTER),
    ),
    "permanent": partial(_leaks, code=PERMANENT_BURST.code),
    "without_training": _Listed(
        rows=lambda of: of.audit.clusters,
        value="non_training_utilization",
        unit="ratio",
        path="clusters[cluster={name}].non_training_utilization",
        name="cluster",
        rank=-1,
        title=lambda name: worded("{name}, used without training", name=name or NO_CLUSTER),
    ),
    "tokens": _Listed(
        rows=lambda of: [
            row for row in unit_costs(of.past).endpoints if row.cost_per_million_tokens is not None
        ],
        value="cost_per_million_tokens",
        unit="usd_per_million_tokens",
        path="unit_costs.endpoints[key={row.key}].tokens.usd_per_million_tokens",
    ),
    "hardly_used": _Listed(
        rows=lambda of: [row for row in of.audit.contracts if row.below_40_percent],
        value="unused_per_month",
        unit="usd_per_month",
        path=_UNUSED_PATH,
        name="contract_id",
    ),
    **dict.fromkeys(
        ("idle_contracts", "idle_contract"),
        _Listed(
            rows=lambda of: of.audit.contracts,
            value="unused_per_month",
            unit="usd_per_month",
            path=_UNUSED_PATH,
            name="contract_id",
            title=lambda name: worded("{name}, idle", name=name),
        ),
    ),
    "run_costs": _Listed(
        rows=lambda of: retraining_of(unit_costs(of.past).runs, of.project.window),
        value="cost_per_run",
        unit="usd",
        path="unit_costs.retraining[{at}].usd_per_run",
        title=lambda name: worded("A run of {name}, mean", name=name),
    ),
    "paid_rates": _Listed(
        rows=lambda of: variance(of.past, *halves(of.project.window)).clusters,
        value="after.rate",
        unit="rate_usd_per_gpu_hour",
        path="variance.clusters[cluster={name}].after.usd_per_gpu_hour",
        name="cluster",
        rank=0,
        title=lambda name: worded("{cluster}, second half of the log,", cluster=name or NO_CLUSTER),
    ),
}
READERS: Final[Mapping[str, Callable[..., Sequence[Number]]]] = {
    "waits": _waits,
    "waited": _waited,
    "team_waits": _waits_by,
    "size": _size,
    "worth": _worth,
    "history": fleet.history,
}
"""Forms whose numbers are worked out from what is read for them."""
_CALLS: Final = {
    "alone": ("--one-provider",),
    "worth": ("--worth",),
    **{form: (form,) for form in ("award", "backtest", "place")},
}
"""An option of `plan`, or another command, in whose document the numbers of a form stand."""
MISSING_SENTENCES: Final = {
    "came": worded("The project has no later log. Open it in Plan vs. actual, or use track --jobs."),
    "backtest": TOO_SHORT,
    "range": joined((NO_RANGE, ".")),
    "place": worded("Users by city and sites are missing. Import them in Placement."),
    "own": worded("The prices have no offer to buy."),
    **dict.fromkeys(("waits", "waited", "team_waits"), NO_WAITS),
    "notice": worded("No notice to give: no contract has both a notice period and an end date."),
}
"""What is missing where nothing of a form is known."""
_BEYOND: Final = worded("Unknown: the plan covers twelve months only.")
_TOLD_WHOLE: Final = ("waits", "decide")
"""Forms whose numbers are all told: which pool waits may be the last of them, and all that is due is to do."""
_NOTHING: Final = {
    "limits": worded("No limit set."),
    "mixed": worded("No cluster holds all three classes."),
    "upfront": worded("The plan orders nothing of that term."),
    "decide": worded("No decision is due then."),
    "model_rates": worded("Unknown: no contract of that model ran in the log."),
    **dict.fromkeys(("idle_gpus", "idle_models"), worded("None is idle in the plan's first month.")),
    "expiring": worded("No contract ends then."),
    "history": worded("Unknown: the project has no job rows of that time."),
    "lapse": worded("None: the plan ends no contract and lets none expire."),
    "valid": worded("Unknown: no offer has a validity date. Enter it in Prices."),
    **dict.fromkeys(("cash", "spend_in"), _BEYOND),
}
"""What is said where a form has no number."""
_SUBJECTS: Final = {subject.name: subject for subject in subjects.SUBJECTS}


def _known_of(place: str, of: Evaluation) -> PartSum:
    """What is known of a figure of the table where a rate is missing. place: where an evaluation has it."""
    where, _, name = place.rpartition(".")
    if name == "today":
        return of.audit.spend_parts
    if where == "totals" and name in COSTS and of.advice is not None:
        return cost_sum(of.advice, name)
    if where == "audit.bridge" and not of.audit.asked_contracts:
        idle = part_sum((row.cluster, getattr(row, name)) for row in of.audit.clusters)
        return replace(of.audit.paid_parts, known=idle.known)
    return NO_PARTS


def _at(place: str, of: Any) -> Any:
    """What is there by its names; None where one on the way is not known."""
    for name in place.split("."):
        of = of.get(name) if isinstance(of, Mapping) else getattr(of, name, None)
    return of


def list_numbers(
    asked: Question, of: Evaluation, read: Any = None, is_cancelled: IsCancelled = lambda: False
) -> Sequence[Number]:
    """Return all numbers that are worked out for a question, of which an answer shows the first.

    read: see `answer_question`. Empty for a form whose figures are given as they stand.
    """
    if asked.form in READERS:
        return READERS[asked.form](read, is_cancelled, of, asked.values)
    if asked.form in _WORKED:
        return _WORKED[asked.form](of, asked.values)
    return ()


def answer_question(
    asked: Question,
    of: Evaluation,
    figures: Sequence[AskedFigure],
    read: Any = None,
    is_cancelled: IsCancelled = lambda: False,
) -> Answered:
    """Figures of a plan with its advice and outlook. figures: of forms that are figures as they stand.

    read: what is read for a form: the queue of its log for who waits, what offers are worth, a backtest, an award;
    None where there is none.
    """
    if asked.form == "range" and of.outlook is not None and of.advice is not None:
        band = trusted_band(of.outlook.uncertainty, of.advice.totals.plan, of.project.window.hours)
        of = replace(of, outlook=replace(of.outlook, uncertainty=band))
    numbers = []
    for entry in (figure for figure in figures if figure.form == asked.form and figure.unit):
        title = worded(entry.title) if entry.title else _SUBJECTS[entry.subject][entry.figure].title
        value = _at(entry.place, read if asked.form in _CALLS else of)
        numbers.append(
            Number(
                title=title, value=value, unit=entry.unit, path=entry.path, known=_known_of(entry.place, of)
            )
        )
    numbers += list_numbers(asked, of, read, is_cancelled)
    most = len(numbers) if asked.form in _TOLD_WHOLE else MOST
    meanings = [
        worded("{term}: {meaning}", term=worded(row.title), meaning=worded(row.figure))
        for row in figures
        if row.subject == asked.values.get("term")
    ]
    if meanings:
        sentence = joined(meanings, " ")
    elif asked.form in MISSING_SENTENCES and all(number.value is None for number in numbers):
        sentence = MISSING_SENTENCES[asked.form]
    else:
        sentence = told(numbers, most) if numbers else _NOTHING.get(asked.form, worded("There is none."))
    if asked.read_as:
        sentence = worded("Read as \u201c{question}\u201d: {answer}", question=asked.read_as, answer=sentence)
    return Answered(
        form=asked.form, sentence=sentence, numbers=tuple(numbers[:most]), as_words=_CALLS.get(asked.form, ())
    )
