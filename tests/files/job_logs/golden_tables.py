"""Proposed columns of tables of jobs, how tables are laid out, and what single texts are, as golden tables."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product
from typing import Final

import duckdb

from gpuplanner.files.job_logs import propose_columns
from gpuplanner.files.job_logs.mapped_log import gpu_reader, log_layout
from gpuplanner.files.job_logs.propose_columns import Proposal
from gpuplanner.files.job_logs.recognisers import DIALECTS, dialect_named, is_stray_row, sniff_own_csv
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.column_mapping import ColumnMapping, ColumnReading, mapping_text
from gpuplanner.files.tables.delimited import csv_text
from tests.files.job_logs.random_job_tables import JobTable, random_job_table
from tests.files.job_logs.tables_at_bounds import TABLES_AT_BOUNDS
from tests.files.sources_of_text import text_source
from tests.golden.tables import Table
from tests.shown import message_values, refusal, shown

FOLDER: Final = "tables_files_job_logs"

# --- Proposed columns ----------------------------------------------------------------------------


def proposal_text(case: str) -> str:
    """Return a random table of jobs, and what is proposed for it. case: `table` and its seed."""
    table = random_job_table(int(case.removeprefix("table ")))
    head = "headings" if table.has_header else "no headings"
    lines = [f"{head}: {' | '.join(table.headings)}{', by semicolons' if table.is_comma else ''}"]
    lines += [" | ".join(row) for row in table.rows[:2]]
    proposal = _proposal(table)
    lines += proposal_lines(proposal)
    if proposal.mapping is not None:
        lines += partial_lines(table, proposal, proposal.mapping)
    return "\n".join(lines)


def bound_text(case: str) -> str:
    """Return what is proposed for a table that is just at, below or above a bound. case: its name."""
    return "\n".join(proposal_lines(_proposal(TABLES_AT_BOUNDS[case])))


def _proposal(table: JobTable) -> Proposal:
    return propose_columns.propose_mapping(
        table.headings, table.rows, has_header=table.has_header, is_comma=table.is_comma
    )


def proposal_lines(proposal: Proposal) -> list[str]:
    """Return a line for each field with its column, and what is lacking, in doubt and sure."""
    lines = [*map(_reading_line, proposal.readings.values())]
    lines.append(f"words {proposal.words}, lacks {len(proposal.lacking)}, doubts {len(proposal.doubts)}")
    if proposal.words and proposal.doubts:
        lines.append(f"to map {message_values(propose_columns.to_map(proposal))}")
    if proposal.sure_mapping is not None and mapping_text(proposal.sure_mapping) != proposal.words:
        lines.append(f"sure {mapping_text(proposal.sure_mapping)}")
    return lines


def _reading_line(reading: ColumnReading) -> str:
    """Return how a column is read; `!` and the note's values where it has a note."""
    note = f"! {message_values(reading.note)}".rstrip() if reading.note else ""
    sure = f"{reading.confidence:g}"
    parts = (reading.column, reading.unit, reading.style, sure, message_values(reading.why), note)
    return f"{reading.field} = {', '.join(filter(None, parts))}"


def partial_lines(table: JobTable, proposal: Proposal, mapping: ColumnMapping) -> list[str]:
    """Return what comes of mappings that say less than the proposal."""
    short = ColumnMapping(dict([*mapping.columns.items()][:2]))
    no_units = ColumnMapping(mapping.columns)
    source = text_source(csv_text([table.headings, *table.rows] if table.has_header else table.rows))
    left_out = [
        f"{issue.count} {message_values(issue.message)}"
        for issue in propose_columns.left_out(short, proposal)
    ]
    settled = propose_columns.with_settled_days(no_units, proposal)
    return [
        *(f"left out {words}" for words in left_out),
        f"completed {refusal(lambda: mapping_text(propose_columns.completed(short, source)))}",
        *([f"settled {shown(settled.units)}"] if settled.units else []),
    ]


# --- Layouts -------------------------------------------------------------------------------------

LAYOUTS: Final[Mapping[str, str]] = {
    "commas": "id,gpus,start\n1,2,2026-01-05\n2,4,2026-01-06\n",
    "semicolons with commas in cells": "id;gpus;note\n1;2,5;a, b\n2;4,0;c, d\n",
    "tabs": "id\tgpus\n1\t2\n",
    "bars": "id|gpus|note\n1|2|a,b\n",
    "one column": "gpus\n1\n2\n",
    "blank": " \n\n",
    "only a header": "id,gpus,start\n",
    "only numbers": "1,2\n3,4\n",
    "words alone": "ann,bob\ncarol,dave\n",
    "header after blank lines": "\n\nid,gpus\n1,2\n",
    "title of one cell": "Usage in January\nid,gpus,start\n1,2,3\n4,5,6\n",
    "title of two cells above five": "Usage,January\nid,gpus,start,end,user\n1,2,3,4,a\n4,5,6,7,b\n",
    "three cells above five": "a,b,c\n1,2,3,4,5\n6,7,8,9,10\n",
    "two cells above five": "a,b,,,\n1,2,3,4,5\n6,7,8,9,10\n",
    "ten titles": "".join(f"title {n}\n" for n in range(9)) + "id,gpus,start\n1,2,3\n4,5,6\n",
    "eleven titles": "".join(f"title {n}\n" for n in range(10)) + "id,gpus,start\n1,2,3\n4,5,6\n",
    "merged cells": "Job,,Times,\nid,gpus,start,end\n1,2,3,4\n5,6,7,8\n",
    "merged cells, names above": "gpus,start,,\nfoo,bar,baz,qux\n1,2,3,4\n5,6,7,8\n",
    "merged cells, half of the names known": "Job,,Times,\nid,gpus,foo,bar\n1,2,3,4\n5,6,7,8\n",
    "merged cells, one of four known": "Job,,x,\ngpus,foo,bar,baz\n1,2,3,4\n5,6,7,8\n",
    "merged cells, as many below": "Job,Times\nid,gpus\n1,2\n3,4\n",
    "merged cells, a number below": "Job,,Times,\nid,gpus,start,4\n1,2,3,4\n5,6,7,8\n",
    "repeated headings": "a,a,A,b\n1,2,3,4\n5,6,7,8\n",
    "half of the headings repeat": "a,a,b,b\n1,2,3,4\n",
    "most of the headings repeat": "a,a,a,b,b\n1,2,3,4,5\n",
    "short rows": "id,gpus,start\n1\n2,3\n4,5,6\n",
    "long rows": "id,gpus\n1,2,3\n4,5,6,7\n",
    "wide rows without a header": "1,2\n3,4,5\n",
    "a long heading": f"{'x' * 120},gpus\n1,2\n",
    "a heading that is too long": f"{'x' * 121},gpus\n1,2\n",
    "a heading that is a date": "id,2026-01-05\n1,2\n",
    "a heading that is missing": "id,n/a\n1,2\n",
    "a heading that begins with a digit": "1st user,gpus\n1,2\n",
    "a heading half of digits": "12ab,gpus\n1,2\n",
    "a heading mostly of digits": "123ab,gpus\n1,2\n",
    "equal widths by two delimiters": "a,b;c,d\n1,2;3,4\n",
    "six of ten rows are as wide": "a;b,c\n" * 6 + "a;b\n" * 4,
    "five of ten rows are as wide": "a;b,c\n" * 5 + "a;b\n" * 5,
    "two hundred rows": "id,gpus\n" + "1,2\n" * 250,
    "quoted": '"id, all","gpus"\n"1, 2",3\n',
    "records in lines": '{"id": 1, "gpus": 2}\n{"id": 2, "gpus": 3, "end": 4}\n',
    "records in an array": '[{"id": 1, "a": {"gpus": 2}}, {"id": 2, "list": [1, 2]}]',
    "records in a document": '{"meta": {"n": 1}, "jobs": [{"id": 1, "gpus": 2}, {"id": 2}]}',
    "an object": '{"id": 1, "gpus": 2}',
    "a late key": '{"id": 1}\n' * 201 + '{"id": 2, "late": 3}\n',
    "no objects": "[1, 2, 3]",
    "a line that is no object": '{"id": 1}\nx\n{"id": 2}\n',
}
NAMES: Final[tuple[tuple[str, ...], ...]] = ((), ("gpus", "Start "), ("late", "id"), ("5", "missing"))


def layout_text(case: str) -> str:
    """Return how a small text is laid out, without and with headings that it should have. case: its name."""
    source = text_source(LAYOUTS[case], "log")
    lines: dict[str, list[str]] = {}
    for names in NAMES:
        result = refusal(partial(_layout_words, source, names))
        lines.setdefault(result, []).append(" ".join(names) or "no names")
    return "\n".join(f"{'; '.join(names)}: {result}" for result, names in lines.items())


def _layout_words(source: Source, names: Sequence[str]) -> str:
    layout = log_layout(source, names)
    if layout is None:
        return "none"
    form = "" if layout.json is None else f", JSON {layout.json!r}"
    rows = " / ".join(" | ".join(row) for row in layout.body[:2])
    return (
        f"{layout.delimiter!r} headings in {layout.header_row}+{layout.header_rows}{form}: "
        f"{' | '.join(layout.headings)[:80]}; keys {' | '.join(layout.keys)[:60]}; {len(layout.body)} rows: {rows}"
    )


# --- Single texts --------------------------------------------------------------------------------

GPU_TEXTS: Final = (
    *("8", "0.5", "0,5", "1,500", "8x H100", "2 x A100", "-1", "", "none", "1000", "100%", "250", "1e2"),
    *("gres/gpu:a100=2,node=1", "gres/gpu=4,node=2", "gpu:a100:2", "gpu", "cpu=8", "billing=6,node=2", "x=1"),
    *("0,1,2", "[GPU-5f, GPU-77]", "0;1", "[]", "{0}", "(0, 1)", "'0','1'", "0,,1", " , ", "gres/gpu=N/A"),
)
GPU_UNITS: Final = ("gpu", "milli", "percent", "slurm", "list", "per_node")


def gpu_text(unit: str) -> str:
    """Return how texts are read as GPUs in a unit of --map."""
    read = gpu_reader(unit)
    texts_of: dict[str, list[str]] = {}
    for text in GPU_TEXTS:
        texts_of.setdefault(refusal(partial(read, text)), []).append(repr(text))
    return "\n".join(f"{result}: {' '.join(texts)}" for result, texts in texts_of.items())


STRAY_CELLS: Final = (
    *("Total", "TOTAL: 3", "Grand total", "sub-total", "total-loss", "totals (all)", "Summe", "summer-run"),
    *(
        "# by hand",
        "---",
        "--",
        "-",
        ":---",
        "+--",
        "+-",
        "===",
        "==",
        "(2 rows)",
        "1 row",
        "12 rows",
        "rows",
    ),
    *("12 rowsx", "*Gesamt*", "  Insgesamt:", "sum", "sums", "4[]", "4[1]", "4[].pbs", "7", "", "somme *"),
)
STRAY_STARTS: Final = ("", "2026-01-05T10:00:00Z", "---", "soon", ":", "9", "/", "=+*")
STRAY_IDS: Final = ("", "7", "4[]", "Total")


def stray_text(_: str) -> str:
    """Return the starts with which a row is no job, by its first cell and by its id."""
    rows = list(product(STRAY_CELLS, STRAY_IDS, STRAY_STARTS))
    values = ", ".join(map(repr, map(tuple, rows)))
    query = f"select {is_stray_row(('cell', 'id'), 'start')} from (values {values}) t(cell, id, start)"
    with duckdb.connect() as connection:
        found = [is_stray for (is_stray,) in connection.execute(query).fetchall()]
    said: dict[tuple[str, str], list[str]] = {}
    for (cell, job_id, start), is_stray in zip(rows, found, strict=True):
        said.setdefault((cell, job_id), []).extend([start] * bool(is_stray))
    return "\n".join(
        f"{cell!r}, {job_id!r}: {shown(starts)}" for (cell, job_id), starts in said.items() if starts
    )


OWN_HEADS: Final = (
    "job_id,gpus,start,end",
    "JOB_ID;GPUS;START;END",
    "job_id,gpus,start,end,contract_id",
    "job_id,gpus,start,end,offer_id",
    "gpus,start,end",
    "job_id,gpus,start",
    "job_id,start,end",
    "job_id,gpus,end",
    "job_id,gpus",
    "job_id,start",
    "job_id,end",
    "job_id",
    "job_id,start,user,name,nodes",
    "job_id,start,user,name",
    "job_id,end,user,name,nodes,queue",
    "job_id,gpus,user,name,nodes,queue",
    "job_id,user,name,nodes,queue,state,cluster",
    "job_id|gpus|start|end|user|name|account|queue",
    "",
    "title\njob_id,gpus,start,end",
)


def own_text(_: str) -> str:
    """Return how sure it is that a head begins a log of ours, and the dialect of each name."""
    lines = [f"{head!r}: {sniff_own_csv(head + chr(10)):g}" for head in OWN_HEADS]
    lines += [
        f"{name}: {refusal(partial(_name_of_dialect, name))}"
        for name in (*(dialect.format for dialect in DIALECTS), "own", "")
    ]
    return "\n".join(lines)


def _name_of_dialect(name: str) -> str:
    return dialect_named(name, "a mapping").format


TABLES: Final = {
    "proposals.txt": Table(text_of=proposal_text, cases=tuple(f"table {seed}" for seed in range(50))),
    "bounds.txt": Table(text_of=bound_text, cases=tuple(TABLES_AT_BOUNDS)),
    "layouts.txt": Table(text_of=layout_text, cases=tuple(LAYOUTS)),
    "gpus.txt": Table(text_of=gpu_text, cases=GPU_UNITS),
    "rows.txt": Table(text_of=stray_text, cases=("rows that are no jobs",)),
    "own.txt": Table(text_of=own_text, cases=("our own logs",)),
}
