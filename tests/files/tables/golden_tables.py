"""Random tables of contracts and prices: how their columns and cells are read, and the values, as golden tables."""

from functools import partial
from typing import Final

from gpuplanner.files.tables import column_mapping
from gpuplanner.files.tables.fields import FIELD_NAMES
from tests.files.random_tables import random_table
from tests.files.read_tables import cell_lines, column_lines, table_values
from tests.files.tables import heading_texts, table_texts
from tests.golden.tables import Table
from tests.shown import refusal_lines, shown

FOLDER: Final = "tables_files_tables"
SEEDS: Final = range(40)
TAB: Final = "⇥"
"""Stands for the tabs of a table, since a line of nothing but tabs would be no line of its case."""


def reading_text(kind: str, case: str) -> str:
    """Return a random table, its columns, cells and values. case: its seed."""
    seed = int(case)
    parts = (
        random_table(kind, seed).replace("\t", TAB),
        *column_lines(kind, seed),
        *cell_lines(kind, seed),
        table_values(kind, seed),
    )
    return "\n".join(parts)


MAPPINGS: Final = (
    "gpus=n,start=begun:epoch_s",
    "gpus=Num GPUs,start=Begin,end=End",
    '"gpus=n, all",start=begun:epoch_s,duration=took:min',
    "gpus=n:milli:comma,start=a:dmy,time_limit=l:h",
    "gpus==1,start=s",
    'gpus=n, "start=a, b",  end=e',
    "gpus=n:foo,start=s",
    "gpus=n:exclusive",
    "contracts.gpus=Qty,contracts.rate_usd_per_gpu_hour=Price:month:comma:EUR",
    "gpus=Qty,rate_12m=Price:EUR:gpu_hour,end=Ends:last_day",
    "rate_spot=Spot:node:point,notice_days=Notice:months",
    "prices.gpu_model=GPU,start=Begin",
    "colour=x",
    "gpus=",
    "=n",
    "gpus=n,gpus=m",
    "",
    "gpu_activity_percent=a:share,model=m,class=c",
)
"""Mappings in words, sound and not."""
HEADINGS: Final = (
    ("n", "begun", "took", "job_id"),
    ("Num GPUs", "Begin", "End", "", "Num GPUs"),
    ("gpus:milli", "start", " end"),
)


def mapping_text_lines(case: str) -> str:
    """Return how a mapping in words is read for jobs, and for contracts and prices. case: the mapping."""
    words = case.removeprefix("map ")
    calls = {
        "jobs": lambda: column_mapping.parse_mapping(words),
        "back": lambda: column_mapping.mapping_text(column_mapping.parse_mapping(words)),
        "own names": lambda: [
            column_mapping.with_own_names(column_mapping.parse_mapping(words), names).columns
            for names in HEADINGS
        ],
        "units": lambda: column_mapping.check_units(column_mapping.parse_mapping(words), ("n:foo", "a:dmy")),
        "contracts": lambda: column_mapping.parse_table_columns(words, FIELD_NAMES["contracts"]),
        "prices": lambda: column_mapping.parse_table_columns(words, FIELD_NAMES["prices"]),
        "parted": lambda: column_mapping.parted_map(words, FIELD_NAMES),
        "of kind": lambda: column_mapping.map_of_kind(words, "contracts"),
    }
    lines = [refusal_lines(calls.items())]
    for names in HEADINGS:
        places = [column_mapping.column_place(names, name) for name in (*names, "#1", "#4", "#0", "GPUS")]
        written = [column_mapping.is_writable(name) for name in names]
        lines.append(f"{shown(column_mapping.unique_headings(names))} {shown(places)} {shown(written)}")
    return "\n".join(lines)


CASES: Final = tuple(map(str, SEEDS))
SINGLE: Final = {
    "columns of cells": heading_texts.column_text_lines,
    "days": heading_texts.day_lines,
    "machines": heading_texts.machine_lines,
    "layouts": table_texts.layout_lines,
    "mappings": table_texts.mapping_lines,
    "shapes": table_texts.shape_lines,
    "fields": table_texts.field_lines,
    "cells of rows": table_texts.row_lines,
    "a kind of table": table_texts.kind_lines,
    "ends of rows": table_texts.end_lines,
}
"""Subjects whose texts are one case."""
TABLES: Final = {
    "mappings.txt": Table(text_of=mapping_text_lines, cases=tuple(f"map {words}" for words in MAPPINGS)),
    "headings.txt": Table(text_of=heading_texts.heading_lines, cases=tuple(heading_texts.HEADINGS)),
    "cells.txt": Table(text_of=heading_texts.cell_text_lines, cases=tuple(heading_texts.CELLS)),
    "heads.txt": Table(text_of=table_texts.head_lines, cases=tuple(table_texts.HEADS)),
    "rates.txt": Table(text_of=table_texts.rate_lines, cases=tuple(table_texts.PRICE_COLUMNS)),
    "units.txt": Table(text_of=table_texts.unit_lines, cases=tuple(table_texts.LISTS)),
    "lists.txt": Table(text_of=table_texts.pair_lines, cases=tuple(table_texts.PAIRS)),
    "json.txt": Table(text_of=table_texts.json_lines, cases=tuple(table_texts.all_documents())),
    "single.txt": Table(text_of=lambda case: SINGLE[case](case), cases=tuple(SINGLE)),
    **{
        f"{kind}.txt": Table(text_of=partial(reading_text, kind), cases=CASES)
        for kind in ("contracts", "prices")
    },
}
