"""The Audit sheet's bridge, contended hours, GPU models, teams and week say what the app says, also after a change."""

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.energy import NO_GRID
from gpuplanner.domain.model.billed import BilledUse
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import HOUR_S, LONG_DAYS
from gpuplanner.domain.reports.clusters import BRIDGE as BRIDGE_FIELDS
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.evaluations import (
    evaluated,
    evaluation_of,
    two_clusters_book,
    two_clusters_evaluated,
    two_clusters_with_layers,
)
from tests.files.workbook.recalculate import Recalculator, cells_of, changed_copy
from tests.files.workbook.test_recalculated import light_of
from tests.oracle.projects import random_case
from tests.some_of import one_in

BRIDGE = {str(CLUSTER[key].heading(", ")): key for key, _ in BRIDGE_FIELDS}


def block(cells, section, names):
    """Rows of the table under a section's title: by the name in its first column, heading -> value."""
    sheet = SheetCells(cells)
    head = 1 + min(row for row in range(1, 400) if str(cells.get(f"A{row}")).startswith(section))
    headings = {letters: cells.get(f"{letters}{head}") for letters in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
    found = {}
    for name in names:
        row = min(row for row in sheet.rows(A=name) if row > head)
        found[name] = {said: cells.get(f"{letters}{row}") for letters, said in headings.items() if said}
    return found


def same(shown, expected, tolerance):
    return shown == "—" if expected is None else shown == pytest.approx(expected, abs=tolerance)


def assert_says(cells, audit):
    """Every figure of the five tables, dollars to the cent."""
    clusters = [row.cluster for row in audit.clusters]
    bridges = block(cells, "From the bill to stranded spend", [*clusters, "All clusters"])
    for name, bridge in (*((row.cluster, row) for row in audit.clusters), ("All clusters", audit.bridge)):
        for heading, part in BRIDGE.items():
            assert same(bridges[name][heading], getattr(bridge, part), 0.01), (name, part)
    contended = block(cells, "Contended hours", clusters)
    for name, found in audit.contention.items():
        assert contended[name]["Hours"] == found.contention_hours
        assert contended[name]["Asked for beyond its GPUs, GPU-h"] == pytest.approx(
            found.overflow_gpu_hours, abs=1e-5
        )
        assert contended[name]["Training and inference together, h"] == found.beside_inference_hours
    models = block(cells, "GPU models", [row.name or "unknown model" for row in audit.use.gpu_models])
    for row in audit.use.gpu_models:
        shown = models[row.name or "unknown model"]
        assert same(shown["Utilization"], row.utilization, 1e-9)
        assert shown["Under 40%"] == ("under 40%" if row.below_40_percent else "no")
        assert shown["Asked for, GPU-h"] == pytest.approx(row.gpu_hours, abs=1e-5)
        assert same(shown["Paid, $ per month"], row.cost_per_month, 0.01)
        assert same(shown["Activity"], row.activity, 1e-9)
    teams = block(cells, "Teams", [row.name or "not stated" for row in audit.use.teams])
    for row in audit.use.teams:
        shown = teams[row.name or "not stated"]
        assert shown["Asked for, GPU-h"] == pytest.approx(row.gpu_hours, abs=1e-5)
        assert same(shown["Share of GPU-hours"], row.share, 1e-9)
        assert shown["Mean GPUs"] == pytest.approx(row.mean_gpus)
    week = block(cells, "Utilization by weekday", LONG_DAYS)
    expected = audit.use.everything.hours_of_week
    for day, name in enumerate(LONG_DAYS):
        for hour in range(24):
            share = float(expected.utilization[day, hour])
            assert same(week[name][f"{hour:02d}"], None if np.isnan(share) else share, 1e-9), (name, hour)
        mean = float(expected.utilization_by_day[day])
        assert same(week[name]["Mean"], None if np.isnan(mean) else mean, 1e-9)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    evaluation = two_clusters_evaluated()
    book = tmp_path_factory.mktemp("audit_use") / "small.xlsx"
    write_workbook(evaluation, book, 0)
    return evaluation, book


def test_the_book_says_what_the_app_says(small):
    evaluation, book = small
    assert any(found.contention_hours for found in evaluation.audit.contention.values())
    assert_says(cells_of(book)["Audit"], evaluation.audit)


@pytest.mark.long
@pytest.mark.parametrize("seed", one_in(4, [1, 4, 9]))
def test_on_random_projects(seed, tmp_path):
    evaluation = evaluation_of(random_case(seed))
    write_workbook(evaluation, tmp_path / "book.xlsx", 0)
    assert_says(cells_of(tmp_path / "book.xlsx")["Audit"], evaluation.audit)


@pytest.mark.long
def test_another_rate_and_more_gpus_come_to_what_the_app_says(need_tool, small, tmp_path):
    evaluation, book = small
    cells = SheetCells(cells_of(book)["Contract inputs"])
    changes = {
        ("Contract inputs", cells.under("GPUs", A="a-free")): 4.0,
        ("Contract inputs", cells.under("Rate, $ per GPU-h", A="a-free")): 2.2,
    }
    [again] = Recalculator(need_tool("soffice"), tmp_path).recalculated(
        changed_copy(book, tmp_path / "changed.xlsx", changes)
    )
    project = evaluation.project
    contracts = tuple(
        replace(row, milli_gpus=4000, rate_usd_per_gpu_hour=Decimal("2.2"))
        if row.contract_id == "a-free"
        else row
        for row in project.contracts
    )
    classified = tuple(row.classification for row in evaluation.audit.workloads)
    after = evaluated(replace(project, contracts=contracts), classified).audit
    assert after.bridge != evaluation.audit.bridge
    assert_says(cells_of(again)["Audit"], after)


def test_co2_that_is_unknown_says_what_to_add() -> None:
    assert two_clusters_evaluated().audit.energy.kg_co2_per_month is None
    audit = SheetCells(cells_of(two_clusters_book())["Audit"])
    letters, _ = audit.column("CO2, kg per month")
    dashes = [cell for cell, value in audit.cells.items() if cell.startswith(letters) and value == "\u2014"]
    assert dashes
    notes = [value for value in audit.cells.values() if str(value).endswith(str(NO_GRID))]
    assert len(notes) == 2 and all(str(note).startswith("\u2014 CO2") for note in notes)


GPU_HOUR = 3_600_000


@pytest.mark.long
@pytest.mark.parametrize("fee", [0.0, 250.0])
def test_a_book_with_a_bill_is_green(tmp_path, fee):
    """On demand, free of charge and spot all along; on the second day, H100 under a commitment and its fee."""
    case = two_clusters_with_layers()
    project = evaluation_of(case).project
    begin_s, hours = project.window.start_s, project.window.hours

    def use(cluster, gpu_model, category, amount, span):
        return BilledUse(
            cluster=cluster,
            gpu_model=gpu_model,
            pricing_category=category,
            currency="USD",
            is_daily=False,
            amount=amount,
            spans=(span,),
        )

    whole = (begin_s, hours, GPU_HOUR)
    day = (begin_s + 24 * HOUR_S, 24, 2 * GPU_HOUR)
    billed = (
        use("alpha", "H100", PricingCategory.STANDARD, 777.0, whole),
        use("alpha", "H100", PricingCategory.STANDARD, 0.0, (begin_s, 10, GPU_HOUR)),
        use("alpha", "H100", PricingCategory.COMMITTED, fee, day),
        use("beta", "A100", PricingCategory.DYNAMIC, 99.0, whole),
    )
    with_bill = replace(project, jobs=replace(project.jobs, billed=billed))
    evaluation = evaluated(with_bill, case.classifications)
    write_workbook(evaluation, tmp_path / "plan.xlsx", 0)
    assert light_of(tmp_path / "plan.xlsx") == "green"
    assert_says(cells_of(tmp_path / "plan.xlsx")["Audit"], evaluation.audit)
