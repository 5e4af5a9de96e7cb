"""Staging: the samples of activity files into the engine, each once over all files of a call."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from gpuplanner.domain.model.log.intake import Facts, FileIntake
from gpuplanner.files.activity.activity_intake import KIND, Tally, lack_of_activity
from gpuplanner.files.activity.metrics import METRICS, metric_key
from gpuplanner.files.activity.reading import ActivityDialect
from gpuplanner.files.sources.raw_table import load_records
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine, open_engine

ACTIVITY: Final = "activity"
"""The engine's table of samples: file, line, at_s, host, gpu, milli_percent, rank, metric, job_id, pod, is_process."""

LOOKED_AT: Final = "looked_at"
"""The engine's table of nodes and instants at which all processes were looked at: host, at_s."""

_COLUMNS: Final = (
    "at_s",
    "host",
    "gpu",
    "milli_percent",
    "rank",
    "metric",
    "job_id",
    "pod",
    "is_process",
)


def create_activity(engine: Engine) -> None:
    """Empty tables.

    ACTIVITY has a row a sample: seconds in UTC, thousandths of a percent, and the rank of its metric (the
    lower the better). LOOKED_AT has instants at which a node was looked at, whether or not a GPU was used.
    """
    engine.run(
        f"""create or replace table {ACTIVITY} (file int, line bigint, at_s bigint, host varchar, gpu varchar,
            milli_percent int, rank int, metric varchar, job_id varchar, pod varchar, is_process boolean)"""
    )
    engine.run(f"create or replace table {LOOKED_AT} (host varchar, at_s bigint)")


def stage_activity(
    engine: Engine, source: Source, dialect: ActivityDialect, file: int, timezone: str | None
) -> tuple[FileIntake, Facts]:
    """Add the samples of one file; returns its intake, before duplicates, and what it says of itself.

    file: a number that tells the files of one call apart. Errors: PlannerError truncated_file, file_unreadable.
    """
    tally = Tally(is_zoned=timezone is not None)
    looked_at: set[tuple[str, int]] = set()

    def records() -> Iterator[tuple[int, Sequence[str]]]:
        """Each sample as the texts of a row of the staging table, counted on the way.

        Rows at fault are counted alone.
        """
        for reading in dialect.readings(source, timezone):
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
        f"""insert into {ACTIVITY} select {file}, line, cast(c0 as bigint), coalesce(c1, ''), coalesce(c2, ''),
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
    intake = tally.ends.intake(source, KIND, dialect.format)
    return lack_of_activity(intake, source.head), tally.facts(dialect.record_name)


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
            from {ACTIVITY} where gpu <> ''
        ), placed as (
            select id, file, line, row_number() over (
                partition by at_s, host, gpu, metric, job_id, pod, nth order by file, line, id) as place
            from numbered
        )
        select id, file, line from placed where place > 1"""
    )
    found = engine.all(
        f"""select file, count(*) from (
            select file, line, count(*) as repeats from activity_repeats group by file, line
        ) r join (
            select file, line, count(*) as samples from {ACTIVITY} group by file, line
        ) a using (file, line) where repeats = samples group by file"""
    )
    engine.run(f"delete from {ACTIVITY} where rowid in (select id from activity_repeats)")
    engine.run("drop table activity_repeats")
    return dict(found)


def without_repeats(file: FileIntake, repeated: int) -> FileIntake:
    """The intake with so many of its accepted rows as duplicates.

    Law: accepted + rejected + duplicate + ignored rows stay the rows read.
    """
    return replace(
        file,
        rows_accepted=file.rows_accepted - repeated,
        rows_duplicate=file.rows_duplicate + repeated,
    )


def describe_activity(dialect: ActivityDialect, source: Source, timezone: str | None) -> FileIntake:
    """How `check` reads a file of that dialect, by itself. Errors: as stage_activity."""
    with open_engine(size_bytes=Path(source.at).stat().st_size) as engine:
        create_activity(engine)
        file, facts = stage_activity(engine, source, dialect, 0, timezone)
        file = without_repeats(file, drop_repeated_samples(engine).get(0, 0))
    more = dialect.more_facts(source) if dialect.more_facts is not None else ()
    return replace(file, facts=(*facts, *more))
