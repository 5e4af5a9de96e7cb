"""A drag, timed: move + figures, then advice, beside the pandas groupby a user would write for the same answer.

Run: python tests/benchmarks/bench_drag.py [WORKLOADS HOURS]. Prints medians and ratios; asserts nothing of time.
"""

import statistics
import sys
import time
from collections.abc import Callable
from decimal import Decimal

import numpy as np
import pandas as pd

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.edits.workloads import move_workloads
from gpuplanner.domain.evaluation import advise_plan, audit_project, evaluate_figures
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Workload, cube_from_entries
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, Pool, PricingCategory
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.files.system.resources import read_tables

START_S = 1_780_272_000
FILLED = 0.10
CLUSTERS = ("atlas", "borealis", "cedar")
NAMES = ("llama-pretrain", "vllm-chat", "optuna-sweep", "run", "nightly-eval", "triton-rank")


def made_project(workloads: int, hours: int) -> Project:
    """A random project: 10% of hours filled, one GPU model, three clusters, six contracts, a ladder of offers."""
    random = np.random.default_rng(1)
    count = int(workloads * hours * FILLED)
    of_workload = random.integers(0, workloads, count)
    hour = random.integers(0, hours, count)
    milli_gpus = random.choice([1000, 2000, 4000], count)
    cube = cube_from_entries(
        hours, ("H100",), of_workload, np.zeros(count, dtype=np.int64), hour, milli_gpus * HOUR_S
    )
    totals = np.zeros(workloads, dtype=np.int64)
    np.add.at(totals, cube.workload_index, cube.row_totals)
    facts = tuple(
        Workload(
            key=f"{index:06d}/team/{NAMES[index % len(NAMES)]}",
            name=NAMES[index % len(NAMES)],
            cluster=CLUSTERS[index % 3],
            owner="team",
            jobs=10,
            gpu_jobs=10,
            milli_gpu_seconds=int(totals[index]),
            median_job_s=HOUR_S,
            longest_job_s=8 * HOUR_S,
            max_nodes=1,
        )
        for index in range(workloads)
    )
    mean_gpus = int(totals.sum() / 3_600_000 / hours)
    contracts = tuple(
        Contract(
            contract_id=f"c{number}",
            cluster=CLUSTERS[number % 3],
            gpu_model="H100",
            milli_gpus=max(1, mean_gpus // 8) * 1000,
            rate_usd_per_gpu_hour=Decimal("2.75"),
            start_s=START_S - HOUR_S,
            end_s=START_S + hours * HOUR_S + (number + 2) * 730 * HOUR_S,
            term_months=12,
        )
        for number in range(6)
    )
    rates = {1: "3.50", 3: "3.20", 6: "2.95", 12: "2.60", 24: "2.30", 36: "2.00"}
    offers = (
        Offer(
            offer_id="od",
            gpu_model="H100",
            pricing_category=PricingCategory.STANDARD,
            term_months=0,
            rate_usd_per_gpu_hour=Decimal("6.88"),
        ),
        *(
            Offer(
                offer_id=f"t{term:02d}",
                gpu_model="H100",
                pricing_category=PricingCategory.COMMITTED,
                term_months=term,
                rate_usd_per_gpu_hour=Decimal(rate),
            )
            for term, rate in rates.items()
        ),
    )
    return Project(
        window=Window(START_S, hours), cube=cube, workloads=facts, contracts=contracts, offers=offers
    )


def median_ms(run: Callable[[int], object], rounds: int) -> float:
    """Median of single runs, in ms of processor time; each gets its number, so that no two do the same work."""
    times = []
    for number in range(rounds):
        begun = time.process_time()
        run(number)
        times.append(time.process_time() - begun)
    return statistics.median(times) * 1000


Work = Callable[[int], object]


def works(project: Project) -> tuple[Work, Work, Callable[[], object]]:
    """Move + figures, the groupby for the same answer, and advice on what the moves came to."""
    workloads = len(project.workloads)
    audit = audit_project(project, read_tables())
    scenario = project.scenarios[0].name
    figures = evaluate_figures(project, scenario, audit)
    keys = [workload.key for workload in project.workloads]
    cache = AdviceCache()
    state = {"project": project, "figures": figures}

    def drag(number: int) -> None:
        after = move_workloads(state["project"], scenario, [keys[number * 37 % workloads]], POOLS[number % 3])
        state["project"], state["figures"] = after, evaluate_figures(after, scenario, audit, state["figures"])

    entries = pd.DataFrame(
        {
            "workload": project.cube.workload_index[project.cube.entry_row],
            "hour": project.cube.hour,
            "amount": project.cube.milli_gpu_seconds,
        }
    )
    pools = pd.Series([card.pool.value for card in figures.cards])

    def groupby(number: int) -> pd.Series:
        pools[number] = Pool.BURST.value
        return entries.groupby([entries["workload"].map(pools), "hour"])["amount"].sum()

    return drag, groupby, lambda: advise_plan(state["project"], state["figures"], cache)


def main() -> None:
    """Build, time, print."""
    workloads, hours = (int(word) for word in (sys.argv[1:3] or ("5000", "2160")))
    project = made_project(workloads, hours)
    drag, groupby, advise = works(project)
    advise()
    drag_ms, groupby_ms = median_ms(drag, 60), median_ms(groupby, 5)
    advice_ms, rounds = 0.0, 15
    for number in range(rounds):
        drag(number)
        advice_ms += median_ms(lambda _: advise(), 1)
    print(f"{workloads:,} workloads x {hours:,} h, {len(project.cube.hour):,} filled hours")
    print(f"move + figures     {drag_ms:9.2f} ms   {drag_ms / 16:6.2f} of a 16 ms frame")
    print(f"pandas groupby     {groupby_ms:9.2f} ms   {groupby_ms / drag_ms:6.0f} x move + figures")
    print(f"advice after it    {advice_ms / rounds:9.2f} ms   {advice_ms / rounds / 100:6.2f} of 100 ms")


if __name__ == "__main__":
    main()
