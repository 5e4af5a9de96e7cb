"""Figures of how much of a log is there: shares of its jobs, of their GPU time, and of its hours.

Source: docs/formulas.md, Data quality.
"""

from dataclasses import replace
from typing import Final

from gpuplanner.domain.figures.figure import Figure, Formula, Subject
from gpuplanner.domain.figures.operations import Operand, share
from gpuplanner.domain.figures.units import COUNT, GPU_TIME, SHARE, Unit
from gpuplanner.domain.message import Message, worded

OF_GPU_TIME: Final = replace(SHARE, per=worded("of the GPU time"))


def time_coverage(busy_hours: Operand, hours: Operand) -> Operand:
    """Hours with a job over all from the first to the last event, 0..1; unknown for a log without an hour."""
    return share(busy_hours, hours)


def id_coverage(with_id: Operand, jobs: Operand) -> Operand:
    """Jobs that have an id over all accepted jobs, 0..1."""
    return share(with_id, jobs)


def name_coverage(with_name: Operand, jobs: Operand) -> Operand:
    """Jobs that have a name over all accepted jobs, 0..1."""
    return share(with_name, jobs)


def user_coverage(with_user: Operand, jobs: Operand) -> Operand:
    """Jobs that have an account or user over all accepted jobs, 0..1."""
    return share(with_user, jobs)


def gpu_model_coverage(with_model: Operand, gpu_time: Operand) -> Operand:
    """GPU time of jobs that name their model over that of all, 0..1; unknown without GPU time."""
    return share(with_model, gpu_time)


def activity_coverage(with_activity: Operand, gpu_time: Operand) -> Operand:
    """GPU time of jobs whose activity was read over that of all, 0..1; unknown without GPU time."""
    return share(with_activity, gpu_time)


def naive_time_share(naive: Operand, jobs: Operand) -> Operand:
    """Jobs whose times name no zone over all accepted jobs, 0..1."""
    return share(naive, jobs)


def zero_length_share(zero_length: Operand, jobs: Operand) -> Operand:
    """Jobs that end when they start over all accepted jobs, 0..1."""
    return share(zero_length, jobs)


def _share(key: str, title: Message, formula: Formula, unit: Unit = SHARE) -> Figure:
    return Figure(key, title, unit, formula, why="quality_share")


QUALITY: Final = Subject(
    "quality",
    (
        Figure(
            "hours",
            worded("Hours from the first to the last event"),
            COUNT,
            phrase=worded("hours from the first to the last event"),
        ),
        Figure("busy_hours", worded("Hours with a job"), COUNT, phrase=worded("hours with a job")),
        Figure(
            "jobs",
            worded("Accepted jobs"),
            COUNT,
            phrase=worded("accepted jobs of all logs"),
            why="quality_jobs",
        ),
        Figure("with_id", worded("Jobs that have an id"), COUNT, phrase=worded("jobs that have an id")),
        Figure("with_name", worded("Jobs that have a name"), COUNT, phrase=worded("jobs that have a name")),
        Figure(
            "with_user",
            worded("Jobs that have an account or user"),
            COUNT,
            phrase=worded("jobs that have an account or user"),
        ),
        Figure(
            "naive",
            worded("Jobs whose times name no zone"),
            COUNT,
            phrase=worded("jobs whose times name no zone"),
        ),
        Figure(
            "zero_length",
            worded("Jobs that end when they start"),
            COUNT,
            phrase=worded("jobs that end when they start"),
        ),
        Figure(
            "gpu_time",
            worded("GPU-hours of all accepted jobs"),
            GPU_TIME,
        ),
        Figure(
            "with_model",
            worded("GPU-hours of jobs that name their GPU model"),
            GPU_TIME,
        ),
        Figure(
            "with_activity",
            worded("GPU-hours of jobs whose activity was read"),
            GPU_TIME,
        ),
        Figure(
            "time_coverage",
            worded("Hours with jobs"),
            SHARE,
            time_coverage,
            why="quality_hours",
            note=worded("In an hour with a job one ran, began or ended."),
        ),
        _share("id_coverage", worded("Jobs with an id"), id_coverage),
        _share("name_coverage", worded("Jobs with a name"), name_coverage),
        _share("user_coverage", worded("Jobs with a user"), user_coverage),
        _share("gpu_model_coverage", worded("GPU-hours with a model"), gpu_model_coverage, OF_GPU_TIME),
        _share("activity_coverage", worded("GPU-hours with activity"), activity_coverage, OF_GPU_TIME),
        _share("naive_time_share", worded("Jobs without a zone in their times"), naive_time_share),
        _share("zero_length_share", worded("Jobs of no length"), zero_length_share),
    ),
)
"""A log as a whole, also outside of the window."""
SHARES: Final = tuple(one.key for one in QUALITY.figures if one.formula is not None)
"""Keys of what is worked out of it, each 0..1."""
