"""Panel: what all panels have alike: what they say of themselves, drawn only while they are seen, colours."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLayout, QVBoxLayout, QWidget

from gpuplanner.charts.kit.translation import spoken
from gpuplanner.domain.message import Message, Text
from gpuplanner.files.system.resources import words_table
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.kit.layout import box, column, ground, named, share
from gpuplanner.ui.kit.page_parts import scrolled
from gpuplanner.ui.state.view_state import ViewState

_ALSO: Final = words_table("panel_also")


@dataclass(frozen=True, slots=True)
class Need:
    """A field of the project that a panel shows nothing without, and what it shows once that is there."""

    field: str
    sentence: Message


@dataclass(frozen=True, slots=True)
class PanelView:
    """One of the views of a panel that can be asked for by name. also: other words that people look for it by."""

    name: str
    title: Text
    also: Text = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a panel says of itself.

    name: how the window finds it. title: in menus, on its tab and above it; called: to who listens, where the title
    cannot be read out. title_shortly: on its tab where the tabs beside it need the room. beside: the panel whose tabs
    it joins, one that is in front at first. is_closed: until it is asked for. letter: its key with Alt+Shift; without
    one its place among the panels. is_counted: the tab says how many rows there are to look at (`Panel.count`). views:
    those of its views that can be asked for by name (`Panel.show_view`). has_months: it shows a plan in the month that
    the slider stands at, not in its first.
    """

    name: str
    title: Message
    beside: str = ""
    called: Message | None = None
    title_shortly: Message | None = None
    needs: tuple[Need, ...] = ()
    letter: str = ""
    is_closed: bool = False
    is_counted: bool = False
    views: tuple[PanelView, ...] = ()
    has_months: bool = False

    @property
    def also(self) -> Text:
        """Other words that people look for the panel by."""
        return _ALSO.get(self.name, "")


class Panel(QWidget):
    """Told what is shown. A kind of panel has `about`, makes its content in `build` and tells it in `draw`.

    now_s: the day it is, epoch seconds; None: the end of the log's window.
    """

    about: ClassVar[About]
    built = Signal()  # the content is there, from now on
    workload_asked = Signal(str)  # key
    contract_asked = Signal(str)  # contract_id
    notice_asked = Signal(str)  # contract_id: whether notice was given
    editor_asked = Signal(str)  # contract_id: its terms, where its file does not say what it costs
    layers_asked = Signal(object, object)  # Pool, GPU model or None
    import_asked = Signal()
    waiting_asked = Signal(str)  # GPU model, or what it is called where the log names none

    def __init__(self, now_s: int | None = None) -> None:
        super().__init__()
        named(ground(self, "panel"), spoken(self.about.called or self.about.title))
        self._now_s = now_s
        self._shown: ViewState | None = None
        self.is_built = False

    if not TYPE_CHECKING:  # to who reads types a part that no panel has stays an error

        def __getattr__(self, name: str) -> Any:
            """A part that is not there yet: the content is made when the first of it is asked for."""
            if self.__dict__.get("is_built", True) or name.startswith("__"):
                raise AttributeError(f"{type(self).__name__} has no part {name}")
            self._make_content()
            return getattr(self, name)

    def _make_content(self) -> None:
        """Make the content, once: most panels are never opened, and a start waits for none of them."""
        if not self.is_built:
            self.is_built = True
            self.build()
            self.built.emit()

    def once_built(self, tell: Callable[[], object]) -> None:
        """Do what needs the content: now where it is there, else as soon as it is."""
        self.built.connect(tell)
        if self.is_built:
            tell()

    # What a kind of panel says

    def build(self) -> None:
        """Make the content and what is kept of it, once: before the panel is first drawn or asked for a part."""

    def draw(self, shown: ViewState) -> None:
        """Show what is known now; asked for only while the panel is seen."""

    def count(self, shown: ViewState) -> int:
        """How many rows there are to look at, seen or not."""
        return 0

    def show_view(self, name: str) -> None:
        """Show one of its views, with the keyboard; for panels that name some."""

    # What is so of every panel

    @property
    def shown(self) -> ViewState | None:
        """The state that the panel shows, or will show once it is seen; None before there is a project."""
        return self._shown

    def show_state(self, shown: ViewState) -> None:
        """Another state is shown: drawn now, or once the panel is seen."""
        self._shown = shown if self.about.has_months else shown.at_start
        if self.isVisible():
            self.redraw()

    def redraw(self) -> None:
        """Draw what is shown once more; nothing is shown before there is a project."""
        if self._shown is not None:
            self._make_content()
            self.draw(self._shown)

    def recolour(self) -> None:
        """Other colours from now on; what was never seen has none."""
        if self.is_built:
            self.recolour_content()

    def recolour_content(self) -> None:
        """Draw what is shown in other colours; what is not seen is drawn when it is."""
        if self.isVisible():
            self.redraw()

    def setVisible(self, visible: bool) -> None:
        """The content is there before it is seen; a dock that nobody sees shows its panel too, as soon as it has it."""
        parent = self.parentWidget()
        if visible and (parent is None or parent.isVisible()):
            self._make_content()
        super().setVisible(visible)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.redraw()

    def scrolled(self, name: Message, margins: tuple[int, int, int, int], spacing: int) -> QVBoxLayout:
        """A column for the content that scrolls up and down below what else the panel has. name: to who listens."""
        made = column(margins=margins, spacing=spacing)
        self.scroll_area = scrolled(box("panel", made, QWidget()), name)
        return made

    def fill(self, *parts: QWidget | QLayout, top: int = 0, spacing: int = 0) -> QVBoxLayout:
        """Lay out the panel from edge to edge: parts below each other, the last with the room that is left."""
        *upper, last = parts
        return column(*upper, share(last), on=self, margins=(0, top, 0, 0), spacing=spacing)
