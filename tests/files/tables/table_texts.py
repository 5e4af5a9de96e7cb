"""Small tables, rows and mappings of contracts and price lists, and what each is taken for, for golden tables."""

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Final

from gpuplanner.domain.message import NO_WORDS, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.sources.issue_texts import named_width
from gpuplanner.files.tables import (
    column_mapping,
    fields,
    json_table,
    known_shapes,
    layout,
    price_cells,
    priced_machine,
    small_table,
    table_columns,
)
from gpuplanner.files.tables.column_mapping import ColumnMapping, ColumnReading, TableMapping
from gpuplanner.files.tables.propose_mapping import propose_table_mapping
from gpuplanner.files.tables.unread_columns import Verdict
from tests.files.read_tables import file_lines
from tests.files.sources_of_text import text_source
from tests.shown import message_values, refusal, refusal_lines, shown, shown_fields

KINDS: Final = ("contracts", "prices")

# --- Where the headings stand --------------------------------------------------------------------

HEADS: Final[Mapping[str, str]] = {
    "a list": "GPU model,Price per GPU-hour\nH100,2.5\nA100,1.5\n",
    "our contracts": "contract_id,gpus,start,end,rate_usd_per_gpu_hour\nc1,8,2026-01-01,2027-01-01,2.5\n",
    "our contracts below a title": "Contracts\ncontract_id,gpus,start,end,rate_usd_per_gpu_hour\n"
    "c1,8,2026-01-01,2027-01-01,2\n",
    "our prices": "offer_id,gpu_model,pricing_category,rate_usd_per_gpu_hour\no1,H100,STANDARD,2.5\n",
    "ours by one name": "contract_id,colour\n1,2\n",
    "dollars alone": "contract_id,start,end,commitment_usd_per_hour\nc1,2026-01-01,2027-01-01,10\n",
    "a title": "Our GPUs,,\nProvider,GPU model,Qty,Start,End,$/GPU-hr\nA,H100,8,2026-01-01,2026-12-31,2.5\n",
    "two rows of headings": "Dates,,Price\nStart,End,$/GPU-hr,GPUs,Provider\n2026-01-01,2026-12-31,2.5,8,A\n",
    "units below": "GPU model,Price,Memory\n,($/h),(GB)\nH100,2.5,80\nA100,1.5,40\n",
    "one unit below": "GPU model,Price,Memory\n,,(GB)\nH100,2.5,80\n",
    "words below": "GPU model,Price\nfast,cheap\nH100,2.5\n",
    "semicolons": "GPU;Preis (EUR/GPU/h)\nH100;2,50\nA100;1,50\n",
    "tabs": "GPU\tPrice/h\nH100\t2.5\n",
    "bars": "GPU | Price/h\n--- | ---\nH100 | 2.5\n",
    "jobs": "job_id,user,gpus,start,end\n1,ann,8,2026-01-01,2026-01-02\n",
    "one word of jobs": "user,provider,GPU model,gpus,start,end\nann,A,H100,8,2026-01-01,2027-01-02\n",
    "runs": "run id,GPU model,gpus,start,end,provider\n1,H100,8,2026-01-01,2026-12-31,A\n",
    "runs of days": "provider,GPU model,gpus,start,end\nA,H100,8,2026-01-01,2026-01-03\n"
    "B,H100,8,2026-02-01,2026-02-05\n",
    "contracts of 27 days": "provider,GPU model,gpus,start,end\nA,H100,8,2026-02-01,2026-02-28\n",
    "contracts of 26 days": "provider,GPU model,gpus,start,end\nA,H100,8,2026-02-01,2026-02-27\n",
    "an order": "PO number,Item,Qty,Unit price\nPO 7,H100,8,2.5\n",
    "a bill": "Invoice,Item,Unit price,Amount\n7,H100,2.5,20\n",
    "counts in models": "Provider,GPU,Start,End\nA,256x H100,2026-01-01,2026-12-31\nB,8x H100,2026-01-01,2026-12-31\n",
    "counts in half of the models": "Provider,GPU,Start,End\nA,256x H100,2026-01-01,2026-12-31\n"
    "B,H100,2026-01-01,2026-12-31\n",
    "nodes": "Provider,Nodes,GPUs per node,Start,End\nA,4,8,2026-01-01,2026-12-31\n",
    "nodes alone": "Provider,Nodes,Start,End\nA,4,2026-01-01,2026-12-31\n",
    "nodes of an instance": "Provider,Nodes,Instance type,Start,End\nA,4,p5.48xlarge,2026-01-01,2026-12-31\n",
    "instances": "Instance type,Price per hour,Region\np5.48xlarge,98,us-east-1\ng5.xlarge,1,us-east-1\n",
    "instances, half known": "Instance type,Price per hour,Region\np5.48xlarge,98,us-east-1\nm5.large,1,us-east-1\n",
    "flags of spot": "GPU,Is spot,Price/h,Region\nH100,yes,1.2,x\nH100,no,2.5,x\n",
    "ways to pay": "GPU,Plan,Price/h\nH100,on-demand,2.5\nH100,1 yr RI no upfront,1.5\nH100,spot,1\n",
    "ways to pay and others": "GPU,Plan,Price/h\nH100,on-demand,2.5\nH100,gold,1.5\n",
    "terms": "GPU,Term,Price/h\nH100,12 months,2.5\nH100,36 months,1.5\n",
    "terms and ways": "GPU,Term,Price/h\nH100,12 months,2.5\nH100,on demand,3.5\n",
    "statistics": "GPU,price_median,price_min,count\nH100,2.5,1.5,7\n",
    "the cheapest": "GPU,cheapest provider,cheapest price,median\nH100,A,1.5,2.5\n",
    "extended prices": "GPU model,Qty,Extended price\nH100,8,20\n",
    "extended beside unit prices": "GPU model,Qty,Unit price per hour,Extended price\nH100,8,2.5,20\n",
    "purchase orders": "PO number,Contract,GPUs,Start,End,GPU model\nPO 7,c1,8,2026-01-01,2026-12-31,H100\n",
    "models without a heading": "Contract,What,GPUs,Start,End,$/GPU-hr\nc1,H100,8,2026-01-01,2026-12-31,2.5\n",
    "two renewals": "Contract,GPUs,Start,End,Renewal,auto renew,GPU\nc1,8,2026-01-01,2026-12-31,12 months,yes,H100\n",
    "repeated headings": "GPU,Price/h,Price/h,gpu\nH100,2.5,2.6,A100\n",
    "remarks": "GPU,Price/h,Region\nH100,2.5,x\nprices are subject to change\n",
    "JSON": '[{"gpu": "H100", "price": 2.5}]',
    "nothing": "\n\n",
    "numbers": "1,2,3\n4,5,6\n",
}


def head_lines(case: str) -> str:
    """Return for each kind where the headings of a text stand, its columns, and how sure it is of the kind."""
    text = HEADS[case]
    lines = []
    for kind in KINDS:
        found = layout.layout_of_head(text, kind)
        lines.append(
            f"{kind}: sure {table_columns.sniff_table(text, kind):g}, {table_columns.how_sure(found, kind):g}"
        )
        if found is None:
            continue
        place = f"{found.header_row}+{found.header_rows} {found.delimiter!r} known {found.known:g}"
        counts = ", counts in the model" * table_columns.counts_in_model(found, kind)
        columns = [
            f"{one.field}={one.column}" + f":{one.unit}" * bool(one.unit)
            for one in table_columns.known_columns(found, kind)
        ]
        lines.append(f"  {place}, {len(found.body)} rows{counts}: {', '.join(columns)}")
    return "\n".join(lines)


def layout_lines(_: str) -> str:
    """Return what rows of headings are by themselves, joined, and below titles."""
    rows: Sequence[Sequence[str]] = (
        ("GPU model", "Qty", "colour"),
        ("GPU model", "model", "GPU"),
        ("GPUs", "# GPUs"),
        ("", " "),
        ("$5",),
        ("$",),
        ("-",),
        ("-5", "x"),
        ("€ price",),
        ("8x", "y"),
        ("x" * 201, "Price", "price", "PRICE "),
    )
    lines = []
    for cells in rows:
        known = [f"{layout.known_fields(cells, kind):g}" for kind in KINDS]
        may_be, unique = layout.may_be_headings(cells), shown(layout.unique(cells))
        lengths = [len(heading) for heading in layout.unique(cells)]
        lines.append(f"{shown(list(cells))[:60]}: known {known}, may be {may_be}, {unique[-60:]}, {lengths}")
    pairs = (
        (("Dates", "", "Price"), ("Start", "End", "$/GPU-hr", "GPUs")),
        (("Price", "", ""), ("12 months", "36 months", "")),
        (("Price", "Term"), ("", "")),
        (("", "Price"), ("GPU", "")),
        (("Storage",), ("Start",)),
    )
    for above, below in pairs:
        lines += [
            f"{kind} {above} over {below}: {layout.joined_headings(above, below, kind)}" for kind in KINDS
        ]
    numbered = [
        (1, ["a"]),
        (3, ["GPU", "Price"]),
        (4, ["", ""]),
        (5, ["", "($/h)"]),
        (6, ["H100", "2"]),
        (7, []),
    ]
    lines += [
        f"below {first}+{count}: {[line for line, _ in layout.rows_below(numbered, first, count)]}"
        for first in (1, 3, 5)
        for count in (0, 1, 2)
    ]
    return "\n".join(lines)


# --- Prices of cells -----------------------------------------------------------------------------

AMOUNTS: Final = (
    *("2.5", "$2.10/h", "1,980 per month", "24 per node-hour", "5%", "0", "-1", "TBD", "free", "2 - 3", "€3"),
    *(
        "kr 5",
        "from 2.10",
        "as of Nov 2026",
        "3 years reserved",
        "1000000000000",
        "1000000000001",
        "0.000001",
        "A$4",
    ),
    *("18/year", "on request", "", "0.0000001 per year", "2.10/GPU", "16 per 8 GPUs"),
)
PRICE_COLUMNS: Final[Mapping[str, ColumnReading]] = {
    "of a GPU": ColumnReading(field="rate_usd_per_gpu_hour", column="Price", unit="gpu_hour"),
    "of a machine": ColumnReading(field="rate_usd_per_gpu_hour", column="Price", unit="hour"),
    "of a node": ColumnReading(field="rate_usd_per_gpu_hour", column="Price per node hour", unit="hour"),
    "of a month": ColumnReading(field="rate_usd_per_gpu_hour", column="Monthly", unit="month"),
    "in cents": ColumnReading(
        field="rate_usd_per_gpu_hour", column="Cents", unit="gpu_hour", currency="cents"
    ),
    "in euros": ColumnReading(
        field="rate_usd_per_gpu_hour", column="EUR", unit="gpu_month", currency="EUR", style="comma"
    ),
    "of either": ColumnReading(field="rate_usd_per_gpu_hour", column="Price", unit="hour", is_asked=True),
    "of any": ColumnReading(field="rate_usd_per_gpu_hour", column="Unit price"),
}
ROWS_OF_PRICES: Final[Sequence[tuple[int | None, priced_machine.Machine | None, Mapping[str, str]]]] = (
    (None, None, {}),
    (8000, None, {"gpu_model": "H100"}),
    (None, priced_machine.Machine(is_plain=True), {}),
    (16000, priced_machine.Machine(milli_gpus=8000, name="p5.48xlarge", is_typed=True), {"nodes": "2"}),
    (None, priced_machine.Machine(usual=8), {"gpu_model": "H100 SXM"}),
    (8000, priced_machine.Machine(milli_gpus=4000), {"currency": "EUR", "price_unit": "node-hour"}),
    (8000, priced_machine.Machine(), {"price_unit": "GPU-month"}),
)


def rate_lines(case: str) -> str:
    """Return what each cell of a column of prices comes to, and what is said of it, in rows of each kind."""
    column = PRICE_COLUMNS[case]
    lines: dict[str, list[str]] = {}
    for text in AMOUNTS:
        for number, (milli_gpus, machine, texts) in enumerate(ROWS_OF_PRICES, 1):
            row = small_table.Row(texts=texts)
            rate = price_cells.rate_of(text, column, milli_gpus, row, machine, texts)
            notes = [
                f"{code} <{message_values(small_table.words_of(row.said.get(code, NO_WORDS)))}>"
                for code in row.notes
            ]
            lines.setdefault(f"{text!r}: {'; '.join([shown(rate), *notes])}", []).append(str(number))
    return "\n".join(f"{line} in {' '.join(rows)}" for line, rows in lines.items())


# --- Units of lists by their prices --------------------------------------------------------------

PRICE_HEADINGS: Final = (
    "Price",
    "Hourly price",
    "$/GPU-hr",
    "Price per month",
    "Price per node hour",
    "Unit price",
    "Annual price",
)
LISTS: Final[Mapping[str, tuple[Sequence[int], float, float]]] = {
    "of one GPU": ((1, 2, 4, 8), 2.5, 0),
    "of machines": ((1, 2, 4, 8), 2.5, 1),
    "of eight": ((8, 8, 8, 8), 20.0, 0),
    "of eight, each": ((8, 8, 8, 8), 2.5, 0),
    "of eight, dear": ((8, 8, 8, 8), 40.0, 0),
    "of eight, cheap": ((8, 8, 8, 8), 0.3, 0),
    "of eight, in between": ((8, 8, 8, 8), 7.0, 0),
    "of sixteen": ((16, 16, 16, 16), 20.0, 0),
    "of months": ((8, 8, 8, 8), 14_600.0, 0),
    "of years": ((8, 8, 8, 8), 175_200.0, 0),
    "next to nothing": ((8, 8, 8, 8), 0.04, 0),
    "growing half": ((1, 2, 4, 8), 2.5, 0.5),
    "growing less": ((1, 2, 4, 8), 2.5, 0.45),
}
"""GPUs of the rows, the price of the first, and the power of the count by which prices grow."""
MODELS: Final = ("H100", "RTX 9999")


def unit_lines(case: str) -> str:
    """Return what a list's prices are taken for, by heading, kind and model: unit, `?` asked, `!` with a note."""
    counts, price, power = LISTS[case]
    lines: dict[str, list[str]] = {}
    for heading in PRICE_HEADINGS:
        for model in MODELS:
            for kind in KINDS:
                cells = [f"{price * (count / counts[0]) ** power:g}" for count in counts]
                rows = [
                    ["A", model, str(count), cell, f"2026-0{place}-01", f"2027-0{place}-01"]
                    for place, (count, cell) in enumerate(zip(counts, cells, strict=True), 1)
                ]
                names = ["Provider", "GPU model", "GPUs", heading, "Start", "End"]
                width = 6 if kind == "contracts" else 4
                text = _as_csv([row[:width] for row in (names, *rows)])
                lines.setdefault(_prices_of(text, kind), []).append(f"{heading}, {model}, {kind}")
    return "\n".join(f"{result}: {'; '.join(names)}" for result, names in lines.items())


def _prices_of(text: str, kind: str) -> str:
    try:
        mapping = propose_table_mapping(text_source(text), kind)
    except PlannerError as error:
        return f"refused {error.code}"
    return " ".join(
        f"{one.field}:{one.unit}{'?' * one.is_asked}{'!' * bool(one.note)} {message_values(one.note)}".rstrip()
        for one in mapping.rates
    )


def _as_csv(rows: Sequence[Sequence[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


PAIRS: Final[Mapping[str, str]] = {
    "both prices": "GPU model,GPUs,Price per hour,Price per GPU\nH100,8,20,2.5\nH100,4,10,2.5\nA100,1,1.5,1.5\n",
    "rounded": "GPU model,GPUs,Price per hour,Price per GPU\nH100,8,20.03,2.5\nH100,4,10.01,2.5\n",
    "just not rounded": "GPU model,GPUs,Price per hour,Price per GPU\nH100,8,20.3,2.5\nH100,4,10.5,2.5\n",
    "four of five": "GPU model,GPUs,Price per hour,Price per GPU\n"
    + "H100,8,20,2.5\n" * 4
    + "H100,8,99,2.5\n",
    "three of four": "GPU model,GPUs,Price per hour,Price per GPU\n"
    + "H100,8,20,2.5\n" * 3
    + "H100,8,99,2.5\n",
    "of single GPUs": "GPU model,GPUs,Price per hour,Price per GPU\nH100,1,2.5,2.5\n",
    "of on demand": "GPU model,GPUs,On-demand $/h,$/GPU-hr,Spot $/h\nH100,8,20,2.5,8\nH100,4,10,2.5,4\n",
    "of months": "GPU model,GPUs,Monthly price,Price per GPU\nH100,8,14600,2.5\nH100,4,7300,2.5\n",
    "in cents": "GPU model,GPUs,Price per hour,cents per GPU-hour\nH100,8,20,250\nH100,4,10,250\n",
    "of nodes": "GPU model,Nodes,Price per hour,Price per GPU\nH100,8,20,2.5\n",
    "growing stated prices": "GPU model,GPUs,On-demand $/h,Price per GPU\nH100,8,,20\nH100,4,,10\nA100,1,1.5,1.5\n",
    "an instance": "Instance type,GPU model,Price per hour\np5.48xlarge,H100,98\ng5.xlarge,A10G,1\n",
    "a model of machines": "GPU model,Price per hour\n8x H100,20\nA100,1.5\n",
    "memory and provider": "Provider,GPU model,GPU memory (GB),GPUs,Price,Region\nA,H100,80,1,2.5,x\n"
    "A,H100,80,8,20,x\nB,H100,80,8,2.5,x\n",
    "as many say so as not": "Provider,GPU model,GPUs,Price\nA,H100,1,2.5\nA,H100,8,20\nB,H100,1,2.5\nB,H100,8,2.5\n",
    "spot": "GPU model,GPUs,Spot price\nH100,8,12\nH100,8,12\n",
    "months of one": "GPU model,GPUs,Price per month\nH100,8,1825\nH100,8,1825\n",
    "thousands": 'GPU model,GPUs,$/GPU-hr\nH100,8,"2,750"\nA100,8,"1,500"\n',
    "thousands of machines": 'GPU model,GPUs,Price per month\nH100,8,"14,600"\nA100,8,"8,760"\n',
    "cells say what for": "GPU model,GPUs,Price\nH100,8,$20/node-hour\nA100,8,$8/node-hour\n",
    "some cells say what for": "GPU model,GPUs,Price\nH100,8,$20/node-hour\nA100,8,$8\n",
    "a unit of the row": "GPU model,GPUs,Price,Unit\nH100,8,20,node-hour\nA100,8,1.5,GPU-hour\n",
    "currencies of cells": "GPU model,Price per GPU-hour\nH100,€2.5\nA100,€1.5\n",
    "several currencies of cells": "GPU model,Price per GPU-hour\nH100,€2.5\nA100,$1.5\n",
    "a title in euros": "All prices in EUR,\nGPU model,Price per GPU-hour\nH100,2.5\n",
    "days either way": "GPU model,Price per GPU-hour,as of\nH100,2.5,01/02/2026\nA100,1.5,02/03/2026\n",
    "days first": "GPU model,Price per GPU-hour,as of,valid until\nH100,2.5,01/02/2026,31/03/2026\n",
    "terms of no unit": "GPU model,Price per GPU-hour,Term\nH100,2.5,1\nA100,1.5,3\n",
    "terms of twelve": "GPU model,Price per GPU-hour,Term\nH100,2.5,12\nA100,1.5,36\n",
}
"""Price lists whose units, styles and currencies depend on their cells."""


def pair_lines(case: str) -> str:
    """Return how a price list is read: its columns, `?` asked, `!` with a note; and what its rows come to."""
    source = text_source(PAIRS[case])
    lines = []
    for kind in KINDS if case in ("both prices", "months of one", "a unit of the row") else ("prices",):
        try:
            mapping = propose_table_mapping(source, kind)
        except PlannerError as error:
            lines.append(f"{kind}: refused {error.code} {message_values(error.what)}")
            continue
        for one in mapping.columns:
            parts = (one.unit, one.style, one.currency, "?" * one.is_asked + "!" * bool(one.note))
            read = ", ".join(filter(None, (one.column, *parts)))
            lines.append(f"{kind} {one.field} = {read} <{message_values(one.why)}>")
        facts = dict(mapping.facts)
        rest = f"undecided {facts.get('undecided')} unused {facts.get('unused_columns')}"
        lines.append(f"{kind} {facts.get('mapping')} {rest}")
    return "\n".join(lines)


# --- Mappings of tables --------------------------------------------------------------------------


def _readings(*names: str) -> tuple[ColumnReading, ...]:
    return tuple(
        ColumnReading(field=name, column=name.title(), why=worded("matching name")) for name in names
    )


def mapping_lines(_: str) -> str:
    """Return what mappings lack and leave unread, what they are in words, and whose shape a table has."""
    price = ColumnReading(
        field="rate_usd_per_gpu_hour",
        column="Price",
        unit="hour",
        style="comma",
        currency="EUR",
        is_asked=True,
        confidence=0.5,
    )
    several = replace(price, field="rate_12m", column="A year", currency="EUR/GBP", is_asked=False)
    mapping = TableMapping(
        kind="prices",
        columns=(*_readings("gpu_model", "nodes"), price, several),
        headings=("Gpu_Model", "Nodes", "Price", "A year", "", "Lead time", "price", "Checked"),
        compared=("Checked",),
        titles=_readings("region"),
        header_row=3,
    )
    instance = replace(mapping, columns=_readings("instance", "rate_spot"))
    lines = []
    for name, one in (
        ("mapped", mapping),
        ("of instances", instance),
        ("ours", replace(mapping, is_own=True)),
        ("bare", TableMapping(kind="prices", columns=())),
    ):
        lines += [
            f"{name}: lacks {one.lacks(('gpus', 'gpu_model', 'provider'))}, unused {shown(one.unused)}",
            f"  rates {[column.column for column in one.rates]}",
            f"  facts {shown(one.facts)}",
            f"  words {one.words}",
            f"  places {[one.place(text) for text in ('nodes', 'PRICE', '', 'x')]}",
            f"  places of fields {[one.place_of(text) for text in ('nodes', 'gpus')]}",
            f"  of {shown(one.of('nodes'))[:60]}",
        ]
    lines += [f"{one.column}: {one.unit_words!r} {one.stated_unit!r}" for one in (price, several)]
    job = ColumnMapping({"gpus": "n", "start": "s"}, {"gpus": "milli:comma", "start": "epoch_s"})
    lines += [
        f"{name}: {job.unit(name)!r} {job.style(name)!r}"
        for name in ("gpus", "start", "end", "duration", "name")
    ]
    lines += [
        f"smaller {unit}: {column_mapping.smaller_length(unit)!r}"
        for unit in ("d", "h", "min", "s", "ms", "x")
    ]
    lines += [
        f"range {shown(names)}: {message_values(column_mapping.range_words(_readings(*names)))!r}"
        for names in ((), ("rate_low",), ("rate_high", "rate_low"))
    ]
    lines += [
        f"term of {name}: {column_mapping.term_of_rate(name)} {column_mapping.is_rate(name)}"
        for name in (
            "rate_1m",
            "rate_9999m",
            "rate_10000m",
            "rate_m",
            "rate_xm",
            "rate_low",
            "stated_per_gpu",
        )
    ]
    lines += [
        f"writable {name!r}: {column_mapping.is_writable(name)}"
        for name in ("s", ":s", "a:s", "a:comma", "a:b", "a\n", " a", "epoch_s")
    ]
    lines += [
        f"place of {name!r}: {column_mapping.column_place(('id', 'GPUs', '#9'), name)}"
        for name in ("#1", "#3", "#4", "#0", "#9", "column 2", "Column3", "gpus ", "#12345", "x")
    ]
    calls: Mapping[str, Callable[[], object]] = {
        f"units of {name}={column}, not there {missing}": partial(
            column_mapping.check_units, ColumnMapping({name: column}), missing
        )
        for name, column, missing in (
            ("gpus", "n:foo", ("n:foo",)),
            ("gpus", "n:foo", ()),
            ("name", "n:foo", ("n:foo",)),
            ("gpus", ":foo", (":foo",)),
            ("gpus", "foo", ("foo",)),
            ("gpus", "n:", ("n:",)),
            ("gpus", "n:abcdefghijkl", ("n:abcdefghijkl",)),
            ("gpus", "n:abcdefghijklm", ("n:abcdefghijklm",)),
            ("start", "n:min", ("n:min",)),
        )
    }
    lines.append(refusal_lines(calls.items()))
    return "\n".join(lines)


SHAPES: Final[Mapping[str, tuple[Sequence[str], Mapping[str, tuple[Sequence[str], Sequence[str]]]]]] = {
    "the same": (("Job", "N"), {"a": (("job ", "n"), ("N",))}),
    "another order": (("N", "Job"), {"a": (("Job", "N"), ("N", "Job"))}),
    "one more": (("Job", "N", "Note"), {"a": (("Job", "N"), ("N", "Job"))}),
    "one less": (("Job",), {"a": (("Job", "N"), ("Job",))}),
    "one less that is read": (("Job",), {"a": (("Job", "N"), ("N", "Job"))}),
    "one more and one less": (("Job", "N", "New"), {"a": (("Job", "N", "Old"), ("N",))}),
    "two of eight differ": (tuple("abcdefgh"), {"a": (tuple("abcdefxy"), ("a",))}),
    "one more and one less of eight": (tuple("abcdefgh"), {"a": (tuple("abcdefgx"), ("a",))}),
    "two more than eight": (tuple("abcdefghij"), {"a": (tuple("abcdefgh"), ("a",))}),
    "three more than eight": (tuple("abcdefghijk"), {"a": (tuple("abcdefgh"), ("a",))}),
    "columns by number": (("Job", "N", "Note"), {"a": (("Job", "N"), ("#1", "Job"))}),
    "columns by place": (("Job", "column 2", "x"), {"a": (("Job", "column 2"), ("column 2",))}),
    "a column called column x": (("Job", "column x", "y"), {"a": (("Job", "column x"), ("column x",))}),
    "a constant": (("Job", "N", "=1", "x"), {"a": (("Job", "N"), ("=1", "N"))}),
    "a heading twice": (("Job", "Job", "N"), {"a": (("Job", "N"), ("N",))}),
    "the nearer of two": (
        ("Job", "N", "x"),
        {"a": (("Job", "N", "y", "z"), ("N",)), "b": (("Job", "N"), ("N",))},
    ),
    "none": (("a", "b"), {"a": (("c", "d"), ("c",))}),
}


SEPARATOR: Final = "\x1f"


def shape_lines(_: str) -> str:
    """Return whose shape a table has, and how it differs."""
    lines = []
    for name, (now, known) in SHAPES.items():
        headers = {known_shapes.header_key(before): columns for before, columns in known.values()}
        found = known_shapes.find_shape(known_shapes.header_key(now), headers)
        if found is None:
            lines.append(f"{name}: none")
            continue
        differs = f"differs {message_values(found.differs)}" if found.differs else "equal"
        lines.append(f"{name}: {found.header.split(SEPARATOR)}, {differs}".rstrip())
    return "\n".join(lines)


def field_lines(_: str) -> str:
    """Return the fields of each kind of table: what their cells hold, `*` needed, `-` of others alone."""
    lines = []
    for kind, all_fields in (("jobs", fields.JOB_FIELDS), *fields.FIELDS.items()):
        for one in all_fields:
            marks = "*" * one.is_needed + "-" * (not one.is_ours)
            lines.append(f"{kind} {one.name}{marks}: {one.holds.name} {len(one.words.split('|'))}")
    lines += map(shown, (fields.OWN_NEEDED, fields.ALSO_SHOWN, fields.NEEDED_OF_OTHERS))
    lines += map(shown, (column_mapping.NUMBERS, column_mapping.UNITS_OF, column_mapping.MAPPED_FIELDS))
    lines += [f"{kind}: {fields.has_needed(kind, needed)}" for kind, needed in fields.OWN_NEEDED.items()]
    heads = (
        ("contract_id", "start", "end", "gpus"),
        ("contract_id", "start", "end"),
        ("contract_id", "start", "end", "commitment_usd_per_hour"),
        ("offer_id",),
    )
    lines += [f"{head}: {[fields.has_needed(kind, head) for kind in KINDS]}" for head in heads]
    return "\n".join(lines)


# --- Rows that are read field by field -----------------------------------------------------------

NUMBERS: Final = ("8", " 8 ", "$2.50", "-1", "0", "1000000000000", "1000000000001", "1.5", "x", "", "nan")


def row_lines(_: str) -> str:
    """Return what a row's reader says of single cells, and what it notes."""
    calls: Mapping[str, Callable[[small_table.Row], object]] = {
        "number": lambda row: row.number("c"),
        "any number": lambda row: row.number("c", low=None),
        "from 1 to 8": lambda row: row.number("c", low=1, high=8),
        "from 8": lambda row: row.number("c", low=Decimal(8)),
        "real": lambda row: row.real("c"),
        "integer": lambda row: row.integer("c"),
        "rate": lambda row: row.rate("c"),
        "flag": lambda row: row.flag("c"),
    }
    lines = []
    for text in NUMBERS:
        said = []
        for name, call in calls.items():
            row = small_table.Row(texts={"c": text})
            result = shown(call(row))
            said.append(f"{name} {result}{' ' + ' '.join(row.notes) if row.notes else ''}")
        lines.append(f"{text!r}: {', '.join(said)}")
    for text in ("2026-01-05", "2026-01-05T10:00:00+02:00", "n/a", "Unknown", "soon", "", "2026-07-01 10:00"):
        for zone in (None, "Europe/Berlin"):
            row = small_table.Row(texts={"c": text}, timezone=zone)
            lines.append(f"{text!r} in {zone}: {_raised(partial(row.time, 'c'))}")
    for text in ("yes", "perhaps", ""):
        row = small_table.Row(texts={"c": text})
        needed = _raised(partial(row.required, "c"))
        lines.append(f"word {text!r}: {shown(row.word('c', {'yes': 1}))} {row.notes} {needed}")
    row = small_table.Row(texts={})
    for code, words in (("a", "one"), ("a", "two"), ("a", "one"), ("b", "")):
        row.say(code, worded("{what}", what=words) if words else NO_WORDS)
    row.say("b", worded("{what}", what="late"))
    other = small_table.Row(texts={})
    other.take_notes(row)
    for name, one in (("said", row), ("taken", other)):
        told = {code: message_values(small_table.words_of(words)) for code, words in one.said.items()}
        lines.append(f"{name} {one.notes}: {told}")
    names = small_table.Names()
    lines += [f"name {name}: {names.next(name)}" for name in ("a", "b", "a", "a", "b")]
    return "\n".join(lines)


def _raised(call: Callable[[], object]) -> str:
    try:
        return shown(call())
    except small_table.RowError as fault:
        return f"{fault.code} {message_values(fault.what)}"


COUNTED: Final = small_table.TableKind[tuple[str, Decimal | None]](
    kind="lists",
    format="counted",
    columns=("name", "count"),
    needed=(("name", "title"), ("count",)),
    reader=small_table.one_value(lambda row: (row.required("name"), row.number("count"))),
    key=lambda value: value[0],
    names_of=lambda columns: tuple("name" if name == "title" else name for name in columns),
    tells=lambda names: "other" not in names,
    unread=Verdict.TOLD,
    facts=lambda values: (("values", len(values)),),
)
"""A kind of table that has all that a kind may have."""
FILES: Final[Mapping[str, str]] = {
    "sound": "name,count\na,1\nb,2\n",
    "another name": "Title,Count\na,1\n",
    "twice": "name,count\na,1\na,2\nb,3\n",
    "odd numbers": "name,count\na,x\nb,y\nc,z\nd,w\ne,-1\n",
    "no names": "name,count\n,1\n,2\nb,3\n",
    "long rows": "name,count\na,1,5\nb,2\n",
    "short rows": "name,count,note\na\nb,2\n",
    "a column that is not read": "\nname,count,colour\na,1,red\n",
    "other": "name,count,other\na,1,x\n",
    "lacks one": "name\na\n",
    "semicolons": "name;count\na;1\n",
    "a quoted formula": "name,count\n'=1+1,2\n",
    "JSON": '[{"name": "a", "count": 1}]',
    "nothing": "",
}


def kind_lines(_: str) -> str:
    """Return how sure a kind is of a text, and what is read of it; then several files together."""
    lines = []
    for name, text in FILES.items():
        source = text_source(text, f"{name}.csv")
        lines.append(
            f"{name}: sure {COUNTED.sniff(text):g}, lacks {COUNTED.lacks(tuple(text.partition(chr(10))[0].split(',')))}"
        )
        try:
            read = COUNTED.read(source)
        except PlannerError as error:
            lines.append(f"  refused {error.code} {message_values(error.what)}")
            continue
        lines += [
            f"  {line}"
            for line in (
                shown(read.values),
                shown(read.rows),
                *file_lines(read.intake),
                shown(read.intake.facts),
            )
        ]
    lines += [
        f"description of {name}: {next(file_lines(COUNTED.describe(text_source(text, f'{name}.csv'))))}"
        for name, text in FILES.items()
        if name in ("sound", "lacks one")
    ]
    paths = [
        str(text_source(FILES[name], f"{name}.csv").at) for name in ("sound", "twice", "lacks one", "sound")
    ]
    files = COUNTED.read_files(paths)
    lines += [
        f"together: {shown(files.values)}, {shown(files.by_file)}, refused {[error.code for error in files.refused]}"
    ]
    lines += [
        f"  read {file.rows_read}, accepted {file.rows_accepted}, twice {file.rows_duplicate}"
        for file in files.intake
    ]
    lines.append(f"  {refusal(lambda: files.or_refused() and '').split(' ')[1]}")
    return "\n".join(lines)


def end_lines(_: str) -> str:
    """Return how ends of rows are counted, and which of their words are kept."""
    ends = small_table.RowEnds(named=("money",), words_kept=2)
    ends.read = 3000
    for line in range(1, 6):
        ends.note("bad_number", line, worded("{what}", what=f"cell {line}"))
        ends.note("money", line, worded("{what}", what=f"sum {line}"), count=2)
    ends.note("bad_number", 9, worded("{what}", what="own"), worded("{what}", what="remedy"))
    ends.note("plain", 7)
    ends.note("plain", 3, worded("{what}", what="again"))
    ends.note("plain", 8, worded("{what}", what="again"))
    ends.note("late", 8, worded("{what}", what="first"), worded("{what}", what="do so"))
    ends.note("late", 9, worded("{what}", what="second"), worded("{what}", what="do so"))
    for line in range(10, 13):
        ends.reject(
            line,
            small_table.RowError("bad_time", worded("{what}", what=f"time {line}")),
            f"raw {line}",
            count=400,
        )
    ends.reject(
        20,
        small_table.RowError("bad_time", worded("{what}", what="own"), worded("{what}", what="leave")),
        "raw",
    )
    ends.ignore(30, small_table.RowLeftOutError("not_a_row", worded("{what}", what="a total")))
    ends.duplicates += 1
    read = ends.intake(text_source("a,b\n", "ends.csv"), "lists", "counted", (("x", 1),))
    lines = [f"accepted {ends.accepted} of {ends.read}", *file_lines(read), shown_fields(read)[-60:]]
    lines += [f"{row.row} {row.code} {row.text}: {message_values(row.message)}" for row in read.rejected]
    lines += [f"width {shown(names)}: {named_width(names)}" for names in (("a", "b", ""), ("", ""), ())]
    return "\n".join(lines)


# --- JSON, and tables that lie on their side -----------------------------------------------------

DOCUMENTS: Final[Mapping[str, str]] = {
    "plain": '[{"gpu": "H100", "price": 2.5}, {"gpu": "A100", "price": 1e-1, "region": "x"}]',
    "no prices": '[{"gpu": "H100", "count": 2}]',
    "models as keys": '{"H100": {"hourly": 2.5}, "A100": {"hourly": 1.5}}',
    "prices by model": '{"prices": {"H100": 2.5, "A100": "1.5", "L4": null}}',
    "prices by model and more": '{"provider": "A", "H100": 2.5, "A100": 1.5}',
    "lists of prices by model": '{"provider": "A", "H100": [2.5, 2.6], "A100": [1.5]}',
    "prices by region": '[{"gpu": "H100", "price": {"us-east-1": 2.5, "eu-west-1": 2.7}}]',
    "prices by day": '[{"gpu": "H100", "price": {"2026-01-01": 2.5, "2026-02-01": 2.4}}]',
    "prices by way": '[{"gpu": "H100", "price": {"on-demand": 2.5, "spot": 1.2}}]',
    "counts by region": '[{"gpu": "H100", "price": 2, "stock": {"us-east-1": 25, "eu-west-1": 27}}]',
    "by providers": '{"by_provider": {"A": [{"gpu": "H100", "price": 2.5}], "B": [{"gpu": "H100", "price": 2.6}]}}',
    "alike keys": '{"x1": {"gpu": "H100", "price": 2.5}, "x2": {"gpu": "A100", "price": 1.5}}',
    "money of Google": '[{"gpu": "H100", "price": {"currencyCode": "USD", "units": "2", "nanos": 500000000}}]',
    "a page": '{"page": 1, "currency": "USD", "data": [{"gpu": "H100", "price": 2.5}]}',
    "commitments": '[{"gpu": "H100", "price": 3, "terms": [{"months": 12, "price": 2}], "zones": [{"zone": "a"}]}]',
    "the cheapest of sellers": '[{"gpu": "H100", "cheapest": {"provider": "A", "price": 1}, '
    '"offers": [{"provider": "A", "price": 1}, {"provider": "B", "price": 2}]}]',
    "statistics of sellers": '[{"gpu": "H100", "min": 1, "max": 3, "count": 7, '
    '"sellers": [{"provider": "A", "price": 1}]}]',
    "statistics alone": '[{"gpu": "H100", "min_price": 1, "max_price": 3, "count": 7}]',
    "a list of words": '[{"gpu": "H100", "price": 2.5, "regions": ["a", "b"], "gpuInfo": {"name": "x", "memory": 80}}]',
    "objects inside": '[{"name": "m8", "gpu_info": {"count": 8, "model": "H100"}, "priceHourly": 20}]',
    "outer names": '{"name": "A", "items": [{"name": "B", "price": 2.5}]}',
    "in parts": '{"priceDimensions": {"H100": {"price": 2.5}}}',
    "broken": '[{"gpu": "H100", "price": 2.5}',
    "empty prices": '[{"gpu": "H100", "price": []}, {"gpu": "A100", "price": "n/a"}]',
    "models inside a record": '[{"provider": "A", "price": {"H100": 2.5, "A100": 1.5}}]',
    "lists of models inside a record": '[{"provider": "A", "price": {"H100": [2.5, 2.6], "A100": [1.5]}}]',
    "prices by instance type": '[{"region": "x", "price": {"p5.48xlarge": 98, "g5.xlarge": 1}}]',
    "an empty price of no model": '{"provider": "A", "H100": 2.5, "A100": 1.5, "remark": null}',
    "no JSON": "gpu,price\nH100,2.5\n",
    "one column": '[{"price": 2.5}]',
}
SIDEWAYS: Final[Mapping[str, str]] = {
    "providers across": "Criteria,A,B\nGPU model,H100,H100\nPrice per GPU-hour,2.5,2.4\nGPUs,64,128\n"
    "Start,2026-01-01,2026-02-01\nEnd,2026-12-31,2027-01-31\n",
    "named providers across": "Provider,A,B\nGPU model,H100,H100\nPrice per GPU-hour,2.5,2.4\nRegion,x,y\n",
    "upright": "GPU model,Price per GPU-hour\nH100,2.5\nA100,1.5\n",
    "of many widths": "Criteria,A,B\nGPU model,H100\nPrice,2.5,2.4,3\nx,y,z,w,v\n",
    "prose": "This is, so they say, a text\nof some lines\nand more, of them\n",
}


def json_lines(case: str) -> str:
    """Return the rows of a document as a table, and of a table that lies on its side."""
    is_json = case in DOCUMENTS
    source = text_source((DOCUMENTS if is_json else SIDEWAYS)[case], "list.json")
    found = json_table.json_table(source) if is_json else json_table.turned_table(source)
    if found is None:
        return "none"
    with found.rows(",") as rows:
        return "\n".join(f"{line}: {' | '.join(cells)}" for line, cells in rows)


def all_documents() -> Iterator[str]:
    """Yield the names of documents, and of tables that lie on their side."""
    yield from DOCUMENTS
    yield from SIDEWAYS
