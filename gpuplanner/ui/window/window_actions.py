"""Lets every command do its work, names what Undo and Redo would do, and opens Help and dialogs."""

from collections.abc import Callable, Mapping
from functools import partial
from operator import attrgetter
from posixpath import dirname, join, normpath
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, QUrl
from PySide6.QtGui import QAction, QActionGroup, QDesktopServices, QKeyEvent, QKeySequence, QUndoStack
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QPlainTextEdit, QWidget
from shiboken6 import isValid

from gpuplanner.app.document import step_name
from gpuplanner.charts.kit.plain_text import document_page, on_button, show_document, show_heading, spoken, tr
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.plan_inputs import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.files.system.resources import document_path, long_text, read_guide_places
from gpuplanner.ui.flows.all_plans_flow import choose_currency, choose_plan_from
from gpuplanner.ui.flows.dated_flow import DatedFlow
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.frame.panel_docks import panel_keys
from gpuplanner.ui.kit.dialogs import exec_once, foot, resize_within_screen, stand_below, titled
from gpuplanner.ui.kit.layout import column, named, share
from gpuplanner.ui.kit.page_parts import label, named_button
from gpuplanner.ui.kit.theme import PALETTES
from gpuplanner.ui.tables.cells import Cell, Filled, filled_rows
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.window.command_palette import AskOf, PaletteEntry, open_palette
from gpuplanner.ui.words.commands import COMMAND, COMMANDS, VIEW_KEYS, Command
from gpuplanner.ui.words.glossary import GROUPS, TERMS, Term
from gpuplanner.version import __version__

# --- Help: every shortcut in one table, the glossary, and what this program is


class KeysDialog(QDialog):
    """The shortcuts."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        titled(self, tr("Keyboard"))
        resize_within_screen(self, 520, 560)
        table = FigureTable(tr("Shortcuts"))
        lines = [
            (tr(one.menu), " ".join(map(tr, filter(None, (one.parent, one.name)))), one.shortcut)
            for one in COMMANDS
            if one.shortcut
        ]
        lines += [(tr(key.place), tr(key.what), spoken(key.keys)) for key in (*VIEW_KEYS, panel_keys())]
        table.show_rows(KEY_COLUMNS, filled_rows(KEY_COLUMNS, lines))
        _stack(self, tr("Keyboard"), table)


KEY_COLUMNS: Final[tuple[Filled[tuple[str, str, str]], ...]] = (
    Filled(
        title=worded("Menu"), is_figure=False, width=90, cell=lambda line: Cell(text=line[0], role="muted")
    ),
    Filled(title=worded("What it does"), is_figure=False, cell=lambda line: line[1]),
    Filled(
        title=worded("Keys"), is_figure=False, width=150, cell=lambda line: Cell(text=line[2], is_strong=True)
    ),
)


class GlossaryDialog(QDialog):
    """Help, Glossary: all terms."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        titled(self, tr("Glossary"))
        resize_within_screen(self, 900, 640)
        table = FigureTable(tr("Glossary"))
        table.show_rows(TERM_COLUMNS, filled_rows(TERM_COLUMNS, TERMS.values()))
        _stack(self, tr("Glossary"), table)


TERM_COLUMNS: Final[tuple[Filled[Term], ...]] = (
    Filled(
        title=worded("Subject"),
        is_figure=False,
        width=120,
        cell=lambda term: Cell(text=GROUPS[term.group], role="muted"),
    ),
    Filled(
        title=worded("Name"),
        is_figure=False,
        width=190,
        cell=lambda term: Cell(text=term.word, is_strong=True),
    ),
    Filled(
        title=worded("Meaning"),
        is_figure=False,
        is_cut_at_end=True,
        cell=lambda of: Cell(text=of.meaning, tip=of.meaning),
    ),
)


class DocumentDialog(QDialog):
    """A page of the documentation as it is written; links lead on, pictures are left out.

    place: folder and name of the page and, after #, the anchor of a heading.
    """

    def __init__(self, title: str, place: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        titled(self, title)
        self.page = named(document_page(), title)
        self.page.anchorClicked.connect(self._follow)
        self.back = named_button(tr("Back"), tr("Back to the last link (Alt+Left)"), self._go_back)
        self.back.setShortcut("Alt+Left")
        self.back.setEnabled(False)
        self._before: list[tuple[str, int]] = []  # places that links led away from, and how far down
        _stack(self, "", self.page, self.back)
        resize_within_screen(self, 860, 720)
        self.place = self._text = self._at = ""
        self.open_place(place)

    def open_place(self, place: str) -> None:
        """Show a page from one of its headings on; nothing where the page does not come with the program."""
        name, _, anchor = place.partition("#")
        if (path := document_path(name)).is_file():
            self._at = place
            contents = f"[{tr('All pages')}]({'../' * name.count('/')}README.md)"
            text = f"{path.read_text(encoding='utf-8')}\n{contents}\n"
            if text != self._text:
                self.place, self._text = name, text
                show_document(self.page, text)
            QTimer.singleShot(0, self, partial(show_heading, self.page, anchor))  # once it is laid out

    def _follow(self, link: QUrl) -> None:
        """Goes to a place of this page or of another; what is on the network opens in the browser."""
        if link.scheme():
            QDesktopServices.openUrl(link)
        else:
            here = self._at, self.page.verticalScrollBar().value()
            page = normpath(join(dirname(self.place), link.path())) if link.path() else self.place
            self.open_place(f"{page.removesuffix('.md')}#{link.fragment()}")
            self._before += [here] * (self._at != here[0])
            self.back.setEnabled(bool(self._before))

    def _go_back(self) -> None:
        """To where the last link was that was followed."""
        place, top = self._before.pop()
        self.back.setEnabled(bool(self._before))
        self.open_place(place)
        QTimer.singleShot(0, self, partial(self.page.verticalScrollBar().setValue, top))


class AboutDialog(QDialog):
    """Name, version, licence."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        titled(self, tr("About gpuplanner"))
        words = tr(long_text("about", version=__version__))
        text = label(words, is_wrapped=True)
        text.setMinimumWidth(380)
        _stack(self, tr("gpuplanner"), text)


def _stack(dialog: QDialog, title: str, body: QWidget, *buttons: QWidget) -> None:
    """Lays a dialog out: title ("": the body has its own), body, its own buttons, Close."""
    close = named_button(tr("Close"), does=dialog.accept, takes_enter=True)
    heading = [label(title, step="page")] if title else []
    column(*heading, share(body), foot(*buttons, close), on=dialog, margins=(20, 16, 20, 16), spacing=10)


# --- Lets every command do its work, names what Undo and Redo would do, and opens the window's own dialogs


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
        self._session, self._dated, self._headline, self._entries = session, dated, headline, entries
        self.ask_of: Callable[[], AskOf | None] = lambda: None
        self.panel_in_hand: Callable[[], str] = lambda: ""

    def open_assumptions(self) -> None:
        """Let assumptions be changed, of the plan that is shown, or of all."""
        from gpuplanner.ui.plans.assumptions_dialog import AssumptionsDialog

        session = self._session
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
        choose_currency(self._session)

    def choose_plan_from(self) -> None:
        """Ask for the day that plans begin."""
        choose_plan_from(self._session)

    def open_palette(self) -> None:
        """Find a command by a few letters, and do it."""
        window = self._session.window
        assert window is not None, "a command is asked for in a window"
        open_palette(self._entries(), window, self.ask_of())

    def show_document(self, name: str, title: Message) -> None:
        """A page of the documentation. name: of its file."""
        exec_once(DocumentDialog(spoken(title), name, self._session.window))

    def show_guide(self) -> None:
        """What the documentation has of the dialog or panel in hand."""
        over = QApplication.activeModalWidget()
        if isinstance(over, DocumentDialog):
            return
        place = read_guide_places().get(type(over).__name__, "") or self._place()
        exec_once(DocumentDialog(tr("Guide"), place, over or self._session.window))

    def _place(self) -> str:
        """Where the documentation has what the window shows: the panel in hand, else what stands beside it."""
        if not self._session.has_workspace:
            return "README"  # the list of all pages
        beside = "window/today" if self._session.scenario == TODAY else "window/board"
        return read_guide_places().get(self.panel_in_hand(), beside)

    def show_glossary(self) -> None:
        """Show the terms of the window with their meanings."""

        exec_once(GlossaryDialog(self._session.window))

    def show_keys(self) -> None:
        """Every shortcut."""

        exec_once(KeysDialog(self._session.window))

    def show_about(self) -> None:
        """Version and licence."""

        exec_once(AboutDialog(self._session.window))


# --- OwnUndo: keys that a field of text takes for itself and has no use for are the window's, as everywhere else

OF_THE_WINDOW: Final = (Qt.Key.Key_D, Qt.Key.Key_E, Qt.Key.Key_K)
"""With Ctrl: on X11 a field deletes or goes to the end of its line with them, and there they duplicate a plan, export
and find a command."""


class OwnUndo(QObject):
    """Watches whichever field of text has the keyboard, and no other widget: Qt's fields take the keys of Undo and
    Redo for themselves, also where they do nothing with them, and on X11 some of the window's commands."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._watch)

    def _watch(self, before: QWidget | None, now: QWidget | None) -> None:
        """The keyboard went from one widget to another."""
        if isinstance(before, QLineEdit | QPlainTextEdit):
            before.removeEventFilter(self)
        if isinstance(now, QLineEdit | QPlainTextEdit):
            now.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A key that would undo nothing here is left to the menus."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.modifiers() == Qt.KeyboardModifier.ControlModifier and event.key() in OF_THE_WINDOW:
                event.ignore()
                return True
            for keys, has_some in (
                (QKeySequence.StandardKey.Undo, can_undo),
                (QKeySequence.StandardKey.Redo, can_redo),
            ):
                if event.matches(keys) and not has_some(watched):
                    event.ignore()
                    return True
        return super().eventFilter(watched, event)


def can_undo(field: QObject) -> bool:
    """Whether a field has typing of its own to take back."""
    if isinstance(field, QPlainTextEdit):
        return field.document().isUndoAvailable()
    return isinstance(field, QLineEdit) and field.isUndoAvailable()


def can_redo(field: QObject) -> bool:
    """Whether a field has typing of its own to do again."""
    if isinstance(field, QPlainTextEdit):
        return field.document().isRedoAvailable()
    return isinstance(field, QLineEdit) and field.isRedoAvailable()
