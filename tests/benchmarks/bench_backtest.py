"""How well the advice does on logs it has not seen: 16 kinds of made demand, by the month alone and on a ladder.

    python -m tests.benchmarks.bench_backtest                 seeds that may be looked at while working
    python -m tests.benchmarks.bench_backtest --held-out      seeds that nothing was tuned on
    python -m tests.benchmarks.bench_backtest --each 3 --kind "walk 20%"

Prints what each way of buying cost as a multiple of hindsight, by kind (the mean over its logs, each log alike), and
the bars: by the month and on the ladder the mean over kinds within a point of the best single lookback, by the month
steady kinds within 3% of the best lookback, on the ladder none but lone runs and steps over 1.25.
"""

import argparse
import time
from decimal import Decimal

import numpy as np

from gpuplanner.domain.commitment.advice_backtest import backtest_history, variants_of
from gpuplanner.domain.commitment.history import LOOKBACKS, history_of
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Workload, cube_from_entries
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import Window
from tests.benchmarks.demand_kinds import HOURS, KINDS, STEADY_KINDS, SUDDEN_KINDS, made_gpus

MARKETS = {
    "by the month": {0: "6.88", 1: "3.50"},
    "on a ladder": {0: "6.88", 1: "3.50", 3: "3.30", 6: "3.10", 12: "2.90", 24: "2.60", 36: "2.40"},
}
HELD_OUT = 1000
"""The first seed of those that nothing was tuned on."""
SHOWN = {
    "advice": "advice",
    "lookback_7": "7 d",
    "lookback_28": "28 d",
    "lookback_56": "56 d",
    "lookback_7_cheapest": "7 any",
    "lookback_28_cheapest": "28 any",
    "lookback_56_cheapest": "56 any",
    "peak": "peak",
    "mean": "mean",
    "on_demand": "on dem.",
}


def project_of(gpus, rates, **assumptions):
    """One workload with this demand, and these offers."""
    zeros = np.zeros(HOURS, dtype=np.int64)
    amount = np.round(gpus * 3_600_000).astype(np.int64)
    cube = cube_from_entries(HOURS, ("H100",), zeros, zeros, np.arange(HOURS), amount)
    offers = tuple(
        Offer(
            offer_id=f"t{term:02d}",
            gpu_model="H100",
            pricing_category=PricingCategory.COMMITTED if term else PricingCategory.STANDARD,
            term_months=term,
            rate_usd_per_gpu_hour=Decimal(rate),
        )
        for term, rate in rates.items()
    )
    workload = Workload(
        key="c/t/w", name="w", cluster="c", owner="t", jobs=1, gpu_jobs=1, milli_gpu_seconds=int(amount.sum())
    )
    settings = Assumptions().with_values(assumptions)
    return Project(
        window=Window(0, HOURS), cube=cube, workloads=(workload,), offers=offers, assumptions=settings
    )


def over_hindsight(gpus, rates, **assumptions):
    """What each way of SHOWN cost as a multiple of hindsight."""
    project = project_of(gpus, rates, **assumptions)
    answer = backtest_history(history_of(project, Scenario(name="Plan A"), (Pool.INFERENCE,)))
    return [answer.totals[way] / answer.totals["hindsight"] for way in SHOWN]


def row(name, values):
    """One line of the table."""
    return f"{name:14}" + "".join(f"{one:>9.3f}" for one in values)


def print_market(name, rates, kinds, seeds, is_smooth, assumptions):
    """The table of one market, and its bars."""
    print(f"\n{name}: " + ", ".join(f"{term} months {rate}" for term, rate in rates.items()))
    print(f"{'kind':14}" + "".join(f"{title:>9}" for title in SHOWN.values()) + f"{'worst':>9}")
    table, begin = {}, time.process_time()
    for kind in kinds:
        logs = [over_hindsight(made_gpus(kind, seed, is_smooth), rates, **assumptions) for seed in seeds]
        table[kind] = np.mean(logs, axis=0)
        print(row(kind, [*table[kind], max(log[0] for log in logs)]), flush=True)
    mean = np.mean(list(table.values()), axis=0)
    print(row("mean", mean))
    print(f"{(time.process_time() - begin) / len(kinds) / len(seeds):.2f} s of processor time a log")
    ways = list(SHOWN)
    lookbacks = [ways.index(way) for way in LOOKBACKS]
    best = min(lookbacks, key=lambda place: mean[place])
    print(f"advice {mean[0]:.4f}, best single lookback {mean[best]:.4f} ({SHOWN[ways[best]]})")
    for kind in kinds:
        least = min(table[kind][place] for place in lookbacks)
        if kind in STEADY_KINDS and table[kind][0] > 1.03 * least:
            print(f"  {kind}: {table[kind][0] / least - 1:.1%} over its best lookback")
        if kind not in SUDDEN_KINDS and table[kind][0] > 1.25 * least:
            print(f"  {kind}: {table[kind][0] / least:.2f} x its best lookback")


def print_speed():
    """How long a whole backtest takes, with the settings that are tried."""
    project = project_of(made_gpus("walk 20%", HELD_OUT), MARKETS["on a ladder"])
    begin = time.process_time()
    history = history_of(project, Scenario(name="Plan A"), (Pool.INFERENCE,))
    cut = time.process_time()
    backtest_history(history)
    walked = time.process_time()
    variants_of(history)
    print(
        f"\nprocessor time of one log of 12 months: {cut - begin:.2f} s to cut, {walked - cut:.2f} s to walk, "
        f"{time.process_time() - walked:.2f} s for the settings"
    )


def main():
    """Print the tables."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--held-out", action="store_true")
    words.add_argument("--each", type=int, default=12, help="logs of each kind")
    words.add_argument("--smooth", action="store_true", help="without the texture of a real cluster")
    words.add_argument("--kind", action="append", choices=list(KINDS))
    words.add_argument("--market", action="append", choices=list(MARKETS))
    words.add_argument("--set", action="append", default=[], help="NAME=NUMBER, an assumption")
    asked = words.parse_args()
    first = HELD_OUT if asked.held_out else 0
    assumptions = {name: float(value) for name, value in (one.split("=") for one in asked.set)}
    for name in asked.market or MARKETS:
        seeds = range(first, first + asked.each)
        print_market(name, MARKETS[name], asked.kind or list(KINDS), seeds, asked.smooth, assumptions)
    print_speed()


if __name__ == "__main__":
    main()
