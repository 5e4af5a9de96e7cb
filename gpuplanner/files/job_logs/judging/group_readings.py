"""Readings: what every different text of a log says, by the groups of fields whose texts stand together."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.model.pool import POOLS
from gpuplanner.files.job_logs.judging.dialect import QUEUE_TIMES, JobTable
from gpuplanner.files.job_logs.judging.job_store import (
    CODES,
    FLAGS,
    KINDS,
    MODELS,
    NAMES,
    STATES,
    code_number,
)
from gpuplanner.files.job_logs.judging.row_marks import Group, Marked
from gpuplanner.files.job_logs.judging.row_texts import (
    kept_as,
    trimmed,
)
from gpuplanner.files.sources.raw_table import drop
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values.states import CANCELLED, PENDING, RUNNING
from gpuplanner.files.values.times import ClockSpan
from gpuplanner.files.values.zone_sql import Zones

PENDING_NO, CANCELLED_NO, RUNNING_NO = 1, 2, 3
"""Numbers of the states that decide how a row ends; 0: any other."""
_STATES: Final = {PENDING: PENDING_NO, CANCELLED: CANCELLED_NO, RUNNING: RUNNING_NO}


def read_groups(engine: Engine, table: JobTable, marked: Marked, zones: Zones) -> None:
    """For each group a table look0, ...: its key and what its fields say; KINDS, NAMES and MODELS grow by them."""
    groups = marked.groups
    _note_names(engine, groups)
    _note_models(engine)
    _note_states(engine)
    labels = ", ".join(f"'{pool}'" for pool in POOLS)
    faults = " ".join(f"when '{code}' then {code_number(code)}" for code in CODES)
    states = " ".join(f"when '{state}' then {number}" for state, number in _STATES.items())
    number = "try_cast(t.nodes as double)"
    percent = "try_cast(rtrim(t.activity, '% ') as double)"
    naive = FLAGS["naive"] + FLAGS["mixed_zones"] * zones.has_zoned
    queue, of_queue = _queue_readings(table)
    drop(engine, "readings")
    engine.run(
        f"""create {kept_as(marked.picked)} readings as
        select *, {zones.fault("start_rest")} as start_fault, {zones.fault("end_rest")} as end_fault,
            {_fixed(zones, "start")} as start_offset_s, {_fixed(zones, "end")} as end_offset_s,
            case when {zones.is_naive("start_rest")} then {naive} else 0 end as start_flags,
            case when {zones.is_naive("end_rest")} then {naive} else 0 end as end_flags,
            case when has_nodes and nodes_read is null then {FLAGS["bad_number"]} else 0 end as nodes_flags,
            case when has_activity and activity_read is null then {FLAGS["bad_number"]} else 0 end as activity_flags
        from (
            select t.line, t.cluster, t.account, t."user", t.queue, t.model,
                coalesce(t.start_clock_s, so.clock_s) as start_read_s,
                case when t.start_clock_s is not null then t.start_rest else so.rest end as start_rest,
                coalesce(t.end_clock_s, eo.clock_s) as end_read_s,
                case when t.end_clock_s is not null then t.end_rest else eo.rest end as end_rest,
                t."start" is not null as has_start, t."end" is null as is_end_missing,
                coalesce(t.elapsed_quick_s, lo.seconds) as elapsed_read_s, t.elapsed is not null as has_elapsed,
                coalesce(g.milli_gpus, 0) as milli_gpus, case g.fault {faults} end as gpus_code,
                case when g.is_mixed then {FLAGS["mixed_models"]} else 0 end as gpus_flags,
                gm.id as gpus_model_id, g.nodes as gpus_nodes, sm.id as stated_model_id,
                st.id as state_id, case st.text {states} else 0 end as state_number,
                case when {number} = floor({number}) and {number} between 1 and 1e6 then cast({number} as int) end
                    as nodes_read,
                t.nodes is not null as has_nodes, t.activity is not null as has_activity,
                case when {percent} between 0 and 100 then cast(round({percent} * 1000) as int) end as activity_read,
                case when lower(t.label) in ({labels}) then lower(t.label) end as label,
                case when t.label is not null and lower(t.label) not in ({labels}) then {FLAGS["bad_label"]} else 0 end
                    as label_flags,
                n.id as name_id{"".join(f", {sql}" for sql in queue)}
            from texts t
            left join start_odd so on so.text = case when t.start_clock_s is null then t."start" end
            left join end_odd eo on eo.text = case when t.end_clock_s is null then t."end" end
            left join elapsed_odd lo on lo.text = case when t.elapsed_quick_s is null then t.elapsed end
            left join gpu_readings g on g.text = t.gpus
            left join {MODELS} gm on gm.text = g.gpu_model left join {MODELS} sm on sm.text = t.gpu_model
            left join states s on s.text = t.state left join {STATES} st on st.text = coalesce(s.state, '')
            left join {NAMES} n on n.text = coalesce(t.name, '') {of_queue}
        )"""
    )
    (kinds,) = engine.one(f"select count(*) from {KINDS}")
    for place, group in enumerate(groups):
        if group.has_texts:
            engine.run(
                f"create or replace table look{place} as select g.key, n.id as name_id, 0 as flags "
                f"from group{place} g join {NAMES} n on n.text = coalesce({trimmed('g.key')}, '')"
            )
            continue
        columns = [column for field in group.fields for column in SAYS.get(field, ())]
        flags = [f"{field}_flags" for field in group.fields if field in _FLAGGED]
        if place == 0:
            columns.append(f"cast({kinds} + row_number() over () as int) as kind")
        engine.run(
            f"""create or replace table look{place} as
            select g.key, g.line, cast({" | ".join(flags or ["0"])} as usmallint) as flags,
                {", ".join(columns) or "0 as nothing"}
            from group{place} g join readings r on r.line = g.line"""
        )
    engine.run(
        f"""insert into {KINDS} select kind, coalesce(cluster, ''), account, "user", queue, label,
            model from look0 join readings r using (line)"""
    )


SAYS: Final = {
    "start": ("start_read_s", "start_rest", "has_start", "start_fault", "start_offset_s"),
    "end": ("end_read_s", "end_rest", "is_end_missing", "end_fault", "end_offset_s"),
    "elapsed": ("elapsed_read_s", "has_elapsed"),
    "gpus": ("milli_gpus", "gpus_code", "gpus_model_id", "gpus_nodes"),
    "nodes": ("nodes_read",),
    "activity": ("activity_read",),
    "gpu_model": ("stated_model_id",),
    "name": ("name_id",),
    "state": ("state_id", "state_number"),
    **{field: (f"{field}_read_s", f"{field}_rest", f"has_{field}") for field in QUEUE_TIMES},
    "time_limit": ("limit_s",),
}
"""By field: the columns of `readings` that tell what it says, row by row."""

SELDOM: Final = {
    "activity": "activity_milli_percent",
    "hosts": "hosts",
    "submit": "submit_s",
    "eligible": "eligible_s",
    "time_limit": "time_limit_s",
    "priority": "priority",
}
"""By field: the column of JOBS that takes no room until a log has it."""

_FLAGGED: Final = ("start", "end", "gpus", "nodes", "activity", "label", "time_limit")

UNSAID: Final = {
    "start_rest": "null::varchar",
    "end_rest": "null::varchar",
    "has_start": "false",
    "is_end_missing": "true",
    "has_elapsed": "false",
    "milli_gpus": "0",
    "state_id": "0",
    "state_number": "0",
    "name_id": "0",
}
"""By column of SAYS: what holds where the log has no such field; of the others, nothing is known."""


def _queue_readings(table: JobTable) -> tuple[list[str], str]:
    """Of the QUEUE_FIELDS that a log has: columns of `readings`, and the tables that they come from."""
    columns, joins = [], []
    for field in table.queue_times:
        odd, clock = f"odd_{field}", f"t.{field}_clock_s"
        joins.append(
            f'left join {field}_odd {odd} on {odd}.text = case when {clock} is null then t."{field}" end'
        )
        columns += [
            f"coalesce({clock}, {odd}.clock_s) as {field}_read_s",
            f"case when {clock} is not null then t.{field}_rest else {odd}.rest end as {field}_rest",
            f't."{field}" is not null as has_{field}',
        ]
    if "time_limit" in table.fields:
        joins.append("left join limits_read lr on lr.text = t.time_limit")
        is_bad = "t.time_limit is not null and lr.seconds is null"
        columns += [
            "nullif(lr.seconds, 0)::int as limit_s",
            f"case when {is_bad} then {FLAGS['bad_duration']} else 0 end as time_limit_flags",
        ]
    return columns, " ".join(joins)


def _fixed(zones: Zones, prefix: str) -> str:
    """SQL for the offset of a time's zone, where all zones keep theirs."""
    return zones.figure(f"{prefix}_rest", "0", earlier) if zones.is_fixed else "null::bigint"


def earlier(span: ClockSpan) -> int:
    """Seconds that the earlier instant of a clock time in a span is off UTC."""
    return span.earlier_offset_s


def _note_names(engine: Engine, groups: Sequence[Group]) -> None:
    """Gives each new name a number; those that earlier files brought keep theirs."""
    texts = "select distinct coalesce(name, '') as text from texts"  # '' is there from the beginning
    for number, group in enumerate(groups):
        if group.has_texts:
            texts += f" union select coalesce({trimmed('key')}, '') from group{number}"
    engine.run(
        f"""insert into {NAMES} select cast((select count(*) from {NAMES}) + row_number() over () as int), text
        from ({texts}) anti join {NAMES} using (text)"""
    )


def _note_models(engine: Engine) -> None:
    """Gives each new text of a GPU model a number, from the model's own column or from that of the GPUs."""
    engine.run(
        f"""insert into {MODELS} select cast((select count(*) from {MODELS}) + row_number() over () as int), text
        from (select distinct gpu_model as text from texts union select gpu_model from gpu_readings)
        anti join {MODELS} using (text) where text is not null"""
    )


def _note_states(engine: Engine) -> None:
    """Gives each new state a number, with whether it is final."""
    engine.run(
        f"""insert into {STATES} select cast((select count(*) from {STATES}) + row_number() over () as int), state,
            any_value(finality) from states anti join {STATES} s on s.text = states.state group by state"""
    )
