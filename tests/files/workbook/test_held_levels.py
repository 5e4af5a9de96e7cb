"""A plan with held levels, recalculated: sizes and figures of the book are those of the plan around the held level."""

from dataclasses import replace

import pytest

from gpuplanner.domain.model.plan.scenario import HandLayer
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.evaluations import evaluated, two_clusters_evaluated
from tests.files.workbook.recalculate import Recalculator, cells_of
from tests.files.workbook.test_recalculated import apart, light_of, summary_of, totals


@pytest.fixture(scope="module")
def calc(need_tool, tmp_path_factory):
    return Recalculator(need_tool("soffice"), tmp_path_factory.mktemp("soffice"))


@pytest.mark.long
@pytest.mark.parametrize("term", [3, 12])
def test_a_book_of_a_plan_around_a_held_level_agrees_with_it(calc, tmp_path, term) -> None:
    free = two_clusters_evaluated()
    row = max(free.advice.pools, key=lambda pool: pool.demand.mean_gpus)
    key = (row.pool, row.gpu_model)
    scenario = replace(
        free.project.scenarios[0], hand_layers={key: (HandLayer(term, 2),)}, advised_around=frozenset([key])
    )
    project = replace(free.project, scenarios=(scenario,))
    held = evaluated(project, tuple(one.classification for one in free.audit.workloads))
    around = next(pool for pool in held.advice.pools if (pool.pool, pool.gpu_model) == key)
    assert [layer.gpus for layer in around.layers if layer.term_months == term] == [2.0]
    assert around.layers != row.layers
    book = tmp_path / "held.xlsx"
    write_workbook(held, book, 0)
    [again] = calc.recalculated(book)
    assert apart(summary_of(again), totals(held)) == {}
    assert light_of(again) == light_of(book)
    notes = [str(value) for value in cells_of(book)["Method and checks"].values()]
    assert sum(value.endswith(f": {row.pool} {row.gpu_model}.") for value in notes) == 2
