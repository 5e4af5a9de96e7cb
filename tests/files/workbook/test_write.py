"""The workbook as a file: what is in it, that text stays text, that it is there whole or not at all."""

import re
import zipfile
from dataclasses import replace

import openpyxl
import pytest

from gpuplanner.domain.model.errors import Cancelled, PlannerError
from gpuplanner.domain.reports.plan_layers import totals_entry
from gpuplanner.files.workbook.answers.summary_sheet import SUMMARY_FIGURES
from gpuplanner.files.workbook.kit.sheets import SHEETS, STUDIES
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.evaluations import evaluation_of, two_clusters_evaluated
from tests.files.workbook.recalculate import cells_of, formulas_of, names_of
from tests.oracle.crafted import daily
from tests.oracle.projects import Case, random_case
from tests.some_of import some_of, stride

WRITTEN_S = 1_767_225_600
HOSTILE = (
    "=1+1",
    '=HYPERLINK("http://example.com","click")',
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1:A9)",
    "{=A1}",
    "\t=A1",
    "\r\n=A1",
    "https://example.com/=A1",
    "#REF!",
    "_x0041_",
    "a\x00b\x1b[31m",
    "<c><f>1+1</f></c>",
    "\ud800",
    "x" * 40_000,
)


@pytest.fixture(scope="module")
def evaluation():
    return two_clusters_evaluated()


@pytest.fixture(scope="module")
def book(evaluation, tmp_path_factory):
    path = tmp_path_factory.mktemp("book") / "plan.xlsx"
    write_workbook(evaluation, path, WRITTEN_S)
    return path


def test_the_sheets_are_there_in_order(book):
    names = [sheet.name for sheet in SHEETS if sheet.name != STUDIES]
    assert openpyxl.load_workbook(book, read_only=True).sheetnames == names


AS_EXPORTED = "cost_of_separation_usd_per_month"
"""The plan in one pool is no part of the book: its figure is told as the app has it."""


def test_every_figure_of_the_summary_is_a_named_formula_with_the_apps_value(book, evaluation):
    names, formulas, cells = names_of(book), formulas_of(book), cells_of(book)
    for figure in SUMMARY_FIGURES:
        sheet, cell = names[figure.key]
        assert sheet == "Calc months"
        assert (cell in formulas[sheet]) is (figure.key != AS_EXPORTED)
        said = totals_entry(evaluation.advice.totals)[figure.key]
        if figure.key == AS_EXPORTED:
            said = evaluation.outlook.separation.cost_usd()
        assert cells[sheet][cell] == ("—" if said is None else pytest.approx(said, abs=1e-9))


def test_only_functions_that_excel_2019_has(book):
    text = " ".join(formula for sheet in formulas_of(book).values() for formula in sheet.values())
    assert set(re.findall(r"_xlfn\.[A-Z.]+", text)) == {"_xlfn.ISFORMULA", "_xlfn.MINIFS"}
    assert not re.findall(
        r"\b(XLOOKUP|LET|FILTER|SORT|UNIQUE|SEQUENCE|LAMBDA|INDIRECT|OFFSET|NOW|TODAY)\(", text
    )
    assert "#REF" not in text
    with zipfile.ZipFile(book) as parts:
        names = parts.namelist()
        sheets = "".join(
            parts.read(name).decode() for name in names if name.startswith("xl/worksheets/sheet")
        )
    assert not [name for name in names if "vba" in name or "externalLink" in name]
    assert 't="array"' not in sheets


@pytest.mark.long
@pytest.mark.parametrize("seed", some_of(range(12), quick=1))
def test_the_checks_hold_for_projects_of_every_kind(seed, tmp_path):
    """Cached values come from the formulas, so a light that is not green is a formula that is wrong."""
    write_workbook(evaluation_of(random_case(seed)), tmp_path / "plan.xlsx", WRITTEN_S)
    checks = cells_of(tmp_path / "plan.xlsx")["Check list"]
    assert [cell for cell, value in checks.items() if value in ("red", "changed")] == []
    (light,) = (value for value in checks.values() if str(value).startswith("green: "))
    assert re.fullmatch(r"green: [^;]+(; [^;]+: \d+ of \d+)?", light)


@pytest.mark.long
def test_text_from_logs_is_never_a_formula(tmp_path):
    case = Case(48)
    for number, text in [*enumerate(HOSTILE)][:: -stride(3)]:
        case.workload(f"{text}{number}", text, "inference", daily(48, 1, 3), model=f"{text[:50]}{number}")
        case.contract(
            f"{text}k{number}", f"{text}{number}", 1, 2.0, model=f"{text[:50]}{number}", provider=text
        )
        case.offer(f"{text}o{number}", 0, 4.0, f"{text[:50]}{number}", region=text, source=text)
        case.offer(
            f"{text}c{number}",
            1,
            0.5,
            f"{text[:50]}{number}",
            region=text,
            provider=text,
            max_gpus=number + 1,
        )
    evaluation = evaluation_of(case)
    project = replace(evaluation.project, title="=1+1")
    write_workbook(replace(evaluation, project=project), tmp_path / "plan.xlsx", WRITTEN_S)
    formulas, cells = formulas_of(tmp_path / "plan.xlsx"), cells_of(tmp_path / "plan.xlsx")
    ours = re.compile(r"=[-A-Za-z0-9_.,:;!$()*+/<>=&\"' —×~{}^\[\]]*")
    for sheet in formulas.values():
        for formula in sheet.values():
            assert ours.fullmatch(re.sub(r'"[^"]*"', '""', formula)), formula[:200]
            assert "HYPERLINK" not in formula
            assert "example.com" not in formula
    assert len([value for value in cells["Quotes"].values() if re.fullmatch(r"O\d+", str(value))]) > 5
    written = [str(value) for sheet in cells.values() for value in sheet.values()]
    assert "=1+1" in written
    assert any(value.endswith("characters)") for value in written)
    assert not any(
        isinstance(value, float) and value != value for sheet in cells.values() for value in sheet.values()
    )


@pytest.mark.long
def test_what_is_unknown_is_a_dash_and_no_error(tmp_path):
    case = Case(100)
    case.workload("alpha", "chat", "inference", daily(100, 1, 5))
    case.contract("k", "alpha", 2, None)
    write_workbook(evaluation_of(case), tmp_path / "plan.xlsx", WRITTEN_S)
    cells, names = cells_of(tmp_path / "plan.xlsx"), names_of(tmp_path / "plan.xlsx")
    assert cells["Calc months"][names["plan_usd_per_month"][1]] == "—"
    assert "quote needed" in cells["Contract inputs"].values()
    errors = [value for sheet in cells.values() for value in sheet.values() if str(value).startswith("#")]
    assert errors == []


@pytest.mark.parametrize("lacks", ["advice", "outlook"])
def test_without_advice_or_outlook_there_is_no_workbook(evaluation, tmp_path, lacks):
    with pytest.raises(ValueError, match=f"no {lacks}"):
        write_workbook(replace(evaluation, **{lacks: None}), tmp_path / "plan.xlsx", WRITTEN_S)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("after", [0, 3, 20, 45])
def test_cancelling_leaves_the_old_file_and_nothing_else(evaluation, tmp_path, after):
    path = tmp_path / "plan.xlsx"
    path.write_bytes(b"the last export")
    calls = iter(range(1_000_000))
    with pytest.raises(Cancelled):
        write_workbook(evaluation, path, WRITTEN_S, is_cancelled=lambda: next(calls) >= after)
    assert path.read_bytes() == b"the last export"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.long
def test_cancelling_while_the_book_is_packed_leaves_nothing(evaluation, tmp_path):
    calls = 0

    def count():
        nonlocal calls
        calls += 1
        return False

    write_workbook(evaluation, tmp_path / "plan.xlsx", WRITTEN_S, is_cancelled=count)
    (tmp_path / "plan.xlsx").unlink()
    for last in (calls - 1, calls - 40):
        left = iter(range(calls))
        with pytest.raises(Cancelled):
            write_workbook(
                evaluation,
                tmp_path / "plan.xlsx",
                WRITTEN_S,
                is_cancelled=lambda left=left, last=last: next(left) >= last,
            )
        assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_said(evaluation, tmp_path):
    with pytest.raises(PlannerError, match="file_unreadable"):
        write_workbook(evaluation, tmp_path / "nowhere" / "plan.xlsx", WRITTEN_S)


@pytest.mark.parametrize("lock", [".~lock.plan.xlsx#", "~$plan.xlsx"])
def test_a_book_that_is_open_elsewhere_is_left_alone(evaluation, tmp_path, lock):
    path = tmp_path / "plan.xlsx"
    path.write_bytes(b"open there")
    (tmp_path / lock).write_bytes(b"")
    with pytest.raises(PlannerError, match="another program"):
        write_workbook(evaluation, path, WRITTEN_S)
    assert path.read_bytes() == b"open there"
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted([lock, "plan.xlsx"])


def test_unknown_and_endless_numbers_never_reach_a_cell(tmp_path):
    case = Case(48)
    case.workload("alpha", "chat", "inference", daily(48, 1, 3))
    case.offers_of("H100", 6.0, {12: 2.0})
    evaluation = evaluation_of(case)
    months = tuple(
        replace(row, do_nothing_usd=float("nan"), contracts_usd=float("inf"))
        for row in evaluation.advice.comparison
    )
    advice = replace(evaluation.advice, comparison=months)
    write_workbook(replace(evaluation, advice=advice), tmp_path / "plan.xlsx", WRITTEN_S)
    with zipfile.ZipFile(tmp_path / "plan.xlsx") as parts:
        sheets = [parts.read(name).decode() for name in parts.namelist() if "/worksheets/sheet" in name]
    assert not any(re.search(r"<v>(nan|inf|-inf|NaN|Infinity)</v>", sheet) for sheet in sheets)


@pytest.mark.long
def test_progress_grows_to_the_whole(evaluation, tmp_path):
    shares = []
    write_workbook(
        evaluation, tmp_path / "plan.xlsx", WRITTEN_S, on_progress=lambda share, _: shares.append(share)
    )
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


@pytest.mark.long
def test_the_same_evaluation_gives_the_same_sheets(evaluation, book, tmp_path):
    write_workbook(evaluation, tmp_path / "again.xlsx", WRITTEN_S)
    with zipfile.ZipFile(book) as first, zipfile.ZipFile(tmp_path / "again.xlsx") as second:
        assert first.namelist() == second.namelist()
        assert all(first.read(name) == second.read(name) for name in first.namelist())
