"""Kept logs: job rows of an earlier import, put back beside the rows of a log that is read now."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Final

from gpuplanner.domain.model.intake import FileIntake, Issue
from gpuplanner.files.job_logs.judging.job_store import (
    FLAGS,
    KINDS,
    MODELS,
    NAMES,
    SELDOM,
    STATES,
    STEPS,
    add_jobs,
    kinds_so_far,
    name_cluster,
)
from gpuplanner.files.job_logs.reduce.job_rows import KEPT, open_rows
from gpuplanner.files.job_logs.reduce.pseudonymise import is_pseudonymous
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values.job_states import finality
from gpuplanner.lazy_dataclass import dataclass, field, replace

_NAIVE: Final = "naive_time_assumed_utc"
_KIND: Final = ("cluster", "account", '"user"', "queue", "label", "model")
_SELDOM: Final = tuple(column for column in SELDOM)


@dataclass(frozen=True, slots=True)
class KeptLogs:
    """Logs that a project has loaded, by the job rows that their import kept.

    rows: the Parquet file. intake: the files in the order in which their rows are numbered. left_out: the numbers of
    files that are read anew. clusters: by path, the cluster of a log whose rows name none.
    """

    rows: Path
    intake: tuple[FileIntake, ...]
    left_out: frozenset[int] = frozenset()
    clusters: Mapping[str, str] = field(default_factory=dict)

    @property
    def has_pseudonyms(self) -> bool:
        """Whether names of users, accounts and jobs were replaced when the logs were read."""
        return any(is_pseudonymous(file) for file in self.intake)

    @property
    def files(self) -> tuple[FileIntake, ...]:
        """The files whose rows are put back, in order."""
        return tuple(file for number, file in enumerate(self.intake) if number not in self.left_out)


def put_back(engine: Engine, logs: KeptLogs) -> tuple[str, ...]:
    """Add the kept rows to JOBS as the first files of this import; return the paths of logs whose rows name no cluster.

    Errors: PlannerError file_missing, file_unreadable where the rows are not what was kept.
    """
    open_rows(engine, logs.rows)
    unnamed = []
    taken = [number for number in range(len(logs.intake)) if number not in logs.left_out]
    for number, before in enumerate(taken):
        file = logs.intake[before]
        kinds = kinds_so_far(engine)
        _add_file(engine, file, before, number)
        if name_cluster(engine, logs.clusters.get(file.path), kinds):
            unnamed.append(file.path)
    return tuple(unnamed)


def recounted(
    file: FileIntake, counts: Mapping[str, int], issues: Sequence[Issue], codes: Collection[str]
) -> FileIntake:
    """Return a kept file with the rows that still count: a later log may tell again of a run, and tell more.

    counts: rows of the file by how they ended, as far as they were kept. issues: of these rows; codes: those issues
    that kept rows alone tell, which take the place of what was said before; they come last.
    """
    if file.kind != "jobs":
        return file
    accepted = counts.get("accepted", 0)
    told_again = file.rows_accepted - accepted
    before = {issue.code: issue.message for issue in file.issues}
    recounted_issues = [
        replace(issue, message=before.get(issue.code, issue.message))
        for issue in issues
        if issue.code in codes
    ]
    others = [issue for issue in file.issues if issue.code not in codes]
    return replace(
        file,
        rows_accepted=accepted,
        rows_duplicate=file.rows_duplicate + told_again,
        issues=(*others, *recounted_issues),
    )


def _add_file(engine: Engine, file: FileIntake, before: int, number: int) -> None:
    """Add the rows of one file. before, number: its number among the kept files, and in this import."""
    rows = f"(select * from {KEPT} where file = {before})"
    _note_texts(engine, NAMES, f"coalesce(name, '') as text from {rows}")
    _note_texts(engine, MODELS, f"gpu_model as text from {rows} where gpu_model is not null")
    _note_states(engine, rows)
    engine.run(
        f"""create or replace table kept_kinds as
        select cast((select count(*) from {KINDS}) + row_number() over () as int) as kind, * from (
            select distinct {", ".join(_KIND)} from {rows});
        insert into {KINDS} select * from kept_kinds"""
    )
    same_kind = " and ".join(f"r.{column} is not distinct from k.{column}" for column in _KIND)
    filled = engine.one(f"select {', '.join(f'count({column})' for column in _SELDOM)} from {rows}")
    seldom = [column for column, count in zip(_SELDOM, filled, strict=True) if count]
    add_jobs(
        engine,
        f"""select {number} as file, r.line, 0 as code, {_flags(file)} as flags, r.is_running, k.kind,
            n.id as name_id, m.id as model_id, s.id as state_id, r.milli_gpus, r.nodes, r.start_s, r.end_s, r.job_id
            {"".join(f", r.{column}" for column in seldom)}
        from {rows} r join kept_kinds k on {same_kind} join {NAMES} n on n.text = coalesce(r.name, '')
        join {STATES} s on s.text = coalesce(r.state, '') left join {MODELS} m on m.text = r.gpu_model""",
        seldom,
    )
    engine.run(f"drop table kept_kinds; insert into {STEPS} values ({number}, 0, {not _flags(file)})")


def _flags(file: FileIntake) -> int:
    """What is known of all rows of a file: that their times state no zone."""
    naive = sum(issue.count for issue in file.issues if issue.code == _NAIVE)
    return FLAGS["naive"] if naive >= max(1, file.rows_accepted) else 0


def _note_texts(engine: Engine, table: str, texts: str) -> None:
    """Give each new text of a table a number. texts: SQL behind `select distinct`."""
    engine.run(
        f"""insert into {table} select cast((select count(*) from {table}) + row_number() over () as int), text
        from (select distinct {texts}) anti join {table} using (text)"""
    )


def _note_states(engine: Engine, rows: str) -> None:
    """Give each new state a number, with how final it is."""
    states: Sequence[str] = [
        state for (state,) in engine.all(f"select distinct coalesce(state, '') from {rows}")
    ]
    engine.keep(
        "kept_states",
        {"text": list(states), "finality": [finality(state) for state in states]},
        {"text": "varchar", "finality": "bigint"},
    )
    engine.run(
        f"""insert into {STATES} select cast((select count(*) from {STATES}) + row_number() over () as int), text,
            finality from kept_states anti join {STATES} using (text); drop table kept_states"""
    )
