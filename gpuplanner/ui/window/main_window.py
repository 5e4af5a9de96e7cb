"""The main window: puts the views together, and turns what they emit into one edit each."""

from collections.abc import Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QMainWindow, QToolBar, QWidget

from gpuplanner.charts.kit.plain_text import add_named, set_tip
from gpuplanner.charts.kit.translation import tr, use_currency
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.kit import icons, page_parts, palettes, style_sheet, text_sizes, type_scale
from gpuplanner.ui.kit.layout import named
from gpuplanner.ui.window.middle import Middle
from gpuplanner.ui.window.view_switch import AUDIT, BOARD, DECISIONS
from gpuplanner.ui.words.commands import COMMANDS

if TYPE_CHECKING:
    from gpuplanner.app.settings import Settings
    from gpuplanner.domain.commitment.plan.comparison import Horizon
    from gpuplanner.domain.evaluation import Evaluation
    from gpuplanner.domain.model.project import Project
    from gpuplanner.ui.state.view_state import ViewState
    from gpuplanner.ui.tables.table_habits import Action, Memory
    from gpuplanner.ui.window.palette_entries import PaletteEntry

# --- F6: the keyboard goes from one part of the window to the next -------------------------------


def to_next_region(regions: Sequence[QWidget]) -> None:
    """Give the keyboard to the first control of the region after the one that has it, round and round."""
    focused = QApplication.focusWidget()
    here = next((at for at, region in enumerate(regions) if focused and region.isAncestorOf(focused)), -1)
    for step in range(1, len(regions) + 1):
        if (target := _first_control(regions[(here + step) % len(regions)])) is not None:
            target.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return


def _first_control(region: QWidget) -> QWidget | None:
    """The first widget of a region that the keyboard can go to; None if there is none."""
    seen = (one for one in region.findChildren(QWidget) if one.isVisible() and one.isEnabled())
    return next((one for one in seen if one.focusPolicy() & Qt.FocusPolicy.TabFocus), None)


# --- The main window: puts the views together, and turns what they emit into one edit each -------


class MainWindow(QMainWindow):
    """Told of a Document and an Evaluator, of which it makes a session; knows the flows, and they do not know it.

    Without these it is a frame with the welcome page, painted before the rest is imported; `complete` makes that.
    """

    def __init__(self, document: Any = None, evaluator: Any = None, now_s: int | None = None) -> None:
        super().__init__()
        self.memory: Memory | None = None
        self._waits: Mapping[Horizon, tuple[Text, ...]] = {}  # lines of the headline
        self._title = ("", False)
        self._wants_checklist = True
        self._is_workspace_late = False
        named(self, tr("gpuplanner"), look="main")
        self.setWindowTitle(tr("gpuplanner"))
        self.setMinimumSize(960, 540)
        self.setAcceptDrops(True)
        docks = QMainWindow.DockOption
        self.setDockOptions(docks.AllowTabbedDocks | docks.GroupedDragging | docks.AllowNestedDocks)
        self.corner_text = page_parts.label(tr("No project"), role="muted", step="small")
        self.corner_text.setContentsMargins(0, 0, 12, 0)
        self.corner_text.setMinimumSize(type_scale.text_px(360), type_scale.text_px(24))
        self.corner_text.setAlignment(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
        self.menuBar().setCornerWidget(self.corner_text, Qt.Corner.TopRightCorner)
        self.middle = Middle(self)
        self.setCentralWidget(self.middle)
        self.welcome = self.middle.welcome
        self.statusBar()  # where that of a project will be, so that the page stays where it is
        self.is_complete = False
        if document is not None:
            self.complete(document, evaluator, now_s)

    def complete(self, document: Any, evaluator: Any, now_s: int | None = None) -> None:
        """Make all that works on a project."""
        from gpuplanner.app.background import AfterPaint
        from gpuplanner.ui.flows.session import Session
        from gpuplanner.ui.window import menus, window_actions

        use_currency(document.project.currency)
        self.session = Session(document, evaluator, self, now_s)
        self.session.gestures.failed.connect(self.show_failure)
        self._today_view, self._plan_view = AUDIT, BOARD
        self.actions_by_id, self.menus = menus.build_menus(self.menuBar(), self)
        # A turn of its own: what was typed comes first
        self._around = page_parts.soon(self, self._show_around, 1)
        self._painted = AfterPaint(self._around.start, self)
        self._build_views()
        self._connect_views()
        window_actions.connect_commands(self, self.session, self.actions_by_id)
        document.changed.connect(self.show_project)
        evaluator.evaluated.connect(self.show_evaluation)
        evaluator.failed.connect(self.show_failure)
        for row in COMMANDS:
            if row.icon:
                self.actions_by_id[row.command_id].setIcon(icons.icon(row.icon, "muted", "edge"))
        self.show_palette(palettes.in_use())
        self.show_welcome()
        self.is_complete = True

    # Building

    def _build_views(self) -> None:
        """Makes all that is seen: bars, pages, board, audit, docks and status."""
        from gpuplanner.ui.decisions.strip import DecisionStrip
        from gpuplanner.ui.flows.year_flow import YearBar
        from gpuplanner.ui.frame import checklist, headline, panel_docks, scenario_bar, status_line

        by_id = self.actions_by_id
        its_actions = (by_id[name] for name in ("undo", "redo", "compare", "present", "export"))
        self.scenario_bar = scenario_bar.ScenarioBar(*its_actions)
        self.headline = headline.Headline()
        self.strip = DecisionStrip()
        self.checklist = checklist.Checklist()
        self.year_bar = YearBar()
        self._bars = [
            bar_of(self, tr("Plan bar"), self.scenario_bar),
            bar_of(self, tr("Headline bar"), self.headline),
            bar_of(self, tr("Decisions bar"), self.strip),
            bar_of(self, tr("Year bar"), self.year_bar),
            bar_of(self, tr("Checklist bar"), self.checklist),
        ]
        middle = self.middle
        middle.complete(self.session.now_s)
        self.board, self.audit, self.page = middle.board, middle.audit, middle.decisions
        self.today_switch, self.data_quality = middle.today_switch, middle.data_quality
        self.file_notice = middle.file_notice
        self.docks = panel_docks.PanelDocks(self, self.session.now_s)
        for action in self.docks.openers():
            self.menus["Panels"].addAction(action)
        self.status = status_line.StatusLine()
        self.setStatusBar(self.status)
        self._build_flows()

    def _build_flows(self) -> None:
        """Makes what walks between views and project; flows know the ways, not each other."""
        from gpuplanner.ui.flows import dated_flow, why_everywhere
        from gpuplanner.ui.flows.ask_flow import AskFlow
        from gpuplanner.ui.flows.board import board_flow, hover_flow, job_questions
        from gpuplanner.ui.flows.decisions_flow import DecisionsFlow
        from gpuplanner.ui.flows.panels import contract_flow, cost_flow, placement_flow, prices_flow
        from gpuplanner.ui.flows.plans_flow import PlansFlow
        from gpuplanner.ui.flows.session import Ways
        from gpuplanner.ui.flows.year_flow import YearFlow
        from gpuplanner.ui.frame import question_bar, what_if
        from gpuplanner.ui.why.audit_questions import AuditQuestions
        from gpuplanner.ui.why.popover import WhyPopover
        from gpuplanner.ui.window import command_palette, window_actions

        session, board, docks = self.session, self.board, self.docks
        self.why = WhyPopover(self)
        self.questions = AuditQuestions(self.why, lambda: session.view_state, self)
        self.jobs = job_questions.JobQuestions(session, board)
        self.levers = dated_flow.LeversFlow(session, board, self.headline, self.questions.answer_for)
        self.dated = dated_flow.DatedFlow(session, board, self.levers.watch)
        self.contracts = contract_flow.ContractFlow(session, self.why)
        self.ask_flow = AskFlow(session, self.show_place)
        self.ways = Ways(
            workload=self.show_workload,
            contract=docks.show_contract,
            edit_contract=self.contracts.edit,
            offer=docks.show_offer,
            panel=self.show_place,
            scenario=self.choose_scenario,
            stop_team=self.levers.ask_team,
            ask=self.ask_flow.ask,
            jobs=self.jobs.ask,
            why=self.questions.ask,
            answer_for=self.questions.answer_for,
            back=self.questions.offer_way_back,
        )
        self.board_flow = board_flow.BoardFlow(session, board, self.ways)
        self.hover_flow = hover_flow.HoverFlow(session, board)
        self.year = YearFlow(session, self.year_bar, self.show_month)
        self.prices_flow = prices_flow.PricesFlow(session, docks.prices)
        strip, question = what_if.WhatIfStrip(), question_bar.QuestionBar()
        self.plans = PlansFlow(
            session=session,
            bar=self.scenario_bar,
            by_id=self.actions_by_id,
            go_to=self.menus["Plan/Go to"],
            pages=self.middle.pages,
            history=docks.history,
            what_if_bar=bar_of(self, tr("What if bar"), strip),
            strip=strip,
            question_bar=bar_of(self, tr("Question bar"), question),
            question=question,
            ways=self.ways,
        )
        self.placement_flow = placement_flow.PlacementFlow(session, docks.placement)
        self.cost_flow = cost_flow.CostFlow(session, docks.cost)
        self.why_everywhere = everywhere = why_everywhere.WhyEverywhere(
            session=session,
            questions=self.questions,
            docks=docks,
            board=board,
            audit=self.audit,
            data_quality=self.data_quality,
            status=self.status,
            compare=self.plans.compare,
            page=self.page,
        )
        self.why_flow = why_everywhere.WhyFlow(
            session=session,
            headline=self.headline,
            audit=self.audit,
            questions=self.questions,
            everywhere=everywhere,
        )
        self.decisions = DecisionsFlow(session, self.strip, self.page, self.ways)
        self.dialogs = window_actions.WindowDialogs(session, self.dated, self.headline, self.commands)
        self.dialogs.ask_of = lambda: command_palette.asking(self.ask_flow)
        self.dialogs.panel_in_hand = self._panel_in_hand

    def _connect_views(self) -> None:
        """Turns what views say into gestures and questions."""
        from gpuplanner.ui.flows.all_plans_flow import connect_plan_from

        board, bar, docks = self.board, self.scenario_bar, self.docks
        asks, gestures = self.session.asks, self.session.gestures
        board.view_changed.connect(asks.board_view_changed)
        board.import_asked.connect(asks.import_asked)
        board.jobs_asked.connect(self.jobs.ask_of_card)
        board.rule_asked.connect(asks.rule_asked)
        self.checklist.asked.connect(self._take_step)
        self.checklist.hide_asked.connect(self.turn_checklist)
        bar.scenario_chosen.connect(self.choose_scenario)
        self.headline.why_asked.connect(self.why_flow.ask)
        self.headline.waits_asked.connect(lambda: docks.raise_panel("waiting"))
        self.headline.horizon.horizon_chosen.connect(self.choose_horizon)
        self.plans.horizon_changed.connect(self._show_headline)
        self.status.checks_asked.connect(lambda: docks.raise_panel("checks"))
        self.audit.figure_opened.connect(self.questions.ask)
        self.audit.leaks.limited.table.row_opened.connect(self.open_leak)
        self.audit.quarter.table.row_opened.connect(self.open_step)
        self.audit.import_asked.connect(asks.import_asked)
        self.questions.jobs_asked.connect(self.jobs.ask_in)
        self.questions.failed.connect(self.show_failure)
        self.today_switch.view_chosen.connect(self.choose_today_view)
        self.middle.plan_switch.view_chosen.connect(self.choose_plan_view)
        self.today_switch.costs_asked.connect(partial(self.docks.show_view, "cost"))
        for panel in (*docks.all_panels(), self.page):
            panel.workload_asked.connect(self.show_workload)
            panel.contract_asked.connect(docks.show_contract)
            panel.notice_asked.connect(self.dated.ask_notice)
            panel.editor_asked.connect(self.contracts.edit)
            panel.layers_asked.connect(docks.show_layers)
            panel.import_asked.connect(asks.import_asked)
            panel.waiting_asked.connect(lambda _: docks.show_view("waiting"))
        docks.duration.levels_set.connect(gestures.set_levels)
        docks.duration.hold_turned.connect(gestures.hold_level)
        docks.duration.level_let_go.connect(gestures.end_gesture)
        docks.duration.advice_asked.connect(gestures.use_advice)
        docks.award.take_asked.connect(gestures.take_quote)
        self.page.demand_asked.connect(self.dated.ask_demand)
        connect_plan_from(self.session, self.page, self.status)
        docks.today_to_plan.saving_turned.connect(gestures.accept_saving)
        docks.checks.fall_asked.connect(self.dated.ask_fall)
        docks.checks.gap_asked.connect(self.dated.ask_gap)
        docks.checks.names_asked.connect(asks.names_asked)
        docks.checks.contracts_asked.connect(asks.contracts_asked)
        docks.checks.models_asked.connect(docks.ask_model)
        docks.hardware_fit.need_set.connect(gestures.set_need)
        self.plans.compare.turned.connect(self.show_compared)
        docks.cost.jobs_asked.connect(self.jobs.ask_between)
        docks.cost.traffic_asked.connect(asks.traffic_asked)
        self.welcome.demo_asked.connect(asks.demo_asked)
        self.welcome.open_asked.connect(asks.open_asked)
        self.welcome.drop_area.import_asked.connect(asks.import_asked)
        self.welcome.recent_asked.connect(asks.open_path_asked)
        self.welcome.drop_area.files_dropped.connect(asks.files_dropped)

    # What to show

    def _panel_in_hand(self) -> str:
        """The panel that is worked with; empty while the keyboard is beside the panels."""
        focused = QApplication.focusWidget()
        is_beside = any(
            part.isAncestorOf(focused) for part in (self.board, self.audit, self.page) if focused is not None
        )
        return "" if is_beside else self.docks.in_hand()

    def show_welcome(self) -> None:
        """Nothing is loaded: the welcome page."""
        self.session.view_state, self.session.has_workspace = None, False
        self._is_workspace_late = False
        self.middle.show_welcome()
        for bar in self._bars:
            bar.hide()
        self.plans.show_for(is_plan=False)
        self.docks.hide_all()
        self.status.show_nothing()
        self.corner_text.setText(tr("No project"))
        self._enable(False)

    def show_project(self, project: "Project") -> None:
        """The project changed: show its tabs now, and ask for its figures."""
        names = tuple(scenario.name for scenario in project.scenarios)
        if project.is_empty:
            self.show_welcome()
            return
        session = self.session
        session.follow(project)
        if session.view_state is None:
            self.headline.show_waiting()
            self.strip.show_calculating()
            self.page.show_calculating()
            self.middle.plan_switch.show_count(0)
            self.middle.plan_switch.asks.setText("")
            self.year_bar.show_calculating()
            self.board.show_waiting()
            self.audit.show_waiting()
        self.scenario_bar.show_scenarios(names, session.scenario)
        self.plans.fill_menu(names)
        self._is_workspace_late = session.view_state is not None  # it comes with all that is around the board
        if not self._is_workspace_late:
            self._show_workspace()
            self._show_checklist(project)
        self.docks.award.show_project(session.document.loads, project.currency)
        session.evaluator.evaluate_soon(project, session.scenario)
        known = session.evaluator.evaluation
        if known is None or known.project is not project:
            if self._is_workspace_late:  # figures take a while, or failed
                self._show_workspace()
                self._show_checklist(project)
        elif session.view_state is None:
            self.show_evaluation(known)  # it came back from the welcome page: nothing is worked out again

    def show_evaluation(self, evaluation: "Evaluation") -> None:
        """Show what is known so far of the newest project."""
        if evaluation.scenario != self.session.scenario or not self.session.has_workspace:
            return
        if use_currency(evaluation.project.currency):
            # Amounts are in another currency from now on: what was shown in the former one is not shown with
            # its sign
            self.session.view_state = None
            for widget in self.findChildren(QWidget):
                QApplication.sendEvent(widget, QEvent(QEvent.Type.LanguageChange))
        before = self.session.evaluation
        self.session.view_state = shown = self.year.follow(self.session.show(evaluation))
        self.board.show_state(shown)
        is_same = before is not None and before.scenario == evaluation.scenario
        if is_same and evaluation.advice is None and not shown.is_today:  # a gesture, perhaps
            self._painted.ask()
        else:
            self._around.stop()
            self._show_around()

    def _show_around(self) -> None:
        """Show what is around the board; after a gesture the board is painted first."""
        shown, evaluation = self.session.view_state, self.session.evaluation
        if shown is None or evaluation is None or evaluation.scenario != self.session.scenario:
            return
        if self._is_workspace_late:
            self._show_workspace()
        self._show_headline()
        self.plans.question.follow()
        self._show_checklist(evaluation.project)
        self.middle.show_what_is_known(is_today=shown.is_today)
        if shown.is_today:
            self.audit.show_state(shown)
            self.data_quality.show_evaluation(evaluation)
        self.docks.show_state(shown)
        self._show_decisions(shown)
        self.status.show_state(shown)
        self.hover_flow.ask_again()

    def show_month(self, shown: "ViewState") -> None:
        """Show another month of the plan that is shown."""
        self._show_headline()
        self.board.show_state(shown)
        self.docks.show_state(shown)

    def _show_decisions(self, shown: "ViewState") -> None:
        """Show the decisions of a plan: the cards, the page, and how many are open on its tab."""
        self.decisions.show(shown)
        self.page.show_state(shown)
        switch = self.middle.plan_switch
        switch.show_count(self.page.count(shown))
        switch.asks.setText(self.page.ask_words(shown))

    def choose_horizon(self, horizon: "Horizon") -> None:
        """Show the headline of next month, month 12, or twelve months in all."""
        self.session.choose_horizon(horizon)
        self.year.show_month(0)
        self._show_headline()
        self.plans.question.follow()

    def _show_headline(self) -> None:
        """The headline of what is shown, in the horizon that is chosen."""
        from gpuplanner.ui.state.headline_figures import figures_of
        from gpuplanner.ui.state.headline_horizons import in_horizon

        if (shown := self.session.view_state) is not None:
            horizon = self.session.horizon
            self.headline.show_horizon(None if shown.month else horizon, is_plan=not shown.is_today)
            self.headline.show_figures(
                in_horizon(figures_of(shown, self._waits.get(horizon, ())), shown, horizon)
            )

    def show_waits(self, waits: Mapping["Horizon", tuple[Text, ...]]) -> None:
        """How long jobs wait in each period, in words at several lengths; none where nobody knows."""
        if waits != self._waits:
            self._waits = waits
            self._show_headline()

    def show_replayed(self, evaluation: "Evaluation") -> None:
        """Show what a replay says of the plan that is shown. evaluation: with it, otherwise as shown."""
        state, known = self.session.view_state, self.session.evaluation
        if state is None or known is None:
            return
        if (evaluation.waits, evaluation.outlook) != (known.waits, known.outlook):
            self.session.view_state = replace(state.at_start, evaluation=evaluation)
            self.show_evaluation(evaluation)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.is_complete:
            self.data_quality.show_in(self.height())
            self.strip.fit()

    def show_failure(self, error: Exception) -> None:
        """Say what went wrong, and what to do."""
        from gpuplanner.ui.kit.small_dialogs import show_error

        show_error(self, error)

    def show_title(self, name: str, is_saved: bool) -> None:
        """The file's name and whether it is saved, at the right of the menu bar."""
        self._title = (name, is_saved)
        said = tr("{name} \u00b7 saved", name=name) if is_saved else tr("{name} \u00b7 not saved", name=name)
        self.corner_text.setText(said if name else tr("No project"))
        self.corner_text.setAccessibleName(self.corner_text.text())
        shown = name.replace("[*]", "[*][*]")  # one is Qt's mark of what is not saved
        self.setWindowTitle(f"{shown}[*] \u2013 gpuplanner" if name else tr("gpuplanner"))
        self.setWindowModified(bool(name) and not is_saved)

    def show_recent(self, recent: list[tuple[str, str, str, str]]) -> None:
        """Projects opened before: path, name, what is in it, when."""
        self.welcome.show_recent(recent)
        menu = self.menus["File/Open recent"]
        menu.clear()
        for path, name, _, _ in recent:
            action = add_named(menu, name, lambda path=path: self.session.asks.open_path_asked.emit(path))
            set_tip(action, path)
        menu.setEnabled(bool(recent))

    def show_palette(self, palette: palettes.Palette) -> None:
        """Other colours from now on, everywhere at once."""
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        style_sheet.apply_palette(application, palette)
        self.actions_by_id[palette.name].setChecked(True)
        self.actions_by_id["checklist"].setChecked(self._wants_checklist)

    # What was asked of it

    def commands(self) -> "list[PaletteEntry]":
        """What can be asked for by name now."""
        from gpuplanner.ui.window.palette_entries import entries_of

        return entries_of(self.session, self.actions_by_id, self.docks.openers_by_kind(), self.ways)

    def choose_scenario(self, name: str) -> None:
        """Show another scenario."""
        self.plans.compare.leave()
        project = self.session.document.project
        if name != self.session.scenario:
            self.headline.show_waiting()  # no figure of one stands under the name of another
            self.strip.show_calculating()
            self.year_bar.show_calculating()
        self.session.gestures.scenario = name
        self.scenario_bar.show_scenarios(tuple(scenario.name for scenario in project.scenarios), name)
        self._show_workspace()
        self.session.evaluator.evaluate_soon(project, name)

    def look_as_before(self, settings: "Settings") -> None:
        """Show Today and plans as they were looked at last, and keep what is chosen from now on."""
        self.choose_today_view(settings.today_view)
        self.choose_plan_view(settings.plan_view)
        self.memory = settings

    def choose_today_view(self, name: str) -> None:
        """Show Today as the audit or as the board, and let it be remembered."""
        self._today_view = name
        self.today_switch.show_view(name)
        self._show_view()
        self.session.asks.today_view_chosen.emit(name)

    def choose_plan_view(self, name: str) -> None:
        """Show plans as decisions or as the board, and let it be remembered."""
        self._plan_view = name
        self._show_view()
        self._turn_bars()
        self._show_docks(was_hidden=False)
        self.session.asks.plan_view_chosen.emit(name)

    def show_decisions(self) -> None:
        """Show the decisions of the plan that is shown; from Today, of the first plan."""
        plans = self.session.document.project.scenarios
        if self.session.scenario == TODAY and plans:
            self.choose_scenario(plans[0].name)
        if self.session.scenario != TODAY:
            self.choose_plan_view(DECISIONS)

    def show_place(self, name: str, view: str = "") -> None:
        """Open a panel by its name, at one of its views where one is named; or the page Decisions, or the board."""
        if name == self.page.about.name:
            self.show_decisions()
        elif name == BOARD:
            self._bring_board()
        else:
            self.docks.show_view(name, view)

    def show_compared(self, is_compared: bool) -> None:
        """Plans side by side have the window to themselves, or the shown one has it again."""
        if not is_compared:
            self.middle.show_workspace()
        self._show_workspace()

    def turn_checklist(self) -> None:
        """Hide the checklist, or show it again."""
        self._wants_checklist = not self._wants_checklist
        self.actions_by_id["checklist"].setChecked(self._wants_checklist)
        self._turn_bars()

    def _show_checklist(self, project: "Project") -> None:
        """Shows which steps are done; cards in review count only where they are of this project."""
        from gpuplanner.ui.frame.checklist import checklist_steps

        shown = self.session.view_state
        is_of_it = shown is not None and shown.evaluation.project is project and not shown.is_today
        review = None
        if shown is not None and is_of_it:
            review = int(shown.evaluation.figures.basis.in_review.sum())
        self.checklist.show_steps(checklist_steps(project, review))
        self._turn_bars()

    def _turn_bars(self) -> None:
        """The rows under the menus: plans side by side have figures of their own; a checklist goes when it is done."""
        is_compared = self.plans.compare.is_visible
        self._bars[1].setVisible(not is_compared)
        shown = self.session.view_state
        is_board = self.session.scenario != TODAY and self._plan_view == BOARD
        # From its first figures on, so that nothing jumps once its decisions are known
        is_plan = shown is not None and not shown.is_today and is_board
        for bar in self._bars[2:4]:
            bar.setVisible(is_plan and not is_compared)
        has_steps = self._wants_checklist and bool(self.checklist.steps)
        self._bars[4].setVisible(has_steps and self.session.has_workspace and not is_compared)

    def _take_step(self, asks: str) -> None:
        """Does what a step of the checklist asks for."""
        from gpuplanner.ui.frame.checklist import LOOK_AT_REVIEW

        if asks != LOOK_AT_REVIEW:
            self.actions_by_id[asks].trigger()
        elif (shown := self.session.view_state) is not None:
            self.show_workload(next(card.key for card in shown.cards if card.in_review))

    def find_cards(self) -> None:
        """Give the keyboard to the search of the board."""
        self._bring_board()
        self.board.focus_search()

    def open_leak(self, leak_id: str) -> None:
        """Open the sheet of one leak of the audit: what is behind it, and what to do about it."""
        from gpuplanner.ui.flows.leaks.leak_flow import open_leak

        open_leak(self.session, leak_id, self.ways)

    def open_step(self, step: str) -> None:
        """Open the place where the next action of a step of the quarter is done."""
        from gpuplanner.ui.flows.quarter_flow import open_place

        open_place(self.session, self.audit.quarter.places[step], self.ways)

    def ways_of(self, names: Sequence[str]) -> "list[Action]":
        """Where the first workload, contract and offer of these names, keys and ids are."""
        from gpuplanner.ui.flows.session import ways_of_names

        return ways_of_names(self.session.document.project, self.ways, names)

    def show_workload(self, key: str) -> None:
        """Bring the card of a workload into view."""
        self._bring_board()
        self.board.show_workload(key)

    def _bring_board(self) -> None:
        """Cards are to be seen: the board, not the audit or the decisions, and no panel over them."""
        self.docks.leave_maximised()
        if self.session.scenario == TODAY and self._today_view != BOARD:
            self.choose_today_view(BOARD)
        elif self.session.scenario != TODAY and self._plan_view != BOARD:
            self.choose_plan_view(BOARD)

    def _show_view(self) -> None:
        """Shows audit, decisions or board."""
        is_today = self.session.scenario == TODAY
        self.middle.show_view(self._today_view if is_today else self._plan_view, is_today=is_today)

    def _show_docks(self, *, was_hidden: bool) -> None:
        """Panels stand beside the board of a plan; other pages have the whole width until one is asked for."""
        is_board = self.session.scenario != TODAY and self._plan_view == BOARD
        is_alone = self.plans.compare.is_visible or not is_board
        self.docks.show_for(is_alone=is_alone, was_hidden=was_hidden)

    def choose_palette(self, name: str) -> None:
        """Show another palette, and let it be remembered."""
        self.show_palette(palettes.PALETTES[name])
        self.session.asks.palette_chosen.emit(name)

    def change_text_size(self, by: int) -> None:
        """Show text so many steps larger, or as large as at first for 0, and let it be remembered."""
        percent = text_sizes.next_percent(round(100 * type_scale.text_scale()), by)
        text_sizes.show_text_size(QApplication.instance(), percent)  # type: ignore[arg-type]
        if self.memory is not None:
            self.memory.text_size = percent
        self.docks.fit_width()
        self.scenario_bar.fit_tabs()
        self.strip.fit()
        self.show_again(self.session.evaluator.evaluation)

    def part(self, name: str) -> QWidget:
        """A view by its name, such as "headline" or "docks.duration"."""
        view: QWidget = attrgetter(name)(self)
        return view

    def show_again(self, evaluation: "Evaluation | None") -> None:
        """Everything once more: figures where there are any, what is painted, and charts."""
        if evaluation is not None:
            self.show_evaluation(evaluation)
            self.docks.show_waiting()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        style_sheet.recolour_all(application)

    def go_to_next_region(self) -> None:
        """Give the keyboard to the next part of the window."""
        above = [self.scenario_bar, self.headline, self.strip, self.year_bar, self.checklist]
        regions = [
            *above,
            self.today_switch,
            self.middle.plan_switch,
            self.middle.view,
            *self.docks.visible_panels(),
        ]
        to_next_region([self.welcome] if self.middle.is_welcome else regions)

    def _show_workspace(self) -> None:
        """Leaves the welcome page, once a project is there."""
        self._is_workspace_late = False
        was_welcome, self.session.has_workspace = not self.session.has_workspace, True
        is_compared = self.plans.compare.is_visible
        if not is_compared:
            self.middle.show_workspace()
        self._bars[0].show()
        self._turn_bars()
        self.plans.show_for(is_plan=self.session.scenario != TODAY)
        self._show_view()
        if was_welcome:
            self.middle.take_keyboard()
        self._show_docks(was_hidden=was_welcome)
        self._enable(True)

    def _enable(self, has_project: bool) -> None:
        """Enables what can be done with this project and in this scenario."""
        from gpuplanner.ui.window.menus import enable_actions

        is_plan = has_project and self.session.scenario != TODAY
        enable_actions(self.actions_by_id, has_project=has_project, is_plan=is_plan)
        is_green = is_plan and self.session.document.project.scenario(self.session.scenario).greenfield
        self.actions_by_id["greenfield"].setChecked(is_green)
        is_question = is_plan and self.plans.question.asked is not None
        for command in ("keep_question", "discard_question"):
            self.actions_by_id[command].setEnabled(is_question)
        self.menus["Panels"].setEnabled(has_project)
        keys = (*self.menus["Plan/Go to"].actions(), *self.menus["Panels"].actions())
        for action in keys:  # else they would lead from the welcome page to nothing
            action.setEnabled(has_project)

    def focusNextPrevChild(self, is_forward: bool) -> bool:
        """Tab passes by what lies behind: panels under other panels, tab bars of groups that are no more."""
        for _ in range(200):
            if not super().focusNextPrevChild(is_forward):
                return False
            focused = QApplication.focusWidget()
            if focused is None or not self.is_complete or not self.docks.is_behind(focused):
                break
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button that has the keyboard, as in a dialog, and Esc puts a panel back.

        What no view took for itself comes here.
        """
        focused = QApplication.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(focused, QAbstractButton):
            focused.click()
        elif event.key() == Qt.Key.Key_Escape and self.is_complete and self.docks.is_maximised:
            self.docks.leave_maximised()
        else:
            super().keyPressEvent(event)

    # Files dropped on the window, and closing

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Takes files of this computer."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Asks for the dropped files to be imported."""
        if paths := [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]:
            event.acceptProposedAction()
            self.session.asks.files_dropped.emit(paths)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Asks whether the window may close; whoever answers may ignore the event."""
        if self.is_complete:
            self.session.asks.close_asked.emit(event)


# --- A row of the window under its menus: a tool bar that stays where it is and holds one widget


def bar_of(window: QMainWindow, name: str, widget: QWidget) -> QToolBar:
    """Add a widget as the next row under the menus."""
    bar = QToolBar(name, movable=False, floatable=False)
    bar.setObjectName(name)
    bar.toggleViewAction().setVisible(False)
    bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
    bar.addWidget(widget)
    window.addToolBar(Qt.ToolBarArea.TopToolBarArea, bar)
    window.addToolBarBreak(Qt.ToolBarArea.TopToolBarArea)
    return bar
