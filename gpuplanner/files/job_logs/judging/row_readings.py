"""Readings of a log's rows: what every different text says, by the groups of fields that stand together."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.model.tables import POOLS
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
from gpuplanner.files.job_logs.judging.row_marks import GROUPS, TIMES, Group
from gpuplanner.files.job_logs.judging.sql_forms import trimmed
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.values.job_states import CANCELLED, PENDING, RUNNING
from gpuplanner.files.values.times import ClockSpan
from gpuplanner.files.values.zones_in_sql import Zones

PENDING_NO, CANCELLED_NO, RUNNING_NO = 1, 2, 3
"""Numbers of the states that decide how a row ends; 0: any other."""
_STATES: Final = {PENDING: PENDING_NO, CANCELLED: CANCELLED_NO, RUNNING: RUNNING_NO}


def read_groups(engine: Engine, table: JobTable, groups: Sequence[Group], zones: Zones) -> None:
    """`readings` of `texts`, for `look_up`, and look0 of the first group; KINDS, NAMES and MODELS grow by them."""
    if "name" in table.fields:
        _note_names(engine, groups)
    if models := [sql for field, sql in _MODELS_OF.items() if field in table.fields]:
        _note_models(engine, models)
    if "state" in table.fields:
        _note_states(engine)
    labels = ", ".join(f"'{pool}'" for pool in POOLS)
    faults = " ".join(f"when '{code}' then {code_number(code)}" for code in CODES)
    states = " ".join(f"when '{state}' then {number}" for state, number in _STATES.items())
    number = "try_cast(t.nodes as double)"
    percent = "try_cast(rtrim(t.activity, '% ') as double)"
    naive = FLAGS["naive"] + FLAGS["mixed_zones"] * zones.has_zoned
    bad = FLAGS["bad_number"]
    by_field = {  # what the log has not is looked up nowhere
        "elapsed": """coalesce(t.elapsed_quick_s, lo.seconds) as elapsed_read_s, t.elapsed is not null as has_elapsed
            | left join times_read lo on lo.field = 'elapsed'
                and lo.text = case when t.elapsed_quick_s is null then t.elapsed end""",
        "gpus": f"""coalesce(g.milli_gpus, 0) as milli_gpus, case g.fault {faults} end as gpus_code,
            case when g.is_mixed then {FLAGS["mixed_models"]} when g.is_other then {FLAGS["other_accelerator"]} else 0
            end as gpus_flags,
            gm.id as gpus_model_id, g.nodes as gpus_nodes
            | left join gpu_readings g on g.text = t.gpus left join {MODELS} gm on gm.text = g.gpu_model""",
        "gpu_model": f"sm.id as stated_model_id | left join {MODELS} sm on sm.text = t.gpu_model",
        "state": f"""st.id as state_id, case st.text {states} else 0 end as state_number
            | left join states s on s.text = t.state left join {STATES} st on st.text = coalesce(s.state, '')""",
        "nodes": f"""case when {number} = floor({number}) and {number} between 1 and 1e6 then cast({number} as int) end
            as nodes_read,
            case when t.nodes is not null and nodes_read is null then {bad} else 0 end as nodes_flags |""",
        "activity": f"""case when {percent} between 0 and 100 then cast(round({percent} * 1000) as int) end
            as activity_read,
            case when t.activity is not null and activity_read is null then {bad} else 0 end as activity_flags |""",
        "label": f"""case when t.label is not null and lower(t.label) not in ({labels}) then {FLAGS["bad_label"]} else 0
            end as label_flags |""",
        "name": f"n.id as name_id | left join {NAMES} n on n.text = coalesce(t.name, '')",
        "time_limit": f"""nullif(lr.seconds, 0)::int as limit_s, case when t.time_limit is not null
            and lr.seconds is null then {FLAGS["bad_duration"]} else 0 end as time_limit_flags
            | left join times_read lr on lr.field = 'time_limit' and lr.text = t.time_limit""",
        **{field: _time_readings(field) for field in TIMES},
    }
    columns = [reading.rsplit("|", 1) for field, reading in by_field.items() if field in table.fields]
    of_times = "".join(
        f""", {zones.fault(f"{field}_rest")} as {field}_fault, {_fixed(zones, field)} as {field}_offset_s,
            case when {zones.is_naive(f"{field}_rest")} then {naive} else 0 end as {field}_flags"""
        for field in ("start", "end")
        if field in table.fields
    )
    engine.run(
        f"""create or replace {engine.once} readings as select *{of_times} from (
            select t.line, t.cluster, t.account, t."user", t.queue, t.model,
                case when lower(t.label) in ({labels}) then lower(t.label) end as label,
                {", ".join(sql for sql, _ in columns)}
            from texts t {" ".join(joins for _, joins in columns)}
        )"""
    )
    engine.run(f"create or replace table look0 as {look_up(0, groups[0])}")
    engine.run(
        f"""insert into {KINDS} select kind, coalesce(cluster, ''), account, "user", queue, label,
            model from look0 join readings r using (line)"""
    )


def look_up(place: int, group: Group) -> str:
    """SQL of the keys of a group and what its fields say; of the first group also a new number for each kind."""
    if group.has_texts:
        return f"""select g.text as key, n.id as name_id, 0 as flags from {GROUPS} g
            join {NAMES} n on n.text = coalesce({trimmed("g.text")}, '') where g.place = {place}"""
    columns = [column for field in group.fields for column in SAYS.get(field, ())]
    flags = [f"{field}_flags" for field in group.fields if field in _FLAGGED]
    if place == 0:
        columns.append(f"cast((select count(*) from {KINDS}) + row_number() over () as int) as kind")
    return f"""select g.key, g.line, cast({" | ".join(flags or ["0"])} as usmallint) as flags,
            {", ".join(columns) or "0 as nothing"}
        from {GROUPS} g join readings r on r.line = g.line where g.place = {place}"""


SAYS: Final = {
    **{field: tuple(columns.split("|")) for field, columns in plain_table("row_says").items()},
    **{field: (f"{field}_read_s", f"{field}_rest", f"has_{field}") for field in QUEUE_TIMES},
}
"""By field: the columns of `readings` that tell what it says, row by row."""

SELDOM: Final = plain_table("row_seldom")
"""By field: the column of JOBS that takes no room until a log has it."""

_FLAGGED: Final = ("start", "end", "gpus", "nodes", "activity", "label", "time_limit")

UNSAID: Final = plain_table("row_unsaid")
"""By column of SAYS: what holds where the log has no such field; of the others, nothing is known."""


def _time_readings(field: str) -> str:
    """Of a time: columns of `readings`, and after a bar the table that they come from."""
    odd, clock = f"odd_{field}", f"t.{field}_clock_s"
    return f"""coalesce({clock}, {odd}.seconds) as {field}_read_s,
        case when {clock} is not null then t.{field}_rest else {odd}.rest end as {field}_rest,
        t."{field}" is not null as has_{field}, t."{field}" is null as is_{field}_missing
        | left join times_read {odd} on {odd}.field = '{field}'
            and {odd}.text = case when {clock} is null then t."{field}" end"""


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
            texts += f" union select coalesce({trimmed('text')}, '') from {GROUPS} where place = {number}"
    engine.run(
        f"""insert into {NAMES} select cast((select count(*) from {NAMES}) + row_number() over () as int), text
        from ({texts}) anti join {NAMES} using (text)"""
    )


_MODELS_OF: Final = {
    "gpu_model": "select gpu_model as text from texts",
    "gpus": "select gpu_model as text from gpu_readings",
}


def _note_models(engine: Engine, models: Sequence[str]) -> None:
    """Gives each new text of a GPU model a number; models: SQL of them, of _MODELS_OF."""
    engine.run(
        f"""insert into {MODELS} select cast((select count(*) from {MODELS}) + row_number() over () as int), text
        from (select distinct text from ({" union all ".join(models)}))
        anti join {MODELS} using (text) where text is not null"""
    )


def _note_states(engine: Engine) -> None:
    """Gives each new state a number, with whether it is final."""
    engine.run(
        f"""insert into {STATES} select cast((select count(*) from {STATES}) + row_number() over () as int), state,
            any_value(finality) from states anti join {STATES} s on s.text = states.state group by state"""
    )
