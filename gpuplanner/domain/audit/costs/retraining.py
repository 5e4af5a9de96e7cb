"""How often training workloads are run again: the middle of the gaps between the starts of their runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from gpuplanner.domain.audit.cost_result import RunCost
from gpuplanner.domain.audit.costs.cost_order import most_expensive_first
from gpuplanner.domain.figures.costs.business import RETRAINING
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.window import DAY_S, Window


@dataclass(frozen=True, slots=True)
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


def retraining_of(runs: Sequence[RunCost], window: Window) -> tuple[Retraining, ...]:
    """A row for each workload that has runs, most expensive first. Source: docs/formulas.md, Cost of single things."""
    by_key: dict[str, list[RunCost]] = {}
    for run in runs:
        by_key.setdefault(run.key, []).append(run)
    rows = [_row(of_key, window) for of_key in by_key.values()]
    return most_expensive_first(rows, lambda row: (row.runs_cost, row.key))


def _row(runs: Sequence[RunCost], window: Window) -> Retraining:
    starts = sorted(run.start_s for run in runs if run.start_s > window.start_s)
    gaps = tuple((after - before) / DAY_S for before, after in pairwise(starts))
    given = {
        "runs": float(len(runs)),
        "days_between": median(gaps) if gaps else None,
        "runs_cost": known_sum(run.cost for run in runs),
    }
    first = runs[0]
    return Retraining(first.key, first.name, first.cluster, gaps, **RETRAINING.row(given))  # type: ignore[arg-type]
