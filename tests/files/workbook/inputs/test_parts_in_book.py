"""A plan that divides a workload, as a book: its rows are the parts, and the figures recalculated are the plan's."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from gpuplanner.domain import edits
from gpuplanner.domain.award.offer_worths import offer_worths, with_offer_worths
from gpuplanner.domain.evaluation import Evaluation, advise_plan, evaluate_figures, outlook_plan
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.splits import ShareSplit
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.workbook.inputs.sheet_inputs import inputs_of
from gpuplanner.files.workbook.inputs.workloads_sheet import PLANNED_FIELDS, build_planned_rows, workload_rows
from gpuplanner.files.workbook.write import write_workbook
from tests.domain.demand.test_demand_cuts import case_of
from tests.files.workbook.evaluations import evaluated, two_clusters_evaluated
from tests.files.workbook.recalculate import Recalculator, cells_of
from tests.files.workbook.test_recalculated import apart, light_of, summary_of, totals


@pytest.fixture(scope="module")
def divided():
    whole = two_clusters_evaluated()
    key = next(row.key for row in whole.audit.workloads if "pretrain" in row.key)
    project = edits.cards.split_workload(whole.project, whole.scenario, key, ShareSplit(300), Pool.BURST)
    project = edits.cards.set_note(project, key, "=1+1 until March")
    figures = evaluate_figures(project, whole.scenario, whole.audit)
    advice = advise_plan(project, figures)
    seen = outlook_plan(project, figures, advice)
    return (
        whole,
        key,
        Evaluation(
            project=project,
            scenario=whole.scenario,
            audit=whole.audit,
            figures=figures,
            advice=advice,
            outlook=seen,
        ),
    )


def test_rows_of_parts_add_up_to_the_workload(divided) -> None:
    whole, key, evaluation = divided
    rows = workload_rows(inputs_of(evaluation, 0))
    before = workload_rows(inputs_of(whole, 0))
    mine = [row for row in rows if row.workload.key.startswith(key)]
    assert [row.pair[0] for row in mine] == [Pool.TRAINING, Pool.BURST]
    was = sum(row.gpu_hours for row in before if row.workload.key == key)
    assert sum(row.gpu_hours for row in mine) == pytest.approx(was)
    assert mine[1].gpu_hours == pytest.approx(0.3 * was)


@pytest.mark.long
def test_a_book_with_parts_agrees_with_the_plan(divided, need_tool, tmp_path) -> None:
    _, _, evaluation = divided
    book = tmp_path / "parts.xlsx"
    write_workbook(evaluation, book, 0)
    [again] = Recalculator(need_tool("soffice"), tmp_path).recalculated(book)
    assert apart(summary_of(again), totals(evaluation)) == {}
    assert light_of(again) == light_of(book)
    said = [value for value in cells_of(book)["Calc workloads"].values() if isinstance(value, str)]
    assert {"pretrain, 70%", "pretrain, 30%"} <= set(said)
    assert "=1+1 until March" in said


def test_what_accepted_savings_take_out_is_logged_all_the_same() -> None:
    project, _, found = case_of().on_board
    project = edits.plans.accept_saving(project, project.scenarios[0].name, "autoscale")
    project = edits.plans.accept_saving(project, project.scenarios[0].name, "idle_ended")
    rows = workload_rows(inputs_of(evaluated(project, found.classifications), 0))
    logged, planned = ([getattr(row, name) for row in rows] for name in ("logged_gpu_hours", "gpu_hours"))
    assert logged == [pytest.approx(19 * 240), pytest.approx(480)]  # as the log has them
    assert planned == [pytest.approx(9.5 * 240), 0.0]


@pytest.mark.long
def test_what_a_term_is_worth_stands_on_prices_once_it_was_worked_out(tmp_path) -> None:
    evaluation = two_clusters_evaluated()
    found = offer_worths(evaluation)
    for of, name in ((evaluation, "plain.xlsx"), (with_offer_worths(evaluation, found), "worth.xlsx")):
        write_workbook(of, tmp_path / name, 0)
    heading = "Break-even rate, $ per GPU-h"
    cells = cells_of(tmp_path / "worth.xlsx")["Offer inputs"]
    rates = {round(one.worth_rate, 6) for one in found if one.worth_rate}
    assert heading in cells.values()
    assert rates <= {round(cell, 6) for cell in cells.values() if isinstance(cell, float)} and rates
    plain = cells_of(tmp_path / "plain.xlsx")["Offer inputs"].values()
    assert heading not in plain and any("export --worth" in str(text) for text in plain), "where to get it"
    assert not any("export --worth" in str(text) for text in cells.values())


def test_a_run_has_hours_of_its_own_and_none_of_the_week():
    works = [
        PlannedWork(name="nights", pool=Pool.BURST, gpu_model="H100", gpus=2, hours=(0, 1, 2)),
        PlannedWork(name="run", pool=Pool.TRAINING, gpu_model="H100", gpus=8, length_hours=40),
        PlannedWork(
            name="weekly", pool=Pool.TRAINING, gpu_model="H100", gpus=8, length_hours=40, every_hours=168
        ),
    ]
    window = SimpleNamespace(end_s=0)
    inputs = SimpleNamespace(
        scenario=SimpleNamespace(planned=works), project=SimpleNamespace(plan_window=window)
    )
    said = [
        dict(zip((one.key for one in PLANNED_FIELDS), row, strict=True))
        for row in build_planned_rows(cast(Any, inputs))
    ]
    assert [tuple(row[key] for key in ("hours", "run_hours", "every_hours")) for row in said] == [
        (3, "", ""),
        ("", 40, ""),
        ("", 40, 168),
    ]
