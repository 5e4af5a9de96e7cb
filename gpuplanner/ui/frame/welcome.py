"""The welcome page: drop files, open the demo, go on with a recent project, or read what to do in three walks."""

from typing import Final

from PySide6 import QtCore, QtGui, QtWidgets

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.message import Message, lowered, worded
from gpuplanner.files.system.resources import words_table
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.kit import drawing, icons, palettes, type_scale
from gpuplanner.ui.kit.layout import STRETCH, box, column, emptied, grid, named, row, share
from gpuplanner.ui.kit.page_parts import Drawing, heading_label, label, named_button, rule_line
from gpuplanner.ui.words.commands import keys_of, with_keys


@dataclass(frozen=True, slots=True)
class Walk:
    """One walk: its title as a link, and its steps."""

    title: Message
    steps: tuple[Message, ...]

    @property
    def text(self) -> str:
        """The steps, one a line."""
        numbered = (tr("{first}. {second}", first=at, second=step) for at, step in enumerate(self.steps, 1))
        return "\n\n".join(numbered)


_KEYS: Final = {name: keys_of(name) for name in ("undo", "export", "present")}
WALKS: Final = tuple(
    Walk(title, tuple(worded(step.template, **_KEYS) for step in words_table(f"walk_{name}").values()))
    for name, title in words_table("walk").items()
)

_NEEDS, _TEXTS = words_table("input_need"), words_table("input_text")
INPUTS: Final = tuple(
    (name, title, _NEEDS[name], _TEXTS[name]) for name, title in words_table("input_title").items()
)


class DropArea(QtWidgets.QFrame):
    """A dashed box that takes files, with a button for each kind."""

    files_dropped = QtCore.Signal(list)
    import_asked = QtCore.Signal()

    def __init__(self) -> None:
        super().__init__()
        self._is_target = False
        self.setAcceptDrops(True)
        self.setAccessibleName(tr("Drop files here"))
        arrow = Drawing("import", "accent", 30)
        drop = label(tr("Drop files here"))
        large = QtGui.QFont(type_scale.base_font("title"))
        large.setPointSizeF(12.0 * type_scale.text_scale())
        drop.setFont(large)
        words = tr("Job logs, contracts and price lists, in any order.")
        order = label(words, step="body", role="muted", is_wrapped=True)
        head = row(arrow, share(column(drop, order, spacing=2)), spacing=18)
        inputs = (part for line in INPUTS for part in (rule_line(), self._input(*line)))
        column(head, 26, *inputs, on=self, margins=(24, 28, 24, 16), spacing=0)

    def _input(self, name: str, title: Message, need: Message, text: Message) -> QtWidgets.QHBoxLayout:
        """One kind of file: what it is for, and the button that chooses one."""
        picture = Drawing(name, px=22)
        picture.setFixedWidth(30)  # under the arrow: one left edge for all the words
        picture.setAlignment(QtCore.Qt.AlignmentFlag.AlignCenter)
        heading = row(label(title, step="total"), label(need, step="body", role="muted"), STRETCH, spacing=5)
        words = column(heading, label(text, step="body", role="muted", is_wrapped=True), spacing=1)
        tip = with_keys(tr("{title}: {value}", title=title, value=text), "import")
        called = tr("Choose file: {title}", title=lowered(title))
        button = named_button(tr("Choose file"), tip, self.import_asked, called=called)
        button.setFont(type_scale.font("strong"))
        return row(picture, share(words), button, margins=(0, 11, 0, 11), spacing=18)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        fill = palettes.in_use().selection if self._is_target else palettes.in_use().raised
        border = palettes.in_use().accent if self._is_target else palettes.in_use().edge
        drawing.draw_box(QtGui.QPainter(self), self.rect(), fill, border, 6, 1, True)

    def dragEnterEvent(self, event: QtGui.QDragEnterEvent) -> None:
        """Takes files of this computer, and shows that it would."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            self._is_target = True
            self.update()
            event.acceptProposedAction()

    def dragLeaveEvent(self, event: QtGui.QDragLeaveEvent) -> None:
        self._is_target = False
        self.update()

    def dropEvent(self, event: QtGui.QDropEvent) -> None:
        """Says which files were dropped."""
        self._is_target = False
        self.update()
        if paths := [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]:
            event.acceptProposedAction()
            self.files_dropped.emit(paths)


class RecentButton(QtWidgets.QAbstractButton):
    """One project that was open before."""

    def __init__(self, path: str, name: str, about: str, when: str) -> None:
        super().__init__()
        self._name, self._about, self._when = name, about, when
        self.setFocusPolicy(QtCore.Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Open {name}", name=name))
        self.setAccessibleDescription(f"{about} {when}")
        set_tip(self, path)
        self.setCursor(QtCore.Qt.CursorShape.PointingHandCursor)
        self.setFixedHeight(type_scale.text_px(45))

    def sizeHint(self) -> QtCore.QSize:
        return QtCore.QSize(type_scale.text_px(320), type_scale.text_px(45))

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """Name, what is known of the project below it, and when it was open at the right."""
        painter, palette = QtGui.QPainter(self), palettes.in_use()
        if self.underMouse() or self.hasFocus():
            border = palette.focus if self.hasFocus() else None
            drawing.draw_box(painter, self.rect(), palette.selection, border, 4, 2)
        rect = type_scale.in_text_size(painter, self.rect())
        drawing.draw_icon(painter, "document", palette.muted, 10, 15)
        small, when_width = (
            type_scale.base_font("small"),
            type_scale.text_width(self._when, type_scale.base_font("small")),
        )
        drawing.draw_text(
            painter, rect.adjusted(0, 0, -10, 0), self._when, small, palette.muted, drawing.RIGHT
        )
        space, middle = rect.adjusted(38, 5, -when_width - 20, -22), QtCore.Qt.TextElideMode.ElideMiddle
        drawing.draw_text(
            painter, space, self._name, type_scale.base_font("strong"), palette.text, drawing.LEFT, middle
        )
        drawing.draw_text(painter, space.translated(0, 17), self._about, small, palette.muted)


class WelcomePage(QtWidgets.QWidget):
    """Nothing is open yet."""

    demo_asked = QtCore.Signal()
    open_asked = QtCore.Signal()
    recent_asked = QtCore.Signal(str)

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Welcome"))
        self.setObjectName("page")
        self.drop_area = DropArea()
        title = tr("Which GPUs, for which workloads, on what terms?")
        begin = tr("Start with a job log. Everything stays on this computer.")
        head = label(title, step="page", is_wrapped=True)
        words = label(begin, step="body", role="muted", is_wrapped=True)
        left = column(head, 8, words, 24, self.drop_area, STRETCH, spacing=0)
        self._stand(left, self._offers())

    def _offers(self) -> QtWidgets.QVBoxLayout:
        """The right column: the demo, recent projects and the walks."""
        about = tr("Three clusters, six months of jobs and a plan")
        tip = with_keys(tr("Six months of a made-up company"), "demo")
        self.demo = named(named_button(tr("Open the demo"), tip, self.demo_asked), step="strong")
        self.demo.setProperty("primary", True)
        inside = column(
            heading_label(tr("No files at hand?")),
            label(about, step="body", role="muted", is_wrapped=True),
            row(self.demo, STRETCH, margins=(0, 8, 0, 0)),
            margins=(20, 18, 20, 18),
            spacing=4,
        )
        tip = with_keys(tr("Open a .gpuplan file"), "open")
        drawn = icons.icon("folder", "accent")
        self.open = named_button(tr("Open project"), tip, self.open_asked, is_link=True, drawn=drawn)
        self._recent = column(spacing=0)
        none = tr("None yet. Saved projects appear here.")
        self._none = label(none, step="body", role="muted", is_wrapped=True)
        self.walks = [self._walk(walk) for walk in WALKS]
        recent = row(heading_label(tr("Recent projects")), STRETCH, self.open)
        projects = (box("card", inside, QtWidgets.QFrame()), 28, recent, 8, self._none, self._recent, 28)
        # its words, not its ring, at the edge
        walks = (row(link, STRETCH, margins=(-4, 0, 0, 0)) for link in self.walks)
        return column(*projects, heading_label(tr("Learn")), 4, *walks, STRETCH, spacing=0)

    def _walk(self, walk: Walk) -> QtWidgets.QPushButton:
        """A link that opens a walk."""
        tip = tr("How, in three steps")
        return named_button(walk.title, tip, lambda: self._open_walk(walk), is_link=True)

    def _open_walk(self, walk: Walk) -> None:
        """Shows a walk as a text to be read and closed."""
        from gpuplanner.ui.kit.dialogs import exec_once
        from gpuplanner.ui.kit.small_dialogs import Question

        exec_once(Question(self, walk.title, walk.text, ("Close",)))

    def _stand(self, left: QtWidgets.QVBoxLayout, right: QtWidgets.QVBoxLayout) -> None:
        """Puts both columns in the middle of a page that scrolls where the window is small."""
        inner = box("page", grid((left, right), spacing=(56, 0), shares=(3, 2)), QtWidgets.QWidget())
        inner.setMaximumWidth(1080)
        middle = row(STRETCH, share(inner, 100), STRETCH, margins=(32, 0, 32, 0))
        content = box("page", middle, QtWidgets.QWidget())
        page = column(share(None, 2), content, share(None, 5), margins=(0, 32, 0, 32))
        area = named(QtWidgets.QScrollArea(widgetResizable=True), tr("Welcome"))
        area.setWidget(box("page", page, QtWidgets.QWidget()))
        area.setFocusPolicy(QtCore.Qt.FocusPolicy.NoFocus)
        column(area, on=self)

    def show_recent(self, recent: list[tuple[str, str, str, str]]) -> None:
        """Projects opened before: path, name, what is in it, when."""
        emptied(self._recent)
        self._none.setVisible(not recent)
        for path, name, about, when in recent[:6]:
            button = RecentButton(path, name, about, when)
            button.clicked.connect(lambda _=False, path=path: self.recent_asked.emit(path))
            self._recent.addWidget(button)
