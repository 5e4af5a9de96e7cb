"""The audit, timed, beside a fixed numpy loop; and where its time goes.

Run: python tests/benchmarks/bench_audit.py [WORKLOADS HOURS]. Prints medians and ratios; asserts nothing of time.
The reference walks clusters and hours of the same cube, one workload after another, and serves every hour.
"""

import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from bench_drag import made_project

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.audit.leak_list import find_leaks
from gpuplanner.domain.audit.spend.on_demand_rates import eligible_rates
from gpuplanner.domain.audit.spend.workload_spend import workload_usd_per_month
from gpuplanner.domain.audit.use_by import Ran, window_use
from gpuplanner.domain.audit.utilization.contention import contention_by_cluster
from gpuplanner.domain.audit.utilization.dispatch import dispatch_window
from gpuplanner.domain.demand.classification import classify
from gpuplanner.domain.model.project import Project
from gpuplanner.files.system.resources import read_tables

ROUNDS = 5
TEAMS = 200


def with_teams(project: Project) -> Project:
    """The same project with its workloads spread over so many teams, each activity known."""
    workloads = tuple(
        replace(workload, owner=f"team-{place % TEAMS:03d}", activity=0.3 + place % 50 / 100)
        for place, workload in enumerate(project.workloads)
    )
    return replace(project, workloads=workloads)


def reference(project: Project) -> int:
    """Milli-GPU-seconds served: every workload's hours added to its cluster, then every hour served by rank."""
    cube, hours = project.cube, project.window.hours
    demand = {workload.cluster: np.zeros(hours, dtype=np.int64) for workload in project.workloads}
    for row, place in enumerate(cube.workload_index.tolist()):
        span = slice(int(cube.offsets[row]), int(cube.offsets[row + 1]))
        demand[project.workloads[place].cluster][cube.hour[span]] += cube.milli_gpu_seconds[span]
    served = 0
    for cluster, wanted in demand.items():
        left = wanted.copy()
        for contract in project.contracts:
            if contract.cluster == cluster:
                taken = np.minimum(left, contract.milli_gpus * 3600)
                left -= taken
                served += int(taken.sum())
    return served


def median_ms(run: Callable[[], object]) -> tuple[float, float]:
    """Medians of single runs, in ms: by the clock, and of processor time, which others on the machine change less."""
    clock, processor = [], []
    for _ in range(ROUNDS):
        begun, spent = time.perf_counter(), time.process_time()
        run()
        clock.append(time.perf_counter() - begun)
        processor.append(time.process_time() - spent)
    return statistics.median(clock) * 1000, statistics.median(processor) * 1000


def main() -> None:
    """Build, time, print."""
    workloads, hours = (int(word) for word in (sys.argv[1:3] or ("5000", "8760")))
    project = with_teams(made_project(workloads, hours))
    begun = time.perf_counter()
    classified = classify(project.workloads, project.cube, project.labels, read_tables())
    classify_ms = (time.perf_counter() - begun) * 1000
    classes = [one.pool for one in classified]
    answer = audit(project, classified)
    assert answer.use is not None
    assert int(answer.use.everything.hours_of_week.used.sum()) == reference(project)
    clusters = dispatch_window(project, classes)
    usd = workload_usd_per_month(project, clusters)
    rates = eligible_rates(project, classes)
    parts: dict[str, Callable[[], object]] = {
        "serving the window": lambda: dispatch_window(project, classes),
        "workloads' money": lambda: workload_usd_per_month(project, clusters),
        "activity": lambda: Ran(project).by_cluster(),
        "leaks": lambda: find_leaks(
            Past(
                project=project,
                classifications=tuple(classified),
                clusters=clusters,
                workload_usd_per_month=tuple(usd),
                rates=rates,
            )
        ),
        "contended hours": lambda: contention_by_cluster(project, classes, clusters),
        "use, hours of the week": lambda: window_use(project, clusters, {}, usd, Ran(project)),
    }
    whole, fixed = median_ms(lambda: audit(project, classified)), median_ms(lambda: reference(project))
    print(f"{workloads:,} workloads x {hours:,} h, {len(project.cube.hour):,} filled hours, {TEAMS} teams")
    print("                            clock  processor")
    print(
        f"audit                   {whole[0]:9.1f}  {whole[1]:9.1f} ms   {whole[0] / 1000:5.2f} of 1 s by the clock"
    )
    ratio = whole[1] / fixed[1]
    print(
        f"numpy reference         {fixed[0]:9.1f}  {fixed[1]:9.1f} ms   audit takes {ratio:5.2f} x its processor time"
    )
    for name, run in parts.items():
        taken = median_ms(run)
        print(f"  {name:<22}{taken[0]:9.1f}  {taken[1]:9.1f} ms")
    print(f"classes (before it)     {classify_ms:9.1f} ms by the clock")


if __name__ == "__main__":
    main()
