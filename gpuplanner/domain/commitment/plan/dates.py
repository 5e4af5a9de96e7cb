"""When workloads are there in a plan, and which of them are bought apart, as runs."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Final

from gpuplanner.domain.arrays import Bools, Floats
from gpuplanner.domain.commitment import busy
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.model_demand import ModelDemand
from gpuplanner.domain.commitment.demand.slicing import SOON_MONTHS, weighted_mean
from gpuplanner.domain.commitment.recursion.calendar import has_cycle_of_a_month
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.book.only import Row
from gpuplanner.domain.model.cube import Cube
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import MONTH_S
from gpuplanner.lazy_dataclass import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Work that is bought apart: planned with an end, or of the log and steady with a stated one. place: of its
    workload in the project; pieces: seconds from the plan's first moment."""

    key: str
    place: int
    cluster: str
    row: Row
    gpus: float
    pieces: tuple[tuple[int, int], ...]


STEADY: Final = 0.9
"""Work of the log whose mean is at least this share of its peak is bought as a run once its end is stated."""


def dated(
    project: Project, scenario: Scenario, weights: Floats | None, cache: AdviceCache
) -> tuple[tuple[busy.Schedule, ...], Mapping[int, float]]:
    """When each workload is there, and the GPUs of those of the log that are bought as runs, by place: of one known
    model, without steps, with a stated end within 12 months and a mean that is nearly their peak.

    Source: docs/formulas/orders.md, Runs.
    """
    begins_s, cube = project.plan_window.end_s, project.cube

    def gpus_of(place: int, schedule: busy.Schedule) -> float:
        """0 of what is no run."""
        first_s, ends_s = max(schedule.spell.begins_s or 0, begins_s), schedule.spell.ends_s
        if schedule.is_planned or schedule.steps or ends_s is None:
            return 0.0
        models = cube.model_index[cube.workload_index == place].tolist()
        if len(models) != 1 or models[0] < 0 or not first_s < ends_s <= begins_s + SOON_MONTHS * MONTH_S:
            return 0.0
        hourly = cube.hourly_of(place) / MILLI_GPU_SECONDS_PER_GPU_HOUR
        return float(hourly.max()) if weighted_mean(hourly, weights) >= STEADY * hourly.max() else 0.0

    def make() -> tuple[tuple[busy.Schedule, ...], Mapping[int, float]]:
        schedules = busy.schedules_of(project.workloads, scenario, begins_s)
        asked = enumerate(schedules) if scenario.spells else ()
        steady = {place: gpus for place, schedule in asked if (gpus := gpus_of(place, schedule))}
        runs = (replace(s, is_run=True) if at in steady else s for at, s in enumerate(schedules))
        return tuple(runs) if steady else schedules, steady

    key = (*dates_of(project, scenario), None if weights is None else weights.tobytes())
    return cache.recall("dated", key, (cube, project.workloads), make)


def monthly_rows(
    models: Iterable[ModelDemand],
    hours: int,
    unlogged: frozenset[int],
    missing: Bools | None,
    cache: AdviceCache,
) -> frozenset[Row]:
    """The rows whose log has a cycle of a month. unlogged: groups that no log has; missing: hours
    that the log lacks, (hours,)."""

    def is_monthly(model: ModelDemand, place: int) -> bool:
        logged = model.hourly(hours, lambda _, flow: flow.row == place and flow.group not in unlogged)
        return has_cycle_of_a_month(logged if missing is None else logged[~missing])

    return frozenset(
        row
        for model in models
        for place, row in enumerate(model.rows)
        if cache.recall(
            "cycle", (place, unlogged, missing is None), (model,), partial(is_monthly, model, place)
        )
    )


def dates_of(project: Project, scenario: Scenario) -> tuple[object, ...]:
    """What decides on when workloads are there."""
    return tuple(scenario.spells.items()), scenario.changes, scenario.planned, project.plan_from_s


def runs_of(
    project: Project,
    scenario: Scenario,
    schedules: Sequence[busy.Schedule],
    steady: Mapping[int, float],
    pools: tuple[Pool, ...],
    months: int,
) -> tuple[Run, ...]:
    """The work of a scenario that is bought apart, by key; who is over before the plan begins is none. steady: GPUs of
    that of the log, by place."""
    begins_s, works = project.plan_window.end_s, {work.key: work for work in scenario.planned}
    answer = []
    for place, schedule in enumerate(schedules if works or steady else ()):
        if not schedule.is_run:
            continue
        workload, spell, until_s = project.workloads[place], schedule.spell, begins_s + months * MONTH_S
        work = works.get(workload.key)
        whole = max(spell.begins_s or 0, begins_s), spell.ends_s or until_s
        spans = work.pieces(spell, begins_s, until_s) if work else (whole,)
        pieces = tuple((from_s - begins_s, to_s - begins_s) for from_s, to_s in spans)
        if pieces:
            row = Row(pools[place], _model_of(project.cube, place, work.gpu_model if work else ""))
            gpus = work.gpus if work else steady[place]
            answer.append(
                Run(
                    key=workload.key, place=place, cluster=workload.cluster, row=row, gpus=gpus, pieces=pieces
                )
            )
    return tuple(sorted(answer, key=lambda run: run.key))


def _model_of(cube: Cube, place: int, gpu_model: str) -> str | None:
    """The name that a workload's demand has in a cube: of what only some may serve one of its own."""
    index = cube.model_index[cube.workload_index == place]
    return cube.gpu_models[index[0]] if len(index) and index[0] >= 0 else gpu_model
