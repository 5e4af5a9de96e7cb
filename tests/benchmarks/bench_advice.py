"""How long the advice takes, beside a fixed numpy loop of the same run: python tests/benchmarks/bench_advice.py

Nothing is asserted: figures are printed, with the bars of docs/measurements.md beside them.
"""

import sys
import time
from collections.abc import Callable
from decimal import Decimal

import numpy as np
from fixed_loop import loop_ms

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.recursion.calendar import ANY_TIME
from gpuplanner.domain.commitment.recursion.rates import Prices, falling
from gpuplanner.domain.commitment.recursion.slice_policy import Market, cheapest_policy
from gpuplanner.domain.commitment.recursion.ways import ways_of
from gpuplanner.domain.commitment.uncertainty.outlook import outlook
from gpuplanner.domain.commitment.uncertainty.plan_bands import uncertainty_of
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Cube, Workload
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import MONTH_S, Window

START_S = 1_767_225_600
TERMS = ((1, "5.9"), (3, "5.2"), (6, "4.6"), (12, "3.9"), (24, "3.2"), (36, "2.75"))
AUDIT = Audit(
    classes={},
    workloads=(),
    clusters=(),
    contracts=(),
    leaks=(),
    checks=(),
    spend=1e6,
    unused_per_month=1e5,
    effective_utilization=0.5,
    lock_in_now_months=10.0,
)


def offers() -> tuple[Offer, ...]:
    """Six terms, on demand and spot, of one model."""
    fits = {"gpu_memory_gb": 141.0, "bare_metal": True, "interconnect": "nvlink"}
    listed = [
        Offer(
            offer_id=f"t{term:02d}",
            gpu_model="H100",
            pricing_category=PricingCategory.COMMITTED,
            term_months=term,
            rate_usd_per_gpu_hour=Decimal(rate),
            **fits,
        )  # type: ignore[arg-type]
        for term, rate in TERMS
    ]
    listed.append(
        Offer(
            offer_id="on-demand",
            gpu_model="H100",
            pricing_category=PricingCategory.STANDARD,
            term_months=0,
            rate_usd_per_gpu_hour=Decimal("6.88"),
            **fits,
        )
    )  # type: ignore[arg-type]
    listed.append(
        Offer(
            offer_id="spot",
            gpu_model="H100",
            pricing_category=PricingCategory.DYNAMIC,
            term_months=0,
            rate_usd_per_gpu_hour=Decimal("2.4"),
            **fits,
        )
    )  # type: ignore[arg-type]
    return tuple(sorted(listed, key=lambda offer: offer.offer_id))


def project(hours: int, workloads: int, growth: float) -> tuple[Project, tuple[Pool, ...]]:
    """Two pools with about 500 busy slices each, on three clusters with six contracts that end at different times."""
    random = np.random.default_rng(7)
    filled = 0.1
    per_row = max(1, int(hours * filled))
    hour = np.sort(random.random((workloads, hours)).argsort(axis=1)[:, :per_row], axis=1)
    gpus = random.uniform(0.5, 1.5, (workloads, 1)) * 2 * 540 / (workloads * filled)
    amounts = (gpus * random.uniform(0.6, 1.4, (workloads, per_row)) * 3_600_000).astype(np.int64)
    offsets = np.arange(workloads + 1) * per_row
    index = np.arange(workloads)
    cube = Cube(
        hours=hours,
        gpu_models=("H100",),
        workload_index=index,
        model_index=np.zeros_like(index),
        offsets=offsets,
        hour=hour.ravel(),
        milli_gpu_seconds=amounts.ravel(),
    )
    clusters = tuple("abc"[number % 3] for number in range(workloads))
    cards = tuple(
        Workload(
            key=f"{clusters[n]}/team/w{n:05d}",
            name=f"w{n:05d}",
            cluster=clusters[n],
            owner="team",
            longest_job_s=36_000 + n % 3 * 90_000,
        )
        for n in range(workloads)
    )
    end_s = START_S + hours * 3600
    contracts = tuple(
        Contract(
            contract_id=f"k{number}",
            cluster="abc"[number % 3],
            gpu_model="H100",
            milli_gpus=(40 + 10 * number) * 1000,
            rate_usd_per_gpu_hour=Decimal("3.1"),
            start_s=START_S - MONTH_S,
            end_s=end_s + months * MONTH_S if months else None,
            pool=Pool.TRAINING if number == 4 else None,
        )
        for number, months in enumerate((5, 14, 0, 26, 40, 9))
    )
    order = sorted(range(workloads), key=lambda n: cards[n].key)
    assert order == sorted(order, key=lambda n: cards[n].key)
    made = Project(
        window=Window(START_S, hours),
        cube=cube,
        workloads=cards,
        contracts=contracts,
        offers=offers(),
        assumptions=Assumptions(growth=growth),
    )
    return made, tuple(Pool.TRAINING if n % 2 else Pool.INFERENCE for n in range(workloads))


def best_ms(work: Callable[[], object], times: int = 5) -> float:
    """The quickest of a few runs, in ms of processor time."""
    taken = []
    for _ in range(times):
        begin = time.process_time()
        work()
        taken.append(time.process_time() - begin)
    return 1000 * min(taken)


def recursion_ms() -> float:
    """512 slices x 60 months x 21 levels x 6 terms."""
    shares = np.sort(np.random.default_rng(3).random((1, 21, 512)), axis=2)[:, :, ::-1].copy()
    prices = Prices(falling(0.02, 60))
    ways = ways_of(tuple(o for o in offers() if o.term_months), 60, ANY_TIME, prices)
    market = Market(horizon_months=60, churn=0.01, use_prices=prices.path, sigma=0.1, wacc=0.1)
    months, widths = np.zeros(60, dtype=np.int64), np.ones(512)
    return best_ms(lambda: cheapest_policy(shares, months, ways, 6.88, market, widths))


def drag_ms(hours: int, workloads: int, growth: float) -> tuple[float, float, float]:
    """(first advice, advice after a drag, outlook), ms of processor time."""
    made, pools = project(hours, workloads, growth)
    plan, cache = Scenario(name="Plan A"), AdviceCache()
    begin = time.process_time()
    advice = advise(made, plan, pools, AUDIT, cache)
    first = 1000 * (time.process_time() - begin)
    taken = []
    for card in range(5):
        pools = (
            *pools[:card],
            Pool.INFERENCE if pools[card] is Pool.TRAINING else Pool.TRAINING,
            *pools[card + 1 :],
        )
        begin = time.process_time()
        advice = advise(made, plan, pools, AUDIT, cache)
        taken.append(1000 * (time.process_time() - begin))
    begin = time.process_time()
    outlook(made, plan, pools, advice, cache)
    later = 1000 * (time.process_time() - begin)
    slices = [plan_row.runs[-1].last_slice for plan_row in advice.pools if plan_row.runs]
    print(f"    slices {slices}, block {advice.pools[0].block}", file=sys.stderr)
    return first, min(taken), later


def program_ms(slices: int) -> tuple[float, float]:
    """(recursion, linear programs by HiGHS, one a slice) for the same slices without volatility, ms."""
    from tests.oracle.slice_program import least_usd

    horizon = 60
    price = falling(0.02, horizon)
    market = Market(horizon_months=horizon, churn=0.01, use_prices=price, sigma=0.0, wacc=0.1)
    shares = np.sort(np.random.default_rng(3).random((1, 1, slices)), axis=2)[:, :, ::-1].copy()
    listed = tuple(o for o in offers() if o.term_months)
    ways = ways_of(listed, horizon, ANY_TIME, Prices(price))
    months, widths = np.zeros(horizon, dtype=np.int64), np.ones(slices)
    commit = {
        o.term_months: [
            730
            * (o.rate or 0.0)
            * price[t]
            * sum(market.beta**n for n in range(min(o.term_months, horizon - t)))
            for t in range(horizon)
        ]
        for o in listed
    }

    def by_program() -> None:
        for busy in shares[0, 0]:
            least_usd([730 * busy * 6.88 * one for one in price], commit, market.beta * (1 - market.churn))

    return best_ms(lambda: cheapest_policy(shares, months, ways, 6.88, market, widths)), best_ms(
        by_program, 2
    )


def band_ms(hours: int) -> tuple[float, float]:
    """(band of 500 resamples, the naive loop that sums every drawn hour of one size), ms."""
    made, pools = project(hours, 600, 0.0)
    plan, cache = Scenario(name="Plan A"), AdviceCache()
    advice = advise(made, plan, pools, AUDIT, cache)
    ground = ground_of(made, plan, pools, cache)
    planned, weeks = plan_of(ground, cache), hours // 168

    def naive() -> None:
        drawn = np.random.default_rng(0).integers(0, weeks, size=(500, weeks))
        for weeks_drawn in drawn:
            for pool in advice.pools:
                left = pool.demand.residual_gpus[-weeks * 168 :].reshape(weeks, 168)[weeks_drawn].ravel()
                for run in pool.runs:
                    if run.term_months == 0:
                        low, high = (pool.slicing.below(at) for at in (run.first_slice - 1, run.last_slice))
                        (np.clip(left - low, 0, high - low).mean() * 730 * (pool.flex.rate or 0.0))

    return best_ms(lambda: uncertainty_of(ground, planned, advice)), best_ms(naive, 2)


def main() -> None:
    """Print every figure beside its bar and the reference."""
    reference = loop_ms()
    print(f"reference loop                                      {reference:8.1f} ms")
    taken = recursion_ms()
    print(
        f"recursion 512 x 60 x 21 x 6            (bar  40 ms) {taken:8.1f} ms  {taken / reference:6.2f} x reference"
    )
    for slices in (64, 512):  # what a small pool has, and the most that are planned one by one
        own, program = program_ms(slices)
        print(
            f"{slices:3d} slices without volatility          (bar 100 x) {own:8.1f} ms  HiGHS {program / own:.0f} x"
        )
    own, naive = band_ms(8760)
    print(f"band of 500 resamples, 8,760 h         (bar   4 x) {own:8.1f} ms  naive loop {naive / own:.0f} x")
    for hours, workloads, growth, bar in (
        (2160, 600, 0.0, 100),
        (2160, 5000, 0.0, 100),
        (8760, 600, 0.01, 300),
    ):
        first, drag, later = drag_ms(hours, workloads, growth)
        what = f"{workloads} workloads, {hours} h, growth {growth:g}"
        print(
            f"advice after a drag, {what:32} (bar {bar:3} ms) {drag:8.1f} ms  {drag / reference:6.2f} x reference"
        )
        print(f"    first advice {first:.1f} ms, outlook {later:.1f} ms")


if __name__ == "__main__":
    main()
