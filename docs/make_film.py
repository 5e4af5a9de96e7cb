"""Makes the short film of the README: the demo's files, imported into the real window, planned and exported.

    python docs/make_film.py [FOLDER]        writes docs/images/film.webp, and each scene as a PNG into FOLDER

Every frame is a grab of the window, offscreen; only the mouse, the card under it and the line below are drawn on it.
"""

import json
import sys
import tempfile
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import Final
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parent))

from make_pictures import DAYS, IMAGES, NOW_S, leave_focus, wait  # first: it chooses the platform
from PIL import Image
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QRect, QSettings, Qt, QTimer
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QImage, QPainter, QPixmap, QPolygonF
from PySide6.QtWidgets import QApplication, QWidget  # noqa: TID253 - it draws the window

from gpuplanner.app.settings import Settings
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.demo.demo_files import write_demo
from gpuplanner.files.demo.demo_project import INPUTS
from gpuplanner.ui.cards.card_list import WORKLOADS_MIME
from gpuplanner.ui.flows.exports import writing_flow
from gpuplanner.ui.importing.import_dialog import ImportDialog
from gpuplanner.ui.kit.palettes import LIGHT
from gpuplanner.ui.kit.small_dialogs import Question
from gpuplanner.ui.kit.style_sheet import apply_palette
from gpuplanner.ui.window.application import build, settle
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.window.view_switch import BOARD
from gpuplanner.ui.words.lanes import Lane, lane_of

FILM: Final = IMAGES / "film.webp"
SIZE: Final = (1280, 800)
WIDTH: Final = 960
LINE_PX: Final = 44
BYTES_AT_MOST: Final = 1_500_000
STEP_MS: Final = 70
ARROW: Final = ((0, 0), (0, 20), (5, 15), (9, 23), (12, 22), (8, 14), (15, 14))


class Film:
    """Frames with how long each is seen; what stands below them, and where the mouse is."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.frames: list[Image.Image] = []
        self.durations: list[int] = []
        self.line = ""
        self.mouse = QPoint(SIZE[0] // 2, SIZE[1] // 2)
        self.held: QPixmap | None = None

    def take(self, ms: int = STEP_MS) -> None:
        """One frame, seen for so long; one that is like the last makes that longer."""
        frame = self._framed()
        if self.frames and frame.tobytes() == self.frames[-1].tobytes():
            self.durations[-1] += ms
            return
        self.frames.append(frame)
        self.durations.append(ms)

    def go_to(self, place: QPoint, steps: int = 8) -> None:
        """Move the mouse, a frame a step, slower at both ends."""
        start = QPointF(self.mouse)
        for step in range(1, steps + 1):
            part = step / steps
            self.mouse = (start + (QPointF(place) - start) * (part * part * (3 - 2 * part))).toPoint()
            wait(0.02)
            self.take()

    def place_of(self, widget: QWidget, within: QRect | None = None) -> QPoint:
        """The middle of a widget, or of a part of it, on the window."""
        middle = (within or widget.rect()).center()
        return self.window.mapFromGlobal(widget.mapToGlobal(middle))

    def until(self, is_done: Callable[[], bool], at_most: int = 14) -> None:
        """Let the window work, filming so many frames of it at most."""
        filmed = 0
        while not is_done():
            wait(0.1)
            if filmed < at_most:
                self.take()
                filmed += 1

    def _framed(self) -> Image.Image:
        """The window with what stands over it, the mouse, and the line below."""
        whole = QImage(SIZE[0], SIZE[1], QImage.Format.Format_RGB888)
        whole.fill(QColor(LIGHT.window))
        painter = QPainter(whole)
        painter.drawPixmap(0, 0, self.window.grab())
        for over in QApplication.topLevelWidgets():
            if over is not self.window and over.isVisible() and over.width() > 1:
                corner = self.window.mapFromGlobal(over.mapToGlobal(QPoint(0, 0)))
                if over.isModal():
                    painter.fillRect(whole.rect(), QColor(0, 0, 0, 70))
                    corner = QPoint((SIZE[0] - over.width()) // 2, (SIZE[1] - over.height()) // 2)
                painter.drawPixmap(corner, over.grab())
        if self.held is not None:
            painter.setOpacity(0.85)
            painter.drawPixmap(self.mouse - QPoint(60, 20), self.held)
            painter.setOpacity(1)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor("black"))
        painter.setPen(QColor("white"))
        painter.drawPolygon(QPolygonF([QPointF(self.mouse) + QPointF(x, y) for x, y in ARROW]))
        painter.end()
        small = whole.scaledToWidth(WIDTH, Qt.TransformationMode.SmoothTransformation)
        frame = QImage(WIDTH, small.height() + LINE_PX, QImage.Format.Format_RGB888)
        frame.fill(QColor("#0B0F14"))
        painter = QPainter(frame)
        painter.drawImage(0, 0, small)
        font = painter.font()
        font.setPixelSize(20)
        painter.setFont(font)
        painter.setPen(QColor("white"))
        below = QRect(0, small.height(), WIDTH, LINE_PX)
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, self.line)
        painter.end()
        plain = frame.convertToFormat(QImage.Format.Format_RGB888)
        size = (plain.width(), plain.height())
        return Image.frombytes("RGB", size, bytes(plain.constBits()), "raw", "RGB", plain.bytesPerLine())


def import_files(film: Film, take_files: Callable[[list[str]], None], paths: list[str]) -> None:
    """The files dropped on the window: what each is, how its rows ended, and in with them."""

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, ImportDialog) or not dialog._is_built:
            QTimer.singleShot(50, look)
            return
        film.until(lambda: not dialog.is_working)
        wait(0.5)
        film.take(1500)
        while dialog.isVisible():
            film.go_to(film.place_of(dialog.foot.next), 6)
            film.take(300)
            dialog.foot.next.click()
            wait(0.5)

    film.line = "Drop your job log, contracts and prices on the window"
    film.take(900)
    QTimer.singleShot(50, look)
    take_files(paths)


def drag_card(film: Film, name: str, source: Pool | None, target: Pool) -> None:
    """A card held over another pool, with what it would change, and let go."""
    columns = film.window.board.columns
    here, there = columns[Lane.REVIEW if source is None else lane_of(source)], columns[lane_of(target)]
    row, card = next(
        (row, one)
        for row, one in enumerate(here.model.rows)
        if isinstance(one, CardFigures) and one.name == name
    )
    index = here.cards.model().index(row, 0)
    here.cards.scrollTo(index)
    wait()
    rect = here.cards.visualRect(index)
    film.line = "Drag a workload to another pool: what the whole plan would cost, before you let go"
    film.go_to(film.place_of(here.cards.viewport(), rect))
    film.take(400)
    film.held = here.cards.viewport().grab(rect)
    data = QMimeData()
    data.setData(WORKLOADS_MIME, json.dumps([card.key]).encode())
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    film.go_to(film.place_of(there.cards.viewport()) - QPoint(0, 150), 10)
    there.dragEnterEvent(QDragEnterEvent(QPoint(40, 200), Qt.DropAction.MoveAction, data, left, none))
    wait(4)
    film.take(1700)
    film.held = None
    film.line = "Let go, and the headline follows"
    drop = QEvent.Type.Drop
    there.dropEvent(QDropEvent(QPointF(40, 200), Qt.DropAction.MoveAction, data, left, none, drop))
    for _ in range(6):
        wait(0.1)
        film.take()


def ask_why(film: Film) -> None:
    """The formula behind a figure of the headline."""
    button = film.window.headline.button_of("savings")
    assert button is not None
    film.line = "Ask any figure why: its formula, and the rows behind it"
    film.go_to(film.place_of(button))
    button.click()
    wait(0.6)
    film.take(2000)
    film.window.why.hide()


def export(film: Film, path: Path) -> None:
    """The workbook, written."""
    written: list[bool] = []

    def look() -> None:
        question = QApplication.activeModalWidget()
        if not isinstance(question, Question):
            QTimer.singleShot(100, look)
            return
        wait(0.3)
        film.line = "Hand over a workbook with live formulas. No file has left this computer"
        film.take(1800)
        written.append(True)
        question.reject()

    film.line = "Hand over a workbook with live formulas"
    film.go_to(film.place_of(film.window.scenario_bar.export))
    film.take(300)
    QTimer.singleShot(100, look)
    with patch.object(writing_flow, "save_file", lambda *_: (str(path), "")):
        film.window.actions_by_id["export"].trigger()
        while not written:
            wait(0.1)


def main(folder: Path | None) -> int:
    """Make the film. Errors: OSError where it is too large to be kept."""
    application = QApplication(sys.argv[:1])
    application.setApplicationName("gpuplanner")
    application.setApplicationDisplayName("gpuplanner")
    errors: list[Exception] = []
    with tempfile.TemporaryDirectory() as made:
        inputs = Path(made) / "demo"
        inputs.mkdir()
        write_demo(inputs, DAYS)
        settings = Settings(QSettings(str(Path(made) / "none.ini"), QSettings.Format.IniFormat))
        apply_palette(application, LIGHT)
        window, flow, _ = build(settings, NOW_S)
        window.choose_plan_view(BOARD)
        window.session.evaluator.failed.connect(errors.append)
        window.show_palette(LIGHT)
        window.resize(*SIZE)
        window.show()
        wait(1)
        film = Film(window)
        import_files(film, flow.take_files, [str(inputs / name) for name in INPUTS])
        film.line = "What you pay today, and what a plan would cost"
        film.until(lambda: window.session.evaluation is not None)
        settle(window, application, errors)
        wait(1)
        leave_focus(window)
        film.take(1100)
        drag_card(film, "run-experiment-b", None, Pool.BURST)
        settle(window, application, errors)
        wait(1)
        film.take(1000)
        ask_why(film)
        with chdir(made):  # a name without the folder that was made for it is what the last scene shows
            Path("exports").mkdir()
            export(film, Path("exports", "plan.xlsx"))
        flow.leave_quietly()
    first, *others = film.frames
    first.save(
        FILM,
        "WEBP",
        save_all=True,
        append_images=others,
        duration=film.durations,
        loop=0,
        quality=70,
        method=6,
    )
    print(f"{FILM.name}: {FILM.stat().st_size:,} bytes, {len(film.frames)} frames, {sum(film.durations)} ms")
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        for number, (frame, ms) in enumerate(zip(film.frames, film.durations, strict=True)):
            if ms >= 1000:
                frame.save(folder / f"{number:03}.png")
    for error in errors:
        print(error, file=sys.stderr)
    if FILM.stat().st_size > BYTES_AT_MOST:
        raise OSError(f"{FILM} has over {BYTES_AT_MOST:,} bytes")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if sys.argv[1:] else None))
