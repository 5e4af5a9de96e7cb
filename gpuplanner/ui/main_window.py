"""The main window: puts the views together, and turns what they emit into one edit each."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QByteArray, QElapsedTimer, Qt, Signal
from PySide6.QtGui import (
    QActionGroup,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from gpuplanner.app.document import step_name
from gpuplanner.app.tracing import Tracer
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario import TODAY
from gpuplanner.ui.actions import ACTIONS, build_menus, enable_actions
from gpuplanner.ui.audit.page import AuditPage
from gpuplanner.ui.audit.questions import AuditQuestions
from gpuplanner.ui.board import Board
from gpuplanner.ui.board_flow import BoardFlow
from gpuplanner.ui.data_quality_card import DataQualityCard
from gpuplanner.ui.dialog_size import stand_below
from gpuplanner.ui.gestures import Gestures
from gpuplanner.ui.headline import Headline
from gpuplanner.ui.headline_figures import figures_of
from gpuplanner.ui.hover_change import hover_change, rule_warnings
from gpuplanner.ui.icons import icon
from gpuplanner.ui.localized import localized
from gpuplanner.ui.panel_docks import PanelDocks
from gpuplanner.ui.placement_flow import PlacementFlow
from gpuplanner.ui.plan_from_flow import plan_from_day
from gpuplanner.ui.plans_flow import PlansFlow
from gpuplanner.ui.prices_flow import PricesFlow
from gpuplanner.ui.regions import to_next_region
from gpuplanner.ui.said import said
from gpuplanner.ui.scenario_bar import ScenarioBar
from gpuplanner.ui.shown import Shown, shown_next
from gpuplanner.ui.status_line import StatusLine
from gpuplanner.ui.style_sheet import apply_palette
from gpuplanner.ui.theme import PALETTES, Palette
from gpuplanner.ui.today_page import AUDIT, BOARD, TodaySwitch
from gpuplanner.ui.type_scale import font
from gpuplanner.ui.welcome import WelcomePage
from gpuplanner.ui.why import WhyPopover
from gpuplanner.ui.why_audit import FIGURES_OF_TODAY
from gpuplanner.ui.why_everywhere import WhyEverywhere
from gpuplanner.ui.why_plan import why
from gpuplanner.ui.window_bars import bar_of


class MainWindow(QMainWindow):
    """Told of a Document and an Evaluator; what concerns files is asked of whoever connects to the signals."""

    new_asked = Signal()
    open_asked = Signal()
    open_path_asked = Signal(str)
    demo_asked = Signal()
    import_asked = Signal()
    public_prices_asked = Signal()
    files_dropped = Signal(list)  # paths
    save_asked = Signal()
    save_as_asked = Signal()
    export_asked = Signal()
    export_focus_asked = Signal()
    export_brief_asked = Signal()
    jobs_asked = Signal(object)  # CardFigures whose jobs are to be seen
    merged_jobs_asked = Signal(object, object)  # merged CardFigures, and names of its workloads by key
    jobs_in_hours_asked = Signal(
        object, object, str
    )  # CardFigures, the hours that count (None: all), in words
    today_view_chosen = Signal(str)
    rows_asked = Signal(
        object, object, object
    )  # CardFigures, and the start and end (epoch s) of the jobs to be seen
    traffic_asked = Signal(str)  # key of the endpoint whose requests are to be read from a file
    window_asked = Signal()
    rule_asked = Signal()  # a rule from what was decided last, or from the selected cards
    rules_asked = Signal()
    palette_chosen = Signal(str)
    board_view_changed = Signal(str)  # how the board is looked at, as text to be remembered
    close_asked = Signal(object)  # QCloseEvent: ignore it to stay

    def __init__(
        self,
        document: Any,
        evaluator: Any,
        palette: Palette,
        parent: QWidget | None = None,
        now_s: int | None = None,
    ) -> None:
        super().__init__(parent)
        self.document, self.evaluator = document, evaluator
        self.gestures = Gestures(document, self, self.time_s)
        self.gestures.failed.connect(self.show_failure)
        self._palette, self._now_s = palette, now_s
        self._running = QElapsedTimer()
        self._running.start()
        self._today_view = AUDIT
        self._shown: Shown | None = None
        self._hover: tuple[tuple[str, ...], Pool] | None = None
        self._title = ("", False)
        self.setObjectName("main")
        self.setAccessibleName(said("gpuplanner"))
        self.setWindowTitle(said("gpuplanner"))
        self.setMinimumSize(960, 540)
        self.setAcceptDrops(True)
        self.setDockOptions(
            QMainWindow.DockOption.AllowTabbedDocks
            | QMainWindow.DockOption.GroupedDragging
            | QMainWindow.DockOption.AllowNestedDocks
        )
        self.actions_by_id, self.menus = build_menus(self.menuBar(), self)
        self._build_views()
        self._connect_actions()
        self._connect_views()
        document.changed.connect(self.show_project)
        evaluator.evaluated.connect(self.show_evaluation)
        evaluator.failed.connect(self.show_failure)
        evaluator.previewed.connect(self.show_preview)
        self.show_palette(palette)
        self.show_welcome()

    # Building

    def _build_views(self) -> None:
        palette, by_id = self._palette, self.actions_by_id
        self._corner = QLabel(said("No project"))
        self._corner.setProperty("role", "muted")
        self._corner.setFont(font("small"))
        self._corner.setContentsMargins(0, 0, 12, 0)
        self._corner.setMinimumSize(360, 24)
        self._corner.setAlignment(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
        self.menuBar().setCornerWidget(self._corner, Qt.Corner.TopRightCorner)
        self.scenario_bar = ScenarioBar(
            palette, by_id["undo"], by_id["redo"], by_id["compare"], by_id["present"], by_id["export"]
        )
        self.headline = Headline(palette)
        self._bars = [
            bar_of(self, said("Scenario bar"), self.scenario_bar),
            bar_of(self, said("Headline bar"), self.headline),
        ]
        self.welcome = WelcomePage(palette)
        self.board = Board(palette)
        self.audit = AuditPage(palette)
        self.today_switch = TodaySwitch(palette)
        self.data_quality = DataQualityCard(palette)
        self._above_board = QWidget()
        above = QVBoxLayout(self._above_board)
        above.setContentsMargins(9, 0, 9, 0)
        above.addWidget(self.data_quality)
        on_board = QWidget()
        below = QVBoxLayout(on_board)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(0)
        below.addWidget(self._above_board)
        below.addWidget(self.board, 1)
        self._views = QStackedWidget()  # of Today; a plan has the board alone
        self._views.addWidget(self.audit)
        self._views.addWidget(on_board)
        workspace = QWidget()
        workspace.setObjectName("page")
        layout = QVBoxLayout(workspace)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.today_switch)
        layout.addWidget(self._views, 1)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.welcome)
        self._pages.addWidget(workspace)
        self.setCentralWidget(self._pages)
        self.docks = PanelDocks(self, palette, self._now_s)
        for action in self.docks.toggles():
            self.menus["Panels"].addAction(action)
        self.status = StatusLine(palette)
        self.setStatusBar(self.status)
        self.board_flow = BoardFlow(self, self.board)
        self.why = WhyPopover(palette, self)
        self.questions = AuditQuestions(self.why, lambda: self._shown, self)
        self.why_everywhere = WhyEverywhere(self, lambda: self._shown, self._now_s)

    def _connect_actions(self) -> None:
        by_id, board = self.actions_by_id, self.board
        stack = self.document.undo_stack
        handlers: dict[str, Callable[[], object]] = {
            "new": self.new_asked.emit,
            "open": self.open_asked.emit,
            "demo": self.demo_asked.emit,
            "import": self.import_asked.emit,
            "public_prices": self.public_prices_asked.emit,
            "save": self.save_asked.emit,
            "save_as": self.save_as_asked.emit,
            "export": self.export_asked.emit,
            "export_focus": self.export_focus_asked.emit,
            "export_brief": self.export_brief_asked.emit,
            "quit": self.close,
            "undo": stack.undo,
            "redo": stack.redo,
            "pin": board.toggle_pin,
            "find": self._find,
            "jobs": board.open_jobs,
            "window": self.window_asked.emit,
            "make_rule": self.rule_asked.emit,
            "rules": self.rules_asked.emit,
            "next_region": self._next_region,
            "why": self._ask_why_of_focus,
            "separate": self.board_flow.ask_separation,
            "split": board.ask_split,
            "merge": board.ask_merge,
            "merge_cards": board.ask_merge_cards,
            "take_apart": board.ask_apart,
            "card_note": self.board_flow.write_note,
            "details": board.show_details,
            "clear_filter": board.clear_filter,
            "use_advice": self.docks.duration.ask_advice,
            "greenfield": self.gestures.turn_greenfield,
            "plan_from": self._choose_plan_from,
            "assumptions": self._open_assumptions,
            "words": self._show_words,
            "keys": self._show_keys,
            "about": self._show_about,
        }
        for pool in POOLS:
            handlers[f"move_{pool}"] = lambda pool=pool: board.move_selected(pool)
            handlers[f"label_{pool}"] = lambda pool=pool: board.label_selected(pool)
        for action_id, handler in handlers.items():
            by_id[action_id].triggered.connect(lambda _=False, handler=handler: handler())
        group = QActionGroup(self)
        for name in PALETTES:
            group.addAction(by_id[name])
            by_id[name].triggered.connect(lambda _=False, name=name: self.choose_palette(name))
        for action_id, can_changed, text_changed, can, text in (
            ("undo", stack.canUndoChanged, stack.undoTextChanged, stack.canUndo(), stack.undoText()),
            ("redo", stack.canRedoChanged, stack.redoTextChanged, stack.canRedo(), stack.redoText()),
        ):
            can_changed.connect(by_id[action_id].setEnabled)
            text_changed.connect(partial(self._name_step, action_id))
            by_id[action_id].setEnabled(can)
            self._name_step(action_id, text)

    def _connect_views(self) -> None:
        board, bar, docks = self.board, self.scenario_bar, self.docks
        board.view_changed.connect(self.board_view_changed)
        board.preview_asked.connect(self._ask_preview)
        board.preview_ended.connect(self._end_preview)
        board.import_asked.connect(self.import_asked)
        board.jobs_asked.connect(self._ask_card_jobs)
        board.rule_asked.connect(self.rule_asked)
        bar.scenario_chosen.connect(self.choose_scenario)
        self.headline.why_asked.connect(self._ask_why)
        self.status.checks_asked.connect(lambda: docks.raise_panel("checks"))
        self.audit.figure_opened.connect(self.questions.ask)
        self.audit.leak_opened.connect(self.open_leak)
        self.audit.import_asked.connect(self.import_asked)
        self.questions.jobs_asked.connect(self._ask_jobs_in)
        self.questions.failed.connect(self.show_failure)
        self.today_switch.view_chosen.connect(self.choose_today_view)
        self.today_switch.costs_asked.connect(self.docks.show_costs)
        docks.duration.levels_set.connect(self.gestures.set_levels)
        docks.duration.hold_turned.connect(self.gestures.hold_level)
        docks.duration.level_let_go.connect(self.gestures.end_gesture)
        docks.duration.advice_asked.connect(self.gestures.use_advice)
        docks.duration.import_asked.connect(self.import_asked)
        docks.recommendations.workload_asked.connect(self.show_workload)
        docks.recommendations.contract_asked.connect(docks.show_contract)
        docks.recommendations.layers_asked.connect(docks.show_layers)
        docks.recommendations.plan_from_asked.connect(self._choose_plan_from)
        docks.recommendations.plan_from_wanted.connect(partial(plan_from_day, self))
        docks.recommendations.import_asked.connect(self.import_asked)
        self.status.plan_from_asked.connect(self._choose_plan_from)
        self.status.import_asked.connect(self.import_asked)
        docks.contracts.layers_asked.connect(docks.show_layers)
        docks.checks.workload_asked.connect(self.show_workload)
        docks.hardware_fit.workload_asked.connect(self.show_workload)
        docks.hardware_fit.need_set.connect(self.gestures.set_need)
        self.prices_flow = PricesFlow(self, docks.prices)
        self.plans = PlansFlow(self, self._pages)
        self.placement_flow = PlacementFlow(self, docks.placement)
        docks.cost.jobs_asked.connect(self._ask_jobs_between)
        docks.cost.contract_asked.connect(docks.show_contract)
        docks.cost.traffic_asked.connect(self.traffic_asked)
        self.welcome.demo_asked.connect(self.demo_asked)
        self.welcome.open_asked.connect(self.open_asked)
        self.welcome.import_asked.connect(self.import_asked)
        self.welcome.recent_asked.connect(self.open_path_asked)
        self.welcome.files_dropped.connect(self.files_dropped)

    # What to show

    def show_welcome(self) -> None:
        """Nothing is loaded: the welcome page."""
        self._shown = None
        self.board_flow.show_shown(None)
        self._pages.setCurrentWidget(self.welcome)
        for bar in self._bars:
            bar.hide()
        self.plans.show_for(is_plan=False)
        self.docks.hide_all()
        self.status.show_nothing()
        self._corner.setText(said("No project"))
        self._enable(False)

    def show_project(self, project: Project) -> None:
        """The project changed: show its tabs now, and ask for its figures."""
        names = tuple(scenario.name for scenario in project.scenarios)
        if project.is_empty:
            self.show_welcome()
            return
        if self.scenario != TODAY and self.scenario not in names:
            self.gestures.scenario = names[0] if names else TODAY
        self.scenario_bar.show_scenarios(names, self.scenario)
        self.plans.fill_menu(names)
        self._show_workspace()
        self.evaluator.evaluate_soon(project, self.scenario)

    def show_evaluation(self, evaluation: Evaluation) -> None:
        """Show what is known so far of the newest project."""
        if evaluation.scenario != self.scenario:
            return
        shown = shown_next(self._shown, evaluation)
        self._shown = shown
        self.headline.show_figures(figures_of(shown))
        self.board_flow.show_shown(shown)
        self.board.show_shown(shown)
        self._above_board.setVisible(shown.is_today)
        if shown.is_today:
            self.audit.show_shown(shown)
            self.data_quality.show_evaluation(evaluation)
        self.docks.show_shown(shown)
        self.status.show_shown(shown)
        if self._hover is not None:
            self._ask_preview(*self._hover)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.data_quality.show_in(self.height())

    def show_preview(self, request: Any, after: Advice) -> None:
        """Show in the column under the cursor what a drop would change."""
        shown = self._shown
        if self._hover is None or shown is None or shown.advice is None or shown.is_settling:
            return
        keys, pool = self._hover
        if request.pool is pool and request.keys == frozenset(keys):
            warnings = rule_warnings(keys, pool, shown)
            self.board.show_preview(pool, hover_change(shown.advice, after, warnings))

    def show_failure(self, error: Exception) -> None:
        """Say what went wrong, and what to do."""
        from gpuplanner.ui.message import show_error

        show_error(self, error)

    def show_title(self, name: str, is_saved: bool) -> None:
        """The file's name and whether it is saved, at the right of the menu bar."""
        self._title = (name, is_saved)
        self._corner.setText(
            said("{name} \u00b7 saved", name=name)
            if name and is_saved
            else said("{name} \u00b7 not saved", name=name)
            if name
            else said("No project")
        )
        self._corner.setAccessibleName(self._corner.text())
        self.setWindowTitle(f"{name}[*] \u2013 gpuplanner" if name else said("gpuplanner"))
        self.setWindowModified(bool(name) and not is_saved)

    def show_recent(self, recent: list[tuple[str, str, str, str]]) -> None:
        """Projects opened before: path, name, what is in it, when."""
        self.welcome.show_recent(recent)
        menu = self.menus["File/Open recent"]
        menu.clear()
        for path, name, _, _ in recent:
            action = menu.addAction(name.replace("&", "&&"))
            action.setToolTip(path)
            action.triggered.connect(lambda _=False, path=path: self.open_path_asked.emit(path))
        menu.setEnabled(bool(recent))

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on, everywhere at once."""
        self._palette = palette
        self.setUpdatesEnabled(False)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        apply_palette(application, palette)
        for view in (
            self.scenario_bar,
            self.headline,
            self.board,
            self.audit,
            self.data_quality,
            self.docks,
            self.status,
            self.welcome,
            self.why,
            self.plans,
        ):
            view.show_palette(palette)
        for spec in ACTIONS:
            if spec.icon:
                self.actions_by_id[spec.action_id].setIcon(icon(spec.icon, palette.muted, palette.edge))
        self.actions_by_id[palette.name].setChecked(True)
        self.setUpdatesEnabled(True)

    # What was asked of it

    @property
    def palette_in_use(self) -> Palette:
        """The colours it is drawn in."""
        return self._palette

    @property
    def shown(self) -> Shown | None:
        """What is shown now; None on the welcome page."""
        return self._shown

    @property
    def has_workspace(self) -> bool:
        """Whether a project is shown rather than the welcome page."""
        return self._pages.currentWidget() is not self.welcome

    @property
    def scenario(self) -> str:
        """The scenario that is shown."""
        return self.gestures.scenario

    def choose_scenario(self, name: str) -> None:
        """Show another scenario."""
        self.plans.compare.leave()
        project = self.document.project
        self.gestures.scenario = name
        self.scenario_bar.show_scenarios(tuple(scenario.name for scenario in project.scenarios), name)
        self._show_workspace()
        self.evaluator.evaluate_soon(project, name)

    def choose_today_view(self, name: str) -> None:
        """Show Today as the audit or as the board, and let it be remembered."""
        self._today_view = name
        self.today_switch.show_view(name)
        self._show_view()
        self.today_view_chosen.emit(name)

    def show_compared(self, *, is_compared: bool) -> None:
        """Plans side by side have the window to themselves, or the shown one has it again."""
        if not is_compared:
            self._pages.setCurrentIndex(1)
        self._show_workspace()

    @property
    def evaluation(self) -> Evaluation | None:
        """What is known of what is shown."""
        return None if self._shown is None else self._shown.evaluation

    def _find(self) -> None:
        self._bring_board()
        self.board.focus_search()

    def show_workload(self, key: str) -> None:
        """Bring the card of a workload into view."""
        self._bring_board()
        self.board.show_workload(key)

    def _bring_board(self) -> None:
        """Cards are to be seen: on Today the board, not the audit."""
        if self.scenario == TODAY and self._today_view != BOARD:
            self.choose_today_view(BOARD)

    def _show_view(self) -> None:
        is_today = self.scenario == TODAY
        self.today_switch.setVisible(is_today)
        before = self._views.currentIndex()
        self._views.setCurrentIndex(0 if is_today and self._today_view == AUDIT else 1)
        if self._views.currentIndex() == 0 and before != 0:
            self.today_switch.buttons[AUDIT].setFocus()  # what had the keyboard is out of sight

    def choose_palette(self, name: str) -> None:
        """Show another palette, and let it be remembered."""
        self.show_palette(PALETTES[name])
        self.palette_chosen.emit(name)

    def layout_state(self) -> bytes:
        """Where the panels stand, to be remembered."""
        return bytes(self.saveState(1).data())

    def restore_layout(self, state: bytes) -> None:
        """Put the panels where they stood."""
        if state:
            self.restoreState(QByteArray(state), 1)

    # What needs a question or a dialog first

    def _show_words(self) -> None:
        from gpuplanner.ui.glossary import GlossaryDialog

        GlossaryDialog(self).exec()

    def _choose_plan_from(self) -> None:
        from gpuplanner.ui.plan_from_flow import choose_plan_from

        choose_plan_from(self)

    def _open_assumptions(self) -> None:
        from gpuplanner.ui.assumptions_dialog import AssumptionsDialog

        project = self.document.project
        scenario = None if self.scenario == TODAY else self.scenario
        dialog = AssumptionsDialog(project, scenario, self._palette, self)
        stand_below(dialog, self.headline)  # what an assumption changes is seen there
        dialog.assumption_changed.connect(self.gestures.set_assumption)
        dialog.plan_from_asked.connect(self._choose_plan_from)
        self.document.changed.connect(dialog.show_project)
        dialog.exec()

    def open_leak(self, leak_id: str) -> None:
        """Open the sheet of one leak of the audit: what is behind it, and what to do about it."""
        from gpuplanner.ui.leak_flow import LeakFlow
        from gpuplanner.ui.leak_sheet import LeakSheet

        if self._shown is None:
            return
        there = next((sheet for sheet in self.findChildren(LeakSheet) if sheet.isVisible()), None)
        if there is not None and there.leak_id == leak_id:  # asked for again: it may lie behind
            there.raise_()
            there.activateWindow()
            return
        flow = LeakFlow(self, self._shown.evaluation, leak_id, self.time_s, self.gestures.edit)
        sheet = flow.sheet
        sheet.workload_asked.connect(self._ask_jobs)
        sheet.contract_asked.connect(sheet.close)  # the panel lies behind it
        sheet.contract_asked.connect(self.docks.show_contract)
        sheet.figure_opened.connect(self.questions.ask)
        sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if there is not None:  # one sheet: another leak stands where the one before stood
            sheet.resize(max(sheet.width(), there.width()), sheet.height())
            sheet.move(there.pos())
            there.close()
        sheet.show()  # not modal: the jobs of a part open beside it

    def time_s(self) -> int:
        """The time in epoch seconds UTC, from the clock that was read at the start; without one, the window's end."""
        if self._now_s is None:
            return int(self.document.project.window.end_s)
        return self._now_s + self._running.elapsed() // 1000

    def _ask_jobs(self, key: str) -> None:
        card = self.board_flow.card_with_jobs(key)
        if card is not None:
            self.jobs_asked.emit(card)

    def _ask_card_jobs(self, key: str) -> None:
        """The jobs behind a card of the board: of all that are merged in it."""
        merged = self.board_flow.merged_with_jobs(key)
        if merged is None:
            self._ask_jobs(key)
        else:
            self.merged_jobs_asked.emit(*merged)

    def _ask_jobs_in(self, card: Any, hours: object, scope: str) -> None:
        """The jobs behind an answer, of the whole workload where the card is a part; None: in all hours."""
        self.jobs_in_hours_asked.emit(self.board_flow.card_with_jobs(card.key) or card, hours, scope)

    def _ask_jobs_between(self, key: str, start_s: int | None, end_s: int | None) -> None:
        """The jobs of a workload in a part of the window; of all of it where no part is said."""
        card = self.board_flow.card_with_jobs(key)
        if card is not None:
            self.rows_asked.emit(card, start_s, end_s)

    # Hover

    def _ask_preview(self, keys: tuple[str, ...], pool: Pool) -> None:
        self._hover = (keys, pool)
        self.evaluator.preview(keys, pool)

    def _end_preview(self) -> None:
        self._hover = None
        self.evaluator.stop_previewing()

    # Why, regions, menus

    @property
    def tracer(self) -> Tracer:
        """Who works out why a figure of the audit is what it is."""
        return self.questions.tracer

    def _ask_why(self, figure_id: str) -> None:
        button = self.headline.button_of(figure_id)
        if self._shown is None or button is None:
            return
        if self._shown.is_today:
            self.questions.ask(FIGURES_OF_TODAY[figure_id], button)
        else:
            self.questions.show(why(figure_id, self._shown), button)

    def _ask_why_of_focus(self) -> None:
        focused = QApplication.focusWidget()
        if focused is not None and not self.isAncestorOf(focused) and hasattr(focused, "ask_why"):
            focused.ask_why()  # in a sheet or a dialog
            return
        if focused is not None and (
            (self.audit.isVisible() and self.audit.ask_why_of(focused))
            or self.why_everywhere.ask_why_of(focused)
        ):
            return
        button = focused if focused in self.headline.buttons else self.headline.buttons[0]
        if button.isVisible():
            button.click()  # type: ignore[union-attr]

    def _next_region(self) -> None:
        view = self._views.currentWidget()
        regions = [self.scenario_bar, self.headline, self.today_switch, view, *self.docks.visible_panels()]
        if self._pages.currentWidget() is self.welcome:
            regions = [self.welcome]
        to_next_region(regions)

    def _show_workspace(self) -> None:
        was_welcome = self._pages.currentWidget() is self.welcome
        is_compared = self.plans.compare.is_shown
        if not is_compared:
            self._pages.setCurrentIndex(1)
        self._bars[0].show()
        self._bars[1].setVisible(not is_compared)
        self.plans.show_for(is_plan=self.scenario != TODAY)
        self._show_view()
        if was_welcome:
            first = self.board.search if self._views.currentIndex() else self.today_switch.buttons[AUDIT]
            first.setFocus()  # no card has the keyboard before the planner gives it to one
        self.docks.show_for(is_today=is_compared or self.scenario == TODAY, was_hidden=was_welcome)
        self._enable(True)

    def _enable(self, has_project: bool) -> None:
        is_plan = has_project and self.scenario != TODAY
        enable_actions(self.actions_by_id, has_project=has_project, is_plan=is_plan)
        is_green = is_plan and self.document.project.scenario(self.scenario).greenfield
        self.actions_by_id["greenfield"].setChecked(is_green)
        self.menus["Panels"].setEnabled(has_project)
        keys = (*self.menus["Scenario/Go to"].actions(), *self.menus["Panels"].actions())
        for action in keys:  # else they would lead from the welcome page to nothing
            action.setEnabled(has_project)

    def _name_step(self, action_id: str, text: str) -> None:
        action = self.actions_by_id[action_id]
        if isValid(action):  # the stack says goodbye after the menus are gone
            stack = self.document.undo_stack
            at = stack.index() - (action_id == "undo") if text else -1
            step = localized(step_name(stack, at) or text)
            title = said("Undo {step}", step=step) if action_id == "undo" else said("Redo {step}", step=step)
            action.setText(title.strip())

    def _show_keys(self) -> None:
        from gpuplanner.ui.about import KeysDialog

        KeysDialog(self._palette, self).exec()

    def _show_about(self) -> None:
        from gpuplanner.ui.about import AboutDialog

        AboutDialog(self._palette, self).exec()

    def focusNextPrevChild(self, is_forward: bool) -> bool:
        """Tab passes by what lies behind: panels under other panels, tab bars of groups that are no more."""
        for _ in range(200):
            if not super().focusNextPrevChild(is_forward):
                return False
            focused = QApplication.focusWidget()
            if focused is None or not self.docks.is_behind(focused):
                break
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button that has the keyboard, as in a dialog: what no view took for itself comes here."""
        focused = QApplication.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(focused, QAbstractButton):
            focused.click()
        else:
            super().keyPressEvent(event)

    # Files dropped on the window, and closing

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.files_dropped.emit(paths)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.close_asked.emit(event)
