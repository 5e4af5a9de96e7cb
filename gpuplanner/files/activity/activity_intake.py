"""The intake of an activity file: every row counted once, and what the samples are of."""

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Final

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.log.intake import Facts, FileIntake, Issue
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.activity.reading import ACTIVITY, Reading, Sample
from gpuplanner.files.sources.row_widths import SHORT
from gpuplanner.files.tables.row_ends import RowEnds

KIND: Final = ACTIVITY
NAMES_IN_MESSAGE: Final = 3
_METRIC_NAME: Final = re.compile(r'"__name__"\s*:\s*"([^"]{1,80})"')
NAMES_IN_FACTS: Final = 200


@dataclass(slots=True)
class Tally:
    """Counts rows and collects facts while they go by. The rows themselves are not kept.

    is_zoned: whether somebody said which zone times without one are of.
    """

    is_zoned: bool = False
    ends: RowEnds = field(default_factory=RowEnds)
    hosts: set[str] = field(default_factory=set)
    gpus: set[tuple[str, str]] = field(default_factory=set)
    models: set[str] = field(default_factory=set)
    jobs: set[str] = field(default_factory=set)
    metrics: Counter[str] = field(default_factory=Counter)
    first_s: int | None = None
    last_s: int | None = None

    def add(self, reading: Reading) -> None:
        """One row more.

        A row at fault is rejected with at most 2,000 signs of its text; one without a sample is ignored.
        """
        self.ends.read += 1
        if reading.fault is not None:
            self.ends.reject(reading.row, reading.fault, reading.text[:2000])
        else:
            self.ends.ignored += not reading.samples
            if reading.is_short:
                self.ends.note(SHORT, reading.row)
            if not self.is_zoned and any(sample.is_naive for sample in reading.samples):
                self.ends.note("naive_time_assumed_utc", reading.row)
        if reading.looked_at is not None:
            self._seen(*reading.looked_at)
        for sample in reading.samples:
            self._add_sample(sample)

    def _seen(self, host: str, at_s: int | None) -> None:
        """Counts a node, and widens the span of the samples to an instant in UTC seconds.

        Neither an empty name nor None counts.
        """
        if host:
            self.hosts.add(host)
        if at_s is not None:
            self.first_s = at_s if self.first_s is None else min(self.first_s, at_s)
            self.last_s = at_s if self.last_s is None else max(self.last_s, at_s)

    def _add_sample(self, sample: Sample) -> None:
        """Counts one sample under its metric, with each GPU it is of.

        A process may name several with commas between.
        """
        self._seen(sample.host, sample.at_s)
        self.metrics[sample.metric] += 1
        for gpu in sample.gpu.split(",") if sample.is_process else (sample.gpu,):
            self.gpus.add((sample.host, gpu))
        if sample.gpu_model:
            self.models.add(sample.gpu_model)
        if sample.job_id or sample.pod:
            self.jobs.add(sample.job_id or sample.pod)

    def facts(self, record_name: str) -> Facts:
        """What the file says, for `check`.

        record_name: what a row is called, as the first fact. Times are ISO in UTC, None without samples;
        names are limited to the first few.
        """
        return (
            (record_name, self.ends.read),
            ("samples", self.metrics.total()),
            ("metrics", dict(sorted(self.metrics.items()))),
            ("hosts", sorted(self.hosts)[:NAMES_IN_FACTS]),
            ("host_count", len(self.hosts)),
            ("gpus", len(self.gpus)),
            ("gpus_by_host", dict(sorted(Counter(host for host, _ in self.gpus).items())[:NAMES_IN_FACTS])),
            ("gpu_models", sorted(self.models)),
            ("jobs", len(self.jobs)),
            ("first_time", None if self.first_s is None else iso_utc(self.first_s)),
            ("last_time", None if self.last_s is None else iso_utc(self.last_s)),
        )


def lack_of_activity(file: FileIntake, head: str) -> FileIntake:
    """The intake with what a file lacks none of whose rows is used or at fault.

    A count of GPUs is no activity.

    Any other file comes back as it is.
    """
    if not file.rows_read or file.rows_ignored < file.rows_read:
        return file
    issue = Issue("missing_column", file.rows_ignored, None, _no_activity(head))
    return replace(file, issues=(*file.issues, issue))


def _no_activity(head: str) -> Message:
    """Why a file of metrics says nothing of activity.

    The first names of its metrics, and three that would do.
    """
    named = sorted(set(_METRIC_NAME.findall(head)))[:NAMES_IN_MESSAGE]
    lacks = (
        worded("none of its metrics says how busy a GPU is (it has {names})", names=", ".join(named))
        if named
        else worded("none of its metrics says how busy a GPU is")
    )
    metrics = "DCGM_FI_PROF_SM_ACTIVE, DCGM_FI_PROF_GR_ENGINE_ACTIVE or DCGM_FI_DEV_GPU_UTIL"
    return worded("{lacks}; export {metrics}", lacks=lacks, metrics=metrics)
