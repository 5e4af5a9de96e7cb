"""Retraining: how often training workloads run again, by the median gap between the starts of their runs."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Any

from gpuplanner.domain.audit import cost_result
from gpuplanner.domain.audit.unit_costs.cost_lists import most_expensive_first
from gpuplanner.domain.figures.unit_costs import RETRAINING
from gpuplanner.domain.model.amounts import grouped, known_sum
from gpuplanner.domain.model.window import DAY_S, Window
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Retraining:
    """One training workload. gaps_days: between starts in the window, in their order; days_between: the middle of them.

    A run that was on as the window began has no known start. Money: $ of the window; None: unknown.
    """

    key: str
    name: str
    cluster: str
    gaps_days: tuple[float, ...]
    runs: float
    days_between: float | None
    runs_cost: float | None
    cost_per_run: float | None


def retraining_of(runs: Sequence[cost_result.RunCost], window: Window) -> tuple[Retraining, ...]:
    """A row for each workload that has runs, most expensive first. Source: docs/formulas/unit-costs.md."""
    rows = [_row(of_key, window) for of_key in grouped((run.key, run) for run in runs).values()]
    return most_expensive_first(rows, lambda row: (row.runs_cost, row.key))


def _row(runs: Sequence[cost_result.RunCost], window: Window) -> Retraining:
    starts = sorted(run.start_s for run in runs if run.start_s > window.start_s)
    gaps = tuple((after - before) / DAY_S for before, after in pairwise(starts))
    given = {
        "runs": float(len(runs)),
        "days_between": median(gaps) if gaps else None,
        "runs_cost": known_sum(run.cost for run in runs),
    }
    first = runs[0]
    figures: Mapping[str, Any] = RETRAINING.row(given)
    return Retraining(key=first.key, name=first.name, cluster=first.cluster, gaps_days=gaps, **figures)
