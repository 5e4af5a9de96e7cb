"""Random small worlds with every rule of the model on or off: what the engine and the simulator must agree on."""

import random

from gpuplanner.domain.model.tables import Pool, PricingCategory
from tests.oracle.projects import GPU_HOUR, MONTH_S, Case
from tests.oracle.stated import ALWAYS, Change, Planned

RULES = {
    "recency": 0.6,
    "fade": 0.6,
    "growth": 0.4,
    "fall": 0.4,
    "lived": 0.5,
    "lone": 0.4,
    "sigma": 0.3,
    "upfront": 0.3,
    "units": 0.2,
    "most": 0.3,
    "least": 0.2,
    "use_most": 0.15,
    "days": 0.3,
    "dates": 0.2,
    "blocks": 0.2,
    "longest": 0.15,
    "share": 0.15,
    "budget": 0.15,
    "plan_from": 0.2,
    "renews": 0.3,
    "begins_ends": 0.3,
    "planned": 0.2,
    "runs": 0.25,
    "changes": 0.25,
    "prices": 0.15,
    "only": 0.15,
    "jobs": 0.3,
    "gaps": 0.2,
    "recurs": 0.15,
    "nodes": 0.15,
    "steady": 0.2,
    "idle": 0.2,
}
"""Every rule with the chance that a world has it."""

STATED = ("begins_ends", "planned", "runs", "changes", "prices", "only")
"""Those that the planner states beside the log."""
APART: set[str] = set()
"""Rules whose worlds are not compared with the engine yet: struck off as soon as both sides agree."""


def new_world(seed, rules=None, always=frozenset()):
    """A Case. rules: those it may have (None: all); the others are off; always: those that it has. The same seed is the
    same world for all of its other parts whatever rules are open, as far as chance allows."""
    r = random.Random(seed)
    on = {name for name, chance in RULES.items() if random.Random(f"{seed} {name}").random() < chance}
    on = on & set(RULES if rules is None else rules) | always
    hours = r.choice([200, 300, 336, 500, 504, 700, 1500])
    hours = max(hours, 1200) if "recurs" in on else hours
    horizon = r.choice([6, 12, 13, 14])
    case = Case(
        hours,
        horizon_months=horizon,
        delta=r.choice([0.0, 0.02, 0.004, -0.02]),
        growth=r.choice([0.03, 0.1, 0.3, -0.03]) if "growth" in on else 0.0,
        sigma=None if "sigma" in on else r.choice([0.0, 0.1, 0.25]),
        block=None if "units" in on else r.choice([1, 1, 2]),
        wacc=r.choice([0.0, 0.1]),
        recency_half_life_days=r.choice([3.0, 14.0]) if "recency" in on else None,
        growth_fade=r.choice([0.5, 0.9]) if "fade" in on else 1.0,
        demand_fall_closes="fall" in on,
        slices_lived="lived" in on,
        spot_for_development=r.random() < 0.3,
        unit=1 if "units" not in on else None,
        max_term_months=r.choice([1, 3, 6]) if "longest" in on else None,
        max_provider_share=r.choice([0.3, 0.5]) if "share" in on else None,
        budget_usd_per_month=730 * r.choice([5.0, 15.0, 40.0]) if "budget" in on else None,
        **{"lambda": r.choice([0.0, 0.01, 0.1])},
    )
    clusters = ("alpha", "beta")[: r.choice([1, 2])]
    for cluster in clusters:
        _workloads(r, case, cluster, on)
    _evidence(random.Random(f"{seed} evidence"), case, on)
    for number in range(r.choice([0, 1, 2, 3])):
        _contract(r, case, number, clusters, on)
    for model, flex in (("H100", 5.0), ("A100", 3.0)):
        _offers(r, case, model, flex, on)
    _stated(r, case, on)
    own = random.Random(f"{seed} nodes and steady work")
    if "nodes" in on:
        _nodes(own, case)
    if "steady" in on:
        _steady(own, case, own.choice(clusters))
    if "idle" in on:
        _idle(random.Random(f"{seed} idle development"), case, clusters)
    if "plan_from" in on:
        case.plan_from_s = case.end_s + r.choice([24, 240, 730, 1000]) * 3600
    if r.random() < 0.1:
        case.under(greenfield=True)
    return case


def _workloads(r, case, cluster, on):
    hours = case.window.hours
    for number in range(r.choice([1, 2, 2])):
        pool = r.choice(["training", "inference", "burst"])
        low, high = r.choice([(0, 3), (2, 2), (1, 6), (4, 9)])
        hourly = [r.choice([low, high]) if h % 24 < 12 else low for h in range(hours)]
        shape = r.choice(["lone", "stopped", "steps", "flat"]) if "lone" in on else "flat"
        edge = r.randrange(hours // 4, hours)
        if shape == "lone":
            hourly = [0 if h < edge else gpus for h, gpus in enumerate(hourly)]
        elif shape == "stopped":
            hourly = [gpus if h < edge else 0 for h, gpus in enumerate(hourly)]
        elif shape == "steps":
            hourly = [gpus if h < edge else gpus // 2 for h, gpus in enumerate(hourly)]
        if not any(hourly):
            hourly[-1] = 1
        case.workload(
            cluster,
            f"w{number}",
            pool,
            hourly,
            r.choice(["H100", "H100", "A100", None]),
            class_=r.choice([pool, pool, "training", "inference"]),
            longest_job_s=r.choice([3600, 20_000, 90_000]),
            median_job_s=r.choice([3600, 90_000]),
            max_milli_gpus=r.choice([1000, 8000]),
            max_nodes=r.choice([None, 1]),
            subtype=r.choice(["", "", "development", "notebook"]) if pool == "burst" else "",
        )


def _evidence(r, case, on):
    """Falls that come back, days without any job, and the largest job of each workload."""
    hours = case.window.hours
    quiet = range(start := r.randrange(hours // 3, hours // 2), start + r.choice([24, 30, 80]))
    for (key, model), hourly in case.demand.items():
        if "recurs" in on and r.random() < 0.7:
            stretch = r.choice([336, 400])
            hourly[:] = [
                gpus if (hours - 1 - h) // stretch % 2 else gpus // 3 for h, gpus in enumerate(hourly)
            ]
        if "gaps" in on:
            hourly[:] = [0 if h in quiet else gpus for h, gpus in enumerate(hourly)]
            if not any(hourly):
                hourly[-1] = GPU_HOUR
        busy = [h for h, gpus in enumerate(hourly) if gpus]
        if "jobs" in on and model is not None:
            first = last = r.choice(busy)
            while last + 1 < hours and hourly[last + 1] and last - first < r.choice([20, 200, 2000]):
                last += 1
            case.job(key, model, min(hourly[first : last + 1]) / GPU_HOUR, first, last + 1)
    if "gaps" in on and r.random() < 0.7:
        case.under(is_gap_missing=True)


def _contract(r, case, number, clusters, on):
    starts, ends = r.choice(
        [(-9, 4.5), (-9, 5), (-0.1, 2.3), (-9, None), (-9, 30), (0.5, 9), (-9, 0.5), (-9, 12.4)]
    )
    renews = {}
    if "renews" in on:
        ends = ends and ends + r.choice([0, 24, 240]) / 730
        renews["renews_months"] = r.choice([None, 1, 3, 12])
    case.contract(
        f"k{number}",
        r.choice(clusters),
        r.choice([1, 2, 3]),
        r.choice([1.5, 2.0, 3.25]),
        starts,
        ends,
        model=r.choice(["H100", "A100"]),
        provider=r.choice(["one", "two", None]),
        pool=r.choice([None, None, Pool.INFERENCE]),
        pricing_category=r.choice([None, PricingCategory.COMMITTED, PricingCategory.STANDARD]),
        term_months=r.choice([None, 6, 12]),
        notice_days=r.choice([None, 0, 45]),
        **renews,
    )
    if renews and r.random() < 0.3:
        case.under(notice_given=(*case.scenario.notice_given, f"k{number}"))


def _offers(r, case, model, flex, on):
    unit = r.choice([2, 4]) if "units" in on else None
    rates = {1: 0.8, 2: 0.75, 3: 0.7, 6: 0.62, 12: 0.5}
    for term in r.sample(sorted(rates), r.choice([2, 3])):
        fields = {"lead_time_hours": r.choice([0, 48, 200, 730, 1000, 1500])}
        fields["provider"] = r.choice(["one", "two", "three"])
        if "upfront" in on and r.random() < 0.5:
            fields["upfront_usd"] = round(730 * term * flex * r.choice([0.05, 0.2]), 2)
        if unit and r.random() < 0.6:
            fields["unit_gpus"] = unit
        if "most" in on and r.random() < 0.5:
            fields["max_gpus"] = r.choice([2, 4])
        if "least" in on and r.random() < 0.5:
            fields["min_gpus"] = r.choice([2, 4, 8])
        if "days" in on and term < 3 and r.random() < 0.6:
            fields["term_days"] = r.choice([7, 14, 45])
        if "blocks" in on and r.random() < 0.4:
            begins = case.end_s + r.choice([0, 100, 500, 900, 2000]) * 3600
            fields["starts_s"] = begins
            days = fields.get("term_days")
            fields["ends_s"] = begins + (days * 86_400 if days else term * MONTH_S)
        if "dates" in on and "starts_s" not in fields and r.random() < 0.5:
            begins = case.end_s + round(r.choice([-1, 0, 0.5, 1]) * MONTH_S)
            fields["starts_s"] = begins
            fields["ends_s"] = begins + round(r.choice([3, 7, 15]) * MONTH_S)
        if "dates" in on and r.random() < 0.3:
            fields["valid_until"] = f"2026-{r.choice(['02', '04', '06'])}-11"
        rate = round(flex * rates[term] * r.choice([1, 1, 0.9]), 2)
        case.offer(f"c{term:02d}-{model}", term, rate, model, **fields)
    limited = "use_most" in on
    most = r.choice([1, 3, 6]) if limited else None
    seller = random.Random(f"{case.end_s} {model} {flex} {len(case.offers)}").choice(["one", "two", None])
    case.offer(f"od-{model}", 0, flex, model, max_gpus=most, provider=seller if "only" in on else None)
    if limited and r.random() < 0.5:
        case.offer(f"od2-{model}", 0, flex + 1, model)
    if r.random() < 0.6:
        case.offer(f"spot-{model}", "spot", round(flex * 0.4, 2), model)


def _nodes(r, case):
    """Bare metal that does not say its unit, in nodes that small pools do not fill."""
    case.nodes = {"H100": r.choice([2, 4, 4]), "A100": 2}
    case.set(unit=None, block=None)
    for offer in case.offers:
        case.change_offer(offer.offer_id, bare_metal=r.choice([True, True, False]))


def _steady(r, case, cluster):
    """Work that holds nearly its peak, now and then a bit less, and ends."""
    pool, gpus, dip = (
        r.choice(["training", "inference", "burst"]),
        r.choice([1, 3, 6]),
        r.choice([0, 1, 1, 6]),
    )
    hourly = [gpus - min(dip, gpus) * (h % 24 == 0) for h in range(case.window.hours)]
    key = case.workload(cluster, "steady", pool, hourly, r.choice(["H100", "A100"]))
    begins_s = r.choice([None, None, case.end_s + r.choice([1, 40]) * 86_400])
    case.stated.dates[key] = begins_s, case.end_s + r.choice([10, 100, 364, 400]) * 86_400


def _idle(r, case, clusters):
    """Development that is held day and night, seldom measured; the log has days enough for long terms without it."""
    for number in range(r.choice([1, 2])):
        longest_h, activity = r.choice([(90, None), (70, None), (30, 0.05), (30, 0.5), (20, 0.05)])
        case.workload(
            r.choice(clusters),
            f"box{number}",
            r.choice(["burst", "burst", "inference"]),
            [r.choice([2, 3])] * case.window.hours,
            r.choice(["H100", "H100", "A100", None]),
            class_=r.choice(["burst", "burst", "burst", "inference"]),
            longest_job_s=longest_h * 3600,
            activity=activity,
            subtype=r.choice(["development", "notebook", "interactive", "sweep"]),
        )


def _stated(r, case, on):
    keys, end_s = sorted(case.pools), case.end_s

    def day(low, high):
        return end_s + r.randrange(low, high) * 86_400

    if "begins_ends" in on:
        for key in keys:
            days = r.choice(
                [None, None, (None, day(0, 200)), (day(0, 60), None), (end_s, None), (None, end_s)]
            )
            if days is not None:
                case.stated.dates[key] = days
    if "planned" in on:
        cluster = r.choice(["", "alpha"])
        case.stated.planned.append(
            Planned(
                key=f"{cluster}/team/planned",
                cluster=cluster,
                pool=r.choice(["training", "inference", "burst"]),
                model=r.choice(["H100", "A100"]),
                gpus=r.choice([2, 5]),
                begins_s=r.choice([None, day(0, 100)]),
                hours=r.choice([ALWAYS, WORKING]),
            )
        )
    if "runs" in on:
        for number in range(r.choice([1, 1, 2])):
            _run(r, case, number, day)
    if "changes" in on:
        what = r.choice([*keys, "all", "training", "inference"])
        by_month = r.random() < 0.4
        case.stated.demand.append(Change(what, r.choice([0.5, 2.0]), day(10, 200), by_month))
    if "prices" in on:
        case.stated.prices.append(Change("H100", r.choice([0.7, 1.3]), day(10, 200), r.random() < 0.4))
    if "only" in on:
        case.stated.only[r.choice(keys)] = ("provider", r.choice(["one", "two"]))


WORKING = frozenset(d * 24 + h for d in range(5) for h in range(8, 20))


def _run(r, case, number, day):
    """Planned work with an end or a length, once or every week."""
    length = r.choice([None, 40, 500, 1008])
    every = 168 if length == 40 else None
    cluster = r.choice(["", "alpha"])
    case.stated.planned.append(
        Planned(
            key=f"{cluster}/team/run{number}",
            cluster=cluster,
            pool=r.choice(["training", "inference", "burst"]),
            model=r.choice(["H100", "A100"]),
            gpus=r.choice([2, 5, 8]),
            begins_s=r.choice([None, day(0, 100)]),
            ends_s=day(100, 200) if length is None or every else None,
            hours=r.choice([ALWAYS, WORKING]) if length is None else ALWAYS,
            length_hours=length,
            every_hours=every,
        )
    )


def rules_the_engine_has():
    """Rules whose worlds engine and simulator are compared in."""
    return set(RULES) - APART
