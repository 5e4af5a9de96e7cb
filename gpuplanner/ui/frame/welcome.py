"""The welcome page: drop files, open the demo, go on with a recent project, or read what to do in three walks."""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.ui.kit.drawing import LEFT, RIGHT, draw_box, draw_icon, draw_text, text_width
from gpuplanner.ui.kit.icons import icon, pixmap
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.commands import keys_of, with_keys
from gpuplanner.ui.words.translation import spoken, tr


@dataclass(frozen=True, slots=True)
class Walk:
    """One walk: its title as a link, and its steps."""

    title: Message
    steps: tuple[Message, ...]

    @property
    def text(self) -> str:
        """The steps, one a line."""
        return "\n\n".join(
            tr("{number}. {step}", number=number, step=step) for number, step in enumerate(self.steps, 1)
        )


WALKS: Final = (
    Walk(
        worded("Read this quarter\u2019s audit"),
        (
            worded("Import a job log and your contracts, or open the demo, and choose Today."),
            worded("From the bill to stranded spend says what is paid, what serves jobs, and what stands idle."),
            worded("Leaks lists what to stop first. Press Enter on any figure to see the rows behind it."),
        ),
    ),
    Walk(
        worded("Separate training, inference and burst"),
        (
            worded("Choose a plan. Cards that nobody is sure of stand in Review: press T, I or B on each."),
            worded("Drag cards from pool to pool, or let Separate automatically move all that are not pinned."),
            worded(
                "While a card hovers, the column says what the plan would cost. {undo} takes any step back.",
                undo=keys_of("undo"),
            ),
        ),
    ),
    Walk(
        worded("Choose terms and hand procurement a workbook"),
        (
            worded("Duration & commitment puts layers of 1 to 36 months under the load. Drag an "
                   "edge to try another level."),
            worded("Recommendations says what to sign, by when, and which contracts to let end."),
            worded(
                "Export workbook ({export}) writes all of it with live formulas. {present} presents it.",
                export=keys_of("export"),
                present=keys_of("present"),
            ),
        ),
    ),
)  # fmt: skip


INPUTS: Final = (
    (
        "job_log",
        worded("Job log"),
        worded("needed"),
        worded("Slurm, PBS, LSF, Kubernetes, FOCUS or AWS usage; CSV, Parquet, XLSX"),
    ),
    (
        "contract",
        worded("Contracts"),
        worded("for spend"),
        worded("What you pay today. Without them you see use, not spend."),
    ),
    (
        "price",
        worded("Prices"),
        worded("for a plan"),
        worded("What you could buy: a CSV or XLSX with one row per offer."),
    ),
)


class DropArea(QFrame):
    """A dashed box that takes files, with a button for each kind."""

    files_dropped = Signal(list)
    import_asked = Signal()

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._palette = palette
        self._is_target = False
        self.setAcceptDrops(True)
        self.setAccessibleName(tr("Drop files here"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 28, 24, 16)
        layout.setSpacing(0)
        self._arrow = PlainLabel()
        head = QHBoxLayout()
        head.setSpacing(18)
        head.addWidget(self._arrow)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(_label(tr("Drop files here"), "title_large"))
        words.addWidget(_label(tr("Job logs, contracts and price lists, in any order."), "body", "muted"))
        head.addLayout(words, 1)
        layout.addLayout(head)
        layout.addSpacing(26)
        self._icons: list[tuple[QLabel, str]] = []
        for name, title, need, text in INPUTS:
            layout.addWidget(_rule())
            picture = PlainLabel()
            picture.setFixedWidth(30)  # under the arrow: one left edge for all the words
            picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
            self._icons.append((picture, name))
            line = QHBoxLayout()
            line.setSpacing(5)
            line.addWidget(_label(title, "total"))
            line.addWidget(_label(need, "body", "muted"))
            line.addStretch(1)
            words = QVBoxLayout()
            words.setSpacing(1)
            words.addLayout(line)
            words.addWidget(_label(text, "body", "muted"))
            button = QPushButton(tr("Choose file"))
            button.setAccessibleName(tr("Choose file: {title}", title=spoken(title).lower()))
            set_tip(button, with_keys(tr("{title}: {value}", title=title, value=text), "import"))
            button.setFont(font("strong"))
            button.clicked.connect(self.import_asked)
            row = QHBoxLayout()
            row.setContentsMargins(0, 11, 0, 11)
            row.setSpacing(18)
            row.addWidget(picture)
            row.addLayout(words, 1)
            row.addWidget(button)
            layout.addLayout(row)
        self.show_palette(palette)

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        ratio = self.devicePixelRatioF()
        self._arrow.setPixmap(pixmap("import", palette.accent, 30, ratio))
        for label, name in self._icons:
            label.setPixmap(pixmap(name, palette.muted, 22, ratio))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        fill = self._palette.selection if self._is_target else self._palette.raised
        border = self._palette.accent if self._is_target else self._palette.edge
        draw_box(QPainter(self), self.rect(), fill, border, 6, 1, True)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Takes files of this computer, and shows that it would."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            self._is_target = True
            self.update()
            event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._is_target = False
        self.update()

    def dropEvent(self, event: QDropEvent) -> None:
        """Says which files were dropped."""
        self._is_target = False
        self.update()
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.files_dropped.emit(paths)


class RecentButton(QAbstractButton):
    """One project that was open before."""

    def __init__(self, palette: Palette, path: str, name: str, about: str, when: str) -> None:
        super().__init__()
        self._palette, self._name, self._about, self._when = palette, name, about, when
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Open {name}", name=name))
        self.setAccessibleDescription(f"{about} {when}")
        set_tip(self, path)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedHeight(45)

    def sizeHint(self) -> QSize:
        return QSize(320, 45)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Name, what is known of the project below it, and when it was open at the right."""
        painter, palette = QPainter(self), self._palette
        if self.underMouse() or self.hasFocus():
            draw_box(
                painter, self.rect(), palette.selection, palette.focus if self.hasFocus() else None, 4, 2
            )
        draw_icon(painter, "document", palette.muted, 10, 15)
        right = self.width() - 10
        when_width = text_width(self._when, font("small"))
        draw_text(
            painter, self.rect().adjusted(0, 0, -10, 0), self._when, font("small"), palette.muted, RIGHT
        )
        space = self.rect().adjusted(38, 5, -(self.width() - right) - when_width - 10, -22)
        draw_text(
            painter, space, self._name, font("strong"), palette.text, LEFT, Qt.TextElideMode.ElideMiddle
        )
        draw_text(painter, space.translated(0, 17), self._about, font("small"), palette.muted)


class WelcomePage(QWidget):
    """Nothing is open yet."""

    demo_asked = Signal()
    open_asked = Signal()
    import_asked = Signal()
    recent_asked = Signal(str)
    files_dropped = Signal(list)

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setAccessibleName(tr("Welcome"))
        self._palette = palette
        self._recent_rows: list[tuple[str, str, str, str]] = []
        self.drop_area = DropArea(palette)
        self.drop_area.files_dropped.connect(self.files_dropped)
        self.drop_area.import_asked.connect(self.import_asked)
        left = QVBoxLayout()
        left.setSpacing(0)
        title = _label(tr("Which GPUs, for which workloads, on what terms?"), "page")
        title.setWordWrap(True)
        left.addWidget(title)
        left.addSpacing(8)
        left.addWidget(
            _label(tr("Start with a job log. Everything stays on this computer."), "body", "muted")
        )
        left.addSpacing(24)
        left.addWidget(self.drop_area)
        left.addStretch(1)
        self._stand(left, self._offers())
        self.show_palette(palette)

    def _offers(self) -> QVBoxLayout:
        """The right column: the demo, recent projects and the walks."""
        demo = QFrame()
        demo.setObjectName("card")
        inside = QVBoxLayout(demo)
        inside.setContentsMargins(20, 18, 20, 18)
        inside.setSpacing(4)
        inside.addWidget(_label(tr("No files at hand?"), "title"))
        about = _label(
            tr(
                "The demo has three clusters, six months of jobs and two plans. It takes five minutes to walk through."
            ),
            "body",
            "muted",
        )
        about.setWordWrap(True)
        inside.addWidget(about)
        self.demo = QPushButton(tr("Open the demo"))
        self.demo.setProperty("primary", True)
        self.demo.setAccessibleName(tr("Open the demo"))
        set_tip(self.demo, with_keys(tr("Open a made-up company's six months"), "demo"))
        self.demo.setFont(font("strong"))
        self.demo.clicked.connect(self.demo_asked)
        row = QHBoxLayout()
        row.setContentsMargins(0, 8, 0, 0)
        row.addWidget(self.demo)
        row.addStretch(1)
        inside.addLayout(row)
        self.open = QPushButton(tr("Open project"))
        self.open.setProperty("link", True)
        self.open.setAccessibleName(tr("Open project"))
        set_tip(self.open, with_keys(tr("Open a .gpuplan file"), "open"))
        self.open.clicked.connect(self.open_asked)
        head = QHBoxLayout()
        head.addWidget(_label(tr("Recent projects"), "title"))
        head.addStretch(1)
        head.addWidget(self.open)
        self._recent = QVBoxLayout()
        self._recent.setSpacing(0)
        self._none = _label(tr("None yet. Projects you save are listed here."), "body", "muted")
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(demo)
        right.addSpacing(28)
        right.addLayout(head)
        right.addSpacing(8)
        right.addWidget(self._none)
        right.addLayout(self._recent)
        right.addSpacing(28)
        right.addWidget(_label(tr("Learn"), "title"))
        right.addSpacing(4)
        self.walks = [self._walk(walk) for walk in WALKS]
        for link in self.walks:
            right.addWidget(link, 0, Qt.AlignmentFlag.AlignLeft)
        right.addStretch(1)
        return right

    def _walk(self, walk: Walk) -> QPushButton:
        """A link that opens a walk."""
        link = QPushButton(spoken(walk.title))
        link.setProperty("link", True)
        link.setAccessibleName(spoken(walk.title))
        set_tip(link, tr("How, in three steps"))
        link.clicked.connect(lambda: self._open_walk(walk))
        return link

    def _open_walk(self, walk: Walk) -> None:
        """Shows a walk as a text to be read and closed."""
        from gpuplanner.ui.kit.message import Question

        Question(self, walk.title, walk.text, ("Close",)).exec()

    def _stand(self, left: QVBoxLayout, right: QVBoxLayout) -> None:
        """Puts both columns in the middle of a page that scrolls where the window is small."""
        inner = QWidget()
        inner.setObjectName("page")
        inner.setMaximumWidth(1080)
        grid = QGridLayout(inner)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(56)
        grid.addLayout(left, 0, 0)
        grid.addLayout(right, 0, 1)
        grid.setColumnStretch(0, 3)
        grid.setColumnStretch(1, 2)
        content = QWidget()
        content.setObjectName("page")
        place = QHBoxLayout(content)
        place.setContentsMargins(32, 0, 32, 0)
        place.addStretch(1)
        place.addWidget(inner, 100)
        place.addStretch(1)
        column = QWidget()
        column.setObjectName("page")
        vertical = QVBoxLayout(column)
        vertical.setContentsMargins(0, 32, 0, 32)
        vertical.addStretch(2)
        vertical.addWidget(content)
        vertical.addStretch(5)
        scroll = QScrollArea()
        scroll.setWidget(column)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setAccessibleName(tr("Welcome, contents"))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)

    def show_recent(self, recent: list[tuple[str, str, str, str]]) -> None:
        """Projects opened before: path, name, what is in it, when."""
        self._recent_rows = recent
        while self._recent.count():
            item = self._recent.takeAt(0)
            if item is not None and (old := item.widget()) is not None:
                old.deleteLater()
        self._none.setVisible(not recent)
        for path, name, about, when in recent[:6]:
            button = RecentButton(self._palette, path, name, about, when)
            button.clicked.connect(lambda _=False, path=path: self.recent_asked.emit(path))
            self._recent.addWidget(button)

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        self.drop_area.show_palette(palette)
        self.open.setIcon(icon("folder", palette.accent))
        self.show_recent(self._recent_rows)


def _label(text: Text, step: str, role: str = "") -> QLabel:
    label = PlainLabel(spoken(text))
    if step == "title_large":
        made = font("title")
        made = type(made)(made)
        made.setPointSizeF(12.0)
        label.setFont(made)
    else:
        label.setFont(font(step))
    if role:
        label.setProperty("role", role)
    return label


def _rule() -> QFrame:
    rule = QFrame()
    rule.setObjectName("rule")
    return rule
