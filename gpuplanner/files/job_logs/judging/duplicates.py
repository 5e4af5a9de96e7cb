"""Duplicates: one run of one job counts once, over all files of a call."""

from collections.abc import Collection
from typing import Final

import numpy as np

from gpuplanner.files.job_logs.judging.compiled import compiled
from gpuplanner.files.job_logs.judging.expression import repeated_rows
from gpuplanner.files.job_logs.judging.job_store import JOBS, KINDS, STATES, WIDE, drop_jobs, run_key
from gpuplanner.files.system.engine import Engine

LOST: Final = "lost"
"""The engine's table of file, line and place of the rows that told again of a run; they are in JOBS no longer."""

ACCEPTED: Final = "accepted"
"""The engine's view of the rows of JOBS that count."""


def find_duplicates(engine: Engine, without_alike: Collection[int] = ()) -> None:
    """LOST and ACCEPTED: among good rows of the same cluster, job_id and start only one counts.

    Which one: `expression.repeated_rows`. Rows without an id are told apart by nothing: those that repeat an earlier
    one in every field are dropped in the files where the planner said so (without_alike), else only counted, by
    `possible_duplicates`.
    """
    engine.run(f"create or replace table {LOST} (file bigint, line bigint, place bigint)")
    if _keep_suspects(engine, "run", "run is not null"):
        _lose_repeated(engine)
    if without_alike and _suspect_alike(engine):
        of_files = ", ".join(str(int(file)) for file in without_alike)
        engine.run(f"insert into {LOST} select file, line, place from ({_ALIKE}) where file in ({of_files})")
    drop_jobs(engine, f"select place from {LOST}")
    engine.run(f"create or replace view {ACCEPTED} as select * replace ({WIDE}) from {JOBS} where code = 0")


def _lose_repeated(engine: Engine) -> None:
    """Into LOST the rows of suspect_keys that tell again of a run."""
    engine.run(
        f"""create or replace temp table suspects as
        with told as materialized (
            select file::bigint as file, place, {WIDE}, kind, job_id, is_running, state_id from {JOBS}
            where run in (select key from suspect_keys)
        )
        select j.file, j.line, j.place, k.cluster, j.job_id, j.start_s, j.end_s, j.is_running, s.finality
        from told j join {KINDS} k using (kind) join {STATES} s on s.id = j.state_id"""
    )
    engine.run(
        f"""insert into {LOST} select file, line, place
        from ({compiled(engine, "suspects", repeated_rows)}) join suspects using (file, line)"""
    )
    engine.run("drop table suspects")


def _keep_suspects(engine: Engine, key: str, where: str) -> bool:
    """The table suspect_keys: the keys that several rows share; whether there are any, without which there is no table.

    Numbers sort much faster than an engine groups rows.
    """
    keys = engine.columns(f"select {key} as key from {JOBS} where {where}")["key"]
    keys = np.asarray(keys, dtype=np.uint32)
    keys.sort()
    shared = np.unique(keys[1:][keys[1:] == keys[:-1]])
    if not len(shared):
        return False
    import pandas as pd

    engine.connection.register("given", pd.DataFrame({"key": shared}))
    engine.run("create or replace table suspect_keys as select * from given")
    engine.connection.unregister("given")
    return True


def possible_duplicates(engine: Engine, rows_at_most: int) -> dict[int, tuple[int, list[int]]]:
    """By file: how many accepted rows without an id repeat an earlier one in every field, and the first of them.

    rows_at_most: how many lines are listed of each file. They are accepted all the same: jobs may be alike.
    """
    if not _suspect_alike(engine):
        return {}
    found = engine.all(f"select file, count(*), min(line, {rows_at_most}) from ({_ALIKE}) group by file")
    return {file: (count, lines) for file, count, lines in found}


_ALIKE_KEY: Final = run_key("name_id, start_s, end_s, milli_gpus")
_ALIKE: Final = f"""select file, line, place from (
        select j.file, j.line, j.place,
            row_number() over (
                partition by cluster, name_id, account, "user", queue, model_id, milli_gpus, nodes, start_s, end_s,
                    is_running, state_id, activity_milli_percent, label, model
                order by j.file, j.line
            ) as telling
        from {JOBS} j join {KINDS} k using (kind)
        where code = 0 and job_id is null and {_ALIKE_KEY} in (select key from suspect_keys)
    ) where telling > 1"""
"""SQL: file, line and place of good rows without an id that repeat an earlier one in every field, of suspect_keys."""


def _suspect_alike(engine: Engine) -> bool:
    """Whether any good rows without an id may be alike; their keys are suspect_keys."""
    return _keep_suspects(engine, _ALIKE_KEY, "code = 0 and job_id is null")
