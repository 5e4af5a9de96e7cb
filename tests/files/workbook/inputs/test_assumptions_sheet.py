"""Sources: every file with its fingerprint and the validation of its rows, what was set, what was decided."""

import zipfile
from dataclasses import replace

import pytest

import gpuplanner
from gpuplanner.domain.model.assumptions import ASSUMPTIONS
from gpuplanner.domain.model.intake import FileIntake, Issue
from gpuplanner.domain.model.plan.scenario import Decision
from gpuplanner.files.workbook.inputs.assumptions_sheet import MAIN
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.evaluations import evaluated, evaluation_of, two_clusters_with_layers
from tests.files.workbook.recalculate import cells_of, names_of

SHA = "ab" * 32


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    case = two_clusters_with_layers()
    project = evaluation_of(case).project
    issues = (Issue("running", 3, 7, "jobs still running"), Issue("no_gpus", 1200, 2, "CPU jobs"))
    files = (
        FileIntake(
            path="/home/somebody/logs/june.csv",
            kind="jobs",
            format="sacct",
            rows_read=5000,
            rows_accepted=3800,
            rows_rejected=12,
            rows_duplicate=88,
            rows_ignored=1100,
            issues=issues,
            sha256=SHA,
        ),
        FileIntake(
            path="C:\\Users\\somebody\\offers.csv",
            kind="prices",
            format="own_prices",
            rows_read=9,
            rows_accepted=9,
            rows_rejected=0,
            rows_duplicate=0,
            rows_ignored=0,
        ),
        FileIntake(
            path="week.csv",
            kind="traffic",
            format="",
            rows_read=168,
            rows_accepted=168,
            rows_rejected=0,
            rows_duplicate=0,
            rows_ignored=0,
        ),
        FileIntake(
            path="notes.csv",
            kind="unknown",
            format="",
            rows_read=0,
            rows_accepted=0,
            rows_rejected=0,
            rows_duplicate=0,
            rows_ignored=0,
        ),
    )
    scenario = replace(
        project.scenarios[0],
        assumptions={"growth": 0.02},
        decisions=(
            Decision(1_767_225_600, "Moved chat to inference", "=latency"),
            Decision(1_767_312_000, "Signed"),
        ),
    )
    evaluation = evaluated(replace(project, intake=files, scenarios=(scenario,)), case.classifications)
    path = tmp_path_factory.mktemp("provenance") / "plan.xlsx"
    write_workbook(evaluation, path, 1_767_225_600)
    return path


@pytest.fixture(scope="module")
def cells(path):
    return SheetCells(cells_of(path)["Sources"])


def under(cells, heading, first):
    return cells.cells.get(cells.under(heading, A=first))


@pytest.mark.long
def test_a_file_whose_kind_has_one_form_alone_was_read(cells):
    assert under(cells, "Read as", "week.csv").startswith("a table")
    assert under(cells, "Read as", "notes.csv") == "not read"


def test_every_file_has_its_fingerprint_and_the_fate_of_its_rows(cells):
    counts = [
        under(cells, heading, "june.csv") for heading in ("Rows read", "Imported", "Rejected", "Skipped")
    ]
    assert counts == [5000, 3800, 12, 1100]
    assert under(cells, "Adds up", "june.csv") == 1
    assert under(cells, "SHA-256 of the file", "june.csv") == SHA
    assert under(cells, "SHA-256 of the file", "offers.csv") == "not known"
    assert under(cells, "Issues", "june.csv") == "running: 3; no_gpus: 1,200"
    assert under(cells, "Read as", "june.csv") == "sacct"


def test_what_was_set_stands_beside_the_default(cells):
    assert under(cells, "Value", "Growth") == 0.02
    assert under(cells, "Default", "Growth") == 0
    assert under(cells, "Set in", "Growth") == "Plan A"
    assert under(cells, "Set in", "Attrition") == "the project"
    assert "Cost of capital" not in cells.cells.values()


def test_versions_window_and_decisions(cells):
    beside = {cells.cells.get(f"A{row}"): cells.cells.get(f"B{row}") for row in range(1, 20)}
    assert beside["Written by"] == f"gpuplanner {gpuplanner.__version__}"
    assert (beside["Lookback period begins"], beside["Written"]) == (
        "2026-01-01T00:00:00Z",
        "2026-01-01T00:00:00Z",
    )
    assert under(cells, "Why", "Moved chat to inference") == "=latency"
    assert "Signed" in cells.cells.values()


def test_no_folder_of_a_machine_is_anywhere_in_the_book(path):
    with zipfile.ZipFile(path) as parts:
        text = b"".join(parts.read(name) for name in parts.namelist())
    assert b"june.csv" in text
    assert b"somebody" not in text


def test_every_assumption_has_a_named_cell(path):
    """All that `--set` knows: its cell has the number or the word that was chosen, and words where none is set."""
    unset = {main.name: main.unset for main in MAIN if main.unset}
    sheets, assumptions = cells_of(path), evaluation_of(two_clusters_with_layers()).project.assumptions
    for spec in ASSUMPTIONS:
        sheet, cell = names_of(path)[f"assume_{spec.name}"]
        given = 0.02 if spec.name == "growth" else getattr(assumptions, spec.field)
        assert sheets[sheet].get(cell) == (unset.get(spec.name, "—") if given is None else given), spec.name
