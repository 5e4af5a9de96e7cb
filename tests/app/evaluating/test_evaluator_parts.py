"""A plan that divides a workload is worked out in the thread; moves among its parts are there at once again."""

from pytestqt.qtbot import QtBot

from gpuplanner.app.evaluating.evaluation_steps import steps_of
from gpuplanner.app.evaluating.evaluator import Evaluator
from gpuplanner.app.plans.comparing import Comparing, Comparison
from gpuplanner.domain import edits
from gpuplanner.domain.evaluation import audit_project
from gpuplanner.domain.model.plan.splits import ShareSplit
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.system.resources import read_tables
from tests.domain.test_parts import KEYS, made


def test_a_split_is_worked_out_beside_the_window_and_moves_of_parts_in_it(qtbot: QtBot) -> None:
    evaluator = Evaluator(steps_of(read_tables()))
    project = made()
    evaluator.evaluate_soon(project, "Plan A")
    qtbot.waitUntil(lambda: evaluator.is_settled and evaluator.evaluation is not None, timeout=60_000)
    divided = edits.cards.split_workload(project, "Plan A", KEYS[0], ShareSplit(300), Pool.BURST)
    evaluator.evaluate_soon(divided, "Plan A")
    assert evaluator.evaluation is None  # not on the thread of the window
    qtbot.waitUntil(lambda: evaluator.is_settled and evaluator.evaluation is not None, timeout=60_000)
    moved = edits.workloads.move_workloads(divided, "Plan A", (f"{KEYS[0]}#2",), Pool.INFERENCE)
    evaluator.evaluate_soon(moved, "Plan A")
    assert evaluator.evaluation is not None
    assert {card.pool for card in evaluator.evaluation.figures.cards if card.key == f"{KEYS[0]}#2"} == {
        Pool.INFERENCE
    }
    evaluator.close()


def test_a_plan_that_divides_a_workload_is_compared_with_one_that_does_not(qtbot: QtBot) -> None:
    project = edits.cards.split_workload(made(), "Plan A", KEYS[0], ShareSplit(300), Pool.BURST)
    comparing = Comparing()
    comparisons: list[Comparison] = []
    comparing.compared.connect(comparisons.append)
    comparing.ask(project, audit_project(project, read_tables()), ("Plan A", "Plan B"))
    qtbot.waitUntil(lambda: bool(comparisons) and comparisons[-1].worths is not None, timeout=60_000)
    comparing.close()
    (worths,) = comparisons[-1].worths or ()
    assert all(worth.change is not None for worth in worths)
