"""Placement in a thread: the newest places are answered, the same ones from memory."""

from pytestqt.qtbot import QtBot

from gpuplanner.app.sourcing.placing import Placer
from tests.domain.serving.small_places import city, site, world


def test_the_newest_places_are_answered_and_those_known_at_once(qtbot: QtBot) -> None:
    placer, answers = Placer(), []
    placer.answered.connect(answers.append)
    old = world([city("A", 1)], [site("old", is_current=True)])
    new = world([city("A", 1)], [site("new", is_current=True)])
    with qtbot.waitSignal(placer.answered):
        placer.ask(old)
        placer.ask(new)
    qtbot.wait(20)
    assert [answer.today.current.sites for answer in answers] == [("new",)]
    placer.ask(new)
    assert len(answers) == 2 and answers[1] is answers[0] and not placer.is_busy
    placer.close()
