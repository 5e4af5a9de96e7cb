"""Duplicates: one run of one job counts once, over all files of a call."""

from gpuplanner.files.engine import Engine
from gpuplanner.files.job_logs.row_fates import JOBS


def mark_duplicates(engine: Engine) -> None:
    """Among accepted rows of the same cluster, job_id and start only one stays accepted.

    A run that ended wins over one still running, then the later end, then the more final state, then the first
    row. Rows without an id are never duplicates; see `possible_duplicates`.
    """
    engine.run(
        f"""create or replace table lost as
        with keyed as (
            select rowid as id, hash(cluster, job_id, start_s) as key
            from {JOBS} where fate = 'accepted' and job_id is not null
        ), several as (
            select id from keyed where key in (select key from keyed group by key having count(*) > 1)
        ), ranked as (
            select j.rowid as id, row_number() over (
                partition by cluster, job_id, start_s
                order by is_running, end_s desc nulls last, finality desc, file, line) as place
            from {JOBS} j semi join several on several.id = j.rowid
        )
        select id from ranked where place > 1"""
    )
    engine.run(f"update {JOBS} set fate = 'duplicate' where rowid in (select id from lost)")


def possible_duplicates(engine: Engine) -> dict[int, tuple[int, int]]:
    """By file: how many accepted rows without an id repeat an earlier one in every field, and the first of them."""
    fields = (
        'cluster, name, account, "user", queue, gpu_model, milli_gpus, nodes, start_s, end_s, is_running, state, '
        "activity_milli_percent, label, model"
    )
    found = engine.all(
        f"""with alike as (
            select file, line, row_number() over (partition by {fields} order by file, line) as place
            from {JOBS} where fate = 'accepted' and job_id is null
        ) select file, count(*), min(line) from alike where place > 1 group by file"""
    )
    return {file: (count, line) for file, count, line in found}
