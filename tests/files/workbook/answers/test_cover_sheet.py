"""Cover: the first sheet says what the book is, leads to all others, and shows what they say."""

from dataclasses import replace

import openpyxl
import pytest
from gpuplanner.files.workbook.answers.cover_sheet import CHANGES_SHOWN

from gpuplanner.domain.model.plan.scenario import Decision
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.evaluations import evaluated, evaluation_of, two_clusters_with_layers
from tests.files.workbook.recalculate import Recalculator, cells_of, changed_copy, names_of

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


def _row(cells, words):
    return next(at[1:] for at, text in cells.items() if at.startswith("A") and text == words)


def test_changes_are_the_log_of_decisions_latest_first(cells):
    first = int(_row(cells, "When (UTC)")) + 1
    words = [cells[f"B{row}"] for row in range(first, first + CHANGES_SHOWN + 2)]
    assert words[1:3] == ["Decided 10: =why", "Decided 9: =why"]
    assert words[-1].startswith("3 earlier: ")


@pytest.mark.long
def test_its_light_follows_a_change(path, need_tool, tmp_path):
    names = names_of(path)
    changed = changed_copy(path, tmp_path / "changed.xlsx", {names["assume_wacc"]: 0.2})
    [again] = Recalculator(need_tool("soffice"), tmp_path).recalculated(changed)
    said = [str(value) for value in cells_of(again)["Cover"].values()]
    assert [text for text in said if text.startswith("changed:")]
    assert [text for text in said if ": Cost of capital" in text]
