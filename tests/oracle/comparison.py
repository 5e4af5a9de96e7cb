"""Advice beside the oracle's plan: every difference as (what, got, expected); an empty list is agreement."""

from dataclasses import replace

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.comparison import savings_steps
from gpuplanner.domain.commitment.plan.decisions import decide
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.uncertainty.separation import separation_of
from gpuplanner.domain.model.book.only import gpu_model_of, only_of
from tests.oracle.groups import key_of
from tests.oracle.simulator import savings, separation, simulate

MONEY_USD = 0.01
TIGHT = 1e-9


def decided(case):
    """The plan of a case with the ends of contracts that the engine decides on; minima are another test's."""
    project, pools, found = case.on_board
    made = decide(project, case.plan, pools, found.classifications, AdviceCache())
    return replace(case.plan, whole_decisions=replace(made, minima=()))


def advice_of(case):
    """The engine's answer to a case."""
    project, pools, found = case.on_board
    return advise(project, decided(case), pools, found)


def disagreements(case):
    """Engine against oracle on one case."""
    expected = simulate(case.project, decided(case), case.pools, case.classes, case.beyond)
    return differences(advice_of(case), expected)


def separation_differs(case):
    """The same of what separate pools cost, in month 0 and in twelve months."""
    project, pools, found = case.on_board
    ground = ground_of(project, decided(case), pools, AdviceCache(), found.classifications)
    got = separation_of(ground, AdviceCache())
    expected = separation(case.project, decided(case), case.pools, case.classes, case.beyond)
    answer = Differences()
    for months, usd in zip((1, 12), expected, strict=True):
        answer.check(("cost of separation", months), got.cost_usd(months), usd, MONEY_USD)
    return answer


def savings_differ(case):
    """The same of where savings come from."""
    project, pools, found = case.on_board
    ground = ground_of(project, decided(case), pools, AdviceCache(), found.classifications)
    advice = advise(project, decided(case), pools, found)
    got = {one.step: (one.usd_per_month,) for one in savings_steps(project, ground, advice, AdviceCache())}
    expected = savings(case.project, decided(case), case.pools, case.classes, case.beyond)
    answer = Differences()
    answer.check_rows("savings_steps", got, {step: (usd,) for step, usd in expected.items()}, MONEY_USD)
    return answer


def differs(got, expected, tolerance=TIGHT):
    """Unknown only equals unknown; numbers within the tolerance, or within 1e-11 of their size."""
    if got is None or expected is None or isinstance(got, str) or isinstance(expected, str):
        return got != expected
    return not abs(got - expected) <= max(tolerance, 1e-11 * abs(expected))


def part_of(row):
    """Pool, model and who alone may serve it, of a row of the engine."""
    only = only_of(row.gpu_model)
    limits = [(field, getattr(only, field)) for field in ("provider", "region") if getattr(only, field)]
    return key_of(row.pool, gpu_model_of(row.gpu_model), limits[0] if limits else None)


class Differences(list):
    """Collects what differs."""

    def check(self, what, got, expected, tolerance=TIGHT):
        if differs(got, expected, tolerance):
            self.append((what, got, expected))

    def check_rows(self, what, got, expected, tolerance=TIGHT):
        """Two {key: tuple of figures}."""
        for key in sorted(set(got) | set(expected), key=repr):
            if key not in got or key not in expected:
                self.append(((what, key), got.get(key), expected.get(key)))
                continue
            for index, (one, other) in enumerate(zip(got[key], expected[key], strict=True)):
                self.check((what, key, index), one, other, tolerance)


def differences(advice, expected):
    """All of an Advice against all of the oracle's plan (simulator.simulate)."""
    found = Differences()
    groups = {group.key: group for group in expected.groups}
    pools = {part_of(row): row for row in advice.pools}
    runs = {run.key for run in expected.runs}
    if set(groups) | runs != set(pools) | runs:
        found.append(("pools", set(pools), set(groups) | runs))
    for key in set(groups) & set(pools):
        found.check((key, "sigma"), pools[key].demand.volatility.sigma, groups[key].sigma)
        if key not in runs:
            _pool(found, key, pools[key], groups[key])
    _orders(found, advice, expected)
    _months(found, advice, expected)
    _layers(found, advice, expected)
    for name, ours, tolerance in TOTALS:
        found.check(name, getattr(advice.totals, name), getattr(expected.totals, ours), tolerance)
    found.check_rows(
        "verdicts",
        {
            v.contract_id: (v.verdict, v.then_term_months, v.gpus, v.order_by_s, v.if_it_lasts_gpus)
            for v in advice.verdicts
        },
        expected.verdicts,
    )
    _unserved(found, advice, expected)
    of_runs = {run.work.key for run in expected.runs}
    if expected.cards is not None and not of_runs:
        got = {key: (usd,) for key, usd in advice.workload_usd.items()}
        found.check_rows("cards", got, {key: (usd,) for key, usd in expected.cards.items()}, MONEY_USD)
    got = {one.key: (one.usd,) for one in advice.planned_runs}
    found.check_rows("runs", got, {key: (usd,) for key, usd in expected.planned_runs.items()}, MONEY_USD)
    return found


TOTALS = (
    ("today", "current", MONEY_USD),
    ("savings", "savings", MONEY_USD),
    ("savings_percent", "savings_percent", TIGHT),
    ("savings_vs_do_nothing", "savings_vs_do_nothing", MONEY_USD),
    ("on_demand_equivalent", "on_demand_equivalent", MONEY_USD),
    ("effective_savings_rate", "effective_savings_rate", TIGHT),
    ("effective_utilization_plan", "effective_utilization_plan", TIGHT),
    ("unused_plan", "unused_plan", MONEY_USD),
    ("lock_in_months", "lock_in", TIGHT),
)


def _layers(found, advice, expected):
    """GPUs, what of them is used, and $ of month 0, of all that is not paid by use; and what stands idle."""
    got = {}
    for row in advice.pools:
        for layer in row.layers:
            if layer.existing or layer.term_months:
                offer_id = None if layer.existing else layer.offer_id
                figures = (layer.gpus, layer.utilization, layer.cost_per_month)
                got[part_of(row), layer.existing, offer_id] = figures
    rows = {
        (key, *at): (layer.gpus, layer.used / layer.held, layer.usd)
        for key, layers in expected.layers.items()
        for at, layer in layers.items()
    }
    found.check_rows("layers", got, rows, 1e-6)
    found.check_rows(
        "idle_existing",
        {row.gpu_model: (row.gpus, row.cost_per_month) for row in advice.idle_existing if row.gpus > 1e-8},
        {model: row for model, row in expected.idle.items() if row[0] > 1e-8},
        1e-6,
    )


def _orders(found, advice, expected):
    got = {}
    for o in advice.orders:
        key = (*part_of(o), o.offer_id, o.start_s, o.end_s, o.reason)
        gpus, liability = got.get(key, (0.0, 0.0, 0))[:2]
        got[key] = gpus + o.gpus, liability + (o.liability or 0.0), o.order_by_s
    found.check_rows(
        "orders",
        {key: (gpus, order_by) for key, (gpus, _, order_by) in got.items()},
        {key: (row.gpus, row.order_by) for key, row in expected.orders.items()},
    )
    found.check_rows(
        "liability of orders",
        {key: (liability,) for key, (_, liability, _) in got.items()},
        {key: (row.liability,) for key, row in expected.orders.items()},
        MONEY_USD,
    )
    for name in ("liability_now", "liability"):
        found.check(name, getattr(advice.totals, name), getattr(expected, name), MONEY_USD)
    found.check_rows(
        "gpus_to_sign",
        {(one.pool, one.gpu_model): (one.gpus,) for one in advice.totals.gpus_to_sign},
        {key: (gpus,) for key, gpus in expected.gpus_to_sign.items()},
    )


def _unserved(found, advice, expected):
    """Who is served by nobody; $ of what a budget gave up."""
    got = {(part_of(one), one.key): (one.gpu_hours, one.usd_per_month or 0.0) for one in advice.unserved}
    found.check_rows("unserved", got, expected.unserved, MONEY_USD)


def _months(found, advice, expected):
    """What each month costs, its contracts, orders, use, and what is unserved."""
    if len(advice.comparison) != 12:
        found.append(("comparison", len(advice.comparison), 12))
    for t, (row, month) in enumerate(zip(advice.comparison, expected.comparison, strict=False)):
        found.check(("comparison", t, "start"), row.start_s, month.start_s)
        for name, value, tolerance in (
            ("do_nothing_usd", month.do_nothing, MONEY_USD),
            ("plan_usd", month.plan.usd, MONEY_USD),
            ("contracts_usd", month.plan.contracts, MONEY_USD),
            ("orders_usd", month.plan.orders, MONEY_USD),
            ("use_usd", month.plan.use, MONEY_USD),
            ("unserved_gpu_hours", sum(month.plan.unserved.values()), 1e-6),
            ("do_nothing_unserved_gpu_hours", month.do_nothing_unserved, 1e-6),
        ):
            found.check(("comparison", t, name), getattr(row, name), value, tolerance)


def _pool(found, key, row, group):
    for name in ("gpu_hours", "mean_gpus", "p95_gpus", "peak_gpus"):
        found.check((key, name), getattr(row.demand, name), getattr(group, name))
    found.check((key, "block"), row.block, group.block)
    found.check((key, "r_flex"), row.flex.rate, group.usage.r_flex)
    found.check((key, "on_demand_rate"), row.supply.on_demand_rate, group.on_demand_rate)
    found.check_rows((key, "demand"), enumerated(row.demand.hourly_gpus), enumerated(group.hourly))


def enumerated(values):
    return {index: (float(value),) for index, value in enumerate(values)}
