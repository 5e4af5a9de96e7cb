"""Logs as tables of jobs before they are judged, and what functions say of inputs, as lines of a golden table."""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.job_logs.judging.dialect import JobTable
from gpuplanner.files.sources.source import Source, survey
from gpuplanner.files.system.engine import Engine, open_engine
from tests.shown import message_values, refusal_lines, shown

Rows = Callable[[Source, Engine, str], JobTable]
"""What a dialect has under this name."""

_SHOWN: Final = (
    "start_unit",
    "end_unit",
    "elapsed_unit",
    "queue_units",
    "end_is_elapsed",
    "tells_beginnings",
)


def call_lines(call: Callable[[Any], object], inputs: Mapping[str, Any]) -> str:
    """Return a line for each input: its name, and what a function says of it."""
    return refusal_lines((name, partial(call, value)) for name, value in inputs.items())


def head_lines(heads: Mapping[str, str], sniffs: Mapping[str, Callable[[str], float]]) -> str:
    """Return a line for each head of a log: its name, and the dialects that may read it with their confidence.

    heads, sniffs: by name.
    """
    lines = []
    for name, head in heads.items():
        sure = {dialect: sniff(head) for dialect, sniff in sniffs.items()}
        told = " ".join(f"{dialect} {confidence:g}" for dialect, confidence in sure.items() if confidence)
        lines.append(f"{name}: {told or '-'}")
    return "\n".join(lines)


def named(values: Iterable[Any]) -> dict[str, Any]:
    """Return values by how they are shown."""
    return {shown(value): value for value in values}


def job_table_lines(rows: Rows, texts: Mapping[str, str]) -> str:
    """Return how a dialect reads each of these logs: what it says of the table, and a line for each record.

    texts: by what is special about them.
    """
    with tempfile.TemporaryDirectory(prefix="log-") as folder, open_engine() as engine:
        path = Path(folder) / "log"
        lines: list[str] = []
        for number, (name, text) in enumerate(texts.items()):
            path.write_text(text, encoding="utf-8", newline="")
            try:
                table = rows(survey(str(path)), engine, f"jobs{number}")
            except PlannerError as error:
                place = error.where.replace(str(path), "log")
                lines.append(f"{name}: refused: {error.code} {place} {message_values(error.what)}".rstrip())
                continue
            lines.append(f"{name}: {_table_line(table)}")
            lines += _record_lines(engine, table)
    return "\n".join(lines)


def _table_line(table: JobTable) -> str:
    """Return what a table says of all its records, as far as it is not the usual."""
    usual = JobTable(raw=table.raw, fields={})
    parts = [
        f"{name} {shown(getattr(table, name))}"
        for name in _SHOWN
        if getattr(table, name) != getattr(usual, name)
    ]
    parts += [
        f"{issue.code} {issue.count} row {issue.first_row} {message_values(issue.message)}".rstrip()
        for issue in table.issues
    ]
    ragged = table.raw.ragged
    parts += [f"short {[*ragged.short]} long {[*ragged.long]}"] if ragged.short or ragged.long else []
    return ", ".join(parts) or "-"


def _record_lines(engine: Engine, table: JobTable) -> Iterator[str]:
    """Yield a line for each record: its number, the texts of its fields, and how many GPUs that are."""
    fields = {name: sql for name, sql in table.fields.items() if sql}
    columns = ", ".join((*fields.values(), table.is_ignored, table.has_no_node))
    for line, *cells, is_ignored, has_no_node in engine.all(
        f'select line, {columns} from "{table.raw.name}" order by line'
    ):
        said = dict(zip(fields, cells, strict=True))
        told = " ".join(f"{name}={text}" for name, text in said.items() if text)
        marks = "ignored " * bool(is_ignored) + "without node " * bool(has_no_node)
        gpus = shown(table.read_gpus(said.get("gpus") or "")).removeprefix("GpuReading")
        yield f"  {line} {marks}{told} {gpus}"
