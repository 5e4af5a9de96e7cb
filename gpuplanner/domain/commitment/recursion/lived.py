"""Lived: what a log is too young to sign for. A fall closes long terms to a row, few days close them to a slice."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.commitment.demand.busy import Month, MonthState, residual_at
from gpuplanner.domain.commitment.demand.flows import Schedule
from gpuplanner.domain.commitment.demand.residual import ModelDemand
from gpuplanner.domain.commitment.slicing import Slicing
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR

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
ROUNDING_GPUS: Final = 1e-9
OPEN_FROM_MONTH: Final = -(-ENOUGH_DAYS // DAYS_A_MONTH)
"""From this month on no slice is too young for any term."""


@dataclass(frozen=True, slots=True)
class Fall:
    """How demand fell. share: of the mean of all hours that the last 14 days hold; is_silent: 7 days without any."""

    share: float
    is_silent: bool


def fall_of(demand: Floats | Ints) -> Fall | None:
    """The fall of what holds less than 60% of the mean of all hours in the last 14 days, or nothing in the last 7.

    demand: in each hour, in whole milli-GPU-seconds, shape (hours,); exact.
    """
    total, hours = int(demand.sum()), len(demand)
    last = demand[-FALLEN_DAYS * DAY_H :]
    if not total:
        return None
    is_silent = not demand[-SILENT_DAYS * DAY_H :].any()
    held, whole = int(last.sum()) * hours, total * len(last)
    return Fall(held / whole, is_silent) if is_silent or 100 * held < FALLEN_PERCENT * whole else None


def fall_left(logged: Floats, unstated: Floats) -> Fall | None:
    """The fall of what the planner said nothing of, where the whole log of the row fell: a date closes no term.

    Of the row's workloads that the plan has, in each hour, shape (hours,): all, and those that nobody dated.
    """
    return fall_of(unstated) if fall_of(logged) else None


def needed_days(term_months: int) -> int:
    """Days that a slice must have run for a term.

    Ten days for each month of a term, 45 at most.

    >>> needed_days(1), needed_days(3), needed_days(36)
    (10, 30, 45)
    """
    return min(DAYS_PER_TERM_MONTH * term_months, ENOUGH_DAYS)


@dataclass(frozen=True, slots=True, eq=False)
class Lived:
    """Days of the window on which each slice of a row ran, less what contracts that run through a month serve.

    Shapes: days (months, slices), of each of the first months; lately (slices,): in the last 96 hours.
    """

    days: Ints
    lately: Bools

    def closed(self, terms: Sequence[int], begin: int) -> Bools:
        """What slices from `begin` on may not sign: shape (months, terms, slices).

        begin: the first slice that is asked about. True: closed. Months are the first two; from then on every
        slice has had the days that it needs. Terms of one month are closed only by the last 96 hours, and
        those only in month 0.
        Source: docs/formulas.md, Policy.
        """
        needs = np.array([needed_days(term) for term in terms], dtype=np.int64)
        young = self.days[:OPEN_FROM_MONTH, begin:]
        granted = young + DAYS_A_MONTH * np.arange(len(young))[:, None]
        closed = granted[:, None, :] < needs[None, :, None]
        closed[:, np.array(terms, dtype=np.int64) == 1] = False
        closed[0, :, ~self.lately[begin:]] = True
        return np.asarray(closed)

    def if_it_lasts(self, month: int, term_months: int) -> Bools:
        """Slices that a term in a month is open to only since they may go on until then; shape (slices,).

        False everywhere in month 0, and for a term of one month: nothing is granted ahead there.
        """
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

    schedules: of each group. A slice that was reached only with what the planner states has lived for ever.
    """
    known: dict[MonthState, Floats] = {}

    def gpus(state: MonthState) -> Floats:
        if state not in known:
            known[state] = residual_at(model, state, hours) / MILLI_GPU_SECONDS_PER_GPU_HOUR
        return known[state]

    days: list[list[Ints]] = [[] for _ in slicings]
    lately: list[Bools] = []
    for number, month in enumerate(months):
        whole = gpus(_as_today(month, months[0], schedules, True))
        logged = gpus(_as_today(month, months[0], schedules, False))
        for row, slicing in enumerate(slicings):
            middles = slicing.edges[:-1] + slicing.widths / 2 - ROUNDING_GPUS
            stated = _reached_by_what_is_stated(middles, whole[row], logged[row])
            days[row].append(np.where(stated, ENOUGH_DAYS, _days_reached(middles, whole[row])))
            if number == 0:
                lately.append(stated | (middles <= float(whole[row][-LATELY_H:].max())))
    return tuple(Lived(np.stack(of_row), of_late) for of_row, of_late in zip(days, lately, strict=True))


def _days_reached(middles: Floats, gpus: Floats) -> Ints:
    """On how many days, counted back from the last hour, each middle was reached in some hour; (slices,)."""
    by_day = np.concatenate((np.zeros(-len(gpus) % DAY_H), gpus)).reshape(-1, DAY_H).max(axis=1)
    return np.asarray(len(by_day) - np.searchsorted(np.sort(by_day), middles, side="left"))


def _reached_by_what_is_stated(middles: Floats, whole: Floats, logged: Floats) -> Bools:
    """Whether some hour reaches each middle with what the planner states and not without it; (slices,)."""
    more = whole > logged
    if not more.any():
        return np.zeros(len(middles), dtype=np.bool_)
    high, low = whole[more], logged[more]
    return np.array(
        [bool(((high >= middle) & (low < middle)).any()) for middle in middles.tolist()], dtype=np.bool_
    )


def _as_today(month: Month, first: Month, schedules: Sequence[Schedule], with_stated: bool) -> MonthState:
    """The contracts of a month and the demand of today, but what the planner states is there as it is then, or not."""
    there = [{flow for flow, factor in state.factors if factor} for _, state in month]
    now = [{flow for flow, factor in state.factors if factor} for _, state in first]
    factors = tuple(
        (
            flow,
            float(with_stated and any(flow in piece for piece in there))
            if schedules[flow.group].counts_as_lived
            else float(any(flow in piece for piece in now)),
        )
        for flow, _ in month[0][1].factors
    )
    return MonthState(month[0][1].capacities, factors)
