"""Tests of delimited."""

import csv
import io
import re
import unicodedata
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import gpuplanner
from gpuplanner.domain.audit.chargeback import ChargePart
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Workload, cube_from_entries
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake, RejectedRow
from gpuplanner.domain.model.plan.scenario import Decision, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import ClassRule, Pool, PricingCategory
from gpuplanner.domain.model.window import Window
from gpuplanner.files.export import focus
from gpuplanner.files.export.cube_file import write_cube
from gpuplanner.files.export.decision_log import decisions_csv
from gpuplanner.files.export.focus import focus_csv
from gpuplanner.files.export.price_file import prices_text
from gpuplanner.files.export.statement import statement_csv
from gpuplanner.files.importing.import_tables import import_prices
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.lists.class_rules import rules_text
from gpuplanner.files.sources.raw_table import COLUMNS_AT_MOST
from gpuplanner.files.tables import delimited
from gpuplanner.files.tables.delimited import as_written, best_header, csv_text, harmless, header_columns
from gpuplanner.files.tables.layout import find_layout, layout_of
from tests.files.sources_of_text import text_source

# --- test headers --------------------------------------------------------------------------------

NAMES = st.lists(
    st.text("abcxyz_ ", min_size=1).map(str.strip).filter(bool), min_size=2, max_size=6, unique=True
)


def line(names: list[str], delimiter: str) -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerow(names)
    return text.getvalue()


@given(NAMES, st.sampled_from(delimited.DELIMITERS), st.sampled_from(("", "\n", "  \n\n")))
def test_the_first_line_with_anything_is_the_header_whatever_parts_it(
    names: list[str], delimiter: str, above: str
) -> None:
    head = above + line([name.upper() for name in names], delimiter) + "1\n"
    assert header_columns(head) == (delimiter, tuple(names))
    assert best_header(head, names) == (delimiter, tuple(name.upper() for name in names))
    assert delimited.has_columns(head, *names) and not delimited.has_columns(head, *names, "another")


def test_wanted_headings_tell_the_delimiter_where_more_of_another_sign_are_in_the_line() -> None:
    head = "id;a, b, c, d;gpus\n"
    assert header_columns(head).delimiter == ","
    assert best_header(head, ("ID", "gpus"), delimited.bare) == (";", ("id", "a, b, c, d", "gpus"))


def test_all_columns_that_are_not_there_are_named() -> None:
    delimited.check_columns("jobs.csv", ("Start", "END"), ("start", "end"), worded("add it"))
    with pytest.raises(PlannerError) as raised:
        delimited.check_columns("jobs.csv", ("start",), ("gpus", "start", "end"), worded("add it"))
    assert str(raised.value).startswith("jobs.csv:1: missing_column: ")
    assert "gpus, end" in str(raised.value) and str(raised.value).endswith("; add it")


@pytest.mark.parametrize(
    ("below", "rows"),
    [
        (["", "", "", "open"], 1),  # a row of its own: no unit, and the headings mean no more with it
        (["", "", "", "USD/h"], 2),
        (["", "", "GPUs", "USD/h"], 2),
        (["", "", "(UTC)", "(USD)"], 2),  # they mean no more so, but all are units
        (["", "name", "(UTC)", "(USD)"], 2),  # two of three
        (["", "name", "", "(USD)"], 1),  # half of them
        (["", "", "", "(USD)"], 1),  # a note, as may stand in a cell of a row
        (["H100", "Acme", "soon", "open"], 1),
    ],
)
def test_a_row_below_the_headings_is_part_of_them_where_it_says_units_or_more(
    below: list[str], rows: int
) -> None:
    table = [["GPU model", "Provider", "Start", "Price"], below, ["A100", "Bolt", "2026-01-01", "2"]]
    found = find_layout(list(enumerate(table, 1)), ",", "contracts")
    assert (found.header_row, found.header_rows, len(found.body)) == (1, rows, 3 - rows)


def test_a_text_of_too_many_columns_is_refused() -> None:
    """Its headings are those of prices, and one column more than is read."""
    heads = [["GPU", "Price", *[f"c{place}" for place in range(more)]] for more in (1, COLUMNS_AT_MOST - 1)]
    narrow, wide = ("".join(f"{';'.join(cells)}\n" for cells in (head, ["2"] * len(head))) for head in heads)
    layout = layout_of(text_source(narrow), "prices")
    assert layout is not None and (layout.delimiter, layout.header_row) == (";", 1)
    with pytest.raises(PlannerError) as error:
        layout_of(text_source(wide), "prices")
    assert error.value.code == "file_unreadable"


# --- Laws: no cell of any table that we write begins a formula, and all is read back as it was

HOSTILE = (
    '=HYPERLINK("http://host/x")',
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    "\u00a0=1",
    "\u3000=1",
    "\u200b=1",
    "\ufeff=1",
    "\u2060+x",
    "\x00=1",
    "\x1b@x",
    "\uff1d1+1",
    "\uff0b1+1",
    "\uff0d1+1",
    "\uff20x",
    "\u200b\uff1d1",
    "\ufe661",
    "\u3164=1",
    "\u2800=1",
    "'=1",
    "''=1",
    "-",
    "=",
    "\tx",
    "-1|cmd",
    "+cmd|' /C calc'!A0",
)
NUMBERS = ("-5", "-1.5", "-1e-7", "-1,234.50", "-12%", "+$3,054", "\u2212$1,203", "5", "0.1", "", "+2.1 pt")
SIGNS = set("=+-@")


def is_live(cell: str) -> bool:
    """What a spreadsheet program, or one that drops what is not seen, may take for a formula."""
    seen = [letter for letter in cell if unicodedata.category(letter)[0] not in "ZC"]
    first = next((letter for letter in seen if letter not in "\u2800\u3164"), "")
    begins = unicodedata.normalize("NFKC", first)
    return (begins in SIGNS or cell[:1] in ("\t", "\r", "\n")) and cell not in NUMBERS


def cells_of(text: str) -> list[str]:
    return [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]


@given(
    st.text(st.characters(codec="utf-8"))
    | st.sampled_from(HOSTILE).flatmap(lambda a: st.text().map(a.__add__))
)
@example("''-5")
def test_what_was_written_is_read_back_and_begins_nothing(text: str) -> None:
    assert as_written(harmless(text)) == text
    assert not is_live(harmless(text)) or harmless(text) == text


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_is_live(text: str) -> None:
    assert harmless(text) == f"'{text}" and not is_live(harmless(text)) and as_written(harmless(text)) == text
    (cell,) = cells_of(csv_text([[text]])) if text.strip("'") else [harmless(text)]
    assert as_written(cell) == text
    line = delimited.tab_text([[text, "x"]])
    assert "\n" not in line and "\r" not in line and line.count("\t") == 1 and not is_live(line)


@pytest.mark.parametrize("text", NUMBERS)
def test_numbers_stay_numbers(text: str) -> None:
    assert harmless(text) == text


def test_numbers_that_are_no_texts_are_written_as_they_are() -> None:
    assert csv_text([(-5, -1.5, None, Decimal("-2"))]) == "-5,-1.5,,-2\r\n"


def hostile_project(name: str) -> Project:
    cube = cube_from_entries(2, (name,), *(np.array([0]) for _ in range(3)), np.array([5]))
    return Project(
        window=Window(1_790_000_000 // 3600 * 3600, 2),
        cube=cube,
        workloads=(Workload(key=name, name=name, cluster=name, owner=name),),
    )


def cube_text(name: str, folder: Path) -> str:
    (path,) = write_cube(hostile_project(name), folder)
    return path.read_bytes().decode()


def focus_text(name: str, _: Path) -> str:
    order = Order(
        pool=Pool.TRAINING,
        gpu_model=name,
        offer_id=name,
        term_months=12,
        gpus=8.0,
        start_s=1_790_000_000,
        end_s=1_821_536_000,
        order_by_s=1_790_000_000,
        reason=name,
    )
    return focus_csv(
        (
            focus.ProposedCommitment(
                order=order, offer=offer(name), name=name, start="2026-10-01", end="2027-10-01", hours=8760.0
            ),
        )
    )


def offer(name: str) -> Offer:
    return Offer(
        offer_id=name,
        gpu_model=name,
        pricing_category=PricingCategory.COMMITTED,
        term_months=12,
        rate_usd_per_gpu_hour=Decimal("2"),
        provider=name,
        interconnect=name,
        region=name,
        source=name,
        as_of=name,
    )


def decisions_text(name: str, _: Path) -> str:
    decision = Decision(5, worded("{name} moves", name=name), name)
    return decisions_csv([Scenario(name=name, decisions=(decision,))], "USD")


def rules_of(name: str, _: Path) -> str:
    return rules_text(
        [
            ClassRule(
                rule_id=name,
                field="owner",
                pattern=name,
                pool=Pool.BURST,
                subtype=name,
                confidence=0.9,
                reason=name,
            )
        ]
    )


def rejected_text(name: str, _: Path) -> str:
    from gpuplanner.ui.importing.report import rejected_csv

    row = RejectedRow(
        row=4, code="bad_time", message=worded("{name} is no time", name=name), text=name, cells=(name, name)
    )
    rows = (row, replace(row, cells=()))
    file = FileIntake(
        path=name,
        kind="jobs",
        format="sacct",
        rows_read=2,
        rows_accepted=0,
        rows_rejected=2,
        rows_duplicate=0,
        rows_ignored=0,
        rejected=rows,
        columns=("", name),
    )
    return rejected_csv((file,))


WRITERS = {
    "cube": cube_text,
    "statement": lambda name, _: statement_csv(
        hostile_project(name),
        iter(
            (
                ChargePart(
                    key=name,
                    cluster=name,
                    team=name,
                    gpu_hours=1.0,
                    direct_in_window=2.0,
                    idle_in_window=None,
                    overflow_in_window=0.0,
                ),
            )
        ),
    ),
    "focus": focus_text,
    "prices": lambda name, _: prices_text([offer(name)]),
    "decisions": decisions_text,
    "rules": rules_of,
    "rejected": rejected_text,
}


@pytest.mark.parametrize("writer", WRITERS)
def test_no_table_has_a_live_cell(writer: str, tmp_path: Path) -> None:
    for name in HOSTILE:
        text = WRITERS[writer](name, tmp_path)
        found = cells_of(text)
        assert not [cell for cell in found if is_live(cell)], name
        assert writer in ("focus", "statement") or name in map(as_written, found)
        assert len({len(row) for row in csv.reader(io.StringIO(text, newline=""))}) == 1, name


def test_what_is_read_has_the_names_that_were_written(tmp_path: Path) -> None:
    names = [name for name in HOSTILE if name.strip() == name and name.isprintable()]
    (tmp_path / "p.csv").write_text(prices_text(map(offer, names)), encoding="utf-8", newline="")
    read = import_prices([str(tmp_path / "p.csv")]).offers
    assert {(one.offer_id, one.provider, one.source) for one in read} == {(name,) * 3 for name in names}
    head = ("contract_id", "cluster", "gpu_model", "gpus", "rate_usd_per_gpu_hour", "start", "provider")
    rows = [(name, name, "H100", 8, "2.00", "2026-01-01", name) for name in names]
    (tmp_path / "c.csv").write_text(csv_text([head, *rows]), encoding="utf-8", newline="")
    contracts = read_inputs([], [str(tmp_path / "c.csv")], []).contracts
    found = {(one.contract_id, one.cluster, one.provider) for one in contracts}
    assert found == {(name,) * 3 for name in names}


READ_BY_US = {
    "files/sources/raw_table.py": "a file for the engine",
    "files/importing/log_sample.py": "a file for the engine",
    "files/sources/source.py": "a file for the engine",
    "files/tables/column_mapping.py": "a mapping as words of the command line",
}
"""Modules that write rows of their own which no one opens in a spreadsheet program, and why."""


def test_every_table_is_written_in_one_place() -> None:
    root = Path(gpuplanner.__path__[0])
    paths = {path.relative_to(root).as_posix(): path for path in root.rglob("*.py")}
    sources = {name: path.read_text(encoding="utf-8") for name, path in paths.items()}
    found = {name for name, source in sources.items() if re.search(r"csv\.(Dict)?[wW]riter\(", source)}
    assert found == {"files/tables/delimited.py", *READ_BY_US}
    joined = {name for name, source in sources.items() if '"\\t".join' in source}
    assert not [name for name in joined if name.startswith(("ui/", "charts/"))]
