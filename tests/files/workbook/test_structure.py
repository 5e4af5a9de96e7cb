"""Books of every kind open without repair, and say what the JSON says on every sheet."""

import zipfile
from dataclasses import replace
from decimal import Decimal

import pytest

from gpuplanner.domain.model.book.offer import PriceCase
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.files.workbook.kit import looks
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.document_figures import figures_apart
from tests.files.workbook.evaluations import (
    evaluation_of,
    two_clusters_book,
    two_clusters_evaluated,
    two_clusters_with_layers,
)
from tests.files.workbook.recalculate import cells_of, formulas_of
from tests.files.workbook.structure import faults_of
from tests.files.workbook.watched_cells import without_rule
from tests.oracle.crafted import daily
from tests.oracle.projects import Case, random_case
from tests.some_of import some_of


def hostile():
    """Names that a markup or a formula would be made of."""
    case = Case(48)
    texts = ("=1+1", "<r><t>x</t></r>", "<c><f>1+1</f></c>", "_x0041_", "a\x00b", "]]>&", "x" * 40_000)
    for number, text in enumerate(texts):
        case.workload(f"{text}{number}", text, "inference", daily(48, 1, 3), model=f"{text[:40]}{number}")
        case.contract(
            f"{text}k{number}", f"{text}{number}", 1, 2.0, model=f"{text[:40]}{number}", provider=text
        )
        case.offer(f"{text}o{number}", 0, 4.0, f"{text[:40]}{number}", region=text, source=text)
    return case


def nothing():
    """No workload ran: a contract stands idle."""
    case = Case(48)
    case.contract("k", "alpha", 2, 2.0)
    case.offers_of("H100", 6.0, {12: 2.0})
    return case


def no_prices():
    case = Case(72)
    case.workload("alpha", "chat", "inference", daily(72, 1, 5))
    case.contract("k", "alpha", 2, 2.0)
    return case


def no_cluster_named():
    """Jobs that name no cluster; a contract without a rate that serves nobody."""
    case = Case(72)
    case.workload("", "chat", "inference", daily(72, 1, 5))
    case.contract("k", "alpha", 2, 2.0)
    case.contract("unrated", "alpha", 2, None, model="A100")
    case.offers_of("H100", 6.0, {12: 2.0})
    return case


def model_without_offer():
    case = Case(72)
    case.workload("alpha", "chat", "inference", daily(72, 1, 5))
    case.workload("alpha", "old", "training", daily(72, 1, 2), model="V100")
    case.offers_of("H100", 6.0, {12: 2.0})
    return case


def only_spot():
    case = Case(72)
    case.workload("alpha", "sweep", "burst", daily(72, 1, 5), longest_job_s=3600)
    case.offer("spot", "spot", 1.2)
    return case


CASES = {
    "two clusters": two_clusters_with_layers,
    "hostile names": hostile,
    "no workloads": nothing,
    "no prices": no_prices,
    "no cluster named": no_cluster_named,
    "a model without an offer": model_without_offer,
    "only spot": only_spot,
    **{f"seed {seed}": lambda seed=seed: random_case(seed) for seed in (1, 7)},
}


@pytest.fixture(scope="module", params=some_of(CASES, quick=1), ids=list(CASES))
def exported(request, tmp_path_factory):
    if request.param == "two clusters":
        return two_clusters_evaluated(), two_clusters_book()
    evaluation = evaluation_of(CASES[request.param]())
    path = tmp_path_factory.mktemp("book") / "plan.xlsx"
    write_workbook(evaluation, path, 0)
    return evaluation, path


def test_a_book_opens_without_repair(exported):
    assert faults_of(exported[1]) == []


def test_every_sheet_says_what_the_json_says(exported):
    evaluation, path = exported
    if any(workload.name.startswith("=1+1") for workload in evaluation.project.workloads):
        return  # names that are written otherwise are not found by name
    assert figures_apart(cells_of(path), evaluation) == []


def test_no_cell_is_an_error(exported):
    errors = [
        (sheet, cell, value)
        for sheet, cells in cells_of(exported[1]).items()
        for cell, value in cells.items()
        if isinstance(value, str) and value in ("#DIV/0!", "#N/A", "#NAME?", "#NUM!", "#REF!", "#VALUE!")
    ]
    assert errors == []


@pytest.mark.long
def test_other_plans_of_a_project_are_as_sound(tmp_path):
    case = two_clusters_with_layers()
    for place, changes in enumerate(
        ({"greenfield": True}, {"price_case": PriceCase.HIGH}, {"assumptions": {"growth": 0.03}})
    ):
        case.scenario = replace(Scenario(name="Plan A"), **changes)
        evaluation = evaluation_of(case)
        path = tmp_path / f"{place}.xlsx"
        write_workbook(evaluation, path, 0)
        assert faults_of(path) == [], changes
        assert figures_apart(cells_of(path), evaluation) == [], changes


@pytest.mark.long
def test_formulas_call_columns_by_name_where_there_are_tables(tmp_path, monkeypatch):
    evaluation = two_clusters_evaluated()
    write_workbook(evaluation, tmp_path / "named.xlsx", 0)
    named = " ".join(
        text for sheet in formulas_of(tmp_path / "named.xlsx").values() for text in sheet.values()
    )
    for column in (
        "ContractList[[GPUs in force]]",
        "WorkloadList[[GPU-h in the lookback period]]",
        "OfferList[[Rate, $ per GPU-h]]",
    ):
        assert column in named
    monkeypatch.setattr(looks, "EXCEL_TABLE_ROWS", 3)
    write_workbook(evaluation, tmp_path / "long.xlsx", 0)
    ranged = " ".join(
        text for sheet in formulas_of(tmp_path / "long.xlsx").values() for text in sheet.values()
    )
    assert "WorkloadList" not in ranged
    assert "ContractList" not in ranged
    assert cells_of(tmp_path / "long.xlsx") == cells_of(tmp_path / "named.xlsx")
    assert faults_of(tmp_path / "long.xlsx") == []
    with zipfile.ZipFile(tmp_path / "long.xlsx") as parts:
        assert b"<autoFilter " in b"".join(
            parts.read(name) for name in parts.namelist() if "worksheets/" in name
        )


@pytest.mark.long
def test_faults_are_found(tmp_path):
    """The checker itself: each damage is a fault."""
    write_workbook(evaluation_of(no_prices()), tmp_path / "plan.xlsx", 0)
    pools = 1 + [sheet.name for sheet in looks.SHEETS].index("Calc pools")
    damages = {
        "xl/workbook.xml": (b'name="Audit"', b'name="Au/dit"'),
        "xl/tables/table1.xml": (b'<tableColumn id="1" name="', b'<tableColumn id="1" name="not '),
        f"xl/worksheets/sheet{pools}.xml": (b"WorkloadList[[", b"WorkloadList[[no "),
        "xl/worksheets/sheet1.xml": (b"<sheetData>", b"<hyperlinks/><sheetData>"),
        "xl/worksheets/sheet4.xml": (b'<c r="B', b'<c r="A'),
    }
    for part, (before, after) in damages.items():
        with zipfile.ZipFile(tmp_path / "plan.xlsx") as source:
            assert before in source.read(part), part
            with zipfile.ZipFile(tmp_path / "damaged.xlsx", "w") as target:
                for name in source.namelist():
                    data = source.read(name)
                    target.writestr(name, data.replace(before, after, 1) if name == part else data)
        assert faults_of(tmp_path / "damaged.xlsx"), part


@pytest.mark.long
def test_all_in_follows_egress(tmp_path):
    case = two_clusters_with_layers()
    case.offer("with-egress", 12, 2.5, egress_usd_per_gb=Decimal("0.05"))
    case.scenario = replace(case.scenario, assumptions={"egress_gb_per_gpu_hour": 2.0})
    write_workbook(evaluation_of(case), tmp_path / "plan.xlsx", 0)
    cells = cells_of(tmp_path / "plan.xlsx")["Offer inputs"]
    letters = next(at.rstrip("0123456789") for at, value in cells.items() if value == "All in, $ per GPU-h")
    found = {cells[f"A{row}"]: cells.get(f"{letters}{row}") for row in range(1, 40) if f"A{row}" in cells}
    assert found["with-egress"] == pytest.approx(2.6)
    assert found["spot-H100"] == "—"


@pytest.mark.long
def test_every_yellow_input_says_what_it_takes():
    """So do those of Inference, Placement and Dates, in the books of their own tests."""
    assert without_rule(two_clusters_book()) == []
