"""Advice beside the oracle's plan: every difference as (what, got, expected); an empty list is agreement.

Names that the model's new figures are looked for under (each is compared as soon as the engine's values have it):

| value | names |
|---|---|
| Order | reason (now, contract_end, lead_time, growth, bridge, follows, if_it_lasts), liability_usd, term_days |
| ComparisonMonth | contracts_usd, orders_usd, use_usd (None: unknown), unserved_gpu_hours |
| Totals | liability_now_usd, liability_usd |
| Advice | unserved: rows with pool, gpu_model, key, gpu_hours (of the comparison's months), usd_per_month |
| Outlook | savings_steps: rows with step, usd_per_month (tests/domain/commitment/plan/test_comparison.py) |
| PoolAdvice | sigma (in force), demand_fell (bool), block (b of today's slices) |
| Workload | median_milli_gpus (of the median job), for what may run on spot |

new_worlds.ENGINE_LACKS names the rules that are not built yet: strike a name off and its worlds are compared.
Switches, fields of offers and what a planner states are found by new_worlds.rules_the_engine_has: assumptions and
fields of offers by themselves as soon as the values have them; days, planned work, changes and `only` once
projects.Case.project turns `case.stated` (stated.py) into the engine's values and projects.ENGINE_STATES names them.
"""

from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.uncertainty.outlook import outlook
from gpuplanner.domain.model.book.only import gpu_model_of, only_of
from tests.oracle.groups import key_of
from tests.oracle.simulator import simulate
from tests.oracle.steps import savings_steps

MONEY_USD = 0.01
TIGHT = 1e-9


def advice_of(case):
    """The engine's answer to a case."""
    project, pools, found = case.on_board
    return advise(project, case.plan, pools, found)


def disagreements(case):
    """Engine against oracle on one case: the advice and its outlook."""
    advice = advice_of(case)
    if not hasattr(advice.totals, "liability"):
        case.beyond.rules["all_orders"] = False  # the setting that came with them is older than the rule
    expected = simulate(case.project, case.scenario, case.pools, case.classes, case.beyond)
    found = differences(advice, expected)
    project, pools, _ = case.on_board
    answer = outlook(project, case.plan, pools, advice)
    cost = answer.cost_of_separation_usd_per_month
    found.check("cost_of_separation", cost, expected.cost_of_separation, MONEY_USD)
    steps = savings_steps(case.project, case.scenario, case.pools, case.classes, case.beyond)
    got = {one.step: (one.usd_per_month,) for one in answer.savings_steps}
    found.check_rows("savings_steps", got, {step: (usd,) for step, usd in steps.items()}, MONEY_USD)
    return found


def differs(got, expected, tolerance=TIGHT):
    """Unknown only equals unknown; numbers within the tolerance, or within 1e-12 of their size."""
    if got is None or expected is None or isinstance(got, str) or isinstance(expected, str):
        return got != expected
    return not abs(got - expected) <= max(tolerance, 1e-12 * abs(expected))


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
    if set(groups) != set(pools):
        found.append(("pools", set(pools), set(groups)))
    for key in set(groups) & set(pools):
        _pool(found, key, pools[key], groups[key], groups[key].block)
    found.check_rows(
        "idle_existing",
        {row.gpu_model: (row.gpus, row.cost_per_month) for row in advice.idle_existing if row.gpus > 1e-9},
        {model: row for model, row in expected.idle.items() if row[0] > 1e-9},
        MONEY_USD,
    )
    found.check_rows(
        "orders",
        {
            (*part_of(o), o.offer_id, o.term_months, o.start_s, o.reason): (o.gpus, o.order_by_s)
            for o in advice.orders
        },
        {key: (row.gpus, row.order_by) for key, row in expected.orders.items()},
    )
    _figures_of_orders(found, advice.orders, expected.orders)
    _money_of_months(found, advice.comparison, expected.comparison)
    if hasattr(advice, "unserved"):
        found.check_rows(
            "unserved",
            {(*part_of(row), row.key): (row.gpu_hours, row.usd_per_month) for row in advice.unserved},
            expected.unserved,
            1e-6,
        )
    for name in LIABILITY:
        if hasattr(advice.totals, name):
            found.check(name, getattr(advice.totals, name), getattr(expected.totals, name), MONEY_USD)
    found.check_rows(
        "verdicts",
        {v.contract_id: (v.verdict, v.then_term_months, v.gpus, v.order_by_s) for v in advice.verdicts},
        expected.verdicts,
    )
    if len(advice.orders) != len(expected.orders):
        found.append(("number of orders", len(advice.orders), len(expected.orders)))
    found.check_rows(
        "workload_usd",
        {key: (usd,) for key, usd in advice.workload_usd.items() if usd != 0},
        {key: (usd,) for key, usd in expected.workload_usd.items() if usd != 0},
        MONEY_USD,
    )
    for name, ours in TOTALS.items():
        tolerance = 1e-9 if name in NO_MONEY else MONEY_USD
        found.check(name, getattr(advice.totals, name), getattr(expected.totals, ours), tolerance)
    if len(advice.comparison) != 12:
        found.append(("comparison", len(advice.comparison), 12))
    for t, month in enumerate(expected.comparison):
        row = advice.comparison[t]
        found.check(("comparison", t, "start"), row.start_s, month.start_s)
        found.check(("comparison", t, "do_nothing"), row.do_nothing_usd, month.do_nothing, MONEY_USD)
        found.check(("comparison", t, "plan"), row.plan_usd, month.plan.usd, MONEY_USD)
    return found


TOTALS = {
    "today": "current",
    "do_nothing": "do_nothing",
    "plan": "plan",
    "savings": "savings",
    "savings_percent": "savings_percent",
    "savings_vs_do_nothing": "savings_vs_do_nothing",
    "on_demand_equivalent": "on_demand_equivalent",
    "effective_savings_rate": "effective_savings_rate",
    "effective_utilization_now": "effective_utilization_now",
    "effective_utilization_plan": "effective_utilization_plan",
    "unused_now": "unused_now",
    "unused_plan": "unused_plan",
    "lock_in_now_months": "lock_in_now",
    "lock_in_months": "lock_in",
}


NO_MONEY = (
    "savings_percent",
    "effective_savings_rate",
    "effective_utilization_now",
    "effective_utilization_plan",
    "lock_in_now_months",
    "lock_in_months",
)
LIABILITY = ("liability_now", "liability")


def _figures_of_orders(found, rows, expected):
    """What an order costs in all, and its term in days."""
    for name, ours, tolerance in (
        ("liability_usd", "liability", MONEY_USD),
        ("term_days", "term_days", TIGHT),
    ):
        for row in rows:
            key = (*part_of(row), row.offer_id, row.term_months, row.start_s, row.reason)
            if key in expected and hasattr(row, name):
                found.check(
                    ("orders", key, name), getattr(row, name), getattr(expected[key], ours), tolerance
                )


def _money_of_months(found, rows, expected):
    """Contracts, orders, use and what is unserved of each month."""
    for t, (row, month) in enumerate(zip(rows, expected, strict=False)):
        for name, value, tolerance in (
            ("contracts_usd", month.plan.contracts, MONEY_USD),
            ("orders_usd", month.plan.orders, MONEY_USD),
            ("use_usd", month.plan.use, MONEY_USD),
            ("unserved_gpu_hours", sum(month.plan.unserved.values()), 1e-6),
        ):
            if hasattr(row, name):
                found.check(("comparison", t, name), getattr(row, name), value, tolerance)


def _pool(found, key, row, group, block):
    for name in ("gpu_hours", "mean_gpus", "p95_gpus", "peak_gpus"):
        found.check((key, name), getattr(row.demand, name), getattr(group, name))
    found.check((key, "block"), row.block, block)
    for name, ours in (("sigma", group.sigma), ("demand_fell", group.fell)):
        if hasattr(row, name):
            found.check((key, name), getattr(row, name), ours)
    found.check((key, "usd_per_month"), row.cost_per_month, group.usd_per_month, MONEY_USD)
    found.check((key, "r_flex"), row.flex.rate, group.usage.r_flex)
    found.check((key, "on_demand_rate"), row.supply.on_demand_rate, group.on_demand_rate)
    found.check_rows(
        (key, "break_even"),
        {b.term_months: (b.offer_id, b.break_even) for b in row.break_even},
        group.break_even,
    )
    found.check_rows((key, "demand"), enumerated(row.demand.hourly_gpus), enumerated(group.hourly))
    found.check_rows((key, "residual"), enumerated(row.demand.residual_gpus), enumerated(group.residual_now))
    terms = [
        (0 if x.existing else 1, -(x.term_months or 0)) for x in row.layers if x.existing or x.term_months
    ]
    if terms != sorted(terms):
        found.append(((key, "order of layers"), terms, sorted(terms)))
    found.check_rows(
        (key, "layer"), layers(row.layers, "rate", "cost_per_month"), layers(group.layers), MONEY_USD
    )
    if not row.by_hand.is_set and group.slices:
        got = {}
        for run in row.runs:
            for k in range(run.first_slice, run.last_slice + 1):
                got[k] = (run.term_months, run.offer_id if run.term_months else None)
        expected = {}
        for piece in group.slices:
            deal = None if piece.dropped else piece.choice[0, 0]
            expected[piece.k] = (0, None) if deal is None else (deal.months, deal.offer.offer_id)
        found.check_rows((key, "slices"), got, expected)


def enumerated(values):
    return {index: (float(value),) for index, value in enumerate(values)}


def layers(rows, rate="rate_usd_per_gpu_hour", cost="usd_per_month"):
    """{(existing, term, offer): figures}. rate, cost: what the rows call them."""
    return {
        (x.existing, x.term_months, x.offer_id): (
            str(x.pricing_category),
            x.gpus,
            getattr(x, rate),
            x.utilization,
            getattr(x, cost),
            x.spot_share,
        )
        for x in rows
    }
