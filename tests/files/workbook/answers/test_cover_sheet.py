"""Cover: the first sheet says what the book is, leads to all others, and shows what they say."""

import io
from dataclasses import replace

import openpyxl
import pytest
import xlsxwriter

import gpuplanner
from gpuplanner.domain.model.intake import DataQuality, LogGap, SuspiciousValue
from gpuplanner.domain.model.plan.scenario import Decision
from gpuplanner.domain.model.tables import ClassRule, Pool
from gpuplanner.files.workbook.answers import cover_sheet, summary_sheet
from gpuplanner.files.workbook.answers.cover_sheet import CHANGES_SHOWN, LEGEND, quality_lines, rule_lines
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.looks import COLORS, FIXED_FILL, INPUT_FILL, INPUT_TEXT, SHEETS, Kind
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.evaluations import evaluated, evaluation_of, two_clusters_with_layers
from tests.files.workbook.recalculate import Recalculator, cells_of, changed_copy, formulas_of, names_of

DAY_S = 86_400
START_S = 1_767_225_600


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    case = two_clusters_with_layers()
    project = evaluation_of(case).project
    decisions = tuple(Decision(START_S + day * DAY_S, f"Decided {day}", "=why") for day in range(11))
    scenario = replace(project.scenarios[0], decisions=decisions)
    evaluation = evaluated(replace(project, title="Acme", scenarios=(scenario,)), case.classifications)
    written = tmp_path_factory.mktemp("cover") / "plan.xlsx"
    write_workbook(evaluation, written, START_S + 20 * DAY_S)
    return written


@pytest.fixture(scope="module")
def cells(path):
    return cells_of(path)["Cover"]


def test_the_book_opens_at_it(path):
    book = openpyxl.load_workbook(path)
    assert book.sheetnames[0] == "Cover"
    assert book.active.title == "Cover"


def test_it_leads_to_every_sheet_and_says_what_each_is(path):
    book = openpyxl.load_workbook(path)
    cover = book["Cover"]
    cells = [cell for row in cover.iter_rows(max_col=1) for cell in row if cell.hyperlink]
    links = {cell.hyperlink.location: cell.coordinate for cell in cells}
    assert list(links) == [f"'{sheet.name}'!A1" for sheet in SHEETS]
    for sheet in SHEETS:
        row = links[f"'{sheet.name}'!A1"].lstrip("A")
        assert cover[f"A{row}"].value == sheet.name
        guarded = "yellow open" if sheet.kind is Kind.INPUT else "locked"
        assert cover[f"B{row}"].value == f"{sheet.kind}, {guarded if sheet.is_protected else 'open'}"
        assert cover[f"C{row}"].value == sheet.holds
        assert book[sheet.name].sheet_properties.tabColor.rgb == f"FF{COLORS[sheet.kind][1:]}"


def test_its_figures_and_its_light_are_links(path, cells):
    formulas, names = formulas_of(path)["Cover"], names_of(path)
    told = set(formulas.values())
    assert {"=all_checks", "=advice_is_of"} <= told
    for name in ("plan_usd_per_month", "savings_vs_do_nothing_usd_per_month", "lock_in_months"):
        sheet, cell = names[name]
        [shown] = [at for at, text in formulas.items() if text == f"={sheet}!${cell[0]}${cell[1:]}"]
        assert cells[shown] == cells_of(path)[sheet][cell]
    numbers = [at for at, value in cells.items() if isinstance(value, int | float)]
    samples = [sample for sample, *_ in LEGEND if sample[:1].isdigit()]
    assert len(set(numbers) - set(formulas)) == len(samples), "no figure is typed but the samples of the key"


def test_it_has_next_month_and_the_twelve_months_beside_each_other(path, cells):
    formulas, summary = formulas_of(path)["Cover"], cells_of(path)["Calc months"]
    of_summary = {text: _row(summary, text) for text in ("Next month", "Month 12", "12 months in total")}
    for text, row in of_summary.items():
        here = _row(cells, text)
        for letter in "BCD":
            assert formulas[f"{letter}{here}"] == f"=Summary!${letter}${row}"
            assert cells[f"{letter}{here}"] == summary[f"{letter}{row}"]


def test_its_headings_have_the_sign_of_the_books_currency():
    book = Book(xlsxwriter.Workbook(io.BytesIO()), lambda: None, currency="EUR", is_told=True)
    for sheet in SHEETS[:2]:
        book.add_sheet(sheet)
    fields = (summary_sheet.NAME, *summary_sheet.HORIZON_FIELDS)
    cover_sheet.write_horizons(book, Table(book=book, sheet="Calc months", row=0, size=0, fields=fields), 0)
    cover, summary = (book.told[sheet.name] for sheet in SHEETS[:2])
    headings = [cover[1, column] for column in range(4)]
    assert headings == [summary[0, column] for column in range(4)]
    assert ["€" in heading for heading in headings] == [False, True, True, True]


def test_its_key_is_drawn_with_the_real_styles(path, cells):
    cover = openpyxl.load_workbook(path)["Cover"]
    samples = {text: cover[f"A{at[1:]}"] for at, text in cells.items() if at.startswith("B")}

    def sample(words):
        return next(cell for text, cell in samples.items() if str(text).startswith(words))

    assert sample("Input: yours").fill.fgColor.rgb == f"FF{INPUT_FILL[1:]}"
    assert sample("Input: yours").font.color.rgb == f"FF{INPUT_TEXT[1:]}"
    assert sample("Input of the app").fill.fgColor.rgb == f"FF{FIXED_FILL[1:]}"
    assert sample("Formula").fill.fill_type is None
    assert (
        sample("Yours to fill in").border.bottom.style
        == cover[f"B{_row(cells, 'Questions to')}"].border.top.style
    )
    assert not cover[f"B{_row(cells, 'Questions to')}"].protection.locked


def _row(cells, words):
    return next(at[1:] for at, text in cells.items() if at.startswith("A") and text == words)


def test_changes_are_the_log_of_decisions_latest_first(cells):
    first = int(_row(cells, "When (UTC)")) + 1
    words = [cells[f"B{row}"] for row in range(first, first + CHANGES_SHOWN + 2)]
    assert words[1:3] == ["Decided 10: =why", "Decided 9: =why"]
    assert words[-1].startswith("3 earlier: ")


def test_it_says_version_money_and_units(cells):
    assert cells["A1"] == "Acme"
    said = " ".join(str(value) for value in cells.values())
    assert f"gpuplanner {gpuplanner.__version__}" in said
    assert "USD: every amount" in said
    assert "730 hours" in said


@pytest.mark.long
def test_its_light_follows_a_change(path, need_tool, tmp_path):
    names = names_of(path)
    changed = changed_copy(path, tmp_path / "changed.xlsx", {names["assume_wacc"]: 0.2})
    [again] = Recalculator(need_tool("soffice"), tmp_path).recalculated(changed)
    said = [str(value) for value in cells_of(again)["Cover"].values()]
    assert [text for text in said if text.startswith("changed:")]
    assert [text for text in said if ": Cost of capital" in text]


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
    first, *lines = rule_lines(rules)
    assert "labels stand above" in first
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
