"""A plan that divides a workload, as a book: its rows are the parts, and the figures recalculated are the plan's."""

import pytest

from gpuplanner.domain import edits
from gpuplanner.domain.evaluation import Evaluation, advise_plan, evaluate_figures, outlook_plan
from gpuplanner.domain.model.plan_inputs import ShareSplit
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.workbook.inputs.sheet_inputs import inputs_of
from gpuplanner.files.workbook.inputs.workloads_sheet import workload_rows
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.evaluations import two_clusters_evaluated
from tests.files.workbook.recalculate import Recalculator, cells_of
from tests.files.workbook.test_recalculated import apart, light_of, summary_of, totals


@pytest.fixture(scope="module")
def divided():
    whole = two_clusters_evaluated()
    key = next(row.key for row in whole.audit.workloads if "pretrain" in row.key)
    project = edits.split_workload(whole.project, whole.scenario, key, ShareSplit(300), Pool.BURST)
    project = edits.set_note(project, key, "=1+1 until March")
    figures = evaluate_figures(project, whole.scenario, whole.audit)
    advice = advise_plan(project, figures)
    seen = outlook_plan(project, figures, advice)
    return whole, key, Evaluation(project, whole.scenario, whole.audit, figures, advice, seen)


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
    said = [value for value in cells_of(book)["Workloads"].values() if isinstance(value, str)]
    assert {"pretrain, 70%", "pretrain, 30%"} <= set(said)
    assert "=1+1 until March" in said
