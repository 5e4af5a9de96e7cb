"""The rows of logs on Spark: judged as the laptop judges them, put together, and named by workload."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from gpuplanner.domain.model.log.intake import Issue
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.pool import Pool
from gpuplanner.files.job_logs.judging.names import fold_name, workload_key
from gpuplanner.files.job_logs.judging.text_typing import (
    distinct_texts,
    judged_rows,
    read_texts,
    staged_texts,
)
from gpuplanner.files.job_logs.reduce.merged_names import names_merged_issue
from gpuplanner.files.job_logs.reduce.same_rows import WorkloadName, renamed
from gpuplanner.files.spark.spark_texts import RAGGED, Layout

if TYPE_CHECKING:
    from ibis.expr.types import Table
    from pyspark.sql import DataFrame, SparkSession


_ROWS_OF_A_PARTITION: Final = 2**26
"""Row numbers only settle which of two equal rows comes first, and are kept within what the expression expects."""


def judged(
    session: "SparkSession", tables: Any, raw: "DataFrame", layout: Layout, timezone: str | None, file: int
) -> "DataFrame":
    """The rows of one file with their validation. tables: the session as ibis sees it; file: its number."""
    from pyspark.sql import functions as sql

    view = f"raw_{file}"
    row = sql.monotonically_increasing_id()  # the partition above 33 bits, the row in it below
    line = sql.shiftright(row, 33) * _ROWS_OF_A_PARTITION + row % 2**33
    raw.withColumn("line", line).createOrReplaceTempView(view)
    texts = staged_texts(tables.table(view), layout.column_of, layout.units, RAGGED)
    session.sql(tables.compile(texts)).createOrReplaceTempView(f"texts_{file}")
    texts = tables.table(f"texts_{file}")

    def make_table(name: str, types: Mapping[str, str], rows: Sequence[tuple[Any, ...]]) -> "Table":
        """Hands rows to Spark as a view of this file's own name."""
        kinds = ", ".join(f"{column} {_SPARK_TYPES[kind]}" for column, kind in types.items())
        session.createDataFrame(list(rows), kinds).createOrReplaceTempView(f"{name}_{file}")
        return tables.table(f"{name}_{file}")

    told = session.sql(tables.compile(distinct_texts(texts))).toLocalIterator()
    readings = read_texts(map(tuple, told), layout.units, layout.read_gpus, timezone, make_table)
    return session.sql(tables.compile(judged_rows(texts, readings, layout.units, file)))


_SPARK_TYPES: Final = {"string": "string", "int64": "long"}


def together(frames: Sequence["DataFrame"], cluster: str | None) -> "DataFrame":
    """The rows of all files, of a cluster that was said where they name none."""
    from pyspark import StorageLevel
    from pyspark.sql import functions as sql

    rows = frames[0]
    for frame in frames[1:]:
        rows = rows.unionByName(frame)
    if cluster:
        rows = rows.withColumn(
            "cluster", sql.when(sql.col("cluster") == "", cluster).otherwise(sql.col("cluster"))
        )
    return rows.persist(StorageLevel.DISK_ONLY)  # read once, judged once, asked several times


def named(session: "SparkSession") -> tuple[list[Workload], tuple[str, ...], dict[int, Issue]]:
    """The view numbered_rows, with the numbers of workload and GPU model; both lists by number, sorted.

    And by file which names were merged (merged_names.py).
    """
    names = [row[0] for row in session.sql("select distinct name from accepted_once").collect()]
    session.createDataFrame(
        [(name, fold_name(name)) for name in names], "name string, folded string"
    ).createOrReplaceTempView("folded_names")
    as_read = [
        WorkloadName(workload_key(cluster, owner, folded, label or None), folded, cluster, owner, label)
        for cluster, owner, folded, label in session.sql(_OWNERS_SQL).collect()
    ]
    found = renamed(as_read)
    now = [(was, found.names.get(was, was)) for was in as_read]
    by_key = {one.key: one for _, one in now}
    number_of = {key: number for number, key in enumerate(sorted(by_key))}
    session.createDataFrame(
        [
            (was.cluster, was.owner, was.name, was.label, number_of[one.key], was.name != one.name)
            for was, one in now
        ],
        "cluster string, owner string, folded string, its_label string, workload long, is_merged boolean",
    ).createOrReplaceTempView("workload_names")
    models = sorted(row[0] for row in session.sql(_MODELS_SQL).collect())
    session.createDataFrame([*enumerate(models)], "number long, name string").createOrReplaceTempView(
        "model_names"
    )
    session.sql(_NUMBERED_SQL).createOrReplaceTempView("numbered_rows")
    workloads = [
        Workload(one.key, one.name, one.cluster, one.owner, Pool(one.label) if one.label else None)
        for _, one in sorted(by_key.items())
    ]
    counts = session.sql(_MERGED_SQL).collect() if found.merged else []
    issues = {file: names_merged_issue(found.merged, count, None) for file, count in counts}
    return workloads, tuple(models), issues


_MODELS_SQL: Final = (
    "select distinct gpu_model from accepted_once where gpu_model is not null and milli_gpus > 0"
)
_OWNERS_SQL: Final = """select distinct cluster, coalesce(account, user, '') as owner, folded, coalesce(label, '')
    from accepted_once join folded_names using (name)"""
_NUMBERED_SQL: Final = """select a.file, a.start_s, a.end_s, a.is_running, a.milli_gpus, n.workload,
        coalesce(m.number, -1) as gpu_model, n.is_merged
    from accepted_once a
    join folded_names f on f.name = a.name
    join workload_names n on n.cluster = a.cluster and n.folded = f.folded
        and n.owner = coalesce(a.account, a.user, '') and n.its_label = coalesce(a.label, '')
    left join model_names m on m.name = a.gpu_model"""
_MERGED_SQL: Final = "select file, count(*) from numbered_rows where is_merged group by file"
