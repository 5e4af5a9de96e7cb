"""Why a figure of the jobs sheet is what it is: of one job, and of all of them together."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from gpuplanner.charts.kit.plain_text import tr
from gpuplanner.domain.audit.evidence.trace import (
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
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.window import Window
from gpuplanner.ui.words import numbers

JOBS_WORDS: Final = worded("Jobs = rows of the log that are its jobs")
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
    after = tr(" \u00b7 {start_s}, UTC", start_s=numbers.span(window.start_s, window.end_s))
    jobs = (figure(COUNT), numbers.counted(page.total, "job"))
    hours = numbers.whole(page.gpu_hours)
    if scope:
        return (jobs, (figure(HOURS), tr("{hours} GPU-h {scope}", hours=hours, scope=scope))), after
    if is_part:
        inside = tr(
            "{gpu_hours} GPU-h in these {hours} hours of the window",
            gpu_hours=hours,
            hours=numbers.whole(window.hours),
        )
        return (jobs, (figure(HOURS), inside)), after
    is_same = abs(page.gpu_hours / window.months - card.gpu_hours_per_month) <= 0.5
    per_month = (
        (
            figure(PER_MONTH),
            tr(
                "{gpu_hours} per month, as on the card",
                gpu_hours=numbers.whole(page.gpu_hours / window.months),
            ),
        )
        if is_same
        else (
            figure(OF_CARD),
            tr(
                "the card says {gpu_hours_per_month} per month",
                gpu_hours_per_month=numbers.whole(card.gpu_hours_per_month),
            ),
        )
    )
    return (jobs, (figure(HOURS), tr("{hours} GPU-h in the window", hours=hours)), per_month), after


def job_figure(row: int, column: str) -> str:
    """The figure of one cell of the table of jobs."""
    return figure(OF_JOB, str(row), column)


class JobsAnswers:
    """Told the card, its window, what all jobs come to, and those that are loaded."""

    def __init__(self, card: CardFigures, window: Window, scope: Text = "") -> None:
        self._card, self._window = card, window
        self._where = scope or tr("in the window")
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
        source = tr("the job log: its jobs that ran {where}", where=self._where)
        return read(tr("Jobs of {name}", name=self._card.name), self.total, "count", source, words=JOBS_WORDS)

    def hours(self) -> Trace:
        """GPU-hours of all of them: job by job, as far as they are loaded."""
        rows = [
            TraceRow(
                tr("Job {job_id}, {name}", job_id=row.job_id or "?", name=row.name), (row.milli_gpu_seconds,)
            )
            for row in self.rows
        ]
        left = self.total - len(rows)
        if left:
            rest = self.milli_gpu_seconds - sum(row.milli_gpu_seconds for row in self.rows)
            rows.append(TraceRow(tr("{left} jobs further down the list", left=numbers.whole(left)), (rest,)))
        return summed(
            tr("GPU-hours of {name}, {where}", name=self._card.name, where=self._where),
            self.milli_gpu_seconds,
            "milli_gpu_seconds",
            tr("GPU-hours = \u03a3 over its jobs of GPUs \u00d7 hours that each ran, clipped to what counts"),
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
            tr("GPU-hours per month = GPU-hours of its jobs in the window \u00f7 months of 730 h"),
            (tr(titles.GPU_HOURS_IN_THE_WINDOW), hours, "gpu_hours"),
            (tr("Months of 730 h"), months, "exact"),
            said_as=tr("per month"),
        )

    def of_card(self) -> Trace:
        """What the card says, where that is not what its jobs come to: a part, or demand that a plan grows."""
        hours = self.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR / self._window.months
        said = self._card.gpu_hours_per_month
        rows = (
            TraceRow(tr("GPU-hours of these jobs \u00f7 months of 730 h"), (hours,)),
            TraceRow(tr("What the card has more (+) or less"), (said - hours,)),
        )
        return summed(
            tr("GPU-hours per month on the card of {name}", name=self._card.name),
            said,
            "gpu_hours",
            tr("The card = its share of the workload \u00d7 how many times the plan counts the log"),
            rows,
            said_as=tr("per month"),
            note=tr(
                "A part of a divided workload has the jobs of the whole; a plan may count more than was logged."
            ),
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
            ((tr("GPUs that it held"), gpus, "gpus"), (tr("Hours {where}", where=where), hours, "exact")),
            said_as="GPU-h",
            note=_ran(row),
        )
    if column == GPUS:
        return read(tr("GPUs of {name}", name=name), gpus, "gpus", LOG)
    if column == ACTIVITY:
        share = row.activity_milli_percent / 100_000
        source = tr("the activity readings while it ran, their mean")
        return read(tr("Activity of {name}", name=name), share, "share", source)
    rows = (
        TraceRow(tr("End, hours since 1970"), (row.end_s / 3600,)),
        TraceRow(tr("Less: start, hours since 1970"), (-row.start_s / 3600,)),
    )
    columns = (TraceColumn(tr("Hours"), "exact"),)
    value = (row.end_s - row.start_s) / 3600
    return summed(
        tr("{name} lasted", name=name.capitalize()), value, "exact",
        tr("Lasted = end \u2212 start, both from the job log"),
        rows, said_as=tr("hours"), columns=columns, note=_ran(row),
    )  # fmt: skip


def _ran(row: Any) -> str:
    """From when to when the job ran."""
    begin = numbers.date(row.start_s)
    return (
        tr("It began on {begin} and runs on.", begin=begin)
        if row.end_s is None
        else tr("From {begin} to {end_s}.", begin=begin, end_s=numbers.date(row.end_s))
    )
