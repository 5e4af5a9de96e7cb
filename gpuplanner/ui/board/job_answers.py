"""Answers to 'Why this number?' in the sheet of jobs."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.evidence.trace import (
    Trace,
    TraceColumn,
    TraceRow,
    figure,
    over,
    parts_of,
    product,
    read,
    summed,
)
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.window import Window
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.words import numbers

JOBS_WORDS: Final = worded("Jobs = its rows in the log")
LOG: Final = worded("the job log, this job's row")
COUNT, HOURS, PER_MONTH, OF_CARD, OF_JOB = "jobs_count", "jobs_hours", "jobs_month", "jobs_card", "job"
GPU_HOURS, GPUS, LASTED, ACTIVITY = "gpu_hours", "gpus", "lasted", "activity"

Facts = tuple[tuple[str, str], ...]
"""Figure id and words."""


def jobs_facts(
    card: CardFigures, window: Window, page: Any, *, is_part: bool = False, scope: Text = ""
) -> tuple[Facts, str]:
    """1,204 jobs - 44,834 GPU-h in the window (15,029 a month, as on the card), and what stands after: the dates.

    is_part: the window is a part of the project's, such as one run; the card says nothing of that. scope: the
    hours that alone count, in words.
    """
    after = numbers.MIDDOT + tr("{value}, UTC", value=numbers.span(window.start_s, window.end_s))
    jobs = (figure(COUNT), numbers.counted(page.total, "job"))
    hours = numbers.gpu_hours(page.gpu_hours)
    if scope:
        return (jobs, (figure(HOURS), tr("{hours} GPU-h {scope}", hours=hours, scope=scope))), after
    if is_part:
        whole = numbers.whole(window.hours)
        inside = tr("{gpu_hours} GPU-h in these {hours} hours", gpu_hours=hours, hours=whole)
        return (jobs, (figure(HOURS), inside)), after
    is_same = abs(page.gpu_hours / window.months - card.gpu_hours_per_month) <= 0.5
    per_month = (
        (
            figure(PER_MONTH),
            tr(
                "{gpu_hours} per month, as on the card",
                gpu_hours=numbers.gpu_hours(page.gpu_hours / window.months),
            ),
        )
        if is_same
        else (
            figure(OF_CARD),
            tr(
                "the card shows {gpu_hours_per_month} per month",
                gpu_hours_per_month=numbers.whole(card.gpu_hours_per_month),
            ),
        )
    )
    return (jobs, (figure(HOURS), tr("{hours} GPU-h in the lookback period", hours=hours)), per_month), after


def job_figure(row: int, column: str) -> str:
    """The figure of one cell of the table of jobs."""
    return figure(OF_JOB, str(row), column)


class JobsAnswers:
    """Told the card, its window, what all jobs come to, and those that are loaded."""

    def __init__(self, card: CardFigures, window: Window, scope: Text = "") -> None:
        self._card, self._window = card, window
        self._where = scope or tr("in the lookback period")
        self.total, self.milli_gpu_seconds = 0, 0
        self.rows: Sequence[Any] = ()

    def trace(self, figure_id: str) -> Trace:
        """The answer for a figure of the sheet. Errors: KeyError where it is none of it."""
        kind, column, subject = parts_of(figure_id)
        if kind == OF_JOB and int(subject) < len(self.rows):
            return _of_job(self.rows[int(subject)], column, self._where)
        return _ANSWERS[kind](self)

    def count(self) -> Trace:
        """How many jobs there are."""
        source = tr("the job log: jobs that ran {where}", where=self._where)
        return read(tr("Jobs of {name}", name=self._card.name), self.total, "count", source, words=JOBS_WORDS)

    def hours(self) -> Trace:
        """GPU-hours of all of them: job by job, as far as they are loaded."""
        rows = [
            TraceRow(
                tr("Job {job_id}, {name}", job_id=row.job_id or "?", name=row.name), (row.milli_gpu_seconds,)
            )
            for row in self.rows
        ]
        if left := self.total - len(rows):
            rest = self.milli_gpu_seconds - sum(row.milli_gpu_seconds for row in self.rows)
            rows.append(TraceRow(tr("{left} more jobs in the list", left=numbers.whole(left)), (rest,)))
        return summed(
            tr("GPU-hours of {name}, {where}", name=self._card.name, where=self._where),
            self.milli_gpu_seconds,
            "milli_gpu_seconds",
            tr("GPU-hours = Σ over jobs of GPUs × hours in the lookback period"),
            rows,
            columns=(TraceColumn("GPU-h", "milli_gpu_seconds"),),
        )

    def per_month(self) -> Trace:
        """GPU-hours per month."""
        hours = self.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR
        months = self._window.months
        return over(
            tr("GPU-hours per month of {name}", name=self._card.name),
            hours / months,
            "gpu_hours",
            tr("GPU-hours per month = GPU-hours in the lookback period ÷ months of 730 h"),
            (tr(titles.GPU_HOURS_IN_THE_WINDOW), hours, "gpu_hours"),
            (tr("Months of 730 h"), months, "exact"),
            said_as=tr("per month"),
        )

    def of_card(self) -> Trace:
        """What the card says, where that is not what its jobs come to: a part, or demand that a plan grows."""
        hours = self.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR / self._window.months
        said = self._card.gpu_hours_per_month
        rows = (
            TraceRow(tr("GPU-hours of the jobs ÷ months of 730 h"), (hours,)),
            TraceRow(tr("Difference of the card"), (said - hours,)),
        )
        return summed(
            tr("GPU-hours per month, card {name}", name=self._card.name),
            said,
            "gpu_hours",
            tr("Card = share of the workload × times the plan counts the log"),
            rows,
            said_as=tr("per month"),
            note=tr(long_text("split_workload_jobs")),
        )


_ANSWERS: Final[dict[str, Callable[[JobsAnswers], Trace]]] = {
    COUNT: JobsAnswers.count,
    HOURS: JobsAnswers.hours,
    PER_MONTH: JobsAnswers.per_month,
    OF_CARD: JobsAnswers.of_card,
}


def _of_job(row: Any, column: str, where: Text) -> Trace:
    """Why a figure of one job is what it is: GPU-hours as a product, all else as read from the log."""
    name = tr("job {job_id}", job_id=row.job_id) if row.job_id else tr("a job of {name}", name=row.name)
    gpus = row.milli_gpus / 1000
    if column == GPU_HOURS:
        hours = row.milli_gpu_seconds / row.milli_gpus / 3600 if row.milli_gpus else 0.0
        return product(
            tr("GPU-hours of {name}", name=name),
            row.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR,
            "exact",
            tr("GPU-hours = GPUs \u00d7 hours that it ran {where}", where=where),
            ((tr("Its GPUs"), gpus, "gpus"), (tr("Hours {where}", where=where), hours, "exact")),
            said_as="GPU-h",
            note=_ran(row),
        )
    if column == GPUS:
        return read(tr("GPUs of {name}", name=name), gpus, "gpus", LOG)
    if column == ACTIVITY:
        share = row.activity_milli_percent / 100_000
        source = tr("its mean activity")
        return read(tr("Activity of {name}", name=name), share, "share", source)
    rows = (
        TraceRow(tr("End, hours since 1970"), (row.end_s / 3600,)),
        TraceRow(tr("Less: start, hours since 1970"), (-row.start_s / 3600,)),
    )
    columns = (TraceColumn(tr("Hours"), "exact"),)
    value = (row.end_s - row.start_s) / 3600
    return summed(
        tr("{name} lasted", name=name.capitalize()),
        value,
        "exact",
        tr("Lasted = end − start, from the job log"),
        rows,
        said_as=tr("hours"),
        columns=columns,
        note=_ran(row),
    )


def _ran(row: Any) -> str:
    """From when to when the job ran."""
    begin = numbers.date(row.start_s)
    if row.end_s is None:
        return tr("Running since {begin}.", begin=begin)
    return tr("From {begin} to {end_s}.", begin=begin, end_s=numbers.date(row.end_s))
