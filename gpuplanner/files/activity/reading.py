"""A reading of an activity file: one row with its samples, or with what is wrong with it."""

from collections.abc import Callable, Iterator
from typing import Final

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.intake import Facts
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.small_table import RowError
from gpuplanner.lazy_dataclass import dataclass

ACTIVITY: Final = "activity"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """How busy one GPU was at one instant, or one job's process on some of a node's GPUs.

    at_s: epoch seconds; None where the file does not say. milli_percent: 0..100,000 of one GPU; of a process the
    sum over the `cards` it used. host, gpu: empty where unknown. job_id, pod (`namespace/name`, or the name): what
    the GPU was held by, empty where the sample does not say.
    """

    at_s: int | None
    host: str
    gpu: str
    milli_percent: int
    metric: str
    job_id: str = ""
    pod: str = ""
    gpu_model: str = ""
    is_process: bool = False
    is_naive: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One row of an activity file: samples (accepted), a fault (rejected), or neither (ignored: it measures else).

    row: line of the file, or the record's number; text: as it stands, where it is at fault.
    looked_at: a node and an instant at which all processes on it were looked at, so that a job without one there did
    nothing. is_short: it has fewer cells than its heading.
    """

    row: int
    samples: tuple[Sample, ...] = ()
    fault: RowError | None = None
    text: str = ""
    looked_at: tuple[str, int] | None = None
    is_short: bool = False


NO_TIME: Final = RowError(
    "bad_time", worded("no readable time"), worded("use 2026-01-31T05:00:00Z or epoch seconds")
)


def no_share(value: str | None) -> RowError:
    """What is wrong with a value that is none of how busy a GPU was."""
    return RowError(
        "bad_number", worded("{value} is not a share of a GPU", value=value or ""), worded("check the export")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityDialect:
    """One kind of activity file. why: for `check`; readings: every row of it, in order. The zone is of naive times.

    record_name: what a row of it is, in the plural. more_facts: what else `check` says of it, reading it again.
    """

    format: str
    why: Message
    sniff: Callable[[str], float]
    readings: Callable[[Source, str | None], Iterator[Reading]]
    record_name: str = "lines"
    more_facts: Callable[[Source], Facts] | None = None

    @property
    def kind(self) -> str:
        """As the intake names it."""
        return ACTIVITY
