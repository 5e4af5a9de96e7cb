"""The docked panels: which there are, where they stand at first, their counts, and which are in sight."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from numpy import interp
from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QMainWindow,
    QScrollArea,
    QTabBar,
    QTabWidget,
    QWidget,
)
from shiboken6 import isValid

from gpuplanner.app.background import AfterPaint
from gpuplanner.charts.kit.plain_text import off_button, set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.board.column_heading import least_width
from gpuplanner.ui.board.idle_column import idle_width
from gpuplanner.ui.kit.layout import column, ground
from gpuplanner.ui.kit.page_parts import heading_label, scrolled, soon
from gpuplanner.ui.kit.tabs import TabEdges
from gpuplanner.ui.kit.type_scale import font, text_px, text_scale, text_width
from gpuplanner.ui.panels.actions.checks import ChecksPanel
from gpuplanner.ui.panels.actions.history import HistoryPanel
from gpuplanner.ui.panels.cost.cost import CostPanel
from gpuplanner.ui.panels.cost.today_to_plan import TodayToPlanPanel
from gpuplanner.ui.panels.cost.track import TrackPanel
from gpuplanner.ui.panels.duration.backtest import BacktestPanel
from gpuplanner.ui.panels.duration.duration import DurationPanel
from gpuplanner.ui.panels.duration.waiting import WaitingPanel
from gpuplanner.ui.panels.panel import About, Panel
from gpuplanner.ui.panels.places.inference import InferencePanel
from gpuplanner.ui.panels.places.placement import PlacementPanel
from gpuplanner.ui.panels.prices.award import AwardPanel
from gpuplanner.ui.panels.prices.prices import PricesPanel
from gpuplanner.ui.panels.today.contracts import ContractsPanel
from gpuplanner.ui.panels.today.demand import DemandPanel
from gpuplanner.ui.panels.today.hardware_fit import HardwareFitPanel
from gpuplanner.ui.panels.today.utilization import UtilizationPanel
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words.commands import ViewKeys
from gpuplanner.ui.words.lanes import LANES

# --- The room of a panel in its dock


class _Room(QScrollArea):
    """Scrolls a panel where its dock is lower than it has to be: no dock lies over the tabs of the one below."""

    def __init__(self, panel: QWidget) -> None:
        super().__init__()
        self._panel = panel
        scrolled(panel, panel.accessibleName(), on=self)
        # which would take as much as texts and charts would like, and scroll for it
        self.setWidgetResizable(False)
        self.setObjectName("panel")

    def minimumSizeHint(self) -> QSize:
        """As wide as the panel at least, with the bar that may stand beside it."""
        bar = self.verticalScrollBar()
        beside = bar.sizeHint().width() if bar.maximum() else 0
        return QSize(self._panel.minimumSizeHint().width() + beside, LEAST_PX)

    def sizeHint(self) -> QSize:
        """What the panel asks for."""
        return self._panel.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def viewportEvent(self, event: QEvent) -> bool:
        """The panel may need another height from now on, and the dock another width."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._fit()
        return super().viewportEvent(event)

    def _fit(self) -> None:
        """The panel fills the room, or is as high as it has to be."""
        room = self.viewport().size()
        self._panel.resize(room.expandedTo(QSize(0, self._panel.minimumSizeHint().height())))


# --- Which panels are in front: one behind the tab of another is hidden, and one that was before comes back


class PanelsInSight(QObject):
    """Hides what docks hold while they are behind others, and shows it when they come to the front.

    Qt keeps such docks visible and moves them out of the window: their panels would be drawn, and have their tables,
    charts and answers worked out, with every edit.
    """

    def __init__(
        self, window: QMainWindow, docks: Mapping[str, QDockWidget], panels: Mapping[str, QWidget]
    ) -> None:
        super().__init__(window)
        self._window, self.docks, self._panels = window, docks, panels
        self._awaited: frozenset[str] | None = None
        for name, dock in docks.items():
            dock.visibilityChanged.connect(partial(self._take, name))

    def wait_for(self, names: frozenset[str]) -> None:
        """All docks are about to be shown, these of them in front: the others show nothing till then."""
        self._awaited = names
        for name, panel in self._panels.items():
            panel.setVisible(name in names)

    def settle(self) -> None:
        """The docks stand where they are to stand: show the panels that are in front."""
        self._awaited = None
        for name, dock in self.docks.items():
            self._panels[name].setVisible(_is_in_front(dock))

    def bring(self, name: str) -> None:
        """Show a panel now that its dock was raised."""
        self._panels[name].setVisible(True)

    def _take(self, name: str, is_seen: bool) -> None:
        """Shows what is in a dock that came to the front, and hides what is in one that went behind."""
        if not isValid(self._window):  # docks still tell of themselves while the window is taken apart
            return
        is_window_seen = self._window.isVisible() and not self._window.isMinimized()
        if is_seen:
            if self._awaited is None or name in self._awaited:
                self._panels[name].setVisible(True)
        elif is_window_seen:  # with it every dock goes: what was in front stays so, and keeps the keyboard
            self._panels[name].setVisible(False)


def _is_in_front(dock: QDockWidget) -> bool:
    """Whether no tab hides a dock; one that is closed would be in front once it is opened."""
    place = dock.geometry()
    return dock.isFloating() or dock.isHidden() or (place.right() >= 0 and place.bottom() >= 0)


class PanelsBefore(QObject):
    """Remembers in which order docks came to the front; Qt would show the one beside a closed tab."""

    def __init__(self, window: QMainWindow, docks: Mapping[str, QDockWidget]) -> None:
        super().__init__(window)
        self._window, self.docks = window, docks
        self._order: list[str] = []  # the newest in front is the last
        self._back: dict[str, str] = {}
        for name, dock in docks.items():
            dock.visibilityChanged.connect(partial(self._take, name))

    def back_from(self, name: str) -> str:
        """The panel to bring now that one was closed; empty where it was behind others, or nothing was before it."""
        return self._back.pop(name, "")

    def newest(self) -> tuple[str, ...]:
        """The panels in the order in which they came to the front, the newest first."""
        return tuple(reversed(self._order))

    def _take(self, name: str, is_seen: bool) -> None:
        """Keep the order in which docks came to the front and, of one that is closed, which was there before it."""
        if not isValid(self._window) or not isValid(self.docks[name]):
            return  # docks still tell of themselves while the window is taken apart
        if is_seen:
            self._order = [*(one for one in self._order if one != name), name]
        elif self.docks[name].isHidden():  # closed, not only behind: told before Qt brings another
            beside = self._window.tabifiedDockWidgets(self.docks[name])
            group = [panel for panel in self._order if panel == name or self.docks[panel] in beside]
            self._back.pop(name, None)
            if group and group[-1] == name:
                before = [panel for panel in group[:-1] if not self.docks[panel].isHidden()]
                if before:
                    self._back[name] = before[-1]


# --- The docked panels: which there are, where they stand at first, and their tabs with counts ---

NARROW: Final = 396
"""Width that every panel has room in."""
WIDTHS_PX, SHARES = (1280, 1920), (0.31, 0.40)
"""Widths of a window in the usual text size, and the share of the panels in each: cards need no more room than they
have at the first, figures and charts do."""
LEAST_PX: Final = 120
"""How low the room of a panel may be."""
MOST_OF_WINDOW: Final = 0.42
WORDIEST: Final = 1.15
"""By how much a wordy language may widen the panels."""
BESIDE_COLUMNS: Final = 46
"""Pixels beside the columns and the panels: what parts them, and the edges."""
TALL_FROM = 640
LOW_HEIGHT, LOW_SHARE = 720, 0.6
"""Where the panels have less height than this, those above leave more of it to the tables below."""
AFTER_PAINT_MS: Final = 20
"""A frame and a little: where a card was dropped is seen first."""

PANELS: Final[tuple[type[Panel], ...]] = (
    DurationPanel,
    DemandPanel,
    ContractsPanel,
    ChecksPanel,
    UtilizationPanel,
    CostPanel,
    BacktestPanel,
    HardwareFitPanel,
    PricesPanel,
    TodayToPlanPanel,
    InferencePanel,
    PlacementPanel,
    HistoryPanel,
    AwardPanel,
    TrackPanel,
    WaitingPanel,
)
"""Every panel in reading order."""
UPPER, LOWER = DurationPanel.about.name, ContractsPanel.about.name
FRONT_AT_FIRST: Final = frozenset({UPPER, LOWER})
"""The panels that all others are beside: they stand before the tabs until somebody brings another one there."""

_BEFORE_KEYS: Final = "Alt+Shift+"
BEFORE_DECISIONS: Final = 2
"""Panels whose digits come before that of the page Decisions (the command `decisions`)."""
DIGITS: Final = 9
"""Panels with a digit as their key."""


def keys_of_panel(kind: type[Panel]) -> str:
    """The shortcut that brings a panel to the front: its place, the tenth 0, or its letter."""
    place = PANELS.index(kind)
    digit = place + 1 if place < BEFORE_DECISIONS else place + 2
    return f"{_BEFORE_KEYS}{kind.about.letter or digit % 10}"


def panel_keys() -> ViewKeys:
    """The line of the dialog Keyboard that is of all panels."""
    letters = (keys_of_panel(kind).removeprefix(_BEFORE_KEYS) for kind in PANELS[DIGITS - 1 :])
    keys = worded("{before}1 \u2026 9, {letters}", before=_BEFORE_KEYS, letters=", ".join(letters))
    return ViewKeys(worded("Panels"), worded("Go to a panel"), keys)


WIDTH_OF_HEADINGS = 156
"""Three headings in the font that the widths above were drawn with: a wider platform font gets a wider dock."""
FITTED_WITHIN_PX: Final = 2
"""Docks that differ by less from the width that they were given are as they were."""


def panels_px(window_px: int, board_px: int, wordiness: float) -> int:
    """Return the width of the panels beside the board, in pixels.

    A share of the window as long as the board keeps its columns whole, and never less than they need themselves.
    board_px: what the columns need. wordiness: width of headings, by that of the font the widths were drawn with.
    """
    window_in_text = window_px / text_scale()
    share = float(interp(window_in_text, WIDTHS_PX, SHARES))
    wanted = max(text_px(NARROW * min(WORDIEST, wordiness)), round(share * window_px))
    wide = max(text_px(NARROW), min(wanted, window_px - board_px))
    return min(wide, round(MOST_OF_WINDOW * window_px))


AROUND_TAB, AROUND_TIGHT_TAB = 21, 12
"""Pixels of a tab beside its words, and where tabs stand closer (the style sheet)."""
BEFORE_TABS: Final = 8
"""Pixels before the first tab and after the last."""


@dataclass(frozen=True, slots=True)
class LookOfTabs:
    """Whether tabs have their short titles, and whether they stand closer."""

    is_short: bool = False
    is_tight: bool = False


def look_of_tabs(full: Sequence[str], short: Sequence[str], room_px: int) -> LookOfTabs:
    """Return the first look with which all tabs of a bar have room; where none has, the narrowest.

    full, short: titles. room_px: width of the bar.
    """

    def width(titles: Sequence[str], around: int) -> int:
        words = [off_button(title) for title in titles]
        usual = [text_width(word, font("strong")) for word in words]
        chosen = [text_width(word, font("total")) for word in words]
        wider = max(bold - plain for bold, plain in zip(chosen, usual, strict=True))
        return sum(usual) + wider + text_px(around * len(words) + BEFORE_TABS)

    if width(full, AROUND_TAB) <= room_px:
        return LookOfTabs()
    return LookOfTabs(is_short=True, is_tight=width(short, AROUND_TAB) > room_px)


class _DockTitle(QWidget):
    """A panel's heading when it stands alone; nothing where tabs name it. turn: what a double click does."""

    def __init__(self, title: str, turn: Callable[[], None]) -> None:
        super().__init__()
        self._turn = turn
        ground(self, "panel")
        self.label = heading_label(title)
        column(self.label, on=self, margins=(14, 6, 12, 4))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Takes it from the dock, which would float."""
        event.accept()
        self._turn()


class PanelDocks(QObject):
    """The panels at the right of the main window, each also under its name; declared are those that others ask for."""

    duration: DurationPanel
    demand: DemandPanel
    contracts: ContractsPanel
    checks: ChecksPanel
    cost: CostPanel
    backtest: BacktestPanel
    hardware_fit: HardwareFitPanel
    prices: PricesPanel
    today_to_plan: TodayToPlanPanel
    inference: InferencePanel
    placement: PlacementPanel
    history: HistoryPanel
    award: AwardPanel
    track: TrackPanel
    waiting: WaitingPanel

    def __init__(self, window: QMainWindow, now_s: int | None = None) -> None:
        super().__init__(window)
        self._window = window
        self._panels: dict[str, Panel] = {kind.about.name: kind(now_s) for kind in PANELS}
        for name, panel in self._panels.items():
            setattr(self, name, panel)
        self.docks: dict[str, QDockWidget] = {}
        self._openers: dict[str, QAction] = {}
        # headings of a panel among tabs and alone: a dock keeps each that it was ever given, so it is given these two
        self._blanks: dict[str, QWidget] = {}
        self._titles: dict[str, _DockTitle] = {}
        self._is_tall: bool | None = None
        self._hidden_by_page: list[str] = []
        self._grown = ""  # the panel that was given the room of all
        self._hidden_by_grown: list[str] = []
        self._sizes_before: dict[str, QSize] = {}
        self._shown: ViewState | None = None
        self._waiting: list[str] = []
        self._turn = soon(self, self._show_next)
        self._painted = AfterPaint(lambda: self._turn.start(AFTER_PAINT_MS), self)
        self._dresser = soon(self, self._dress)
        self._fronter = soon(self, self._front)
        self._fitted_px = 0  # the width that the panels were given last
        self._fitter = soon(self, self._fit_again)
        self._counts: dict[str, int] = {}  # of panels whose tab says how many rows there are to look at
        self._shortened: frozenset[str] = frozenset()  # panels whose tab has the short title
        self._tabs_fitter = soon(self, self._fit_tabs)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        window.setDocumentMode(True)
        window.setAnimated(False)
        for name, panel in self._panels.items():
            title = tr(panel.about.title)
            dock = QDockWidget(tr(panel.about.title), window)
            dock.setObjectName(f"dock_{name}")
            dock.setAccessibleName(spoken(panel.about.called or panel.about.title))
            dock.setWidget(_Room(panel))
            self._blanks[name] = QWidget()
            dock.setTitleBarWidget(self._blanks[name])
            dock.topLevelChanged.connect(self._dress_soon)
            dock.visibilityChanged.connect(self._dress_soon)
            dock.installEventFilter(self)
            self.docks[name] = dock
            self._openers[name] = self._opener(name, dock, spoken(title))
        self.docks[UPPER].visibilityChanged.connect(self.duration.sections.show_seen)
        self._sight = PanelsInSight(window, self.docks, self._panels)
        self._before = PanelsBefore(window, self.docks)
        self._arrange(True)
        window.installEventFilter(self)

    def openers(self) -> list[QAction]:
        """One action a panel, for the menu, ticked while the panel is open."""
        return list(self._openers.values())

    def openers_by_kind(self) -> list[tuple[About, QAction]]:
        """What every panel says of itself, and the action that brings it to the front."""
        return [(panel.about, self._openers[name]) for name, panel in self._panels.items()]

    def _opener(self, name: str, dock: QDockWidget, title: str) -> QAction:
        """Brings a panel to the front, wherever it is; the tick says whether it is open and follows the dock."""
        keys = keys_of_panel(type(self._panels[name]))
        action = QAction(title, self._window, checkable=True)
        action.setShortcut(keys)
        set_tip(action, tr("Go to {title} ({keys})", title=off_button(title), keys=keys))
        shown = dock.toggleViewAction()
        shown.setVisible(False)  # the menu has the opener
        action.setChecked(shown.isChecked())
        shown.toggled.connect(action.setChecked)

        def bring() -> None:
            """A click took the tick away, or set it: the panel is open from now on in either case."""
            action.setChecked(True)
            self.raise_panel(name)

        action.triggered.connect(bring)
        return action

    def show_state(self, shown: ViewState) -> None:
        """Show all panels what is known, once the board is painted: one at a turn of the event loop.

        None holds up a frame. Those in sight come first; whoever was still waiting is told of this one instead.
        """
        self._shown = shown
        self._waiting = sorted(self._panels, key=lambda name: not self._panels[name].isVisible())
        self._turn.stop()  # however long a busy machine takes to paint, nothing comes between
        self._painted.ask()

    def show_waiting(self) -> None:
        """Show all panels now what they were to be shown soon."""
        while self._waiting:
            self._show_next()

    def _show_next(self) -> None:
        """Shows the state in the next panel that waits, one a turn, so that the window answers in between."""
        if not self._waiting or self._shown is None:
            return
        name, shown = self._waiting.pop(0), self._shown
        if self._waiting:
            self._turn.start(0)
        panel = self._panels[name]
        panel.show_state(shown)
        if not panel.about.is_counted:
            return
        if (count := panel.count(shown)) != self._counts.get(name, 0):
            self._counts[name] = count
            self._show_title(name)
            self._openers[name].setText(tr(panel.about.title))

    def _title_of(self, name: str, *, is_short: bool) -> str:
        """Return the title on the tab of a panel, with its count."""
        about, count = self._panels[name].about, self._counts.get(name, 0)
        title = tr(about.title_shortly if is_short and about.title_shortly else about.title)
        return f"{title} {count}" if count else title

    def _show_title(self, name: str) -> None:
        """Show the title on the tab of a panel."""
        title = self._title_of(name, is_short=name in self._shortened)
        if self.docks[name].windowTitle() != title:
            self.docks[name].setWindowTitle(title)
            self._tabs_fitter.start()  # Qt writes it on the tab later

    def _fit_tabs(self) -> None:
        """Give the tabs of each group titles that all of them have room with, full ones where that is so."""
        if not isValid(self._window):
            return
        shortened, tight = set[str](), set[str]()
        for front in [name for name, dock in self.docks.items() if not dock.visibleRegion().isEmpty()]:
            group = [dock for dock in self._of_group(front) if not dock.isHidden()]
            names = [name for name, dock in self.docks.items() if dock in group]
            full, short = (
                [self._title_of(name, is_short=is_short) for name in names] for is_short in (False, True)
            )
            look = look_of_tabs(full, short, self.docks[front].width())
            shortened.update(names if look.is_short else ())
            tight.update(names if look.is_tight else ())
        self._shortened = frozenset(shortened)
        for name in self.docks:
            self._show_title(name)
        titles = {self.docks[name].windowTitle() for name in tight}
        for bar in self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            is_tight = bar.count() > 0 and bar.tabText(0) in titles
            if bool(bar.property("tight")) is not is_tight:
                bar.setProperty("tight", is_tight)
                bar.style().unpolish(bar)
                bar.style().polish(bar)
                bar.setIconSize(bar.iconSize())  # places its tabs again, which a style alone does not

    def raise_panel(self, name: str) -> None:
        """Bring a panel to the front and give it the keyboard."""
        self.show_waiting()  # whoever opens a panel means what it shows now
        if self._grown and self.docks[name].isHidden():
            self.leave_maximised()
        if self._fronter.isActive():  # and that it stays before those that are in front at first
            self._fronter.stop()
            self._front()
        self.docks[name].show()
        self.docks[name].raise_()
        self._sight.bring(name)
        self._panels[name].setFocus()

    def close_panel(self, name: str = "") -> None:
        """Close a panel: the one named, else the one in hand; the one that was in front before it comes back."""
        if not (name := name or self.in_hand()):
            return
        self.docks[name].close()
        if before := self._before.back_from(name):
            self.raise_panel(before)  # with the keyboard, which the closed one had
        if self._grown and all(panel.isHidden() for panel in self._of_group(self._grown)):
            self.leave_maximised()

    def in_hand(self) -> str:
        """The panel with the keyboard, else the one that came to the front last; empty where none is open."""
        focused = QApplication.focusWidget()
        seen = [name for name, panel in self._panels.items() if panel in self.visible_panels()]
        focused_names = (
            name for name in seen if focused is not None and self.docks[name].isAncestorOf(focused)
        )
        return next(focused_names, "") or next((name for name in self._before.newest() if name in seen), "")

    # One panel with the room of all

    @property
    def is_maximised(self) -> bool:
        """Whether one panel has the room of all, with the tabs beside it."""
        return bool(self._grown)

    def turn_maximised(self, name: str = "") -> None:
        """Give a panel the room of the board and of all others, or put it back; unnamed: the one in hand."""
        name = name or self.in_hand()
        if self._grown:
            self.leave_maximised()
        elif name:
            self._maximise(name)

    def _maximise(self, name: str) -> None:
        """Hides what is beside a panel's tabs, and keeps how large all of it was."""
        self.raise_panel(name)
        if self.docks[name].isFloating():
            return
        group = self._of_group(name)
        self._sizes_before = self._sizes_in_front()
        beside = [item for item in self.docks.items() if item[1] not in group]
        self._hidden_by_grown = [one for one, dock in beside if not (dock.isHidden() or dock.isFloating())]
        self._grown = name
        for other in self._hidden_by_grown:
            self.docks[other].hide()
        self._show_rest(is_shown=False)
        self._panels[name].setFocus()

    def leave_maximised(self) -> None:
        """Board and panels as they were before one had the room of all; what came to its front stays there."""
        if not self._grown:
            return
        group = [name for name, dock in self.docks.items() if dock in self._of_group(self._grown)]
        front = next((name for name in group if self._panels[name].isVisible()), self._grown)
        if (size := self._sizes_before.pop(self._grown, None)) is not None:
            self._sizes_before[front] = size
        self._sight.wait_for(frozenset(self._sizes_before))
        self._show_rest(is_shown=True)
        for name in self._hidden_by_grown:
            self.docks[name].show()
        self._grown, self._hidden_by_grown = "", []
        self._fronter.start()

    def _show_rest(self, *, is_shown: bool) -> None:
        """Shows or hides what stands beside the panels."""
        rest = self._window.centralWidget()
        assert rest is not None, "panels stand beside something"
        rest.setVisible(is_shown)

    def _of_group(self, name: str) -> list[QDockWidget]:
        """The docks that share the place of one, itself among them."""
        return [self.docks[name], *self._window.tabifiedDockWidgets(self.docks[name])]

    def _at_tab(self, bar: QTabBar, tell: Callable[[str], None], at: int) -> None:
        """A click on a tab, or two: what is done with its panel."""
        title = bar.tabText(at) if at >= 0 else None
        for name, dock in self.docks.items():
            if dock.windowTitle() == title:
                tell(name)

    def show_layers(self, pool: Pool, gpu_model: str | None) -> None:
        """Open Duration & commitment at one pool and GPU model."""
        self.raise_panel("duration")  # first: only a panel that is seen knows the newest plan
        self.duration.choose(pool, gpu_model)
        self.duration.model.setFocus()

    def show_contract(self, contract_id: str) -> None:
        """Open the Contracts panel with one contract chosen."""
        self.raise_panel("contracts")
        self.contracts.select(contract_id)

    def show_offer(self, offer_id: str) -> None:
        """Open the Prices panel with one offer chosen."""
        self.show_view("prices", "offers")
        self.prices.choose(offer_id)

    def show_view(self, name: str, view: str = "") -> None:
        """Open a panel, at one of its views where one is named."""
        self.raise_panel(name)
        if view:
            self._panels[name].show_view(view)

    def ask_model(self, model: str) -> None:
        """Open where it is said which model's offers may do the work of one."""
        self.show_view("prices", "models")
        self.prices.mapped.ask(model)

    def all_panels(self) -> list[Panel]:
        """Every panel, seen or not."""
        return [*self._panels.values()]

    def visible_panels(self) -> list[QWidget]:
        """Panels that can be seen, in reading order."""
        panels = self._panels.values()
        return [panel for panel in panels if panel.isVisible() and not panel.visibleRegion().isEmpty()]

    def is_behind(self, widget: QWidget) -> bool:
        """Whether other panels hide a widget, so that the keyboard has no business there."""
        if isinstance(widget, QTabBar):
            seen = self._window.childAt(widget.mapTo(self._window, widget.rect().center()))
            return seen is None or not (seen is widget or widget.isAncestorOf(seen))
        around = (dock for dock in self.docks.values() if dock.isAncestorOf(widget))
        return any(dock.visibleRegion().isEmpty() for dock in around)

    def hide_all(self) -> None:
        """The welcome page stands alone."""
        self.leave_maximised()
        for dock in self.docks.values():
            dock.hide()

    def show_for(self, *, is_alone: bool, was_hidden: bool) -> None:
        """Panels beside the board of a plan; a page alone has the whole width until one is asked for."""
        if was_hidden:  # as today leaves them: shown and hidden again they take a tenth of a second
            self._hidden_by_page = [name for name in self.docks if not self._panels[name].about.is_closed]
            self._sizes_before = {}
            self._arrange(self._window.height() >= TALL_FROM)
        if is_alone and not self._hidden_by_page:
            if self._grown:
                self.leave_maximised()
                self._fronter.stop()
            self._hidden_by_page = [name for name, dock in self.docks.items() if not dock.isHidden()]
            self._sizes_before = self._sizes_before or self._sizes_in_front()
            self.hide_all()
        elif not is_alone and self._hidden_by_page:
            self._sight.wait_for(frozenset(self._sizes_before) or FRONT_AT_FIRST)
            for name in self._hidden_by_page:
                self.docks[name].show()
            self._hidden_by_page = []
            self._fronter.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Under 640 px of height all panels share one row of tabs; another width may need other titles on them."""
        if watched is not self._window:
            if isinstance(event, QResizeEvent) and event.oldSize().width() != event.size().width():
                self._tabs_fitter.start()
            return super().eventFilter(watched, event)
        if event.type() == QEvent.Type.Resize and self._is_tall is not None:
            is_tall = self._window.height() >= TALL_FROM
            if is_tall != self._is_tall:
                self.leave_maximised()
                self._sizes_before = {}
                self._arrange(is_tall)
                self._fronter.start()
            elif isinstance(event, QResizeEvent) and event.oldSize().width() != event.size().width():
                self._fitter.start()
        return super().eventFilter(watched, event)

    def _arrange(self, is_tall: bool) -> None:
        """Puts the docks where they are at first.

        Two groups above each other where the window is tall, else one.
        """
        self._is_tall = is_tall
        window, docks = self._window, self.docks
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, docks[UPPER])
        if is_tall:
            window.splitDockWidget(docks[UPPER], docks[LOWER], Qt.Orientation.Vertical)
        else:
            window.tabifyDockWidget(docks[UPPER], docks[LOWER])
        for name, panel in self._panels.items():
            if panel.about.beside:
                window.tabifyDockWidget(docks[panel.about.beside], docks[name])

    def _sizes_in_front(self) -> dict[str, QSize]:
        """How large the docks are that are in front, with their tabs; of none before they are laid out."""
        bars = self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        tabs = max((bar.height() for bar in bars if bar.isVisible()), default=0)
        return {
            name: dock.size() + QSize(0, 0 if self._is_alone(dock) else tabs)
            for name, dock in self.docks.items()
            if not dock.isFloating() and not dock.visibleRegion().isEmpty()
        }

    def _front_as_before(self) -> None:
        """The tabs in front and the sizes that somebody left for the page of today, or for two plans compared."""
        kept = {self.docks[name]: size for name, size in self._sizes_before.items()}
        self._sizes_before = {}
        sizes = [size for dock, size in kept.items() if not dock.isHidden()]
        if not (docks := [dock for dock in kept if not dock.isHidden()]):
            return
        for dock in docks:
            dock.raise_()
        if self._is_fitted(sizes[0].width()):
            self.fit_width()  # to the window as it is now
        else:
            self._window.resizeDocks(docks[:1], [sizes[0].width()], Qt.Orientation.Horizontal)
        self._window.resizeDocks(docks, [size.height() for size in sizes], Qt.Orientation.Vertical)

    def _is_alone(self, dock: QDockWidget) -> bool:
        """Whether a dock shares its place with no other that is open."""
        return not any(not other.isHidden() for other in self._window.tabifiedDockWidgets(dock))

    def _front(self) -> None:
        """Brings the panels to the front that were there before, or those of the beginning."""
        if self._sizes_before:
            self._front_as_before()
        else:
            window, docks = self._window, self.docks
            if self._is_tall:
                docks[LOWER].raise_()
            docks[UPPER].raise_()
            self.fit_width()
            if self._is_tall:
                height = window.height() - 170
                share = LOW_SHARE if height < LOW_HEIGHT else 0.68
                upper = max(280, min(height - 200, round(share * height)))
                both, heights = [docks[UPPER], docks[LOWER]], [upper, height - upper]
                window.resizeDocks(both, heights, Qt.Orientation.Vertical)
        self._sight.settle()
        self._dress()

    def fit_width(self) -> None:
        """Give the panels what the columns leave, by window, text size and language."""
        letters = text_width(tr("Break-even $/GPU-h $/month"), font("small")) / text_px(WIDTH_OF_HEADINGS)
        columns = sum(least_width(lane) for lane in LANES) + idle_width() + BESIDE_COLUMNS
        self._fitted_px = panels_px(self._window.width(), columns, letters)
        self._window.resizeDocks([self.docks[UPPER]], [self._fitted_px], Qt.Orientation.Horizontal)

    def _fit_again(self) -> None:
        """Fit the width to another window, unless somebody chose one."""
        places = [dock for dock in self.docks.values() if not (dock.isFloating() or dock.isHidden())]
        seen = [dock.width() for dock in places if not dock.visibleRegion().isEmpty()]
        if not self._grown and seen and self._is_fitted(max(seen)):
            self.fit_width()

    def _is_fitted(self, width_px: int) -> bool:
        """Return whether the panels still have the width that they were given."""
        return abs(width_px - self._fitted_px) <= FITTED_WITHIN_PX

    def _dress_soon(self, _: bool) -> None:
        """Dresses the tabs after the event at hand."""
        if isValid(self._dresser):  # docks still tell of themselves while the window is taken apart
            self._dresser.start()

    def _dress(self) -> None:
        """A panel among tabs has no heading of its own; one that stands alone has."""
        for name, dock in self.docks.items():
            alone = not dock.isFloating() and self._is_alone(dock)
            bar = dock.titleBarWidget()
            if dock.isFloating():
                if bar is not None:
                    dock.setTitleBarWidget(None)  # type: ignore[arg-type]  # Qt takes none
            elif alone and not isinstance(bar, _DockTitle):
                if name not in self._titles:
                    title = off_button(tr(self._panels[name].about.title))
                    self._titles[name] = _DockTitle(title, partial(self.turn_maximised, name))
                dock.setTitleBarWidget(self._titles[name])
            elif not alone and (bar is None or isinstance(bar, _DockTitle)):
                dock.setTitleBarWidget(self._blanks[name])
        for bar in self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            bar.setAccessibleName(tr("Panels"))
            if bar.findChild(TabEdges) is None:
                TabEdges(bar)
                bar.tabBarClicked.connect(partial(self._at_tab, bar, self.raise_panel))  # in hand from now on
                bar.tabBarDoubleClicked.connect(partial(self._at_tab, bar, self.turn_maximised))
            bar.setExpanding(False)
            bar.setElideMode(Qt.TextElideMode.ElideNone)
            if not self._is_of_a_group(bar):
                bar.hide()
            bar.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            if not self.is_behind(bar):  # a group that is no more leaves its bar behind, with the same titles
                self._put_before_its_panels(bar)
        self._fit_tabs()

    def _is_of_a_group(self, bar: QTabBar) -> bool:
        """Whether tabs are of panels that stand together now: Qt leaves the tabs of a group that is no more."""
        titles = {bar.tabText(at) for at in range(bar.count())}
        shown_docks = [
            dock for dock in self.docks.values() if dock.windowTitle() in titles and not dock.isHidden()
        ]
        if len(shown_docks) < 2:
            return False
        together = {other.windowTitle() for other in self._window.tabifiedDockWidgets(shown_docks[0])}
        return {dock.windowTitle() for dock in shown_docks} == {shown_docks[0].windowTitle(), *together}

    def _put_before_its_panels(self, bar: QTabBar) -> None:
        """Tab comes to the tabs first, then to what they show."""
        titles = {bar.tabText(at) for at in range(bar.count())}
        for name, panel in self._panels.items():
            if self.docks[name].windowTitle() not in titles:
                continue
            first = panel.nextInFocusChain()
            by_tab = Qt.FocusPolicy.TabFocus
            while first is not None and first is not panel and not first.focusPolicy() & by_tab:
                first = first.nextInFocusChain()
            if first is not None and panel.isAncestorOf(first) and first.previousInFocusChain() is not bar:
                QWidget.setTabOrder(first, bar)  # side by side, and then in order:
                QWidget.setTabOrder(bar, first)  # a container would put it after its last child
            return
