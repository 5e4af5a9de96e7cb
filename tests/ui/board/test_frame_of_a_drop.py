"""What a drop paints: only what is another, and what is seen then is what would be seen if all were painted."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QRegion
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.cards.card_list import CardView, StillScrollBar
from gpuplanner.ui.frame.headline import HEIGHT
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words.lanes import Lane
from tests.some_of import one_in


class Repaints(QObject):
    """The part of a widget that each of its repaints was of."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self.parts: list[QRect] = []
        QApplication.processEvents()
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.parts.append(event.rect())
        return False


def whole(widget: QWidget) -> QImage:
    image = QImage(widget.size(), QImage.Format.Format_RGB32)
    image.fill(0)
    widget.render(image)
    return image


def come_to_rest(widget: QWidget) -> None:
    """Wait until a window that was just shown has painted the widget for the last time."""
    for _ in range(20):
        repaints = Repaints(widget)
        QTest.qWait(30)
        widget.removeEventFilter(repaints)
        if not repaints.parts:
            return


def painted_by(widget: QWidget, change: Callable[[], object]) -> tuple[list[QRect], QImage]:
    """The parts that a change had painted, and how the widget is seen then: only they are new."""
    come_to_rest(widget)
    seen, repaints = whole(widget), Repaints(widget)
    change()
    QApplication.processEvents()
    widget.removeEventFilter(repaints)
    for part in repaints.parts:
        painter = QPainter(seen)
        painter.fillRect(part, Qt.GlobalColor.black)  # what is behind, as under `whole`
        painter.end()
        widget.render(seen, part.topLeft(), QRegion(part))
    return repaints.parts, seen


@pytest.mark.long
@pytest.mark.parametrize("lane", [Lane.TRAINING, Lane.REVIEW])
def test_where_only_dollars_are_muted_a_heading_paints_one_line(window: MainWindow, lane: Lane) -> None:
    heading = window.board.columns[lane].heading
    sums = heading.sums
    assert sums is not None
    before, findings = whole(heading), heading.findings
    parts, seen = painted_by(heading, lambda: heading.show_sums(sums, True, sums.cards, findings=findings))
    assert [part.height() < heading.height() for part in parts] == [True]
    assert seen == whole(heading) != before
    more = replace(sums, gpu_hours_per_month=sums.gpu_hours_per_month + 5000, in_review=3)
    parts, seen = painted_by(heading, lambda: heading.show_sums(more, True, sums.cards, findings=findings))
    assert seen == whole(heading)
    parts, seen = painted_by(heading, lambda: heading.show_sums(more, True, sums.cards - 1))
    assert seen == whole(heading)


def test_where_only_its_value_is_another_a_figure_paints_that(window: MainWindow) -> None:
    button = window.headline.buttons[0]
    figure = button.figure
    assert figure is not None
    assert not figure.shares
    before = whole(button)
    settling = replace(figure, is_settling=True, is_good=False)
    parts, seen = painted_by(button, lambda: button.show_figure(settling))
    assert [part.height() < (HEIGHT - 1) // 2 for part in parts] == [True]
    assert seen == whole(button) != before
    for other in (
        replace(settling, plan="$1,234,567"),
        replace(settling, title="Another"),
        replace(settling, unit="$ per year"),
        replace(settling, second=("$5 less",), icon="triangle"),
    ):
        parts, seen = painted_by(button, lambda other=other: button.show_figure(other))
        assert parts
        assert seen == whole(button), other
    button.setFocus()
    parts, seen = painted_by(button, lambda: button.show_figure(figure))
    assert seen == whole(button)


def test_a_scroll_bar_is_painted_only_where_its_handle_is_seen_elsewhere(qtbot: QtBot) -> None:
    bar = StillScrollBar(Qt.Orientation.Vertical)
    qtbot.addWidget(bar)
    bar.resize(9, 600)
    bar.setPageStep(600)
    bar.setRange(0, 80_000)
    bar.show()
    qtbot.waitExposed(bar)
    qtbot.wait(50)  # whatever a window that was just shown paints again
    assert painted_by(bar, lambda: bar.setMaximum(80_052))[0] == []
    for change in (lambda: bar.setValue(40_000), lambda: bar.setMaximum(600), lambda: bar.resize(9, 300)):
        parts, seen = painted_by(bar, change)
        assert parts
        assert bar.height() != seen.height() or seen == whole(bar)
    bar.resize(9, 600)  # its handle is as before the range became another, but painted for another height
    QApplication.processEvents()
    assert painted_by(bar, lambda: bar.setValue(500))[0]


def _after_moving(window: MainWindow, key: str) -> None:
    """As the evaluator tells of a move: whatever did not move is the same object."""
    evaluation = window.session.evaluator.evaluation
    cards = evaluation.figures.cards
    moved = tuple(replace(card, pool=Pool.INFERENCE) if card.key == key else card for card in cards)
    window.show_evaluation(replace(evaluation, figures=replace(evaluation.figures, cards=moved)))


@pytest.mark.parametrize(
    ("moved", "chosen", "current"),
    one_in(3, [(1, (1,), 1), (0, (0, 2), 0), (-1, (-1,), -1), (2, (0, 1), 1), (1, (), None), (1, (1, 2), 2)]),
)
def test_one_card_that_moves_stays_selected_and_the_keyboard_goes_on_beside_it(
    window: MainWindow,
    monkeypatch: pytest.MonkeyPatch,
    moved: int,
    chosen: tuple[int, ...],
    current: int | None,
) -> None:
    source, target = (window.board.columns[lane].cards for lane in (Lane.TRAINING, Lane.INFERENCE))
    keys, others = ([card.key for card in view.model().cards] for view in (source, target))
    window.board.selection.clear()
    source.setCurrentIndex(source.model().index(-1))
    source.select_keys([keys[row] for row in chosen], None if current is None else keys[current])
    target.select_keys(others[:1], others[-1])
    looked_for: list[object] = []
    monkeypatch.setattr(CardView, "select_keys", lambda *given: looked_for.append(given))
    _after_moving(window, keys[moved])
    assert looked_for == []  # no row of thousands
    assert target.model().row_of(keys[moved]) is not None
    assert set(source.selected_keys()) == {keys[row] for row in chosen} - {keys[moved]}
    assert set(target.selected_keys()) == {others[0], *([keys[moved]] if moved in chosen else [])}
    assert target.current_key() == others[-1]
    left = [key for key in keys if key != keys[moved]]
    beside = left[min(moved % len(keys), len(left) - 1)]
    has_gone = current is not None and keys[current] == keys[moved]
    assert source.current_key() == (None if current is None else beside if has_gone else keys[current])


def test_after_drops_the_screen_shows_what_a_whole_repaint_would(window: MainWindow, qtbot: QtBot) -> None:
    def on_screen() -> QImage:
        image = window.screen().grabWindow(window.winId()).toImage()
        return image.convertToFormat(QImage.Format.Format_RGB32)

    seen = []
    for card in list(window.board.columns[Lane.TRAINING].model.cards)[:3]:
        window.board.show_workload(card.key)
        _after_moving(window, card.key)
        qtbot.wait(30)
        seen.append(on_screen())
        assert seen[-1] == window.grab().toImage().convertToFormat(QImage.Format.Format_RGB32), card.name
    assert seen[0] != seen[1] != seen[2]
