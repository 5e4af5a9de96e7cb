"""After a move the line under the columns says why the settled plan costs another amount, and only then."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QObject, Signal
from pytestqt.qtbot import QtBot

from gpuplanner.domain.commitment.plan.comparison import Horizon
from gpuplanner.domain.commitment.result import ComparisonMonth
from gpuplanner.domain.model.plan.scenario import WholeDecisions
from gpuplanner.ui.board.landed_line import LandedLine
from gpuplanner.ui.flows.board.landed_flow import LandedFlow

PLAN = "Plan A"
ENDS = WholeDecisions(ends=(("borealis-held", 0),))


def advice(usd: float, decisions: WholeDecisions | None = None, *, is_settling: bool = False) -> Any:
    """Return a plan of one month that costs so much."""
    month = ComparisonMonth(
        month=0, start_s=0, do_nothing_usd=0.0, contracts_usd=usd, orders_usd=0.0, use_usd=0.0
    )
    return SimpleNamespace(
        totals=SimpleNamespace(plan=usd, do_nothing=0.0, savings_vs_do_nothing=1.0),
        comparison=[month],
        unserved=(),
        whole_decisions=decisions,
        is_settling=is_settling,
    )


class Window(QObject):
    """A session in which a test makes the moves and gives the answers."""

    changed = Signal(object)
    evaluated = Signal(object)

    def __init__(self, qtbot: QtBot) -> None:
        super().__init__()
        self.window, self.scenario, self.horizon = None, PLAN, Horizon.TWELVE_MONTHS
        self.undone = 0
        stack = SimpleNamespace(undo=self._undo)
        self.document: Any = SimpleNamespace(project=object(), undo_stack=stack, changed=self.changed)
        self.evaluator = SimpleNamespace(evaluation=None, evaluated=self.evaluated)
        self.evaluation: Any = None
        self.line = LandedLine()
        qtbot.addWidget(self.line)
        self.flow = LandedFlow(self, self.line)  # type: ignore[arg-type]
        self.answer(advice(1000.0))

    def _undo(self) -> None:
        self.undone += 1

    def answer(self, known: Any, scenario: str = PLAN) -> None:
        """Tell what is known of the project as it is."""
        self.evaluation = SimpleNamespace(project=self.document.project, scenario=scenario, advice=known)
        self.evaluator.evaluation = self.evaluation
        self.evaluated.emit(self.evaluation)

    def edit(self) -> None:
        self.document.project = object()
        self.changed.emit(self.document.project)
        self.answer(None)

    def move(self) -> None:
        self.flow.about_to_move()
        self.edit()
        self.flow.follow()

    @property
    def text(self) -> str:
        return "" if self.line.isHidden() else self.line.said.text()


def amounts(text: str) -> list[str]:
    """Changes in dollars, in their order."""
    return re.findall(r"[+\u2212]\$[\d,]+", text)


@pytest.fixture
def window(qtbot: QtBot) -> Window:
    return Window(qtbot)


def test_the_line_says_what_was_promised_and_what_settling_adds(window: Window) -> None:
    window.move()
    window.answer(advice(9417.0, is_settling=True))
    assert window.text == ""
    window.answer(advice(4417.0, ENDS))
    assert amounts(window.text) == ["+$8,417", "\u2212$5,000"] and "borealis-held" in window.text
    window.line.undo.click()
    assert window.undone == 1


def test_a_plan_that_settles_as_promised_needs_no_line(window: Window) -> None:
    window.move()
    window.answer(advice(9417.0, is_settling=True))
    window.answer(advice(9417.0))
    assert window.text == ""
    window.answer(advice(1.0, ENDS))  # no answer to the move any more
    assert window.text == ""


def test_moves_in_a_row_are_promised_together(window: Window) -> None:
    """The second move begins on a plan that is not settled: what settling adds is due to both."""
    window.move()
    window.answer(advice(3000.0, is_settling=True))
    window.move()
    window.answer(advice(5000.0, is_settling=True))
    window.answer(advice(4000.0, ENDS))
    assert amounts(window.text) == ["+$4,000", "\u2212$1,000"] and window.text.startswith("After 2 moves")


def test_another_edit_or_another_plan_takes_the_line_away(window: Window) -> None:
    window.move()
    window.answer(advice(9417.0, is_settling=True))
    window.answer(advice(4417.0, ENDS))
    window.edit()
    assert window.text == ""
    window.answer(advice(4417.0))
    window.move()
    window.answer(advice(9417.0, is_settling=True))
    window.answer(advice(2000.0, ENDS))
    assert window.text
    window.scenario = "Plan B"
    window.answer(advice(1.0), "Plan B")
    assert window.text == ""


def test_a_move_on_a_plan_that_is_not_settled_promises_nothing(window: Window) -> None:
    """What settling adds is then due to an earlier edit."""
    window.answer(advice(1000.0, is_settling=True))
    window.move()
    window.answer(advice(9417.0, is_settling=True))
    window.answer(advice(4417.0, ENDS))
    assert window.text == ""


def test_a_refused_move_waits_for_nothing(window: Window) -> None:
    window.flow.about_to_move()
    window.flow.follow()
    window.answer(advice(4417.0, ENDS))
    assert window.text == ""
