"""The tour: it points at real parts, can be left at any time, is offered once, and leaves the window as it was."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSettings, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from gpuplanner.app.settings import Settings
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.ui.flows.project_flow import new_project
from gpuplanner.ui.flows.tour_flow import STEPS, Tour, TourFlow, place_beside
from gpuplanner.ui.window.main_window import MainWindow
from tests.some_of import some_of


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(QSettings(str(tmp_path / "tour.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def window(window_of_panels: MainWindow) -> MainWindow:
    return window_of_panels


@pytest.fixture
def flow(window: MainWindow, settings: Settings) -> Iterator[TourFlow]:
    made = TourFlow(window.session, settings, window.part, window.ways)
    yield made
    if made.tour is not None:
        made.tour.leave()
    delete(made)  # or it would hear of the tour that the next test asks for


def started(flow: TourFlow, qtbot: QtBot) -> Tour:
    assert flow.tour is not None
    qtbot.waitUntil(flow.tour.isVisible)
    return flow.tour


@pytest.mark.long
@pytest.mark.parametrize("size", some_of([((1440, 900),), ((960, 540),)], quick=1))
def test_each_step_points_at_a_part_that_is_seen_and_does_not_cover_its_words(
    window: MainWindow, flow: TourFlow, qtbot: QtBot, size: tuple[int, int]
) -> None:
    """960 x 540: a screen of 1920 x 1080 at 200%."""
    window.resize(*size)
    window.choose_scenario(TODAY)
    window.actions_by_id["tour"].trigger()
    tour = started(flow, qtbot)
    for at, step in enumerate(STEPS):
        qtbot.waitUntil(lambda at=at: tour.at == at and tour.ring.isVisible())
        QApplication.processEvents()
        assert tour.title.text() == str(step.title) and tour.count.text() == f"{at + 1} of {len(STEPS)}"
        assert str(step.sentence) in tour.accessibleDescription()
        assert window.rect().contains(tour.geometry())
        assert tour.sentence.height() >= tour.sentence.heightForWidth(tour.sentence.width())
        assert not tour.geometry().contains(tour.ring.geometry().topLeft())
        for bar in (window.headline, window.strip):
            assert not bar.isVisible() or tour.y() > bar.mapTo(window, bar.rect().bottomLeft()).y()
        assert tour.following.hasFocus()
        tour.following.click()
    assert flow.tour is None and window.session.scenario == TODAY  # where it was


def test_it_does_not_cover_the_next_decisions(window: MainWindow, flow: TourFlow, qtbot: QtBot) -> None:
    window.resize(1280, 800)
    window.choose_scenario(window.session.project.scenarios[0].name)
    flow.start()
    tour = started(flow, qtbot)
    for at in range(len(STEPS)):
        tour.go_to(at)
        QApplication.processEvents()
        assert window.strip.isVisible() is (STEPS[at].part != "page.detail")
        if not window.strip.isVisible():
            continue
        strip = QRect(window.strip.mapTo(window, QPoint(0, 0)), window.strip.size())
        assert not tour.geometry().intersects(strip), STEPS[at].part
    tour.bars = ()  # as where none is to be seen
    tour.go_to(0)
    assert tour.ring.isVisible()


def test_arrows_go_on_and_back_and_escape_and_skip_leave(flow: TourFlow, qtbot: QtBot) -> None:
    flow.start()
    tour = started(flow, qtbot)
    assert not tour.back.isEnabled()
    QTest.keyClick(tour.following, Qt.Key.Key_Right)  # where the keyboard is
    assert tour.at == 1 and tour.back.isEnabled()
    QTest.keyClick(tour.following, Qt.Key.Key_Left)
    assert tour.at == 0
    tour.go_to(2)
    QTest.keyClick(tour, Qt.Key.Key_Escape)
    assert flow.tour is None and not tour.isVisible() and not tour.ring.isVisible()
    flow.start()
    started(flow, qtbot).skip.click()
    assert flow.tour is None


def test_it_is_offered_once(window: MainWindow, flow: TourFlow, settings: Settings, qtbot: QtBot) -> None:
    assert not settings.is_tour_seen
    window.show_project(window.session.document.project)
    assert flow.tour is None  # nobody offered it
    flow.offer_once()
    window.show_project(window.session.document.project)
    qtbot.waitUntil(lambda: flow.tour is not None)
    started(flow, qtbot).leave()
    assert settings.is_tour_seen
    flow.offer_once()
    window.show_project(window.session.document.project)
    qtbot.wait(500)
    assert flow.tour is None


def test_a_new_empty_project_ends_it(window: MainWindow, flow: TourFlow, qtbot: QtBot) -> None:
    flow.start()
    started(flow, qtbot)
    window.session.document.changed.emit(new_project(0))
    assert flow.tour is None


@pytest.mark.parametrize(
    ("target", "beside"),
    [
        (QRect(0, 0, 1000, 40), QPoint(10, 49)),  # below
        (QRect(700, 50, 300, 740), QPoint(390, 50)),  # at the left
        (QRect(0, 50, 300, 740), QPoint(309, 50)),  # at the right
        (QRect(0, 300, 1000, 500), QPoint(10, 190)),  # above
        (QRect(0, 0, 1000, 800), QPoint(689, 689)),  # over its corner
    ],
)
def test_a_note_stands_where_there_is_room(target: QRect, beside: QPoint) -> None:
    assert place_beside(target, QSize(300, 100), QRect(0, 0, 1000, 800)) == beside
