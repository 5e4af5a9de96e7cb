"""Files of spot nodes that came and went: traces of how many were there, stays of nodes, or events."""

from collections.abc import Callable, Collection, Sequence
from itertools import pairwise
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import grouped
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import (
    BY_MODEL,
    INTERRUPTIONS,
    KIND,
    NODE_HOURS,
    NODE_MTBF,
    Facts,
    FileIntake,
    Observed,
)
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.files.sources.issue_texts import refused_file
from gpuplanner.files.sources.json_values import begins_json, json_paths, json_values, text_of
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.tables import small_table
from gpuplanner.files.tables.delimited import header_columns
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.word_lists import words
from gpuplanner.lazy_dataclass import dataclass

OWN: Final = "own_interruptions"
TRACE: Final = "skypilot"
WHY: Final = {
    OWN: worded("starts and interruptions of spot nodes"),
    TRACE: worded("number of spot nodes at each sample"),
}
"""By format, why a file is taken for one of these."""

_TIMES: Final = ("timestamp", "time", "at")
_EVENTS: Final = ("event", "event_type", "type", "action")
_AVAILABLE: Final = ("available", "is_available", "availability", "available_nodes", "nodes_available")
_NODES: Final = ("node", "node_id", "instance", "instance_id", "vm")
_STARTS: Final = ("start", "started", "launched", "launch_time", "begin")
_ENDS: Final = ("end", "ended", "interrupted_at", "terminated", "preempted_at")
_WHY_ENDED: Final = ("interrupted", "preempted")
_WHERE: Final = ("provider", "region", "zone", "gpu_model", "instance_type")
"""Names of columns: an end is an interruption unless one of the last says that it is none."""

_BEGAN: Final = words("start|started|launch|launched|up|available|begin|running|acquired")
_TAKEN: Final = words(
    "interrupt|interrupted|interruption|preempt|preempted|preemption|evicted|reclaimed|down"
)
_LEFT: Final = words("stop|stopped|terminate|terminated|end|ended|released|deleted")
_NODES_AT_MOST: Final = 10**6
_GAP_AT_MOST_S: Final = 10**7


@dataclass(frozen=True, slots=True)
class InterruptionsRead:
    """How the rows of some files ended, with what each observed among its facts; why files were refused."""

    intake: tuple[FileIntake, ...] = ()
    refused: tuple[PlannerError, ...] = ()


NOTHING_OBSERVED: Final = InterruptionsRead()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One row; alike ones are each of a node of its own. Times: epoch s.

    nodes: how many were there, of a trace; start_s, end_s: from when to when a node was there, or when an event was.
    where: provider and GPU model; empty where it does not name both.
    """

    node: str = ""
    nodes: int = 0
    start_s: int = 0
    end_s: int | None = None
    what: str = ""
    where: tuple[str, ...] = ()


Found = dict[tuple[str, ...], tuple[float, int]]
"""Node-seconds and interruptions by provider and GPU model, both empty where rows do not name them."""


def _add(totals: Found, where: tuple[str, ...], node_s: float, count: int) -> None:
    """Add to what was found of some nodes."""
    before = totals.get(where, (0.0, 0))
    totals[where] = (before[0] + node_s, before[1] + count)


def sniff_trace(head: str) -> float:
    """How sure it is that a text begins a trace of how many nodes were there, 0..1."""
    paths = json_paths(head)
    is_trace = "data.item" in paths and "metadata.gap_seconds" in paths
    is_bare = bool(paths) and paths.keys() <= {"", "item"} and (paths.get("item") or "") in ("0", "1")
    if is_trace:
        return 0.96
    return 0.7 if is_bare else 0.0


def sniff(head: str) -> float:
    """How sure it is that a text begins a table of stays or events of spot nodes, 0..1."""
    if begins_json(head):
        return 0.0
    columns = set(header_columns(head).columns)
    has_events = bool(columns & set(_TIMES)) and bool(columns & set(_EVENTS)) and _tells_events(head)
    is_spot = bool(columns & {*_WHY_ENDED, "interrupted_at", "preempted_at"})
    has_stays = bool(columns & set(_STARTS)) and bool(columns & set(_ENDS))
    is_small = columns <= {*_WHERE, *_NODES, *_STARTS, *_ENDS, *_WHY_ENDED}
    has_looks = _has_looks(columns) and columns <= {*_WHERE, *_NODES, *_TIMES, *_AVAILABLE}
    return 0.96 if has_events or has_looks or (has_stays and (is_spot or is_small)) else 0.0


def _has_looks(columns: Collection[str]) -> bool:
    """Whether the columns are those of a trace: a time and how many nodes were there."""
    return not {*_TIMES}.isdisjoint(columns) and not {*_AVAILABLE}.isdisjoint(columns)


def _tells_events(head: str) -> bool:
    """Whether the first events include one that says that a node was taken."""
    columns = header_columns(head).columns
    at = next((columns.index(name) for name in _EVENTS if name in columns), 0)
    delimiter = header_columns(head).delimiter
    said = {
        cells[at].strip().casefold()
        for line in head.splitlines()[1:50]
        if len(cells := line.split(delimiter)) > at
    }
    return bool(said & _TAKEN)


def describe(source: Source) -> FileIntake:
    """What `check` says of such a file."""
    try:
        return read_interruptions(source).intake
    except PlannerError as fault:
        if fault.code != "missing_column":
            raise
        return _refused(source, fault)


def import_interruptions(paths: Sequence[str], timezone: str | None = None) -> InterruptionsRead:
    """Read such files. timezone: of times without a zone (None: UTC).

    Errors: PlannerError file_missing, file_unreadable, truncated_file. A file that tells no interruptions is refused.
    """
    read = small_table.read_files(paths, lambda _, source: read_interruptions(source, timezone), id, _refused)
    return InterruptionsRead(read.intake, read.refused)


def _refused(source: Source, fault: PlannerError) -> FileIntake:
    """The intake of a file that could not be read, under the form it looks like."""
    return refused_file(source, fault, KIND, TRACE if begins_json(source.head) else OWN)


def read_interruptions(source: Source, timezone: str | None = None) -> small_table.TableRead[_Row]:
    """One file, with what it observed as its facts. Errors: PlannerError missing_column, file_unreadable."""
    if begins_json(source.head):
        return _of_trace(source)
    columns = header_columns(source.head).columns
    kinds = (_EVENT_TABLE, _LOOK_TABLE, _STAY_TABLE)
    kind = next((kind for kind in kinds if not kind.lacks(columns)), None)
    if kind is None:
        raise PlannerError(
            f"{source.path}:1",
            "missing_column",
            worded("no start and interruption times"),
            worded(
                "use the header {names}",
                names="provider,gpu_model,start,end / timestamp,event,node / timestamp,available",
            ),
        )
    return kind.read(source, timezone)


def _facts(totals: Found) -> Facts:
    """Node-hours, interruptions and the mean time between them in hours: of all, and of each that rows name."""
    every: Found = {}
    for node_s, count in totals.values():
        _add(every, (), node_s, count)
    named = [
        {"provider": where[0], "gpu_model": where[1], **dict(_of_nodes(*totals[where]))}
        for where in sorted(totals)
        if where
    ]
    return (*_of_nodes(*every.get((), (0.0, 0))), *(((BY_MODEL, tuple(named)),) if named else ()))


def _of_nodes(node_s: float, count: int) -> Facts:
    """The three facts of some nodes."""
    node_hours = node_s / HOUR_S
    observation = Observed(node_hours, count)
    return ((NODE_HOURS, node_hours), (INTERRUPTIONS, count), (NODE_MTBF, observation.mtbf_hours))


def _where(row: small_table.Row) -> tuple[str, ...]:
    """Provider and GPU model of a row, the model by its family; empty where it does not name both."""
    provider, model = row.text("provider"), row.text("gpu_model")
    if not provider or not model:
        return ()
    read = gpu_families().read(model)
    return provider, model if read is None else read.family


def _first(row: small_table.Row, names: Sequence[str]) -> str:
    """The first of these columns that the row's table has; else the first of them."""
    return next((name for name in names if name in row.texts), names[0])


def _time(row: small_table.Row, names: Sequence[str], *, may_lack: bool = False) -> int | None:
    """A time in UTC seconds; RowError `bad_time` if it is empty and must not be."""
    name = _first(row, names)
    at_s = row.time(name)
    if at_s is None and not may_lack:
        raise small_table.RowError("bad_time", worded("{column} is empty", column=name))
    return at_s


def _stay(row: small_table.Row) -> _Row:
    """A row of one node's stay: without an end it is still there; it was taken unless the row denies that."""
    start_s = _time(row, _STARTS) or 0
    end_s = _time(row, _ENDS, may_lack=True)
    if end_s is not None and end_s < start_s:
        raise small_table.RowError("end_before_start", worded("it ends before it starts"))
    reason = (row.text(_first(row, _WHY_ENDED)) or "").casefold()
    kind = "left" if small_table.FLAGS.get(reason) is False else "taken"
    return _Row(start_s=start_s, end_s=end_s, what=kind, where=_where(row))


def _of_stays(rows: Sequence[_Row]) -> Facts:
    """Node-seconds and interruptions; a node without an end was there until the last time that the file names."""
    last_s = max((max(row.start_s, row.end_s or 0) for row in rows), default=0)
    totals: Found = {}
    for row in rows:
        node_s = (last_s if row.end_s is None else row.end_s) - row.start_s
        _add(totals, row.where, float(node_s), int(row.end_s is not None and row.what == "taken"))
    return _facts(totals)


def _event(row: small_table.Row) -> _Row:
    """A row of one event of a node; RowError `unknown_value` for a word that is no known event."""
    name = _first(row, _EVENTS)
    word = row.required(name).casefold()
    at_s = _time(row, _TIMES) or 0
    kinds = (("began", _BEGAN), ("taken", _TAKEN), ("left", _LEFT))
    kind_named = next((kind for kind, known in kinds if word in known), "")
    if not kind_named:
        raise small_table.RowError(
            "unknown_value",
            worded("{column} is {text}", column=name, text=repr(word)),
            worded("write started, interrupted or stopped"),
        )
    return _Row(node=_node(row), start_s=at_s, what=kind_named, where=_where(row))


def _node(row: small_table.Row) -> str:
    """Which node a row is of: by its name, else by where it is."""
    return row.text(_first(row, _NODES)) or "/".join(row.text(one) or "" for one in _WHERE)


def _of_events(rows: Sequence[_Row]) -> Facts:
    """Node-seconds between the beginning of a node and what ended it, and how many were taken.

    A node that still runs counts until the last event. What ends a node whose beginning nobody tells counts as an
    interruption, but adds no time.
    """
    running: dict[str, list[_Row]] = {}
    totals, last_s = Found(), 0
    for row in sorted(rows, key=lambda each: (each.start_s, each.what == "began")):
        last_s = row.start_s
        if row.what == "began":
            running.setdefault(row.node, []).append(row)
            continue
        began = running.get(row.node)
        node_s = row.start_s - began.pop(0).start_s if began else 0
        _add(totals, row.where, float(node_s), int(row.what == "taken"))
    for each in running.values():
        for still in each:
            _add(totals, still.where, float(last_s - still.start_s), 0)
    return _facts(totals)


def _of_trace(source: Source) -> small_table.TableRead[_Row]:
    """How many nodes were there at each look; one fewer at the next is an interruption."""
    is_object = "data.item" in json_paths(source.head)
    said = next(iter(json_values(source, "metadata.gap_seconds")), None) if is_object else None
    gap = read_decimal(text_of(said))
    if gap is None or not 0 < gap <= _GAP_AT_MOST_S:
        raise PlannerError(
            source.path,
            "missing_column",
            worded("no seconds between samples"),
            worded("write it as {example}", example='{"metadata": {"gap_seconds": 300}, "data": [1, 1, 0]}'),
        )
    gap_s = float(gap)

    def rows() -> small_table.Rows:
        """Each number of the trace with its place from 1."""
        for number, value in enumerate(json_values(source, "data.item"), 1):
            yield number, small_table.Row(texts={"nodes": text_of(value)}), text_of(value)

    def facts(looks: Sequence[_Row]) -> Facts:
        """Facts of a trace: every look holds for the gap up to the next one."""
        return _facts({(): (sum(look.nodes for look in looks) * gap_s, _fewer(looks))})

    kind = _kind(TRACE, (), (), lambda row: _Row(nodes=_count(row, "nodes")), facts)
    return kind.collect(source, rows(), kind.reader())


def _count(row: small_table.Row, column: str) -> int:
    """How many nodes were there: a number, or whether one was."""
    text = row.required(column)
    count = read_decimal(text)
    if count is None and (flag := small_table.FLAGS.get(text.casefold())) is not None:
        return int(flag)
    if count is None or not 0 <= count <= _NODES_AT_MOST or count != int(count):
        raise small_table.RowError("bad_number", worded("{column} is {text}", column=column, text=repr(text)))
    return int(count)


def _fewer(looks: Sequence[_Row]) -> int:
    """How many nodes went in all: the sum of all decreases from one look to the next."""
    return sum(max(0, before.nodes - after.nodes) for before, after in pairwise(looks))


def _look(row: small_table.Row) -> _Row:
    """A row of how many nodes were there at a time."""
    at_s, nodes = _time(row, _TIMES) or 0, _count(row, _first(row, _AVAILABLE))
    return _Row(node=_node(row), start_s=at_s, nodes=nodes, where=_where(row))


def _of_looks(rows: Sequence[_Row]) -> Facts:
    """Node-seconds and interruptions: each look holds until the next, the last for the shortest gap of the file.

    One node fewer at the next look is an interruption; looks at several nodes or places are each a trace of their own.
    """
    traces = grouped((row.node, row) for row in sorted(rows, key=lambda each: each.start_s))
    gaps_s = [
        after.start_s - before.start_s for trace in traces.values() for before, after in pairwise(trace)
    ]
    last_s = min((gap_s for gap_s in gaps_s if gap_s), default=0)
    totals = Found()
    for trace in traces.values():
        node_s = sum(before.nodes * (after.start_s - before.start_s) for before, after in pairwise(trace))
        _add(totals, trace[0].where, float(node_s + trace[-1].nodes * last_s), _fewer(trace))
    return _facts(totals)


def _kind(
    format_name: str,
    columns: tuple[str, ...],
    needed: tuple[tuple[str, ...], ...],
    read_row: Callable[[small_table.Row], _Row],
    facts: Callable[[Sequence[_Row]], Facts],
) -> small_table.TableKind[_Row]:
    """A kind of table of interruptions from its columns, its reading of a row and its facts."""
    return small_table.TableKind(
        kind=KIND,
        format=format_name,
        columns=columns,
        needed=needed,
        reader=small_table.one_value(read_row),
        key=id,
        facts=facts,
    )


_EVENT_TABLE: Final = _kind(OWN, ("timestamp", "event", "node"), (_TIMES, _EVENTS), _event, _of_events)
_LOOK_TABLE: Final = _kind(OWN, ("timestamp", "available"), (_TIMES, _AVAILABLE), _look, _of_looks)
_STAY_TABLE: Final = _kind(OWN, ("provider", "gpu_model", "start", "end"), (_STARTS, _ENDS), _stay, _of_stays)
