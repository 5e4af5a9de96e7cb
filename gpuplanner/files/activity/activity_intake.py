"""The intake of activity files: every shape that is recognised, its rows counted once, and staged."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from gpuplanner.domain.message import Message, worded, worded_both
from gpuplanner.domain.model.intake import Facts, FileIntake, Issue
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.activity import dcgmi_dmon, metric_table, prometheus, smi_dmon, smi_query, sonar_samples
from gpuplanner.files.activity.metrics import METRICS, metric_key
from gpuplanner.files.activity.reading import ACTIVITY, ActivityDialect, Reading, Sample
from gpuplanner.files.sources.issue_texts import SHORT
from gpuplanner.files.sources.raw_table import load_records
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine, open_engine, sql_text
from gpuplanner.files.tables.small_table import RowEnds
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.lazy_dataclass import dataclass, field, replace
from gpuplanner.lazy_re import lazy_re

# --- The table of recognisers of activity files: every shape that a tool writes ------------------

ACTIVITY_DIALECTS: Final = (
    prometheus.DCGM,
    dcgmi_dmon.DCGMI_DMON,
    prometheus.OTHER,
    prometheus.QUERY_ANSWER,
    metric_table.TABLE,
    metric_table.SERIES,
    metric_table.ONE_NODE,
    smi_dmon.SMI_DMON,
    smi_query.QUERY,
    sonar_samples.LINES,
    sonar_samples.OBJECTS,
)
"""Formats may stand here several times: one for each shape that a tool writes."""


# --- The intake of an activity file: every row counted once, and what the samples are of ---------

KIND: Final = ACTIVITY
NAMES_IN_MESSAGE: Final = 3
_METRIC_NAME: Final = lazy_re(r'"__name__"\s*:\s*"([^"]{1,80})"')
NAMES_IN_FACTS: Final = 200


@dataclass(slots=True, kw_only=True)
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
    if named:
        lacks = worded("no metric measures GPU activity (found: {names})", names=", ".join(named))
    else:
        lacks = worded("no metric measures GPU activity")
    metrics = "DCGM_FI_PROF_SM_ACTIVE, DCGM_FI_PROF_GR_ENGINE_ACTIVE or DCGM_FI_DEV_GPU_UTIL"
    return worded("{lacks}; export {metrics}", lacks=lacks, metrics=metrics)


# --- Staging: the samples of activity files into the engine, each once over all files of a call

SAMPLES: Final = "activity"
"""The engine's table of samples: file, line, at_s, host, gpu, milli_percent, rank, metric, job_id, pod, is_process."""

LOOKED_AT: Final = "looked_at"
"""The engine's table of nodes and instants at which all processes were looked at: host, at_s."""

SAID_MODELS: Final = "said_models"
"""The engine's table of nodes and the GPU models that somebody said of them: host, gpu_model."""

_COLUMNS: Final = phrases("at_s|host|gpu|milli_percent|rank|metric|job_id|pod|is_process")


@dataclass(frozen=True, slots=True)
class OneNode:
    """The node that a log is of and the model of its GPUs, where its rows do not say; empty: nobody said."""

    name: str = ""
    gpu_model: str = ""

    def of(self, sample: Sample) -> Sample:
        """A sample with what it does not say itself."""
        return replace(sample, host=sample.host or self.name, gpu_model=sample.gpu_model or self.gpu_model)


NO_NODE: Final = OneNode()


def _create_activity(engine: Engine) -> None:
    """Empty tables, where no file of the call made them.

    ACTIVITY has a row a sample: seconds in UTC, thousandths of a percent, and the rank of its metric (the
    lower the better). LOOKED_AT has instants at which a node was looked at, whether or not a GPU was used.
    """
    engine.run(
        f"""create table if not exists {SAMPLES} (file int, line bigint, at_s bigint, host varchar, gpu varchar,
            milli_percent int, rank int, metric varchar, job_id varchar, pod varchar, is_process boolean)"""
    )
    engine.run(f"create table if not exists {LOOKED_AT} (host varchar, at_s bigint)")
    engine.run(f"create table if not exists {SAID_MODELS} (host varchar, gpu_model varchar)")


def stage_activity(
    engine: Engine,
    source: Source,
    dialect: ActivityDialect,
    file: int,
    timezone: str | None,
    node: OneNode = NO_NODE,
) -> tuple[FileIntake, Facts]:
    """Add the samples of one file; returns its intake, before duplicates, and what it says of itself.

    file: a number that tells the files of one call apart; node: of samples that name none.

    Errors: PlannerError truncated_file, file_unreadable.
    """
    _create_activity(engine)
    tally = Tally(is_zoned=timezone is not None)
    looked_at: set[tuple[str, int]] = set()

    def records() -> Iterator[tuple[int, Sequence[str]]]:
        """Each sample as the texts of a row of the staging table, counted on the way.

        Rows at fault are counted alone.
        """
        readings = dialect.readings(source, timezone)
        if node != NO_NODE:
            readings = (replace(one, samples=tuple(map(node.of, one.samples))) for one in readings)
        for reading in readings:
            tally.add(reading)
            if reading.looked_at is not None:
                looked_at.add(reading.looked_at)
            if reading.fault is not None:
                continue
            for sample in reading.samples:
                key = metric_key(sample.metric)
                yield (
                    reading.row,
                    (
                        str(sample.at_s),
                        sample.host,
                        sample.gpu,
                        str(sample.milli_percent),
                        str(METRICS[key].rank),
                        key,
                        sample.job_id,
                        sample.pod,
                        str(int(sample.is_process)),
                    ),
                )

    raw = load_records(engine, source, f"activity_{file}", _COLUMNS, records())
    engine.run(
        f"""insert into {SAMPLES} select {file}, line, cast(c0 as bigint), coalesce(c1, ''), coalesce(c2, ''),
            cast(c3 as int), cast(c4 as int), coalesce(c5, ''), coalesce(c6, ''), coalesce(c7, ''), c8 = '1'
        from "{raw.name}" """
    )
    engine.run(f'drop table "{raw.name}"')
    engine.keep(
        "looked_at_now",
        {"host": [host for host, _ in looked_at], "at_s": [at_s for _, at_s in looked_at]},
        {"host": "varchar", "at_s": "bigint"},
    )
    engine.run(f"insert into {LOOKED_AT} select * from looked_at_now")
    if node.name and node.gpu_model:
        engine.run(f"insert into {SAID_MODELS} values ({sql_text(node.name)}, {sql_text(node.gpu_model)})")
    if tally.metrics and not tally.hosts and not tally.jobs:
        tally.ends.note("undecided", 1, _of_no_node(has_model=bool(tally.models)), _TO_NAME)
    intake = tally.ends.intake(source, KIND, dialect.format)
    return lack_of_activity(intake, source.head), tally.facts(dialect.record_name)


def _of_no_node(*, has_model: bool) -> Message:
    """What the rows of a log of one node do not say."""
    if has_model:
        return worded("no node column: read as one node")
    return worded("no node or GPU model column: read as one node")


_TO_NAME: Final = worded_both(
    "use --map node==gpu-01,activity.gpu_model==H100, or name the file after the node (gpu-01.csv). Jobs or a "
    "node list give the model",
    "choose the node on the left, or name the file after it (gpu-01.csv). Jobs or a node list give the model",
)


def drop_repeated_samples(engine: Engine) -> dict[int, int]:
    """Keep the first of samples that are alike in time, GPU, metric and holder; by file, the rows left without any.

    Several processes of a job on one GPU are alike and no repeats, so within a file those are counted off.
    """
    engine.run(
        f"""create or replace table activity_repeats as
        with numbered as (
            select rowid as id, file, line, at_s, host, gpu, metric, job_id, pod,
                case when is_process then row_number() over (
                    partition by file, at_s, host, gpu, metric, job_id, pod order by line, rowid) else 0 end as nth
            from {SAMPLES} where gpu <> ''
        ), placed as (
            select id, file, line, row_number() over (
                partition by at_s, host, gpu, metric, job_id, pod, nth order by file, line, id) as place
            from numbered
        )
        select id, file, line from placed where place > 1"""
    )
    rows = engine.all(
        f"""select file, count(*) from (
            select file, line, count(*) as repeats from activity_repeats group by file, line
        ) r join (
            select file, line, count(*) as samples from {SAMPLES} group by file, line
        ) a using (file, line) where repeats = samples group by file"""
    )
    engine.run(f"delete from {SAMPLES} where rowid in (select id from activity_repeats)")
    engine.run("drop table activity_repeats")
    return dict(rows)


def without_repeats(file: FileIntake, repeated: int) -> FileIntake:
    """The intake with so many of its accepted rows as duplicates.

    Law: accepted + rejected + duplicate + ignored rows stay the rows read.
    """
    return replace(
        file, rows_accepted=file.rows_accepted - repeated, rows_duplicate=file.rows_duplicate + repeated
    )


def describe_activity(
    dialect: ActivityDialect, source: Source, timezone: str | None, node: OneNode = NO_NODE
) -> FileIntake:
    """How `check` reads a file of that dialect, by itself. Errors: as stage_activity."""
    with open_engine(size_bytes=Path(source.at).stat().st_size) as engine:
        file, facts = stage_activity(engine, source, dialect, 0, timezone, node)
        file = without_repeats(file, drop_repeated_samples(engine).get(0, 0))
    more = dialect.more_facts(source) if dialect.more_facts is not None else ()
    return replace(file, facts=(*facts, *more))
