"""Lived: what a log is too young to sign for. A fall closes long terms to a row, few days close them to a slice."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.commitment.busy import Month, MonthState, residual_at
from gpuplanner.domain.commitment.flows import Schedule
from gpuplanner.domain.commitment.residual import ModelDemand, Site
from gpuplanner.domain.commitment.result import Floats
from gpuplanner.domain.commitment.slicing import Slicing
from gpuplanner.domain.model.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR, Ints

Flags = npt.NDArray[np.bool_]

DAY_H: Final = 24
FALLEN_DAYS: Final = 14
SILENT_DAYS: Final = 7
FALLEN_PERCENT: Final = 60
LONGEST_AFTER_A_FALL_MONTHS: Final = 3
LATELY_H: Final = 96
DAYS_A_MONTH: Final = 30
"""Days that a slice is granted for every month in which it may go on."""
DAYS_PER_TERM_MONTH: Final = 10
ENOUGH_DAYS: Final = 45
OPEN_FROM_MONTH: Final = -(-ENOUGH_DAYS // DAYS_A_MONTH)
"""From this month on no slice is too young for any term."""


def has_fallen(demand: Floats | Ints) -> bool:
    """Whether the last 14 days hold less than 60% of the mean of all hours, or nothing ran in the last 7 days.

    demand: of a row in each hour, in whole milli-GPU-seconds, shape (hours,); exact.
    """
    total, hours = int(demand.sum()), len(demand)
    last = demand[-FALLEN_DAYS * DAY_H :]
    if not total:
        return False
    is_silent = not demand[-SILENT_DAYS * DAY_H :].any()
    return is_silent or 100 * int(last.sum()) * hours < FALLEN_PERCENT * total * len(last)


def needed_days(term_months: int) -> int:
    """Days that a slice must have run for a term."""
    return min(DAYS_PER_TERM_MONTH * term_months, ENOUGH_DAYS)


@dataclass(frozen=True, slots=True, eq=False)
class Lived:
    """Days of the window on which each slice of a row ran, less what contracts that run through a month serve.

    Shapes: days (months, slices), of each of the first months; lately (slices,): in the last 96 hours.
    """

    days: Ints
    lately: Flags

    def closed(self, terms: Sequence[int], begin: int) -> Flags:
        """What slices from `begin` on may not sign: shape (months, terms, slices)."""
        needs = np.array([needed_days(term) for term in terms], dtype=np.int64)
        young = self.days[:OPEN_FROM_MONTH, begin:]
        granted = young + DAYS_A_MONTH * np.arange(len(young))[:, None]
        closed = granted[:, None, :] < needs[None, :, None]
        closed[:, np.array(terms, dtype=np.int64) == 1] = False
        closed[0, :, ~self.lately[begin:]] = True
        return np.asarray(closed)

    def if_it_lasts(self, month: int, term_months: int) -> Flags:
        """Slices that a term in a month is open to only since they may go on until then; shape (slices,)."""
        if term_months == 1 or not month:
            return np.zeros(len(self.lately), dtype=np.bool_)
        return np.asarray(self.days[month] < needed_days(term_months))


def lived_in(
    model: ModelDemand,
    months: Sequence[Month],
    schedules: Sequence[Schedule],
    slicings: Sequence[Slicing],
    hours: int,
) -> tuple[Lived, ...]:
    """Of each row of a model. months: those that are asked about; days end with the window's end.

    schedules: of each group; what the planner stated counts as running at its largest all the time.
    """
    model = _with_stated_always(model, schedules)
    today = [_as_today(month, months[0], schedules) for month in months]
    left = {
        state: residual_at(model, state, hours) / MILLI_GPU_SECONDS_PER_GPU_HOUR
        for state in dict.fromkeys(today)
    }
    pad = -hours % DAY_H
    answer = []
    for row, slicing in enumerate(slicings):
        middles = slicing.edges[:-1] + slicing.widths / 2
        days: dict[MonthState, Ints] = {}
        for state, residual in left.items():
            by_day = np.concatenate((np.zeros(pad), residual[row])).reshape(-1, DAY_H).max(axis=1)
            reached = np.sort(by_day)
            days[state] = len(reached) - np.searchsorted(reached, middles, side="left")
        lately = middles <= float(left[today[0]][row][-LATELY_H:].max())
        answer.append(Lived(np.stack([days[state] for state in today]), lately))
    return tuple(answer)


def _as_today(month: Month, first: Month, schedules: Sequence[Schedule]) -> MonthState:
    """The contracts of a month and the demand of today, but what the planner stated is there as it is then."""
    largest = {flow: max(dict(state.factors)[flow] for _, state in month) for flow, _ in month[0][1].factors}
    factors = tuple(
        (flow, largest[flow] if schedules[flow[1]].is_stated else factor)
        for flow, factor in first[0][1].factors
    )
    return MonthState(month[0][1].capacities, factors)


def _with_stated_always(model: ModelDemand, schedules: Sequence[Schedule]) -> ModelDemand:
    if not any(schedules[group].is_stated for _, group in model.flows):
        return model
    sites = tuple(
        Site(
            site.cluster,
            tuple(
                replace(stream, demand=np.full_like(stream.demand, stream.demand.max()))
                if schedules[stream.group].is_stated
                else stream
                for stream in site.streams
            ),
        )
        for site in model.sites
    )
    return replace(model, sites=sites)
