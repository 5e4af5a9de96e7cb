"""The intake of an activity file: every row counted once, and what the samples are of."""

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Final

from gpuplanner.domain.model.log.intake import Facts, FileIntake, Issue, RejectedRow
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.domain.model.worded import Worded, worded
from gpuplanner.files.activity.reading import ACTIVITY, Reading, Sample
from gpuplanner.files.sources.decoding import NOT_UTF_8
from gpuplanner.files.sources.issue_texts import issue_message
from gpuplanner.files.sources.row_widths import SHORT
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.small_table import REJECTED_ROWS_KEPT

KIND: Final = ACTIVITY
NAMES_IN_MESSAGE: Final = 3
_METRIC_NAME: Final = re.compile(r'"__name__"\s*:\s*"([^"]{1,80})"')
NAMES_IN_FACTS: Final = 200


@dataclass(slots=True)
class Tally:
    """Counts rows and collects facts while they go by. The rows themselves are not kept."""

    fates: Counter[str] = field(default_factory=Counter)
    codes: dict[str, tuple[int, int, Worded]] = field(default_factory=dict)
    rejected: list[RejectedRow] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)
    gpus: set[tuple[str, str]] = field(default_factory=set)
    models: set[str] = field(default_factory=set)
    jobs: set[str] = field(default_factory=set)
    metrics: Counter[str] = field(default_factory=Counter)
    naive: tuple[int, int] = (0, 0)  # rows, the first of them
    short: tuple[int, int] = (0, 0)
    first_s: int | None = None
    last_s: int | None = None

    def add(self, reading: Reading) -> None:
        """One row more."""
        fate = "rejected" if reading.code else "accepted" if reading.samples else "ignored"
        self.fates[fate] += 1
        if reading.code:
            count, first, message = self.codes.get(reading.code, (0, reading.row, reading.message))
            self.codes[reading.code] = (count + 1, first, message)
            if count < REJECTED_ROWS_KEPT:
                self.rejected.append(
                    RejectedRow(reading.row, reading.code, reading.message, reading.text[:2000])
                )
        elif reading.is_short:
            self.short = (self.short[0] + 1, self.short[1] or reading.row)
        if reading.looked_at is not None:
            self._seen(*reading.looked_at)
        for sample in reading.samples:
            self._add_sample(sample)
        if fate == "accepted" and any(sample.is_naive for sample in reading.samples):
            self.naive = (self.naive[0] + 1, self.naive[1] or reading.row)

    def _seen(self, host: str, at_s: int | None) -> None:
        if host:
            self.hosts.add(host)
        if at_s is not None:
            self.first_s = at_s if self.first_s is None else min(self.first_s, at_s)
            self.last_s = at_s if self.last_s is None else max(self.last_s, at_s)

    def _add_sample(self, sample: Sample) -> None:
        self._seen(sample.host, sample.at_s)
        self.metrics[sample.metric] += 1
        for gpu in sample.gpu.split(",") if sample.is_process else (sample.gpu,):
            self.gpus.add((sample.host, gpu))
        if sample.gpu_model:
            self.models.add(sample.gpu_model)
        if sample.job_id or sample.pod:
            self.jobs.add(sample.job_id or sample.pod)

    def facts(self, record_name: str) -> Facts:
        """What the file says, for `check`."""
        return (
            (record_name, self.fates.total()),
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

    def intake(self, source: Source, format_name: str, *, is_timezone_given: bool) -> FileIntake:
        """The row of the file."""
        issues = [
            Issue(code, count, first, self.codes[code][2] if count == 1 else _message(code, message))
            for code, (count, first, message) in self.codes.items()
        ]
        if self.naive[0] and not is_timezone_given:
            issues.append(
                Issue("naive_time_assumed_utc", *self.naive, issue_message("naive_time_assumed_utc"))
            )
        if self.short[0]:
            issues.append(Issue(SHORT, *self.short, issue_message(SHORT)))
        if source.encoding == NOT_UTF_8:
            issues.append(Issue("encoding", 1, None, issue_message("encoding")))
        accepted, rejected, ignored = (self.fates[fate] for fate in ("accepted", "rejected", "ignored"))
        return FileIntake(
            source.path,
            KIND,
            format_name,
            rows_read=self.fates.total(),
            rows_accepted=accepted,
            rows_rejected=rejected,
            rows_duplicate=0,
            rows_ignored=ignored,
            issues=tuple(sorted(issues, key=lambda issue: (issue.code, issue.first_row or 0))),
            rejected=tuple(self.rejected),
            sha256=source.sha256,
        )


def lack_of_activity(file: FileIntake, head: str) -> FileIntake:
    """The intake with what a file lacks none of whose rows is used or at fault: a count of GPUs is no activity."""
    if not file.rows_read or file.rows_ignored < file.rows_read:
        return file
    issue = Issue("missing_column", file.rows_ignored, None, _no_activity(head))
    return replace(file, issues=(*file.issues, issue))


def _no_activity(head: str) -> Worded:
    named = sorted(set(_METRIC_NAME.findall(head)))[:NAMES_IN_MESSAGE]
    lacks = (
        worded("none of its metrics says how busy a GPU is (it has {names})", names=", ".join(named))
        if named
        else worded("none of its metrics says how busy a GPU is")
    )
    metrics = "DCGM_FI_PROF_SM_ACTIVE, DCGM_FI_PROF_GR_ENGINE_ACTIVE or DCGM_FI_DEV_GPU_UTIL"
    return worded("{lacks}; export {metrics}", lacks=lacks, metrics=metrics)


def _message(code: str, message: Worded) -> Worded:
    """Of several rows: the first one's words, or what they have in common."""
    return (
        message
        if code in ("bad_time", "missing_column")
        else worded("the first of them: {message}", message=message)
    )
