"""Texts in unusual forms: what only Python reads, each different one once."""

from collections.abc import Mapping, Sequence

from gpuplanner.files.job_logs.judging.dialect import QUEUE_TIMES, JobTable
from gpuplanner.files.job_logs.judging.row_marks import GROUPS, TIMES, Group
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values.durations import read_duration, read_seconds, read_time_limit
from gpuplanner.files.values.job_states import finality, read_state
from gpuplanner.files.values.times import LocalTime, read_time
from gpuplanner.files.values.zones_in_sql import Zones


def map_texts(
    engine: Engine, table: JobTable, groups: Sequence[Group], timezone: str | None
) -> tuple[Zones, Zones]:
    """Tables of what only Python reads of `texts`, each different one once, and what the zones of times mean.

    times_read has the times in unusual forms, the elapsed times in such, and all time limits; null for what is none.
    gpu_readings and states are there where the log has such a field. Zones: of starts and ends, and of queue times.
    """
    clocks: tuple[dict[str, tuple[int, int]], dict[str, tuple[int, int]]] = ({}, {})

    def note(field: str, rest: str, first_s: int, last_s: int) -> None:
        """Widens the span in which a zone's text occurs: only within it its offsets are looked up."""
        of_field = clocks[field in QUEUE_TIMES]
        known = of_field.get(rest, (first_s, last_s))
        of_field[rest] = (min(first_s, known[0]), max(last_s, known[1]))

    times = [field for field in TIMES if field in table.fields]
    spans = [
        f"""select '{field}', {field}_rest,
            least(min(coalesce(first_{field}_s, {field}_clock_s)), min({field}_clock_s)),
            greatest(max(coalesce(last_{field}_s, {field}_clock_s)), max({field}_clock_s))
        from {GROUPS} join texts using (line)
        where place = {number} and {field}_clock_s is not null and {field}_rest is not null group by all"""
        for number, group in enumerate(groups)
        for field in times
        if field in group.fields
    ]
    for row in engine.all(" union all ".join(spans)) if spans else ():
        note(*row)
    only_here = {
        **{field: f"{field}_clock_s is null" for field in times},
        "elapsed": 'elapsed_quick_s is null and "end" is null',
        **dict.fromkeys(("time_limit", "gpus", "state"), "true"),
    }
    texts: dict[str, list[str]] = {field: [] for field in only_here if field in table.fields}
    distinct = [
        f"""select distinct '{field}', "{field}" from texts where "{field}" is not null and {only_here[field]}"""
        for field in texts
    ]
    for field, text in engine.all(" union all ".join(distinct)) if distinct else ():
        texts[field].append(text)
    read: list[tuple[str, str, int | None, str | None]] = []
    for field in times:
        for text in texts[field]:
            time = read_odd_time(text, table.clock_unit(field))
            read.append((field, text, time.clock_s if time else None, time.zone_text if time else None))
            if time:
                note(field, time.zone_text, time.clock_s, time.clock_s)
    read += [
        ("elapsed", text, read_duration(text, table.elapsed_unit), None) for text in texts.get("elapsed", ())
    ]
    unit = table.queue_units.get("time_limit", "s")
    read += [("time_limit", text, read_time_limit(text, unit), None) for text in texts.get("time_limit", ())]
    kinds = {"field": "varchar", "text": "varchar", "seconds": "bigint", "rest": "varchar"}
    engine.keep("times_read", {name: [row[place] for row in read] for place, name in enumerate(kinds)}, kinds)
    _map_words(engine, table, texts)
    return Zones(clocks[0], timezone), Zones(clocks[1], timezone)


def read_odd_time(text: str, unit: str | None) -> LocalTime | None:
    """A time in an unusual form: ISO 8601, or a number in a unit counted from 1970 UTC.

    None where it is none.

    unit: as a mapping states it; None for text. A number has the zone Z.

    >>> read_odd_time("1769835600", "epoch_s"), read_odd_time("soon", None)
    (LocalTime(clock_s=1769835600, zone_text='Z'), None)
    """
    if unit is None:
        return read_time(text)
    seconds = read_seconds(text, unit)
    return None if seconds is None else LocalTime(seconds, "Z")


def _map_words(engine: Engine, table: JobTable, texts: Mapping[str, list[str]]) -> None:
    """Keeps what the different texts of GPUs and of states say."""
    if "gpus" in texts:
        kinds = {
            "milli_gpus": "bigint",
            "fault": "varchar",
            "gpu_model": "varchar",
            "nodes": "int",
            "is_mixed": "boolean",
            "is_other": "boolean",
        }
        readings = [table.read_gpus(text) for text in texts["gpus"]]
        columns = {name: [getattr(reading, name) for reading in readings] for name in kinds}
        engine.keep("gpu_readings", {"text": texts["gpus"], **columns}, {"text": "varchar", **kinds})
    if "state" in texts:
        states = [read_state(text) for text in texts["state"]]
        engine.keep(
            "states",
            {"text": texts["state"], "state": states, "finality": [finality(state) for state in states]},
            {"text": "varchar", "state": "varchar", "finality": "int"},
        )
