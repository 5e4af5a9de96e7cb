"""Why a figure of the jobs sheet is what it is: of one job, and of all of them together."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from gpuplanner.domain.audit.trace import Trace, TraceColumn, TraceRow, figure, parts_of
from gpuplanner.domain.audit.trace_forms import over, product, read, summed
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.model.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.window import Window
from gpuplanner.ui import numbers

JOBS_WORDS: Final = "Jobs = rows of the log that are its jobs"
LOG: Final = "the job log, this job's row"
COUNT, HOURS, PER_MONTH, OF_CARD, OF_JOB = "jobs_count", "jobs_hours", "jobs_month", "jobs_card", "job"
GPU_HOURS, GPUS, LASTED, ACTIVITY = "gpu_hours", "gpus", "lasted", "activity"

Facts = tuple[tuple[str, str], ...]
"""Figure id and words."""


def jobs_facts(
    card: CardFigures, window: Window, page: Any, *, is_part: bool = False, scope: str = ""
) -> tuple[Facts, str]:
    """1,204 jobs - 44,834 GPU-h in the window (15,029 a month, as on the card), and what stands after: the dates.

    is_part: the window is a part of the project's, such as one run; the card says nothing of that. scope: the
    hours that alone count, in words.
    """
    after = f"{numbers.MIDDOT}{numbers.span(window.start_s, window.end_s)}, UTC"
    jobs = (figure(COUNT), numbers.counted(page.total, "job"))
    hours = numbers.whole(page.gpu_hours)
    if scope:
        return (jobs, (figure(HOURS), f"{hours} GPU-h {scope}")), after
    if is_part:
        inside = f"{hours} GPU-h in these {numbers.whole(window.hours)} hours of the window"
        return (jobs, (figure(HOURS), inside)), after
    is_same = abs(page.gpu_hours / window.months - card.gpu_hours_per_month) <= 0.5
    per_month = (
        (figure(PER_MONTH), f"{numbers.whole(page.gpu_hours / window.months)} per month, as on the card")
        if is_same
        else (figure(OF_CARD), f"the card says {numbers.whole(card.gpu_hours_per_month)} per month")
    )
    return (jobs, (figure(HOURS), f"{hours} GPU-h in the window"), per_month), after


def job_figure(row: int, column: str) -> str:
    """The figure of one cell of the table of jobs."""
    return figure(OF_JOB, str(row), column)


class JobsAnswers:
    """Told the card, its window, what all jobs come to, and those that are loaded."""

    def __init__(self, card: CardFigures, window: Window, scope: str = "") -> None:
        self._card, self._window = card, window
        self._where = scope or "in the window"
        self.total, self.milli_gpu_seconds = 0, 0
        self.rows: Sequence[Any] = ()

    def trace(self, figure_id: str) -> Trace:
        """The answer for a figure of the sheet. Errors: KeyError where it is none of it."""
        kind, column, subject = parts_of(figure_id)
        if kind == OF_JOB and int(subject) < len(self.rows):
            return _of_job(self.rows[int(subject)], figure_id, column, self._where)
        return _ANSWERS[kind](self)

    def count(self) -> Trace:
        """How many jobs there are."""
        source = f"the job log: its jobs that ran {self._where}"
        return read(
            figure(COUNT),
            f"Jobs of {self._card.name}",
            self.total,
            "count",
            source,
            words=JOBS_WORDS,
        )

    def hours(self) -> Trace:
        """GPU-hours of all of them: job by job, as far as they are loaded."""
        rows = [
            TraceRow(f"Job {row.job_id or '?'}, {row.name}", (row.milli_gpu_seconds,)) for row in self.rows
        ]
        left = self.total - len(rows)
        if left:
            rest = self.milli_gpu_seconds - sum(row.milli_gpu_seconds for row in self.rows)
            rows.append(TraceRow(f"{left:,} jobs further down the list", (rest,)))
        return summed(
            figure(HOURS),
            f"GPU-hours of {self._card.name}, {self._where}",
            self.milli_gpu_seconds,
            "milli_gpu_seconds",
            "GPU-hours = \u03a3 over its jobs of GPUs \u00d7 hours that each ran, clipped to what counts",
            rows,
            columns=(TraceColumn("GPU-h", "milli_gpu_seconds"),),
        )

    def per_month(self) -> Trace:
        """GPU-hours a month."""
        hours = self.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR
        months = self._window.months
        return over(
            figure(PER_MONTH),
            f"GPU-hours a month of {self._card.name}",
            hours / months,
            "gpu_hours",
            "GPU-hours a month = GPU-hours of its jobs in the window \u00f7 months of 730 h",
            ("GPU-hours in the window", hours),
            ("Months of 730 h", months),
            ("gpu_hours", "exact"),
            said_as="per month",
        )

    def of_card(self) -> Trace:
        """What the card says, where that is not what its jobs come to: a part, or demand that a plan grows."""
        hours = self.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR / self._window.months
        said = self._card.gpu_hours_per_month
        rows = (
            TraceRow("GPU-hours of these jobs \u00f7 months of 730 h", (hours,)),
            TraceRow("What the card has more (+) or less", (said - hours,)),
        )
        return summed(
            figure(OF_CARD),
            f"GPU-hours a month on the card of {self._card.name}",
            said,
            "gpu_hours",
            "The card = its share of the workload \u00d7 how many times the plan counts the log",
            rows,
            said_as="per month",
            note="A part of a divided workload has the jobs of the whole; a plan may count more than was logged.",
        )


_ANSWERS: Final[dict[str, Callable[[JobsAnswers], Trace]]] = {
    COUNT: JobsAnswers.count,
    HOURS: JobsAnswers.hours,
    PER_MONTH: JobsAnswers.per_month,
    OF_CARD: JobsAnswers.of_card,
}


def _of_job(row: Any, figure_id: str, column: str, where: str) -> Trace:
    name = f"job {row.job_id}" if row.job_id else f"a job of {row.name}"
    gpus = row.milli_gpus / 1000
    if column == GPU_HOURS:
        hours = row.milli_gpu_seconds / row.milli_gpus / 3600 if row.milli_gpus else 0.0
        return product(
            figure_id,
            f"GPU-hours of {name}",
            row.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR,
            "exact",
            f"GPU-hours = GPUs \u00d7 hours that it ran {where}",
            (("GPUs that it held", gpus, "gpus"), (f"Hours {where}", hours, "exact")),
            said_as="GPU-h",
            note=_ran(row),
        )
    if column == GPUS:
        return read(figure_id, f"GPUs of {name}", gpus, "gpus", LOG)
    if column == ACTIVITY:
        share = row.activity_milli_percent / 100_000
        source = "the activity readings while it ran, their mean"
        return read(figure_id, f"Activity of {name}", share, "share", source)
    rows = (
        TraceRow("End, hours since 1970", (row.end_s / 3600,)),
        TraceRow("Less: start, hours since 1970", (-row.start_s / 3600,)),
    )
    columns = (TraceColumn("Hours", "exact"),)
    value = (row.end_s - row.start_s) / 3600
    return summed(
        figure_id, f"{name.capitalize()} lasted", value, "exact", "Lasted = end \u2212 start, both from the job log",
        rows, said_as="hours", columns=columns, note=_ran(row),
    )  # fmt: skip


def _ran(row: Any) -> str:
    begin = numbers.date(row.start_s)
    return (
        f"It began on {begin} and runs on."
        if row.end_s is None
        else f"From {begin} to {numbers.date(row.end_s)}."
    )
