"""What sharing did to training runs of the log: contended hours, idle tails after them, what was on commitments."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from statistics import median_low

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.idle_leaks import tails_in
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.audit.utilization import shares_of_contracts
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.leak import LEAK
from gpuplanner.domain.figures.training import PAST_RUN
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.cube import CALLED_NOBODY, Workload
from gpuplanner.domain.model.intake import LoggedRun
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, HOUR_S


@dataclass(frozen=True, slots=True)
class PastRun:
    """A run of the log, with figures by the keys of PAST_RUN or LEAK. workload None: which one ended is not known.

    run: the job's id, "" where it is not known; start_s: epoch seconds, of a tail when the run stopped; state: as
    schedulers say.
    """

    workload: Workload | None
    cluster: str
    run: str
    start_s: int
    figures: Mapping[str, float | None] = field(hash=False)
    state: str = ""

    @property
    def team(self) -> str:
        """Who ran it."""
        return (self.workload.owner if self.workload else "") or CALLED_NOBODY

    @property
    def name(self) -> str | None:
        """The workload that it is a run of."""
        return self.workload.name if self.workload else None


def _trained(past: Past) -> Iterator[tuple[Workload, LoggedRun]]:
    """Training runs that the log kept, by start."""
    found = zip(past.project.workloads, past.classifications, strict=True)
    trains = {workload.key: workload for workload, one in found if one.pool is Pool.TRAINING}
    return ((trains[run.key], run) for run in past.project.jobs.runs if run.key in trains)


def _row(workload: Workload, run: LoggedRun, **given: float | None) -> PastRun:
    unknown = dict.fromkeys(("idle_hours", "contended_hours", "usual_hours", "committed_share"))
    figures = PAST_RUN.row({"hours": run.hours, "gpus": run.milli_gpus / 1000, **unknown, **given})
    return PastRun(workload, workload.cluster, run.job_id, run.start_s, figures, run.state)


def contended_runs(past: Past) -> list[PastRun]:
    """Runs in hours with more demand for their GPU model than GPUs, beside runs of the workload on as many GPUs without
    any: the lower median of those that completed. By start. Source: docs/formulas.md, Training.
    """
    masks = {
        (hours.cluster, model): short > 0
        for hours in past.clusters
        for model, short in zip(hours.models, hours.contended, strict=True)
        if short.any()
    }
    met = []
    for workload, run in _trained(past):
        mask = masks.get((workload.cluster, run.gpu_model))
        spent = 0 if mask is None else int(run.hourly(past.project.window)[mask].sum())
        met.append((workload, run, spent / run.milli_gpus / HOUR_S))
    without: dict[tuple[str, int], list[float]] = {}
    for _, run, hours in met:
        if not hours and run.state in ("COMPLETED", "") and past.project.window.start_s <= run.start_s:
            without.setdefault((run.key, run.milli_gpus), []).append(run.hours)
    usual = {of: median_low(hours) for of, hours in without.items()}
    return [
        _row(workload, run, contended_hours=hours, usual_hours=usual.get((run.key, run.milli_gpus)))
        for workload, run, hours in met
        if hours
    ]


def long_runs(past: Past) -> list[PastRun]:
    """Runs of over a day, by start, with the share of their GPU-hours in the window that commitments served.

    Source: docs/formulas.md, Training.
    """
    shares: dict[tuple[str, str | None], Floats] = {}
    for hours in past.clusters:
        committed = np.array([one.is_committed for one in hours.contracts], dtype=np.float64)
        for model, share in shares_of_contracts(hours).items():
            shares[hours.cluster, model] = committed @ share
    found = []
    for workload, run in _trained(past):
        held_by = shares.get((workload.cluster, run.gpu_model))
        if run.end_s - run.start_s > DAY_S and held_by is not None:
            held = run.hourly(past.project.window)
            part = float(held @ held_by) / int(held.sum())
            found.append(_row(workload, run, committed_share=part))
    return found


def idle_tail_rows(past: Past) -> list[PastRun]:
    """Each tail of the leak, by cluster and beginning, with the run that ended. Law: they add up to the leak."""
    window, ended = past.project.window, _ended(past)
    found = []
    for hours, tails in tails_in(past):
        for tail in tails:
            begin_s = window.start_s + tail.begin_s
            workload, run = ended(hours.cluster, begin_s)
            gpu_hours = (tail.idle / MILLI_GPU_SECONDS_PER_GPU_HOUR).tolist()
            paid = [
                None if one.rate is None and part else part * (one.rate or 0.0)
                for one, part in zip(hours.contracts, gpu_hours, strict=True)
            ]
            given = {
                "gpu_hours": sum(gpu_hours),
                "idle_hours": (tail.end_s - tail.begin_s) / HOUR_S,
                "leaked_in_window": known_sum(paid),
                "months": window.months,
            }
            figures = {**given, **LEAK.row(given, ["leaked_per_month"])}
            found.append(PastRun(workload, hours.cluster, run, begin_s, figures))
    return found


def _ended(past: Past) -> Callable[[str, int], tuple[Workload | None, str]]:
    """Finds the training that ended when a tail began, epoch seconds: of kept runs the largest, else what trained most
    in the hour before.
    """
    runs: dict[tuple[str, int], tuple[Workload, LoggedRun]] = {}
    for workload, run in _trained(past):
        of = workload.cluster, run.end_s
        if of not in runs or runs[of][1].milli_gpus < run.milli_gpus:
            runs[of] = workload, run
    window, hourly_of = past.project.window, cache(past.project.cube.hourly_of)

    def of_hour(cluster: str, at_s: int) -> Workload | None:
        hour = (at_s - 1 - window.start_s) // HOUR_S
        spent = [(int(hourly_of(place)[hour]), -place) for place in past.members(cluster, Pool.TRAINING)]
        most, place = max(spent, default=(0, 0))
        return past.project.workloads[-place] if most else None

    def ended(cluster: str, at_s: int) -> tuple[Workload | None, str]:
        if (known := runs.get((cluster, at_s))) is not None:
            return known[0], known[1].job_id
        return of_hour(cluster, at_s), ""

    return ended
