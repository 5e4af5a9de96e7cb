"""Job rows: the accepted jobs with the workload each belongs to, kept as one Parquet file under its hash."""

import glob
import hashlib
import os
from pathlib import Path
from typing import Final

from gpuplanner.files.engine import Engine
from gpuplanner.files.job_logs.names import fold_name, workload_key
from gpuplanner.files.job_logs.row_fates import JOBS

JOB_ROWS: Final = "job_rows"
"""The engine's view of accepted jobs, whether just read or from Parquet.

Columns: those of JOBS without fate and faults, and workload (BIGINT), workload_key, workload_name, owner.
"""

JOB_TIMES: Final = "job_times"
"""The engine's view of start_s, end_s and is_running of accepted jobs: cheaper than JOB_ROWS."""

WORKLOAD_NAMES: Final = "workload_names"
"""The engine's view of every workload's number, key, name, cluster, owner and label (empty: none)."""

_KEPT: Final = (
    'file, line, job_id, cluster, name, account, "user", queue, gpu_model, milli_gpus, nodes, start_s, end_s, '
    "is_running, state, activity_milli_percent, label, model, hosts"
)


def name_workloads(engine: Engine) -> None:
    """JOB_ROWS from JOBS: every accepted job with its workload. Names are folded once per distinct name."""
    engine.run(
        f"""create or replace table raw_workloads as
        select cluster, coalesce(account, "user", '') as owner, name, coalesce(label, '') as label
        from {JOBS} where fate = 'accepted' group by all"""
    )
    names = [row[0] for row in engine.all("select distinct name from raw_workloads")]
    engine.keep(
        "folded_names",
        {"name": names, "folded": [fold_name(name) for name in names]},
        {"name": "varchar", "folded": "varchar"},
    )
    parts = engine.all(
        "select distinct cluster, owner, folded, label from raw_workloads join folded_names using (name)"
    )
    keys = [workload_key(cluster, owner, folded, label or None) for cluster, owner, folded, label in parts]
    number_of = {key: number for number, key in enumerate(sorted(set(keys)))}
    columns = {
        "cluster": [part[0] for part in parts],
        "owner": [part[1] for part in parts],
        "folded": [part[2] for part in parts],
        "label": [part[3] for part in parts],
        "workload_key": keys,
        "workload": [number_of[key] for key in keys],
    }
    engine.keep(
        "workloads", columns, {name: "bigint" if name == "workload" else "varchar" for name in columns}
    )
    engine.run(
        """create or replace table named_workloads as
        select r.*, w.folded, w.workload_key, w.workload
        from raw_workloads r join folded_names using (name)
        join workloads w on w.cluster = r.cluster and w.owner = r.owner and w.folded = folded_names.folded
            and w.label = r.label"""
    )
    engine.run(
        f"""create or replace view {JOB_ROWS} as
        select {_qualified("j")}, n.workload, n.workload_key, n.folded as workload_name, n.owner
        from {JOBS} j join named_workloads n on n.cluster = j.cluster and n.name = j.name
            and n.owner = coalesce(j.account, j."user", '') and n.label = coalesce(j.label, '')
        where j.fate = 'accepted'"""
    )
    engine.run(
        f"create or replace view {JOB_TIMES} as select start_s, end_s, is_running from {JOBS} where fate = 'accepted'"
    )
    engine.run(
        f"""create or replace view {WORKLOAD_NAMES} as
        select distinct workload, workload_key, folded as workload_name, cluster, owner, label from named_workloads"""
    )


def _qualified(alias: str) -> str:
    return ", ".join(f"{alias}.{name.strip()}" for name in _KEPT.split(","))


def keep_rows(engine: Engine, folder: Path) -> str:
    """Write JOB_ROWS into the folder once, in the order of the files; returns the SHA-256 that names it."""
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f"{os.getpid()}.part"
    try:
        engine.run(
            f"copy (select * from {JOB_ROWS} order by file, line) to '{str(part).replace(chr(39), chr(39) * 2)}' "
            "(format parquet, compression zstd)"
        )
        digest = hashlib.sha256()
        with part.open("rb") as file:
            while chunk := file.read(2**20):
                digest.update(chunk)
        kept = rows_path(folder, digest.hexdigest())
        try:
            os.replace(part, kept)
        except PermissionError:  # Windows: another window reads these very rows
            if not kept.exists():
                raise
    finally:
        part.unlink(missing_ok=True)
    return digest.hexdigest()


def rows_path(folder: Path, sha256: str) -> Path:
    """Where the rows of that hash are kept."""
    return folder / f"{sha256}.parquet"


def open_rows(engine: Engine, path: Path) -> None:
    """JOB_ROWS from a file that `keep_rows` wrote."""
    quoted = glob.escape(str(path)).replace("'", "''")
    engine.run(
        f"create or replace view {JOB_ROWS} as select * from read_parquet('{quoted}', hive_partitioning=false)"
    )
    engine.run(f"create or replace view {JOB_TIMES} as select start_s, end_s, is_running from {JOB_ROWS}")
    engine.run(
        f"""create or replace view {WORKLOAD_NAMES} as
        select distinct workload, workload_key, workload_name, cluster, owner, coalesce(label, '') as label
        from {JOB_ROWS}"""
    )
