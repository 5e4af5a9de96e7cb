"""How well the advice does on logs it has not seen: families of made-up demand, half of them held out.

    python tests/benchmarks/bench_backtest.py              the half that may be looked at while working
    python tests/benchmarks/bench_backtest.py --held-out   the other half, to be run once and reported

Prints, for every family, what each way of buying cost as a multiple of hindsight, and the time of a whole backtest.
careful: the setting that the walk begins with; best: the best of the three lookbacks on each log.
"""

import argparse
import time
from collections.abc import Callable
from decimal import Decimal

import numpy as np

from gpuplanner.domain.commitment.backtest import backtest_history
from gpuplanner.domain.commitment.history import history_of
from gpuplanner.domain.commitment.variants import RECENT_FALL, variants_of
from gpuplanner.domain.model.cube import cube_from_entries
from gpuplanner.domain.model.offer import Offer
from gpuplanner.domain.model.pool import Pool, PricingCategory
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario import Scenario
from gpuplanner.domain.model.window import HOURS_PER_MONTH, Window
from gpuplanner.domain.model.workload import Workload

MONTHS = 12
HOURS = MONTHS * HOURS_PER_MONTH
RATES = {0: "6.88", 1: "3.50", 3: "3.15", 6: "2.95", 12: "2.75"}
Shape = Callable[[np.random.Generator, np.ndarray], np.ndarray]


def daily(rng: np.random.Generator, hours: np.ndarray) -> np.ndarray:
    """A day's wave of some height."""
    return 1 + rng.uniform(0, 0.4) * np.sin(2 * np.pi * (hours % 24) / 24 + rng.uniform(0, 6))


def steady(rng: np.random.Generator, hours: np.ndarray) -> np.ndarray:
    """The same every week."""
    return rng.uniform(10, 120) * daily(rng, hours)


def growing(rng: np.random.Generator, hours: np.ndarray) -> np.ndarray:
    """Up by 2-15% a month."""
    return steady(rng, hours) * (1 + rng.uniform(0.02, 0.15)) ** (hours / HOURS_PER_MONTH)


def dying(rng: np.random.Generator, hours: np.ndarray) -> np.ndarray:
    """Down by 5-25% a month."""
    return steady(rng, hours) * (1 - rng.uniform(0.05, 0.25)) ** (hours / HOURS_PER_MONTH)


def stepping(rng: np.random.Generator, hours: np.ndarray) -> np.ndarray:
    """A few sudden changes of level."""
    level = np.ones(len(hours))
    for at in rng.integers(0, len(hours), size=rng.integers(2, 5)):
        level[at:] *= rng.uniform(0.5, 1.8)
    return steady(rng, hours) * level


def seasonal(rng: np.random.Generator, hours: np.ndarray) -> np.ndarray:
    """Busy and quiet months in turn."""
    period = rng.uniform(2, 6) * HOURS_PER_MONTH
    return steady(rng, hours) * (1 + rng.uniform(0.2, 0.6) * np.sin(2 * np.pi * hours / period))


FAMILIES: dict[str, Shape] = {one.__name__: one for one in (steady, growing, stepping, seasonal, dying)}


def project_of(gpus: np.ndarray) -> Project:
    """One inference workload with this demand, and a ladder of offers."""
    count = len(gpus)
    zeros = np.zeros(count, dtype=np.int64)
    amount = np.round(gpus * 3_600_000).astype(np.int64)
    cube = cube_from_entries(count, ("H100",), zeros, zeros, np.arange(count), amount)
    offers = tuple(
        Offer(
            f"t{term:02d}",
            "H100",
            PricingCategory.COMMITTED if term else PricingCategory.STANDARD,
            term,
            Decimal(rate),
        )
        for term, rate in RATES.items()
    )
    workload = Workload("c/t/w", "w", "c", "t", jobs=1, gpu_jobs=1, milli_gpu_seconds=int(amount.sum()))
    return Project(Window(0, count), cube, (workload,), offers=offers)


def main() -> None:
    """Print the table."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--held-out", action="store_true")
    words.add_argument("--each", type=int, default=6, help="logs of each family")
    asked = words.parse_args()
    first = 1000 if asked.held_out else 0
    print(
        f"{'family':10}{'as set':>9}{'careful':>9}{'best so far':>13}{'7 days':>9}{'28 days':>9}{'56 days':>9}"
        f"{'best':>9}{'s a log':>9}"
    )
    for name, shape in FAMILIES.items():
        rows, spent = [], 0.0
        for seed in range(first, first + asked.each):
            rng = np.random.default_rng([list(FAMILIES).index(name), seed])
            noise = np.exp(0.05 * rng.standard_normal(HOURS // 24 + 1)).repeat(24)[:HOURS]
            project = project_of(shape(rng, np.arange(HOURS)) * noise)
            begin = time.perf_counter()
            history = history_of(project, Scenario("Plan A"), (Pool.INFERENCE,))
            answer, variants = backtest_history(history), variants_of(history)
            spent += time.perf_counter() - begin
            best = answer.totals["hindsight"] or 1.0
            careful = next(one.usd for one in variants if one.name == RECENT_FALL)
            lookbacks = [answer.totals[f"lookback_{days}"] or 0.0 for days in (7, 28, 56)]
            usd = [variants[0].usd, careful, variants[-1].usd, *lookbacks, min(lookbacks)]
            rows.append([(one or 0.0) / best for one in usd])
        means = np.mean(rows, axis=0)
        print(
            f"{name:10}"
            + "".join(f"{one:>{w}.3f}" for one, w in zip(means, (9, 9, 13, 9, 9, 9, 9), strict=True)),
            end="",
        )
        print(f"{spent / asked.each:>9.2f}")


if __name__ == "__main__":
    main()
