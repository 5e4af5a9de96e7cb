"""Connects every command, names Undo and Redo, and opens dialogs of the window."""

from collections.abc import Callable, Mapping
from functools import partial
from operator import attrgetter

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QUndoStack
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from shiboken6 import isValid

from gpuplanner.app.document import step_name
from gpuplanner.charts.kit.plain_text import on_button
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.files.system.resources import read_guide_places
from gpuplanner.ui.flows.all_plans_flow import choose_currency, choose_plan_from
from gpuplanner.ui.flows.dated_flow import DatedFlow
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.kit.dialogs import exec_once, stand_below
from gpuplanner.ui.kit.palettes import PALETTES
from gpuplanner.ui.window.command_palette import AskOf, open_palette
from gpuplanner.ui.window.help_dialogs import AboutDialog, DocumentDialog, GlossaryDialog, KeysDialog
from gpuplanner.ui.window.own_undo import OwnUndo
from gpuplanner.ui.window.palette_entries import PaletteEntry
from gpuplanner.ui.words.commands import COMMAND, Command


def connect_commands(window: QWidget, session: Session, by_id: Mapping[str, QAction]) -> None:
    """Let every action of the menus do what its row says; who does it is looked up when it is asked for."""
    for command in COMMAND.values():
        if command.does:
            by_id[command.command_id].triggered.connect(partial(_do, window, command))
    group = QActionGroup(session)
    for name in PALETTES:
        group.addAction(by_id[name])
    _follow_undo_stack(session.document.undo_stack, by_id)
    OwnUndo(window)
    GuideInDialogs(window, by_id["guide"])


def _do(window: QWidget, command: Command, _is_checked: bool = False) -> None:
    """Does a command's work, with what its row in the table tells."""
    doer_of(window, command)(*command.told)


def doer_of(window: QWidget, command: Command) -> Callable[..., object]:
    """Who of a window carries a command out. Errors: AttributeError where its row names nobody that is there."""
    doer: Callable[..., object] = attrgetter(command.does)(window)
    return doer


def _follow_undo_stack(stack: QUndoStack, by_id: Mapping[str, QAction]) -> None:
    """Keeps Undo and Redo named after the step they are of."""
    for action_id, can_changed, text_changed, can, text in (
        ("undo", stack.canUndoChanged, stack.undoTextChanged, stack.canUndo(), stack.undoText()),
        ("redo", stack.canRedoChanged, stack.redoTextChanged, stack.canRedo(), stack.redoText()),
    ):
        action = by_id[action_id]
        can_changed.connect(action.setEnabled)
        text_changed.connect(partial(_name_step, stack, action, action_id == "undo"))
        action.setEnabled(can)
        _name_step(stack, action, action_id == "undo", text)


def _name_step(stack: QUndoStack, action: QAction, is_undo: bool, text: str) -> None:
    """Names Undo or Redo by its step."""
    if isValid(action):  # the stack says goodbye after the menus are gone
        step = spoken(step_name(stack, stack.index() - is_undo if text else -1) or text)
        title = tr("Undo {step}", step=step) if is_undo else tr("Redo {step}", step=step)
        action.setText(on_button(title.strip()))


class GuideInDialogs(QObject):
    """Gives every dialog that has the keyboard the key of the guide, which would else be the window's alone."""

    def __init__(self, window: QWidget, guide: QAction) -> None:
        super().__init__(window)
        self._guide = guide
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._watch)

    def _watch(self, _: QWidget | None, now: QWidget | None) -> None:
        """The keyboard went to a widget; a dialog is given the key once."""
        over = None if now is None else now.window()
        if isinstance(over, QDialog) and over.isModal() and self._guide not in over.actions():
            over.addAction(self._guide)


class WindowDialogs:
    """Dialogs that are of the whole window. entries: what can be asked for by name now; headline: stays in sight."""

    def __init__(
        self, session: Session, dated: DatedFlow, headline: QWidget, entries: Callable[[], list[PaletteEntry]]
    ) -> None:
        self.session, self._dated, self._headline, self._entries = session, dated, headline, entries
        self.ask_of: Callable[[], AskOf | None] = lambda: None
        self.panel_in_hand: Callable[[], str] = lambda: ""

    def open_assumptions(self) -> None:
        """Let assumptions be changed, of the plan that is shown, or of all."""
        from gpuplanner.ui.plans.assumptions_dialog import AssumptionsDialog

        session = self.session
        scenario = None if session.scenario == TODAY else session.scenario
        dialog = AssumptionsDialog(session.document.project, scenario, session.window)
        stand_below(dialog, self._headline)  # what an assumption changes is seen there
        dialog.assumption_changed.connect(session.gestures.set_assumption)
        dialog.plan_from_asked.connect(self.choose_plan_from)
        dialog.demand_asked.connect(partial(self._dated.ask_demand, "", dialog))

        def follow(project: Project) -> None:
            """Shows the values of the plan, or of the question that a change of them is."""
            dialog.show_project(project, session.scenario)

        session.document.changed.connect(follow)
        exec_once(dialog)
        session.document.changed.disconnect(follow)

    def choose_currency(self) -> None:
        """What amounts are in, and at which rates of exchange."""
        choose_currency(self.session)

    def choose_plan_from(self) -> None:
        """Ask for the day that plans begin."""
        choose_plan_from(self.session)

    def open_palette(self) -> None:
        """Find a command by a few letters, and do it."""
        window = self.session.window
        assert window is not None, "a command is asked for in a window"
        open_palette(self._entries(), window, self.ask_of())

    def show_document(self, name: str, title: Message) -> None:
        """A page of the documentation. name: of its file."""
        exec_once(DocumentDialog(spoken(title), name, self.session.window))

    def show_guide(self) -> None:
        """What the documentation has of the dialog or panel in hand."""
        over = QApplication.activeModalWidget()
        if isinstance(over, DocumentDialog):
            return
        place = read_guide_places().get(type(over).__name__, "") or self._place()
        exec_once(DocumentDialog(tr("Guide"), place, over or self.session.window))

    def _place(self) -> str:
        """Where the documentation has what the window shows: the panel in hand, else what stands beside it."""
        if not self.session.has_workspace:
            return "README"  # the list of all pages
        beside = "window/today" if self.session.scenario == TODAY else "window/board"
        return read_guide_places().get(self.panel_in_hand(), beside)

    def show_glossary(self) -> None:
        """Show the terms of the window with their meanings."""

        exec_once(GlossaryDialog(self.session.window))

    def show_keys(self) -> None:
        """Every shortcut."""

        exec_once(KeysDialog(self.session.window))

    def show_about(self) -> None:
        """Version and licence."""

        exec_once(AboutDialog(self.session.window))
