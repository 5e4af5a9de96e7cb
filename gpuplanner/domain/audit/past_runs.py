"""What sharing did to training runs of the log: contended hours, idle tails after them, what was on commitments."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from statistics import median_low

import numpy as np

from gpuplanner.domain.audit.idle_leaks import idle_part, tails_in
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.audit.utilization import shares_of_contracts
from gpuplanner.domain.figures.leak import LEAK
from gpuplanner.domain.figures.training import PAST_RUN
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.intake import LoggedRun
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, HOUR_S


@dataclass(frozen=True, slots=True)
class PastRun:
    """A run of the log, with figures by the keys of PAST_RUN or LEAK. workload: without a key where it is not known.

    run: the job's id, "" where it is not known; start_s: epoch seconds, of a tail when the run stopped; state: as
    schedulers say.
    """

    workload: Workload
    run: str
    start_s: int
    figures: Mapping[str, float | None] = field(hash=False)
    state: str = ""


def _trained(past: Past) -> list[tuple[Workload, LoggedRun]]:
    """Training runs that the log kept, by start."""
    found = zip(past.project.workloads, past.classifications, strict=True)
    trains = {workload.key: workload for workload, one in found if one.pool is Pool.TRAINING}
    return [(trains[run.key], run) for run in past.project.jobs.runs if run.key in trains]


def _row(workload: Workload, run: LoggedRun, **given: float | None) -> PastRun:
    unknown = dict.fromkeys(("idle_hours", "contended_hours", "usual_hours", "committed_share"))
    figures = PAST_RUN.row({**unknown, "hours": run.hours, "gpus": run.milli_gpus / 1000, **given})
    return PastRun(workload, run.job_id, run.start_s, figures, run.state)


def contended_runs(past: Past) -> list[PastRun]:
    """Runs in hours with more demand for their GPU model than GPUs, beside runs of the workload on as many GPUs without
    any: the lower median of those that completed. By start. Source: docs/formulas.md, Training.
    """
    masks = {
        (hours.cluster, model): short > 0
        for hours in past.clusters
        for model, short in zip(hours.models, hours.contended, strict=True)
    }
    met = []
    without: dict[tuple[str, int], list[float]] = {}
    for workload, run in _trained(past):
        mask = masks.get((workload.cluster, run.gpu_model))
        spent = 0 if mask is None else int(run.hourly(past.project.window)[mask].sum())
        if spent:
            met.append((workload, run, spent / run.milli_gpus / HOUR_S))
        elif run.state in ("COMPLETED", "") and run.start_s >= past.project.window.start_s:
            without.setdefault((run.key, run.milli_gpus), []).append(run.hours)
    usual = {of: median_low(hours) for of, hours in without.items()}
    return [
        _row(workload, run, contended_hours=hours, usual_hours=usual.get((run.key, run.milli_gpus)))
        for workload, run, hours in met
    ]


def long_runs(past: Past) -> list[PastRun]:
    """Runs of over a day, by start, with the share of their GPU-hours in the window that commitments served;
    unknown without any contract.

    Source: docs/formulas.md, Training.
    """
    shares = {}
    for hours in past.clusters:
        committed = np.array([one.is_committed for one in hours.contracts], dtype=np.float64)
        for model, by_hour in shares_of_contracts(hours).items():
            shares[hours.cluster, model] = committed @ by_hour
    found = []
    for workload, run in _trained(past):
        share_by_hour = shares.get((workload.cluster, run.gpu_model))
        if run.end_s - run.start_s > DAY_S and share_by_hour is not None:
            held = run.hourly(past.project.window)
            share = float(held @ share_by_hour) / int(held.sum()) if past.project.contracts else None
            found.append(_row(workload, run, committed_share=share))
    return found


def idle_tail_rows(past: Past) -> list[PastRun]:
    """Each tail of the leak, by cluster and beginning, with the run that ended. Law: they add up to the leak."""
    window, ended, found = past.project.window, _ended(past), []
    for hours, tails in tails_in(past):
        for tail in tails:
            parts = [idle_part(*of) for of in zip(hours.contracts, tail.idle.tolist(), strict=True)]
            given = {
                "idle_hours": (tail.end_s - tail.begin_s) / HOUR_S,
                "gpu_hours": sum(part.gpu_hours for part in parts),
                "leaked_in_window": known_sum(part.paid for part in parts),
                "months": window.months,
            }
            figures = {**given, **LEAK.row(given, ["leaked_per_month"])}
            begin_s = window.start_s + tail.begin_s
            found.append(PastRun(*ended(hours.cluster, begin_s), begin_s, figures))
    return found


def _ended(past: Past) -> Callable[[str, int], tuple[Workload, str]]:
    """Finds the training that ended when a tail began, epoch seconds: of kept runs the largest, else what trained most
    in the hour before.
    """
    runs: dict[tuple[str, int], tuple[int, Workload, str]] = {}
    for workload, run in _trained(past):
        of = workload.cluster, run.end_s
        if of not in runs or runs[of][0] < run.milli_gpus:
            runs[of] = run.milli_gpus, workload, run.job_id
    window, hourly_of = past.project.window, cache(past.project.cube.hourly_of)

    def ended(cluster: str, at_s: int) -> tuple[Workload, str]:
        if (cluster, at_s) in runs:
            return runs[cluster, at_s][1:]
        hour = (at_s - 1 - window.start_s) // HOUR_S
        spent = [(int(hourly_of(place)[hour]), -place) for place in past.members(cluster, Pool.TRAINING)]
        most, place = max(spent, default=(0, 0))
        return past.project.workloads[-place] if most else Workload("", "", cluster, ""), ""

    return ended
