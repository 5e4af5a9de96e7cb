"""Intake: what each file was, and how every one of its rows ended."""

from dataclasses import dataclass

from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.log.data_quality import DataQuality
from gpuplanner.domain.model.log.idle_gap import IdleGaps

Facts = tuple[tuple[str, object], ...]
"""What a file says of itself, by name; values are ready for JSON, unknown is None."""


@dataclass(frozen=True, slots=True)
class Issue:
    """One kind of finding in one file: how many rows, the first of them (a line number; None: the whole file)."""

    code: str
    count: int
    first_row: int | None
    message: Message


@dataclass(frozen=True, slots=True)
class RejectedRow:
    """One row that was not taken: its line number, why, its text; cells: the same by column, where there are any."""

    row: int
    code: str
    message: Message
    text: str = ""
    cells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileIntake:
    """Law: rows_read == rows_accepted + rows_rejected + rows_duplicate + rows_ignored.

    kind: jobs, contracts, prices, ... ; format: the recognised dialect; sha256 of the file's bytes.
    rejected holds at most the first 1,000 rejected rows; the counts are complete. columns: the headings of their cells.
    noted: of each issue whose rows were accepted or ignored, the first of these rows, as they were understood.
    jobs_in_window: accepted rows of a job log that touch the window; None where they were not counted by file.
    """

    path: str
    kind: str
    format: str
    rows_read: int
    rows_accepted: int
    rows_rejected: int
    rows_duplicate: int
    rows_ignored: int
    issues: tuple[Issue, ...] = ()
    rejected: tuple[RejectedRow, ...] = ()
    sha256: str = ""
    facts: Facts = ()
    columns: tuple[str, ...] = ()
    noted: tuple[RejectedRow, ...] = ()
    jobs_in_window: int | None = None


@dataclass(frozen=True, slots=True)
class JobFacts:
    """What the accepted jobs add up to in the window; see the `jobs` object of the JSON.

    Units: milli_gpu_seconds integer thousandths of a GPU-second; peak_milli_gpus the exact concurrent maximum;
    first_start_s and last_end_s epoch seconds, after clipping. models_written: GPU models as the log wrote them, with
    the cluster and their milli_gpu_seconds, sorted.
    """

    count: int = 0
    gpu_jobs: int = 0
    milli_gpu_seconds: int = 0
    peak_milli_gpus: int = 0
    first_start_s: int | None = None
    last_end_s: int | None = None
    clipped: int = 0
    rows_sha256: str = ""  # of the Parquet file that keeps the job rows; empty where none was kept
    quality: DataQuality | None = None  # of the whole log, not of the window
    lulls: IdleGaps | None = None  # of the window; None: not known, or more than a project keeps
    models_written: tuple[tuple[str, str, int], ...] = ()

    @property
    def gpu_hours(self) -> float:
        """GPU-hours in the window.

        Jobs are clipped to the window.
        """
        return self.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR
