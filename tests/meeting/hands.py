"""The acts of a planner in the window, each a row of data: a command, a change in words, a slider, a dialog."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QDialog, QLineEdit, QWidget

from gpuplanner.domain.commitment.plan.comparison import Horizon
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.ui.frame.what_if import SLIDERS
from gpuplanner.ui.window.command_palette import CommandPalette
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words.commands import COMMAND
from tests.ui.plans_world import settle, wait_until

SWITCH = {Horizon.NEXT_MONTH: "Next month", Horizon.MONTH_12: "Month 12", Horizon.TWELVE_MONTHS: "12 months"}
"""What the switch beside the headline is labelled with."""


@dataclass(frozen=True, slots=True)
class Press:
    """A command of the menu, by its shortcut."""

    command_id: str

    @property
    def words(self) -> str:
        command = COMMAND[self.command_id]
        title = command.name.rstrip("\u2026")
        return f"*{title}* ({command.shortcut})" if command.shortcut else f"*{command.menu}, {title}*"

    def do(self, window: MainWindow) -> None:
        action = window.actions_by_id[self.command_id]
        assert action.isEnabled(), self.command_id
        if not (action.isCheckable() and action.isChecked()):
            action.trigger()
        QApplication.processEvents()


@dataclass(frozen=True, slots=True)
class Find:
    """Words typed into *Find a command*; the first that is found is done."""

    typed: str
    title: str

    @property
    def words(self) -> str:
        return f"Ctrl+K, `{self.typed}`, Enter"

    def do(self, window: MainWindow) -> None:
        palette = CommandPalette(window.commands(), window)
        QTest.keyClicks(palette.search, self.typed)
        first = palette.found[0]
        assert first.title == self.title, [one.title for one in palette.found[:3]]
        palette.deleteLater()
        first.run()
        QApplication.processEvents()


@dataclass(frozen=True, slots=True)
class Say:
    """A change in words, in the field of *What if*."""

    text: str

    @property
    def words(self) -> str:
        return f"{Press('what_if').words}, type `{self.text}`, Enter"

    def do(self, window: MainWindow) -> None:
        Press("what_if").do(window)
        field = window.plans.question_flow.field
        field.setFocus()
        field.clear()
        QTest.keyClicks(field, self.text)
        QTest.keyClick(field, Qt.Key.Key_Return)
        settle(window)


@dataclass(frozen=True, slots=True)
class Slide:
    """A value typed beside a slider of *What if*."""

    name: str
    typed: str

    @property
    def words(self) -> str:
        title = next(spec.title for spec in SLIDERS if spec.name == self.name)
        return f"{Press('what_if').words}, *{title}* `{self.typed}`, Enter"

    def do(self, window: MainWindow) -> None:
        Press("what_if").do(window)
        field = window.plans.what_if.strip.cells[self.name].value
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, self.typed)
        QTest.keyClick(field, Qt.Key.Key_Return)
        settle(window)


@dataclass(frozen=True, slots=True)
class Look:
    """How far the headline looks."""

    horizon: Horizon

    @property
    def words(self) -> str:
        return f"*{SWITCH[self.horizon]}* at the left of the headline"

    def do(self, window: MainWindow) -> None:
        button = window.headline.horizon.buttons[self.horizon]
        assert button.text() == SWITCH[self.horizon]
        button.click()
        QApplication.processEvents()


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel brought to the front, and one of its views; of the page Decisions a decision, by how its title begins."""

    name: str
    view: str = ""

    @property
    def words(self) -> str:
        from gpuplanner.ui.frame.panel_docks import PANELS

        if self.name == "decisions":
            return "the page *Decisions*" + (f", *{self.view}*" if self.view else "")
        about = next(kind.about for kind in PANELS if kind.about.name == self.name)
        shown = next((f", *{view.title}*" for view in about.views if view.name == self.view), "")
        return f"the panel *{str(about.title).replace('&', '')}*{shown}"

    def do(self, window: MainWindow) -> None:
        if self.name == "decisions":
            window.show_decisions()
            rows = window.page.list.rows
            wanted = (row for row in rows if self.view and str(row.title).startswith(self.view))
            window.page.choose(next((row.key for row in wanted), ""))
            QApplication.processEvents()
            return
        window.docks.raise_panel(self.name)
        if self.view:
            window.docks.show_view(self.name, self.view)
        window.docks.show_waiting()
        QApplication.processEvents()


@dataclass(frozen=True, slots=True)
class Today:
    """The tab Today."""

    @property
    def words(self) -> str:
        return "the tab *Today* (Ctrl+1)"

    def do(self, window: MainWindow) -> None:
        window.choose_scenario(TODAY)
        settle_today(window)


@dataclass(frozen=True, slots=True)
class Fill:
    """A field of the dialog that is open, by its name: text typed, or the choice that begins so."""

    field: str
    typed: str

    @property
    def words(self) -> str:
        return f"*{self.field}* `{self.typed}`"

    def do(self, window: MainWindow) -> None:
        widget = named(open_dialog(window), self.field)
        if isinstance(widget, QComboBox) and not widget.isEditable():
            found = [at for at in range(widget.count()) if widget.itemText(at).startswith(self.typed)]
            assert found, [widget.itemText(at) for at in range(widget.count())]
            widget.setCurrentIndex(found[0])
        else:
            line = widget if isinstance(widget, QLineEdit) else widget.findChild(QLineEdit)
            assert line is not None, self.field
            line.setFocus()
            line.selectAll()
            QTest.keyClicks(line, self.typed)
            line.editingFinished.emit()
        QApplication.processEvents()
        settle(window)


@dataclass(frozen=True, slots=True)
class Push:
    """A button of the dialog that is open, by its name; a tick or a way that is chosen, too."""

    button: str

    @property
    def words(self) -> str:
        return f"*{self.button}*"

    def do(self, window: MainWindow) -> None:
        button = named(open_dialog(window), self.button)
        assert isinstance(button, QAbstractButton), self.button
        assert button.isEnabled(), self.button
        button.click()
        QApplication.processEvents()
        settle(window)


@dataclass(frozen=True, slots=True)
class Assume:
    """An assumption that is set in the dialog of them while *What if* is open."""

    name: str
    title: str
    value: bool | int

    @property
    def words(self) -> str:
        shown = f"`{('no', 'yes')[self.value] if isinstance(self.value, bool) else self.value}`"
        return f"{Press('what_if').words}, {Press('assumptions').words}, *{self.title}* {shown}"

    def do(self, window: MainWindow) -> None:
        Press("what_if").do(window)
        window.session.gestures.set_assumption(self.name, self.value)
        settle(window)


@dataclass(frozen=True, slots=True)
class AddPrices:
    """A price list, added to what is loaded."""

    name: str
    text: str

    @property
    def words(self) -> str:
        return f"*Import files* (Ctrl+I) `{self.name}`, *Add to existing data*"

    def do(self, window: MainWindow) -> None:
        with written(self.name, self.text) as path:
            offers = read_inputs((), (), [path]).offers
        assert offers
        document = window.session.document
        document.edit("Import", replace(document.project, offers=(*document.project.offers, *offers)))
        settle(window)


@dataclass(frozen=True, slots=True)
class AddContracts:
    """Contracts, added to what is loaded."""

    name: str
    text: str

    @property
    def words(self) -> str:
        return f"*Import files* (Ctrl+I) `{self.name}`, *Add to existing data*"

    def do(self, window: MainWindow) -> None:
        with written(self.name, self.text) as path:
            contracts = read_inputs((), [path]).contracts
        assert contracts
        document = window.session.document
        document.edit(
            "Import", replace(document.project, contracts=(*document.project.contracts, *contracts))
        )
        settle(window)


@dataclass(frozen=True, slots=True)
class Count:
    """Figures of the business, read by the panel Cost."""

    name: str
    text: str

    @property
    def words(self) -> str:
        return f"the panel *Cost*, *Business figures*, *Import business figures* `{self.name}`"

    def do(self, window: MainWindow) -> None:
        with written(self.name, self.text) as path:
            window.cost_flow.read_business([path])
        window.docks.show_view("cost", "business")
        settle(window)


@dataclass(frozen=True, slots=True)
class CameLater:
    """A log of the time since the plan begins, held against it."""

    name: str
    text: str

    @property
    def words(self) -> str:
        return f"the panel *Plan vs. actual*, *Log that came* `{self.name}`"

    def do(self, window: MainWindow) -> None:
        window.docks.raise_panel("track")
        window.docks.show_waiting()
        panel = window.docks.track
        with written(self.name, self.text) as path:
            panel.take_files("jobs", (path,))  # compared at once
            wait_until(lambda: not panel.is_busy)


@dataclass(frozen=True, slots=True)
class Within:
    """A command whose dialog is waited for, and the acts in it; the last of them closes it."""

    command_id: str
    hands: tuple[Fill | Push, ...]

    @property
    def words(self) -> str:
        return ", ".join(hand.words for hand in (Press(self.command_id), *self.hands))

    def do(self, window: MainWindow) -> None:
        lost: list[Exception] = []

        def act() -> None:
            """Whatever is lost, the dialog is closed: who waits for it would wait for good."""
            dialog = open_dialog(window)
            try:
                for hand in self.hands:
                    hand.do(window)
            except Exception as error:
                lost.append(error)
            finally:
                dialog.close()

        QTimer.singleShot(0, act)
        Press(self.command_id).do(window)
        for error in lost:
            raise error


@contextmanager
def written(name: str, text: str) -> Iterator[str]:
    """The path of a file of that name, for as long as it is read."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(text)
        yield str(path)


def open_dialog(window: MainWindow) -> QDialog:
    """The dialog in front."""
    found = [one for one in window.findChildren(QDialog) if one.isVisible()]
    assert found, "no dialog is open"
    return found[-1]


def named(inside: QWidget, name: str) -> QWidget:
    """The control of that name; of several the first that can be used."""
    found = [one for one in inside.findChildren(QWidget) if one.accessibleName() == name and one.isVisible()]
    assert found, [one.accessibleName() for one in inside.findChildren(QWidget) if one.accessibleName()]
    return next((one for one in found if one.isEnabled()), found[0])


def settle_today(window: MainWindow) -> None:
    """Wait until Today is worked out and drawn."""
    QTest.qWait(1)
    QApplication.processEvents()
    window.docks.show_waiting()
