"""Method and checks: the status, the groups of checks, the key, links and files; and what it says of a plan."""

import openpyxl
import pytest

from gpuplanner.domain.model.intake import DataQuality, LogGap, SuspiciousValue
from gpuplanner.domain.model.tables import ClassRule, Pool
from gpuplanner.files.workbook.answers.checks_sheet import PARTS
from gpuplanner.files.workbook.answers.exported_sheet import UNCHANGED
from gpuplanner.files.workbook.answers.method_sheet import quality_lines, rule_lines
from gpuplanner.files.workbook.kit.looks import FIXED_FILL, INPUT_FILL
from gpuplanner.files.workbook.kit.sheets import COLORS, METHOD_AND_CHECKS, SHEETS
from tests.files.workbook.evaluations import two_clusters_book
from tests.files.workbook.recalculate import Recalculator, cells_of, changed_copy, names_of


def test_the_status_is_green_and_every_check_is_in_a_group_and_agrees():
    cells = cells_of(two_clusters_book())
    page = cells[METHOD_AND_CHECKS]
    assert page["B4"] == "Green"
    sheet, cell = names_of(two_clusters_book())["advice_is_of"]
    assert cells[sheet][cell] == UNCHANGED
    rows = [int(at[1:]) for at, value in page.items() if at.startswith("A") and value in PARTS]
    assert [page[f"A{row}"] for row in rows] == list(PARTS)
    assert all(page[f"B{row}"] == page[f"C{row}"] > 0 for row in rows)
    assert f"{sum(page[f'B{row}'] for row in rows)} checks" in page["D4"]


@pytest.mark.long
def test_it_says_changed_after_a_typed_input_and_red_after_a_broken_formula(need_tool, tmp_path):
    """The first changed input stands below with its value as exported and now."""
    book = two_clusters_book()
    cells, names = cells_of(book), names_of(book)
    growth, plan = names["assume_growth"], names["plan_usd_per_month"]
    before = cells[growth[0]][growth[1]]
    edits = ({growth: 0.05}, {plan: 1.0})
    copies = [changed_copy(book, tmp_path / f"{place}.xlsx", edit) for place, edit in enumerate(edits)]
    calc = Recalculator(need_tool("soffice"), tmp_path)
    typed, broken = (cells_of(again)[METHOD_AND_CHECKS] for again in calc.recalculated(*copies))
    assert [page["B4"] for page in (typed, broken)] == ["Changed", "Red"]
    assert typed["D4"].startswith("1 ")
    top = next(int(at[1:]) for at, value in typed.items() if value == "First changed inputs") + 2
    assert "Growth" in typed[f"A{top}"]
    assert (typed[f"D{top}"], typed[f"E{top}"]) == (pytest.approx(before), pytest.approx(0.05))


def test_it_links_each_sheet_that_is_not_printed_and_has_the_colors():
    book = openpyxl.load_workbook(two_clusters_book())
    page = book[METHOD_AND_CHECKS]
    links = [cell.hyperlink.location for (cell,) in page.iter_rows(min_col=4, max_col=4) if cell.hyperlink]
    behind = [sheet for sheet in SHEETS if not sheet.is_printed and sheet.name in book.sheetnames]
    assert links == [f"'{sheet.name}'!A1" for sheet in behind]
    fills = {cell.fill.fgColor.rgb for (cell,) in page.iter_rows(max_col=1) if cell.fill.fill_type == "solid"}
    assert {f"FF{color[1:]}" for color in (*COLORS.values(), INPUT_FILL, FIXED_FILL)} <= fills
    tabs = {sheet.name: book[sheet.name].sheet_properties.tabColor.rgb for sheet in behind}
    assert tabs == {sheet.name: f"FF{sheet.color[1:]}" for sheet in behind}


def test_rules_are_numbered_in_their_order_with_subtype_where_one_is_said() -> None:
    rules = (
        ClassRule(
            rule_id="a",
            field="name",
            pattern="rollouts?",
            pool=Pool.BURST,
            subtype="",
            confidence=0.97,
            reason="",
        ),
        ClassRule(
            rule_id="b",
            field="queue",
            pattern="long",
            pool=Pool.TRAINING,
            subtype="pretraining",
            confidence=0.97,
            reason="",
        ),
    )
    _, *lines = rule_lines(rules)
    assert all(part in lines[0] for part in ("1. ", "“rollout”", "burst"))
    assert all(part in lines[1] for part in ("2. ", "“long”", "training: pretraining"))


QUALITY = DataQuality(
    jobs=12_000,
    hours=2160,
    busy_hours=1080,
    gaps=(LogGap(1_786_514_400, 1_786_651_200),),
    with_id=12_000,
    with_name=6_000,
    with_user=3_000,
    naive=0,
    zero_length=0,
    long_running=2,
    suspicious=(SuspiciousValue("any column", "18446744073709551614", 3),),
)


def test_every_figure_stands_in_a_line_and_unknown_is_a_dash() -> None:
    text = "\n".join(quality_lines(QUALITY))
    for words in (
        "12,000 jobs; 50.0% of the 2,160 hours",
        "\u2014 have a GPU model, \u2014 an activity",
        "Gap of 38 hours: 2026-08-12T06:00:00Z to 2026-08-13T20:00:00Z.",
        "any column: 18446744073709551614, in 3 rows",
        "running for over two months: 2.",
    ):
        assert words in text
    assert "before they start" not in text


def test_where_it_was_never_counted_the_book_says_so() -> None:
    (line,) = quality_lines(None)
    assert line.startswith("Not known")
