"""The evaluator with the product's own steps: after any walk it knows what a fresh evaluation says."""

from decimal import Decimal

import numpy as np
from pytestqt.qtbot import QtBot

from gpuplanner.app.evaluator import Evaluator, steps_of
from gpuplanner.domain import edits
from gpuplanner.domain.evaluation import evaluate
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Workload, cube_from_entries
from gpuplanner.domain.model.plan_inputs import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import Window
from gpuplanner.files.system.resources import read_tables

HOURS, GPU_HOUR = 24 * 30, 3_600_000
NAMES = ("dev", "sweep", "train", "vllm")


def loaded() -> Project:
    rng = np.random.default_rng(3)
    index = np.repeat(np.arange(len(NAMES)), HOURS)
    amounts = rng.integers(0, 9, len(index)) * GPU_HOUR
    cube = cube_from_entries(
        HOURS, ("H100",), index, index * 0, np.tile(np.arange(HOURS), len(NAMES)), amounts
    )
    totals = [int(amounts[index == number].sum()) for number in range(len(NAMES))]
    workloads = tuple(
        Workload(f"c/o/{name}", name, "c", "o", None, 9, 9, total, 8000, 1, 8000, 7200, 3600)
        for name, total in zip(NAMES, totals, strict=True)
    )
    return Project(
        Window(1_700_000_000 // 3600 * 3600, HOURS),
        cube,
        workloads,
        contracts=(Contract("k", "c", "H100", 8000, Decimal("2.75"), 1_600_000_000, 1_720_000_000),),
        offers=(
            Offer("od", "H100", PricingCategory.STANDARD, 0, Decimal("6.88"), gpu_memory_gb=80.0),
            Offer("y1", "H100", PricingCategory.COMMITTED, 12, Decimal("3.10"), gpu_memory_gb=80.0),
        ),
    )


def test_after_moves_undo_and_previews_the_figures_are_those_of_a_fresh_evaluation(qtbot: QtBot) -> None:
    tables = read_tables()
    evaluator = Evaluator(steps_of(tables))
    start = loaded()
    moved = edits.move_workloads(start, "Plan A", ["c/o/dev"], Pool.INFERENCE)
    churned = edits.set_assumption(moved, "Plan A", "lambda", 0.03)
    fuller = edits.set_assumption(moved, "Plan A", "demand_inference", 2.5)
    for project, scenario in (
        (start, "Plan A"),
        (moved, "Plan A"),
        (start, TODAY),
        (churned, "Plan A"),
        (fuller, "Plan A"),
        (moved, "Plan A"),
    ):
        evaluator.evaluate_soon(project, scenario)
        evaluator.preview(["c/o/sweep"], Pool.TRAINING)
        qtbot.waitUntil(lambda: evaluator.is_settled, timeout=60_000)
        known, fresh = evaluator.evaluation, evaluate(project, scenario, tables)
        assert known is not None
        assert known.project is project
        assert known.advice is not None
        assert fresh.advice is not None
        assert known.figures.pools == fresh.figures.pools
        assert known.figures.cards == fresh.figures.cards
        assert known.advice.totals == fresh.advice.totals
        assert known.advice.workload_usd == fresh.advice.workload_usd
        assert known.outlook is not None
        assert fresh.outlook is not None
        assert known.outlook.uncertainty == fresh.outlook.uncertainty
    evaluator.close()


def test_hardware_fit_follows_the_needs_and_nothing_else_is_worked_out_again(qtbot: QtBot) -> None:
    evaluator = Evaluator(steps_of(read_tables()))
    start = loaded()
    changed = edits.set_need(start, ["c/o/train"], "memory_gb_per_gpu", 20.0)
    moved = edits.move_workloads(changed, "Plan A", ["c/o/dev"], Pool.INFERENCE)
    seen = []
    for project in (start, changed, moved, start):
        evaluator.evaluate_soon(project, "Plan A")
        qtbot.waitUntil(lambda: evaluator.is_settled and evaluator.evaluation is not None, timeout=60_000)
        assert evaluator.evaluation is not None and evaluator.evaluation.fit is not None
        seen.append(evaluator.evaluation)
    fresh = evaluate(changed, "Plan A", read_tables())
    assert seen[1].fit == fresh.fit != seen[0].fit
    assert seen[1].audit is seen[0].audit and seen[1].advice is seen[0].advice
    assert seen[2].fit is seen[1].fit
    assert seen[3].fit is seen[0].fit
    evaluator.close()


def test_no_outlook_is_begun_while_something_is_dragged(qtbot: QtBot) -> None:
    evaluator = Evaluator(steps_of(read_tables()))
    evaluator.hold_outlook(is_held=True)
    evaluator.evaluate_soon(loaded(), "Plan A")
    qtbot.waitUntil(lambda: evaluator.is_settled, timeout=60_000)
    assert evaluator.evaluation is not None
    assert evaluator.evaluation.advice is not None
    assert evaluator.evaluation.outlook is None
    evaluator.hold_outlook(is_held=False)
    qtbot.waitUntil(lambda: evaluator.is_settled, timeout=60_000)
    assert evaluator.evaluation.outlook is not None
    evaluator.close()
