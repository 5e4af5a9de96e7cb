"""Headings and cells of contracts and price lists, and what each says, for golden tables: many are just at a bound."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from gpuplanner.files.tables import (
    contract_days,
    delimited,
    headings,
    mapped_cells,
    priced_machine,
    provider_words,
    table_columns,
)
from gpuplanner.files.tables.column_mapping import ColumnReading
from gpuplanner.files.tables.fields import HOLDS
from tests.shown import message_values, refusal, shown

# --- Headings ------------------------------------------------------------------------------------

HEADINGS: Final[Mapping[str, Sequence[str]]] = {
    "prices by period": (
        *(
            "Price",
            "Price per hour",
            "$/GPU-hr",
            "USD per GPU per month",
            "€/GPU/h",
            "Preis (EUR/GPU/h)",
            "Rate",
        ),
        *(
            "Price/yr",
            "Annual price per GPU",
            "quarterly price",
            "weekly rate",
            "price per day",
            "Price per minute",
        ),
        *(
            "$ per 1,000 GPU-hours",
            "Hourly",
            "hourly per GPU",
            "per GPU",
            "GPU",
            "per hour",
            "Monthly",
            "cost",
            "EUR",
        ),
        *("cents per GPU-hour", "EUR cents per hour", "Monthly cost", "GPU cost"),
        *("Unit price", "Einzelpreis", "Stückpreis", "Tarif horaire €", "Prix unitaire", "Satz", "Mietpreis"),
    ),
    "prices of machines": (
        *(
            "Price per node hour",
            "$/server/month",
            "$/hr (8x)",
            "Price per 8-GPU node hour",
            "8 GPUs per hour",
        ),
        *(
            "Rate for 8 GPUs",
            "1 GPU per hour",
            "2 GPUs",
            "100 GPUs",
            "Instance price",
            "VM price",
            "4 nodes x 8",
        ),
        *(
            "price per GPU node",
            "price per GPU server-hour",
            "Knotenpreis",
            "price per GPU of node",
            "rack price",
        ),
    ),
    "ways to pay": (
        *(
            "On-demand",
            "On-demand $/h",
            "Spot",
            "Spot price",
            "Preemptible",
            "low priority",
            "price low priority",
        ),
        *("1yr reserved", "3 year commit (USD/GPU/h)", "12 months", "36-month price", "1 year no upfront"),
        *(
            "Reserved",
            "Reserved ($/GPU-h)",
            "Price without commitment",
            "uncommitted",
            "Committed",
            "Savings plan",
        ),
        *(
            "12 month price without commitment",
            "2 yr",
            "100 months",
            "Price year 1",
            "Price month 12",
            "Is spot",
        ),
        *("all upfront", "no upfront price", "Upfront", "Total price", "Extended price", "Extended total"),
    ),
    "statistics": (
        *(
            "price_median",
            "Price min",
            "max price",
            "avg price",
            "p25",
            "p95 price",
            "median",
            "min max price",
        ),
        *(
            "lowest",
            "price p10",
            "typical spot price",
            "mean on-demand $/h",
            "low",
            "average count",
            "q3 rate",
        ),
    ),
    "prices beside": (
        *(
            "Egress ($/TB)",
            "Egress",
            "Egress $/GB",
            "Setup fee",
            "Setup per GPU",
            "Support (%)",
            "Support",
            "SLA %",
        ),
        *(
            "Storage ($/GPU/month)",
            "Storage",
            "Network $/GPU/year",
            "Staff per GPU-hour",
            "Deposit",
            "Prepaid",
        ),
        *(
            "Cancellation fee",
            "Take or pay",
            "Take-or-pay (%)",
            "storage price",
            "price incl. storage",
            "SLA",
        ),
        *(
            "price excl. support",
            "support price",
            "tax",
            "discounted price per GPU hour",
            "VAT",
            "deposit per GPU",
        ),
        *(
            "Price before discount per GPU hour",
            "old price",
            "List price",
            "Net price",
            "Invoiced price",
            "new rate",
        ),
        *(
            "total",
            "Total per month",
            "Total value",
            "Contract value",
            "Sum per year",
            "monthly charge",
            "MRC",
        ),
        *(
            "payment date",
            "price date",
            "discount per GPU",
            "GPUs per node",
            "number of GPUs per server",
            "GPU/h",
        ),
    ),
    "other fields": (
        *(
            "GPU model",
            "model",
            "GPU type",
            "SKU",
            "# GPUs",
            "Qty",
            "Qty (GPUs)",
            "Qty (8-GPU nodes)",
            "nodes",
        ),
        *(
            "GPUs (nodes)",
            "count",
            "instance",
            "Instance type",
            "Provider",
            "Vendor",
            "Region",
            "Country",
            "Cluster",
        ),
        *(
            "Contract",
            "contract_id",
            "PO number",
            "Start Date",
            "Beginn",
            "from",
            "End",
            "bis",
            "Expiry",
            "through",
        ),
        *(
            "Term",
            "Term (months)",
            "term years",
            "Term (h)",
            "Min. term in years",
            "Duration (h)",
            "Laufzeit",
        ),
        *(
            "Notice (mo)",
            "notice_days",
            "notice weeks",
            "days notice before the end",
            "Renewal",
            "auto renew",
        ),
        *(
            "Lead time (weeks)",
            "lead time days",
            "Currency",
            "Unit",
            "per",
            "Price unit",
            "Payment",
            "tier",
            "as of",
        ),
        *(
            "rate_usd_per_gpu_hour",
            "RATE_USD_PER_GPU_HOUR",
            "gpus",
            "gpu_memory_gb",
            "VRAM",
            "memory",
            "notes",
        ),
        *("Job ID", "user", "colour", "", " ", "x" * 120, "x" * 121, "Price " * 13, "Price " * 12, "(price)"),
    ),
}
FLAGS: Final[Mapping[str, Callable[[str], object]]] = {
    "GPUs": headings.gpus_in_heading,
    "each": headings.is_each,
    "bare": headings.is_bare,
    "spot": headings.is_spot_heading,
    "commitment": headings.is_of_commitment,
    "machine": headings.names_machine,
    "group": headings.names_group,
    "counts": headings.counts_gpus,
    "others": headings.is_of_others,
    "unit": headings.price_unit,
    "period": headings.price_period,
    "for": headings.unit_for,
    "time": contract_days.unit_of_heading,
}


def heading_lines(case: str) -> str:
    """Return a line for each heading: what it means in contracts and in price lists, and what it says beside."""
    lines = []
    for heading in HEADINGS[case]:
        kinds = {
            kind: " ".join(map(_meaning, headings.meanings(heading, kind)))
            for kind in ("contracts", "prices")
        }
        both = kinds["contracts"] == kinds["prices"]
        said = [f"both {kinds['prices']}"] if both else [f"{kind} {text}" for kind, text in kinds.items()]
        found = {name: shown(read(heading)) for name, read in FLAGS.items()}
        said += [f"{name} {value}" for name, value in found.items() if value not in ("False", "0", "''")]
        statistic = headings.parted_statistic(heading)
        said += [f"statistic {statistic.statistic} of {statistic.rest!r}"] if statistic.statistic else []
        lines.append(f"{heading[:50]!r}: {'; '.join(filter(str.strip, said))}")
    return "\n".join(lines)


def _meaning(meaning: headings.Meaning) -> str:
    parts = (
        meaning.unit,
        meaning.currency,
        f"{meaning.confidence:g}",
        meaning.rank and f"rank {meaning.rank}",
    )
    return f"{meaning.field}({' '.join(map(str, filter(None, parts)))}{' weak' * meaning.is_weak})"


# --- Cells ---------------------------------------------------------------------------------------

Read = Callable[[str], object]
CELLS: Final[Mapping[str, tuple[Sequence[str], Mapping[str, Read]]]] = {
    "ways to pay": (
        (
            *(
                "On-Demand",
                "1 year reserved",
                "Spot",
                "12",
                "reserved_36mo",
                "US East",
                "standard",
                "OWNED",
                "1yr RI",
            ),
            *(
                "1 yr RI no upfront",
                "3yr all upfront",
                "community",
                "secure cloud",
                "savings plan 3 year",
                "hourly",
            ),
            *(
                "reserved",
                "none",
                "n/a",
                "monthly",
                "month-to-month",
                "36 months",
                "payg",
                "preemptible 1yr",
                "x",
            ),
            *("convertible", "committed 12 months partial upfront", "flex", "term 2 years", ""),
        ),
        {"category": headings.category_of, "way": headings.way_of_cell, "ends never": headings.never_ends},
    ),
    "models": (
        (
            *(
                "H100",
                "NVIDIA H100 HGX (80GB)",
                "8 x H100",
                "8x H100 SXM",
                "2 x 8",
                "RTX A6000 (48 GB)",
                "g5.12xlarge",
            ),
            *(
                "p5.48xlarge",
                "Frankfurt",
                "DGX H100",
                "HGX H100",
                "H100 x8",
                "H100 SXM5 80GB",
                "p5.4xlarge",
                "1x A10",
            ),
            *(
                "Reserved capacity, H100 SXM, 12 mo",
                "8x H100 node / month",
                "unknown (training",
                "A100, RoCE",
                "GPU",
            ),
            *(
                "NVIDIA A100-SXM4-80GB",
                "A100 40 GB",
                "A100 1000GB",
                "MI300X OAM",
                "H100 node",
                "4-GPU server L40S",
            ),
            *("1234567 x H100", "TPU v5e", "BM.GPU.H100.8", "Azure ND96isr H100 v5", ""),
            *("chassis", "H100 (1 GPU)", "2-GPU L4", "nvidia", "A10 24GB with support", "box of H200"),
        ),
        {
            "name": headings.is_gpu_name,
            "count": headings.count_in_model,
            "machine": headings.may_be_machine,
            "clean": mapped_cells.clean_model,
            "item": mapped_cells.model_of_item,
            "counted": lambda text: mapped_cells.count_of(text, ""),
            "usual node": priced_machine.usual_node,
            "provider": provider_words.provider_named,
        },
    ),
    "counts": (
        (
            *(
                "8",
                "1.024",
                "1,024",
                "2,5",
                "8 x H100",
                "2 x 8",
                "8 nodes",
                "2 racks",
                "16 GPUs",
                "TBD",
                "a few",
                "-8",
            ),
            *("1e3", "1 024", "8x", "0", "8 GPU-hours", ""),
        ),
        {
            "plain": lambda text: mapped_cells.count_of(text, ""),
            "point": lambda text: mapped_cells.count_of(text, "point"),
            "comma": lambda text: mapped_cells.count_of(text, "comma"),
        },
    ),
    "renewals": (
        (
            *(
                "12 months",
                "Yes (6 mo)",
                "Yes",
                "No",
                "1",
                "0",
                "soon",
                "Yes - month to month",
                "auto",
                "yearly",
                "?",
            ),
            *(
                "Optional, quarterly review",
                "Yes, price reviewed annually",
                "3 Jahre gewünscht",
                "12 months (optional)",
            ),
            *(
                "No option to renew",
                "Auto-renews 12 months, option to cancel",
                "not automatic",
                "läuft aus",
                "quarterly",
            ),
            *(
                "12 months by mutual agreement",
                "auf Anfrage",
                "24 months, auto-renews annually",
                "does not auto-renew",
            ),
            *("auto-renews unless cancelled 60 days before expiry", "monthly", "2 years", "yes/no", "n"),
            *(
                "renews monthly",
                "renews",
                "evergreen",
                "manual",
                "none",
                "auto-renews if desired",
                "expires",
                "",
            ),
        ),
        {
            "renewal": contract_days.renewal_text,
            "years": partial(contract_days.renewal_text, unit="years"),
            "within": contract_days.renewal_within,
            "open": contract_days.is_open_renewal,
            "notice": lambda text: contract_days.notice_within(text).length,
        },
    ),
    "notices": (
        (
            *(
                "3",
                "90",
                "0",
                "6 weeks",
                "1 year",
                "none",
                "ninety (90) days",
                "T+30",
                "60 calendar days",
                "n/a",
                "tbd",
            ),
            *(
                "ninety days",
                "Sixty days prior to expiry",
                "1.5 months",
                "0.5",
                "1,5 Monate",
                "-5",
                "10000",
                "10001",
            ),
            *(
                "3 months to quarter end",
                "2027-01-15",
                "2027-02-01",
                "2027-01-31",
                "15.01.2027",
                "P3M",
                "three months",
            ),
            *(
                "14",
                "one week",
                "30 days before the end",
                "2 fortnights",
                "",
                "immediately",
                "1 month",
                "12 months",
            ),
        ),
        {
            "bare": lambda text: _notice(text, "", ""),
            "days": lambda text: _notice(text, "days", "2027-02-01"),
            "weeks": lambda text: _notice(text, "weeks", ""),
            "months": lambda text: _notice(text, "months", "2027-02-01"),
            "years": lambda text: _notice(text, "years", "2028-02-29"),
            "no end": lambda text: _notice(text, "months", ""),
        },
    ),
    "lead times": (
        (
            *(
                "1.5",
                "10 days",
                "4-6 weeks",
                "4 to 6",
                "48 h",
                "48 hours",
                "in stock",
                "soon",
                "T+30",
                "t + 4 weeks",
            ),
            *(
                "T+",
                "immediately",
                "60 days to quarter end",
                "1 month",
                "1,5 weeks",
                "-3",
                "0",
                "2 years",
                "end of May",
            ),
            *(
                "available now.",
                "three weeks",
                "6 - 8 wks",
                "1.25 h",
                "about 3 days",
                "72h",
                "tbd",
                "",
                "7+",
                "2 moons",
            ),
        ),
        {
            "ours": partial(contract_days.lead_hours, unit=""),
            "hours": partial(contract_days.lead_hours, unit="hours"),
            "days": partial(contract_days.lead_hours, unit="days"),
            "weeks": partial(contract_days.lead_hours, unit="weeks"),
            "term": contract_days.days_of_term,
        },
    ),
    "rows": (
        (
            *(
                "Total",
                "Total: 8",
                "CoreWeave Total",
                "Totals",
                "Sum",
                "Grand total:",
                "Average",
                "Mean total",
                "48",
            ),
            *(
                "",
                "H100",
                "Subtotal *",
                "total-loss",
                "$272,436",
                "Summe.",
                "In total 8",
                "gesamt",
                "----",
                "n/a",
            ),
        ),
        {
            "total": mapped_cells.starts_as_total,
            "alone": lambda text: mapped_cells.adds_up([text]),
            "with a number": lambda text: mapped_cells.adds_up([text, "144", "$2"]),
            "with words": lambda text: mapped_cells.adds_up(["", text, "H100"]),
        },
    ),
    "days": (
        (
            *(
                "31 Dec 2026",
                "2027-01-01T00:00:00Z",
                "2027-01-01T00:00:00",
                "2026-12-31T23:59:59Z",
                "2026-12-31 23:59",
            ),
            *(
                "2026-12-31",
                "2026-12",
                "Q4 2026",
                "soon",
                "",
                "2026-12-31 10:00",
                "2026-12-31T23:59",
                "12/31/2026",
            ),
        ),
        {
            "alone": lambda text: contract_days.is_day_alone(text, is_sheet=False),
            "alone in a sheet": lambda text: contract_days.is_day_alone(text, is_sheet=True),
            "after": contract_days.day_after,
            "meant": lambda text: contract_days.meant_by_day("2026-12-31", "2027-01-01", text),
            "on its start": lambda text: contract_days.meant_by_day(text[:10], text, text),
        },
    ),
    "fabrics": (
        (
            *(
                "InfiniBand NDR",
                "IB",
                "HDR200",
                "NVLink",
                "nv link",
                "RoCE v2",
                "RoCE 400G",
                "800G RoCE",
                "400 RoCE",
            ),
            *("Ethernet", "100GbE", "eth", "EFA 3200", ""),
        ),
        {"word": mapped_cells.interconnect_word},
    ),
    "words for the clipboard": (
        (
            *(
                "=1+1",
                "-1.5",
                "+3",
                "-3 pt",
                "+$2,000.50",
                "-1e5",
                "-1e5000",
                "@x",
                "\uff1d1",
                "R&D",
                "'=1",
                "it's",
            ),
            *(
                "'",
                "''=1",
                " =1",
                "\t=1",
                "a\tb",
                "a\nb",
                "\u200b=1",
                "\u3164=1",
                "- x",
                "-5%",
                "--",
                "",
                "8",
                "é",
            ),
        ),
        {
            "harmless": delimited.harmless,
            "as written": delimited.as_written,
            "in one line": lambda text: delimited.tab_text([(text, "x")]),
        },
    ),
    "flags": (
        ("yes", "No", "1", "8", "true", "", "x"),
        {
            "alone": lambda text: table_columns.are_flags([text]),
            "with a yes": lambda text: table_columns.are_flags([text, "yes", ""]),
        },
    ),
}


def _notice(text: str, unit: str, end: str) -> str:
    notice = contract_days.notice_days(text, unit, end)
    return f"{notice.days} <{message_values(notice.words)}>" if notice.words else notice.days


def cell_text_lines(case: str) -> str:
    """Return a line for each cell of a subject: what the readers that understand it say."""
    texts, readers = CELLS[case]
    lines = []
    for text in texts:
        results = {name: refusal(partial(read, text)) for name, read in readers.items()}
        said: dict[str, list[str]] = {}
        for name, result in results.items():
            if result not in ("None", "False", "''", "()", shown(text)):
                said.setdefault(result, []).append(name)
        told = ", ".join(f"{' & '.join(names)} {result}" for result, names in said.items())
        lines.append(f"{text[:60]!r}: {told or '-'}")
    return "\n".join(lines)


# --- Columns of cells ----------------------------------------------------------------------------

COLUMNS: Final[Sequence[Sequence[str]]] = (
    (),
    ("",),
    ("n/a", "TBD"),
    ("8", "x"),
    ("8", "x", "y"),
    ("---", "8"),
    ("H100", "A100", "words"),
    ("H100", "words", "words"),
    ("2026-01-05", "31.12.2026"),
    ("9999-12-31", "open end"),
    ("12 months", "on demand"),
    ("30 days", "soon"),
    ("USD/h", "per month"),
    ("$3/TB", "5"),
    ("5%", "x"),
    ("yes", "no"),
    ("PO-1", "PO-2"),
    ("spot", "reserved", "x", "y"),
    ("8 x H100", "10 TB"),
)
FIELDS: Final = tuple(
    field
    for field in {HOLDS[field]: field for field in HOLDS}.values()
    if not headings.cells_agree(field, ["?"])
)
"""A field of each kind of cells that may not be anything."""


def column_text_lines(_: str) -> str:
    """Return for each column of cells the fields that it may be, and those of which it has something readable."""
    beside = [field for field in headings.BESIDE if field not in FIELDS]
    lines = []
    for cells in COLUMNS:
        agree = [field for field in (*FIELDS, *beside) if headings.cells_agree(field, cells)]
        readable = [field for field in FIELDS if headings.has_readable(field, cells)]
        lines.append(f"{shown(list(cells))}: may be {' '.join(agree)}; readable {' '.join(readable)}")
    return "\n".join(lines)


# --- Days of contracts ---------------------------------------------------------------------------

ENDS: Final[Sequence[tuple[str, str, str]]] = (
    ("2026-03-15", "2027-03-14", ""),
    ("2026-03-15", "2027-03-15", ""),
    ("2026-03-15", "2027-03-16", ""),
    ("2026-01-31", "2027-01-31", "12"),
    ("2026-01-31", "2026-02-28", ""),
    ("2026-01-31", "2026-03-01", ""),
    ("2026-01-31", "2026-02-27", ""),
    ("2026-01-01", "2026-12-31", "12"),
    ("2026-01-01", "2027-01-01", "12"),
    ("2026-01-01", "2027-01-02", "12"),
    ("2026-01-01T00:00:00", "2026-12-31T10:00:00", "12"),
    ("2026-01-01T10:00:00", "2027-01-01T12:00:00", "12"),
    ("2026-01-01", "2026-12-31", "6"),
    ("2026-01-10", "2026-05-31", ""),
    ("2026-01-10", "2026-06-01", ""),
    ("", "2026-05-31", ""),
    ("", "2026-06-01", ""),
    ("", "2026-06-10", ""),
    ("2026-01-01", "", ""),
    ("2026-01-01", "2026-01-01", ""),
)


REFERENCES: Final = (
    *(
        "As per PO 7",
        "see PO-8",
        "MSA-1-A1",
        "MSA-1",
        "PO-7 and MSA-1",
        "order 9",
        "9",
        "14 days",
        "see MSA",
        "po-7",
    ),
)
"""Notices that another contract says."""


def day_lines(_: str) -> str:
    """Return what ends mean by their rows and by their headings, what numbers count, and whose notice is followed."""
    lines = [f"{row}: {contract_days.stated_end(*row) or '-'}" for row in ENDS]
    for heading in (
        "End",
        "End (inclusive)",
        "Renewal date",
        "Renewal through",
        "last day",
        "exclusive end",
        "end",
    ):
        for rows in ((), ENDS[:1], ENDS[1:2], ENDS[:2], ENDS[2:3], ENDS[-1:]):
            for is_own in (False, True) if heading == "end" else (False,):
                column = ColumnReading(field="end", column=heading)
                meant = contract_days.with_end_meant(column, rows, is_own=is_own)
                lines.append(f"{heading}, {rows}, own {is_own}: {_column(meant)}")
    numbers: Sequence[Sequence[str]] = (
        (),
        ("13",),
        ("14",),
        ("3", "30"),
        ("24", "48"),
        ("24", "25"),
        ("x",),
        ("0", "6"),
    )
    for field, names in (
        ("notice_days", ("Notice", "Notice (weeks)")),
        ("lead_time_hours", ("Lead time", "lead hours")),
    ):
        for name in names:
            for texts in numbers:
                column = ColumnReading(field=field, column=name)
                lines.append(f"{name}, {texts}: {_column(contract_days.with_counted_unit(column, texts))}")
    stated = {
        "PO-7": "90 days",
        "PO-8": "see PO-7",
        "MSA-1": "30 days",
        "MSA-1-A1": "60 days",
        "9": "see 10",
        "10": "see 9",
    }
    lines += [f"{text}: {contract_days.followed_notice(text, 'PO-1', stated)}" for text in REFERENCES]
    return "\n".join(lines)


def _column(column: ColumnReading) -> str:
    """Return the unit of a column; `?` where the planner is asked, `!` where it has a note."""
    marks = "?" * column.is_asked + "!" * bool(column.note)
    return f"{column.unit or '-'}{marks} {message_values(column.note) or message_values(column.why)}".rstrip()


# --- Machines of rows ----------------------------------------------------------------------------

ROWS: Final[Sequence[Mapping[str, str]]] = (
    {},
    {"gpu_model": "H100 SXM"},
    {"gpu_model": "L4"},
    {"gpus": "8"},
    {"gpus": "0"},
    {"gpus": "x", "gpus_per_node": "4"},
    {"gpus": "1000000000"},
    {"gpus": "999999999"},
    {"instance": "p5.48xlarge"},
    {"instance": "p5.48xlarge", "nodes": "2"},
    {"instance": "p5.48xlarge", "nodes": "2", "gpus_per_node": "8"},
    {"instance": "p5.48xlarge", "nodes": "2", "gpus_per_node": "4"},
    {"instance": "p99.48xlarge", "nodes": "2"},
    {"instance": "m5.large"},
    {"gpus": "16", "nodes": "2"},
    {"gpus": "16", "nodes": "3"},
    {"gpus": "1", "nodes": "8"},
    {"gpus": "1", "nodes": "8000"},
    {"gpus": "8", "gpus_per_node": "4"},
)
CELLS_OF_ROWS: Final = (
    (),
    ("p5.48xlarge",),
    ("p5.48xlarge", "g5.12xlarge"),
    ("p5.48xlarge", "8x p5.48xlarge"),
)


ASKED_OF_CELLS: Final = ("{}", "{gpus: 8}", "{instance: p99.48xlarge, nodes: 2}", "{gpus: 16, nodes: 3}")


def machine_lines(_: str) -> str:
    """Return the machine of each row of an offer and of a contract, by what its cells name."""
    calls: Iterator[tuple[str, Any]] = (
        (f"{shown(texts)} {list(cells)}", (cells, texts))
        for texts in ROWS
        for cells in (CELLS_OF_ROWS if shown(texts) in ASKED_OF_CELLS else CELLS_OF_ROWS[:1])
    )
    return "\n".join(
        f"{label}: offer {_machine(priced_machine.machine_of_offer(*both))}; "
        f"contract {_machine(priced_machine.machine_of_contract(*both))}"
        for label, both in calls
    )


def _machine(machine: priced_machine.Machine) -> str:
    return f"{shown(machine).removeprefix('Machine')} {machine.gpus:g}"
