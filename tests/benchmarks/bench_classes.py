"""How right the classes are: labelled workloads and made ones, by class, difficulty and confidence, and how fast.

Run: python tests/benchmarks/bench_classes.py [--held-out | --second A | B | all | --nameless | --made | --speed]
[--worst N]. Without an option the part of the first labelled set that rules are tuned on; part A of the second set is
for that too. The held-out parts, and part B, are for once, when all is done: what they say is reported as it is, in
docs/decisions/0009-classes-by-points.md.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gpuplanner.domain.demand.classification import Classification, classify
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.tables import POOLS
from gpuplanner.files.system.resources import read_tables
from tests.benchmarks.labelled_traces import labelled_traces, second_set
from tests.benchmarks.traces import Trace, imported

REVIEW_BELOW = 0.60
CONFIDENCE_BANDS = ((0.0, 0.5), (0.5, 0.6), (0.6, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 1.01))
COMPANIES = (("u001", "u060"), ("u061", "u120"), ("u121", "u180"), ("u181", "u240"), ("u241", "u300"))
"""Ids of the second set by made-up company."""
DISPUTED = frozenset(
    (
        *("aml_tx_scoring_daily", "eod_scoring_retail", "credlim_batch_prod", "batch-api-worker"),
        *(
            "batch-api-worker-night",
            "autolabel-stream-prod",
            "face_plate_anonymizer",
            "basecall-dorado-prom24",
        ),
        *("gsplat_recon_clips", "mlperf_dryrun", "seed_var_100x", "bindcraft_il7ra", "nightly_canary_train"),
        *("radar_net_v2_overfit1batch", "cs330_hw3_q2", "staging-vllm-smoke-endpoint"),
        *("lora-multiplex-server-green",),
    )
)
"""Names of the second set that two planners could label in two ways, said by the labeller with the labels."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A trace, the workload made of it, and what it was found to be."""

    trace: Trace
    workload: Workload
    found: Classification

    @property
    def is_right(self) -> bool:
        return self.found.pool is self.trace.truth

    @property
    def is_in_review(self) -> bool:
        return self.found.confidence < REVIEW_BELOW


def judged(traces: Sequence[Trace]) -> list[Judged]:
    """Each trace classified by the product's own tables, without labels."""
    workloads, cube = imported(traces)
    found = classify(workloads, cube, {}, read_tables())
    return [Judged(*row) for row in zip(traces, workloads, found, strict=True)]


def right_share(some: Sequence[Judged]) -> tuple[float, float]:
    """Share that is right, of GPU-hours and of workloads; not a number where there are none."""
    hours = np.array([one.workload.gpu_hours for one in some])
    right = np.array([one.is_right for one in some], dtype=bool)
    if not len(hours):
        return float("nan"), float("nan")
    return float(hours[right].sum() / hours.sum()), float(right.mean())


def report(title: str, some: Sequence[Judged], worst: int) -> None:
    """Print all there is to say of one set."""
    hours = sum(one.workload.gpu_hours for one in some)
    print(f"\n=== {title}: {len(some)} workloads, {hours:,.0f} GPU-hours")
    _confusion(some)
    _line("all", some, hours)
    for difficulty in dict.fromkeys(one.trace.difficulty for one in some):
        _line(difficulty, [one for one in some if one.trace.difficulty == difficulty], hours)
    for first, last in COMPANIES:
        mine = [one for one in some if first <= one.trace.case <= last]
        if mine:
            _line(f"{first} to {last}", mine, hours)
    _line("undisputed", [one for one in some if one.trace.name not in DISPUTED], hours)
    for pool in POOLS:
        _line(f"is {pool}", [one for one in some if one.trace.truth is pool], hours)
    for source in ("rule", "score"):
        _line(f"decided by {source}", [one for one in some if one.found.source == source], hours)
    _line("in review", [one for one in some if one.is_in_review], hours)
    _line("not in review", [one for one in some if not one.is_in_review], hours)
    print("reliability:")
    for low, high in CONFIDENCE_BANDS:
        _line(
            f"  {low:.2f} to {high:.2f}", [one for one in some if low <= one.found.confidence < high], hours
        )
    _subtypes(some)
    _worst(some, hours, worst)


def _line(title: str, some: Sequence[Judged], hours: float) -> None:
    by_hours, plain = right_share(some)
    share = sum(one.workload.gpu_hours for one in some) / hours
    counted = f"{len(some):4d} workloads, {share:6.1%} of GPU-h"
    print(f"{title:>20}: {counted}; right {by_hours:6.1%} of GPU-h, {plain:6.1%} of workloads")


def _confusion(some: Sequence[Judged]) -> None:
    print(f"{'is, found':>12}" + "".join(f"{pool:>26}" for pool in POOLS))
    for truth in POOLS:
        cells = []
        for found in POOLS:
            both = [
                one.workload.gpu_hours for one in some if one.trace.truth is truth and one.found.pool is found
            ]
            cells.append(f"{len(both):5d} ({sum(both):12,.0f} GPU-h)")
        print(f"{truth:>12}" + "".join(f"{cell:>26}" for cell in cells))


def _subtypes(some: Sequence[Judged]) -> None:
    pairs: dict[str, dict[str, int]] = {}
    for one in some:
        if one.is_right and one.trace.subtype:
            found = pairs.setdefault(one.trace.subtype, {})
            found[one.found.subtype] = found.get(one.found.subtype, 0) + 1
    for truth, found in sorted(pairs.items()):
        print(
            f"{truth:>20}: "
            + ", ".join(f"{name} {count}" for name, count in sorted(found.items(), key=lambda pair: -pair[1]))
        )


def _worst(some: Sequence[Judged], hours: float, count: int) -> None:
    wrong = sorted((one for one in some if not one.is_right), key=lambda one: -one.workload.gpu_hours)
    print(f"{len(wrong)} wrong; the dearest {min(count, len(wrong))}:")
    for one in wrong[:count]:
        trace, found = one.trace, one.found
        print(
            f"  {trace.case} {trace.name} [{trace.queue}, {trace.owner}]"
            f" {one.workload.gpu_hours / hours:.2%}: is {trace.truth},"
            f" found {found.pool} {found.confidence:.2f} ({found.source}): {'; '.join(found.reasons)}"
        )


def speed(workloads: int = 5000, hours: int = 8760) -> None:
    """Time of classifying, beside one pass of the same hours through bincount."""
    from tests.benchmarks.bench_drag import made_project

    project, tables = made_project(workloads, hours), read_tables()
    cube = project.cube
    words = [row.name for held_out in (False, True) for row in labelled_traces(held_out=held_out)]
    random = np.random.default_rng(1)
    named = [  # names that differ, so that no reading of one serves another
        replace(one, name=(name := "-".join([*random.choice(words, 2), str(place)])), sample_name=name)
        for place, one in enumerate(project.workloads)
    ]
    took = _median_s(lambda: classify(named, cube, {}, tables))
    of_workload = np.repeat(cube.workload_index, np.diff(cube.offsets))
    one_pass = _median_s(
        lambda: np.bincount(of_workload, weights=cube.milli_gpu_seconds, minlength=workloads)
    )
    print(
        f"{workloads} workloads x {hours} h, {len(cube.hour):,} filled hours: {took:.3f} s,"
        f" {took / one_pass:.1f} x one bincount of the hours"
    )


def _median_s(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(5):
        begun = time.process_time()
        work()
        taken.append(time.process_time() - begun)
    return sorted(taken)[2]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--held-out", action="store_true")
    options.add_argument("--second", choices=("A", "B", "all"))
    options.add_argument("--made", action="store_true")
    options.add_argument("--nameless", action="store_true")
    options.add_argument("--speed", action="store_true")
    options.add_argument("--worst", type=int, default=25)
    chosen = options.parse_args()
    if chosen.speed:
        speed()
    elif chosen.made:
        from tests.benchmarks.made_traces import FAMILIES

        for title, make in FAMILIES.items():
            report(title, judged(make()), chosen.worst)
    elif chosen.held_out:
        report("held out", judged(labelled_traces(held_out=True)), chosen.worst)
    elif chosen.second:
        traces = second_set(None if chosen.second == "all" else chosen.second)
        report(f"second set, {chosen.second}", judged(traces), chosen.worst)
    elif chosen.nameless:
        traces = labelled_traces(held_out=False)
        report(
            "tuned on, names hidden",
            judged([replace(t, name="", queue="", owner="") for t in traces]),
            chosen.worst,
        )
    else:
        report("tuned on", judged(labelled_traces(held_out=False)), chosen.worst)


if __name__ == "__main__":
    main()
