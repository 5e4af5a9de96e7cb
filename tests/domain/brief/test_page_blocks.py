"""Blocks of a page: reports as tables, their columns and notes, and the words of a block that is read aloud."""

from dataclasses import astuple
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.brief import pages
from gpuplanner.domain.brief.pages import (
    Bar,
    BridgeChart,
    Column,
    DemandChart,
    LargeFigure,
    Line,
    MonthsChart,
    Page,
    TableBlock,
    TextBlock,
    TimelineChart,
    TimeRow,
    block_words,
    days,
    page_words,
    quarters,
    report_block,
    sentences,
)
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.amounts import NO_PARTS, PartSum, sum_text
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S
from tests.domain.audit.conftest import START_S
from tests.domain.brief.small_plan import numbers

BLOCKS: tuple[tuple[Any, list[str]], ...] = (
    (TextBlock("T", ("a 1.", "b 2.")), ["1", "2"]),
    (TextBlock("", ("a 1.",)), ["1"]),
    (
        TableBlock(
            title="T",
            columns=(Column("A", False, 1.0), Column("B", True, 1.0)),
            rows=(("x", "1"), ("", "2")),
            total=("all", "3"),
            note="note 4.",
        ),
        ["1", "2", "3", "4"],
    ),
    (TableBlock(title="T", columns=(Column("A", True, 1.0),), rows=(("5",),), total=(), note=""), ["5"]),
    (
        MonthsChart("T", ("m1", "m2", "m3"), (Line("P", (10.0, 20.0, 30.0)), Line("Q", ()))),
        ["1", "3", "10", "30"],
    ),
    (DemandChart("T", None, ((Pool.BURST, np.array([1.0, 4.0])), (Pool.TRAINING, np.array([])))), ["2.5"]),
    (
        BridgeChart(
            "T",
            (
                Bar(name="A", note="n", usd=5.0, kind="step", text="+5"),
                Bar(name="B", note="", usd=7.0, kind="result", text="7"),
            ),
        ),
        ["5", "7"],
    ),
    (
        TimelineChart(
            title="T",
            rows=(TimeRow("r1", ()), TimeRow("r2", (), 0), TimeRow("r3", (), 0, True)),
            begin_s=0,
            end_s=9,
            written_s=0,
        ),
        ["1", "2", "1", "1970", "3"],
    ),
)


# --- Reports as blocks


def test_a_text_is_a_day_where_its_column_is_one_and_a_nameless_cluster_is_told() -> None:
    def text(value: Any, form: str = "text", key: str = "k") -> str:
        return str(pages.write_text(SimpleNamespace(of=lambda _: value, form=form, key=key), None))  # type: ignore[arg-type]

    assert numbers(text(START_S, "date")) == ["1", "2026"] and text(START_S) == str(START_S)
    assert text("2026-07-01", "date") == "2026-07-01"
    assert text("") == text(None) == "" != text("", key="cluster")
    assert text("x", key="cluster") == "x" and text(5) == "5"


def test_changes_of_money_have_a_sign_and_amounts_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "whole_amounts", lambda *_: [5, None])
    monkeypatch.setattr(pages, "rounded_values", lambda *_: [5, None])
    unknown = SimpleNamespace(known=NO_PARTS, text="?")

    def cells(unit: str, form: str) -> list[str]:
        column: Any = SimpleNamespace(
            figure=SimpleNamespace(unit=SimpleNamespace(key=unit)), form=form, unknown_of=lambda _: unknown
        )
        return [str(cell) for cell in pages.write_cells(None, column, [1, 2])]  # type: ignore[arg-type]

    assert cells("usd", "change") == ["+5", "?"] and cells("usd", "value") == ["5", "?"]
    assert cells("gpus", "change") == cells("gpus", "value") == ["5", "?"]


def test_what_stands_for_several_is_a_sum_or_what_it_is_at_least() -> None:
    usd: Any = SimpleNamespace(figure=SimpleNamespace(unit=SimpleNamespace(key="usd")))
    bare: Any = SimpleNamespace(figure=None)
    assert str(pages.write_total(bare, 5)) == "5"
    assert [
        str(pages.write_total(usd, value)) for value in (PartSum(1234.4, 1), PartSum(5.0, 2, ("x",)), 7.0)
    ] == ["1,234", "\u2265 5", "7"]
    unknown: Any = SimpleNamespace(known=PartSum(5.0, 2, ("x",)), text="?")
    assert str(pages.write_unknown(unknown)) == "\u2265 5"
    assert str(pages.write_unknown(SimpleNamespace(known=NO_PARTS, text="?"))) == "?"  # type: ignore[arg-type]


def test_a_block_is_read_after_its_title() -> None:
    texts = [str(pages.block_words(TextBlock(title, ("a.", "b.")))) for title in ("T", "")]
    assert texts == ["T. a. b.", "a. b."]


def test_a_day_of_a_log_has_its_date_or_its_number() -> None:
    assert numbers(pages.day_of_log(START_S, 3)) == ["4"] and numbers(pages.day_of_log(None, 3)) == ["3"]


# --- Words of blocks


def test_quarters_have_their_first_days() -> None:
    """From 1 January to 1 July 2026 both ends count; 1 January says the year."""
    january, july = 1_767_225_600, 1_782_864_000
    assert [at_s for at_s, _ in quarters(january, july)] == [january, 1_775_001_600, july]
    assert str(quarters(january, january)[0][1]) == "2026"
    assert "2026" not in str(quarters(january + 1, july)[0][1]) or len(quarters(january + 1, july)) == 2
    assert quarters(january + 1, 1_775_001_600 - 1) == []
    assert [at_s for at_s, _ in quarters(july, january + 365 * DAY_S)][-1] == january + 365 * DAY_S
    assert str(days(january, january + DAY_S)) == "1 Jan 2026 \u2013 1 Jan 2026"


@pytest.mark.parametrize(("block", "result"), BLOCKS)
def test_a_block_is_read_with_its_amounts(block: Any, result: list[str]) -> None:
    assert numbers(block_words(block)) == result


def test_a_page_is_read_with_its_figures_and_blocks() -> None:
    figures = (
        LargeFigure(key="a", title="A", unit="GPUs", amount=1.0, text="1", note="note 2"),
        LargeFigure(key="b", title="B", unit="GPUs", amount=3.0, text="3", note=""),
    )
    page = Page(key="k", kicker="K", title="T", rows=((BLOCKS[1][0], BLOCKS[3][0]),), figures=figures)
    assert numbers(page_words(page)) == ["1", "2", "3", "1", "5"]
    assert str(sentences("a.", "", "b.")) == "a. b."
    assert str(sum_text(PartSum(5.0, 2, ("x",)))) == "\u2265 $5" and str(sum_text(PartSum(5.0, 1))) == "$5"
    assert "5" not in str(sum_text(PartSum(0.0, 2, ("x",))))


def report_column(name: str, form: str, figure: Any = None) -> Any:
    """A column of a report whose rows are texts."""
    return SimpleNamespace(
        name=name, key=name, title=name, form=form, figure=figure, heading=lambda _: name, of=lambda row: row
    )


def table_of(
    rows: list[Any], *columns: Any, others: Any = None, total: Any = None, **given: Any
) -> TableBlock:
    report: Any = SimpleNamespace(
        rows_in=lambda *_: rows,
        columns_of=lambda *_: columns,
        rest_in=lambda *_: others,
        total_of=lambda *_: total,
        note=worded("Note."),
    )
    return report_block(report, None, "title", {"a": 0.3}, **given)


def test_columns_of_a_report_are_as_wide_as_their_shares_and_numbers_stand_right() -> None:
    """Only a figure's own value stands right; a flag is headed so, and is as wide as the rest, whatever its name."""
    flag: Any = SimpleNamespace(title="Is Late")
    table = table_of(
        ["x", ""], report_column("a", "value"), report_column("b", "text"), report_column("a", "flag", flag)
    )
    assert [(str(head), right, share) for head, right, share in map(astuple, table.columns)] == [
        ("a", False, 0.3),
        ("b", False, 1.0),
        ("Flag", False, 1.0),
    ]
    assert [[str(cell) for cell in row] for row in table.rows] == [["x", "x", "is Late"], ["", "", ""]]


@pytest.mark.parametrize(
    ("most", "listed", "left"), [(None, 3, None), (4, 3, None), (3, 3, None), (2, 2, 1), (1, 1, 2)]
)
def test_the_note_of_a_table_tells_how_many_rows_are_left(
    most: int | None, listed: int, left: int | None
) -> None:
    table = table_of(["x", "y", "z"], report_column("a", "text"), most=most, sheet="Audit")
    assert len(table.rows) == listed
    assert str(table.note) == ("Note." if left is None else f"Note. {left} more on the sheet Audit.")
    assert str(table_of(["x", "y"], report_column("a", "text"), most=1).note) == "Note."


def test_a_row_for_several_is_blank_where_it_has_nothing() -> None:
    several, total = SimpleNamespace(a=7), SimpleNamespace(b=worded("All"))
    table = table_of(
        ["x"], report_column("a", "text"), report_column("b", "text"), others=several, total=total
    )
    assert [[str(cell) for cell in row] for row in table.rows] == [["x", "x"], ["7", ""]]
    assert [str(cell) for cell in table.total] == ["", "All"] and isinstance(table.total[1], Message)
