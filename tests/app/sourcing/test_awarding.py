"""An award in a thread: the assignment first, then the value of quotes."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.app.sourcing.awarding import Awarding, Found
from gpuplanner.domain.award.deciding import decide
from gpuplanner.domain.award.quote_worths import with_worth
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.files.tables.odd_rates import market_of_offer
from tests.files.workbook.evaluations import two_clusters_evaluated


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return two_clusters_evaluated()


@pytest.mark.long
def test_it_is_told_in_two_steps_and_the_same_at_once(qtbot: QtBot, evaluation: Evaluation) -> None:
    service, told = Awarding(), list[Found]()
    service.answered.connect(told.append)
    today_s = evaluation.project.plan_window.end_s
    service.ask(evaluation, today_s)
    qtbot.waitUntil(lambda: len(told) == 2, timeout=60_000)
    assert [one.is_whole for one in told] == [False, True]
    decided = decide(evaluation, today_s, market_of_offer)
    assert decided is not None and decided.rows
    assert told[0].award == decided
    assert told[1].award == with_worth(decided, evaluation)
    service.ask(evaluation, today_s)
    assert [one.is_whole for one in told[2:]] == [False, True] and not service.is_busy
    service.close()


def test_who_cancels_is_told_nothing(qtbot: QtBot, evaluation: Evaluation) -> None:
    service, told = Awarding(), list[Found]()
    service.answered.connect(told.append)
    service.ask(evaluation, 0)
    service.cancel()
    qtbot.waitUntil(lambda: not service.is_busy, timeout=60_000)
    qtbot.wait(20)
    assert told == []
    with pytest.raises(ValueError, match="advice"):
        service.ask(replace(evaluation, advice=None), 0)
    service.close()
