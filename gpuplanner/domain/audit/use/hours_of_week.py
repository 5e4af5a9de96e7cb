"""Hours of the week: GPU time by weekday and hour of the day, exact integers that add up to the window's."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.audit.use.row_sums import row_blocks
from gpuplanner.domain.figures.columns import exactly
from gpuplanner.domain.figures.use_rows import USE
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOUR_S, Window

DAYS: Final = 7
HOURS: Final = 24
CELLS: Final = DAYS * HOURS
EPOCH_CELL: Final = 3 * HOURS
"""1 January 1970 was a Thursday; Monday 00:00 is cell 0."""


@dataclass(frozen=True, slots=True, eq=False)
class HoursOfWeek:
    """GPU time in the 168 hours of a week, UTC, Monday first.

    Shapes: used, capacity, hours (7, 24), int64. Units: milli-GPU-seconds; hours counts the window's hours in a
    cell. capacity is None for what is paid for by others (a team): it then has mean GPUs and no utilization.
    Law: used and capacity sum to the window's, hours to the window's length.
    """

    used: Ints
    capacity: Ints | None
    hours: Ints

    @property
    def utilization(self) -> Floats:
        """Used / capacity, 0..1, of each cell; NaN without capacity. Shape (7, 24). Formula: figures/use_rows.py."""
        return _utilization(self.used, self._capacity)

    @property
    def utilization_by_day(self) -> Floats:
        """Used / capacity of each weekday over all its hours; NaN without capacity. Shape (7,)."""
        return _utilization(self.used.sum(axis=1), self._capacity.sum(axis=1))

    @property
    def mean_gpus(self) -> Floats:
        """GPUs in use on average in each cell; NaN where the window has no such hour. Shape (7, 24)."""
        return _mean_gpus(self.used, self.hours)

    @property
    def mean_gpus_by_day(self) -> Floats:
        """GPUs in use on average on each weekday; NaN where the window has no hour of it. Shape (7,)."""
        return _mean_gpus(self.used.sum(axis=1), self.hours.sum(axis=1))

    @property
    def _capacity(self) -> Ints:
        return np.zeros_like(self.used) if self.capacity is None else self.capacity


def _utilization(used: Ints, paid: Ints) -> Floats:
    given = {"used_gpu_hours": exactly(used), "paid_gpu_hours": exactly(paid)}
    return np.asarray(USE.value("utilization", given))


def _mean_gpus(used: Ints, hours: Ints) -> Floats:
    given = {"gpu_hours": exactly(used), "hours": hours.astype(np.float64)}
    return np.asarray(USE.value("mean_gpus", given))


def fold_hours(by_hour: Ints, window: Window) -> Ints:
    """Amounts by hour of the window summed by weekday and hour; shapes (..., hours) -> (..., 7, 24), int64."""
    before = first_cell(window)
    after = -(before + window.hours) % CELLS
    padded = np.pad(by_hour, [(0, 0)] * (by_hour.ndim - 1) + [(before, after)])
    weeks = padded.reshape(*by_hour.shape[:-1], padded.shape[-1] // CELLS, CELLS).sum(axis=-2)
    return np.asarray(weeks.reshape(*by_hour.shape[:-1], DAYS, HOURS), dtype=np.int64)


def first_cell(window: Window) -> int:
    """The cell (0..167, Monday 00:00 UTC first) of the window's first hour."""
    return (window.start_s // HOUR_S + EPOCH_CELL) % CELLS


def cell_of_hour(window: Window) -> Ints:
    """The cell (0..167, Monday 00:00 UTC first) of every hour of the window; shape (hours,)."""
    return np.asarray((first_cell(window) + np.arange(window.hours, dtype=np.int64)) % CELLS, dtype=np.int64)


def hours_in_cells(window: Window) -> Ints:
    """How many of the window's hours fall on each weekday and hour; shape (7, 24)."""
    return fold_hours(np.ones(window.hours, dtype=np.int64), window)


def used_by_team(project: Project) -> Mapping[str, Ints]:
    """Demand of each team (owner), served or not, by weekday and hour, in one pass; each (7, 24), by name.

    A team is the account of its jobs, else their user; "" where a log names neither. Teams add up to the cube.
    """
    cube = project.cube
    teams = sorted({workload.owner for workload in project.workloads})
    number = {team: place for place, team in enumerate(teams)}
    team_of = np.array([number[workload.owner] for workload in project.workloads], dtype=np.int64)
    cells_of_hours = cell_of_hour(project.window)
    row_start = team_of[cube.workload_index] * CELLS
    sums = np.zeros(len(teams) * CELLS, dtype=np.int64)
    for block in row_blocks(cube):
        cells = block.spread(row_start)
        cells += cells_of_hours[cube.hour[block.entries]]
        np.add.at(sums, cells, cube.milli_gpu_seconds[block.entries])
    return dict(zip(teams, sums.reshape(len(teams), DAYS, HOURS), strict=True))
