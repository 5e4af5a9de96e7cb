"""The command palette: a line to type a few letters in, and what fits them, words first; Enter does it."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QFrame, QLineEdit, QVBoxLayout, QWidget

from gpuplanner.domain.message import worded
from gpuplanner.ui.frame.palette_entries import PaletteEntry
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.tables.row_list import ListRow, RowList
from gpuplanner.ui.words.translation import tr

Thing = TypeVar("Thing")
FILLERS: Final = worded(
    "a an and are by can do does for from how if in is it its much many of on our the to us was we what when where "
    "which who why will with would"
)
"""Words of a question that say nothing of what is looked for."""
OF_THE_NAME = 60.0
"""What a fit of the name counts more than one of all else that is said."""


def fit(query: str, text: str, *, is_name: bool = True) -> float | None:
    """How well a text fits, more is better; None where it does not. is_name: else letters in order are no fit.

    Every word of the query has to be found: at the beginning of a word it counts most, then anywhere, then as letters
    in their order, close together. Short texts come before long ones. Case does not matter.
    """
    folded, total = text.casefold(), 0.0
    for word in query.casefold().split():
        found = _word_fit(word, folded, is_name=is_name)
        if found is None:
            return None
        total += found
    return total - len(text) / 1000


def _word_fit(word: str, text: str, *, is_name: bool) -> float | None:
    """How well a word stands in a text: at its begin, at a word's, within one, or in a name its letters in order.

    None if not.
    """
    at = text.find(word)
    while at > 0 and text[at - 1].isalnum():
        further = text.find(word, at + 1)
        if further < 0:
            break
        at = further
    if at >= 0:
        is_begin = at == 0 or not text[at - 1].isalnum()
        return (100.0 if at == 0 else 80.0 if is_begin else 50.0) + len(word)
    if not is_name:  # a long text has any letters in order
        return None
    found = re.search(".*?".join(map(re.escape, word)), text)
    if found is None:
        return None
    return max(1.0, 30.0 - (found.end() - found.start() - len(word)))


def best(
    query: str, things: Iterable[Thing], texts_of: Callable[[Thing], tuple[str, str]], most: int
) -> Sequence[Thing]:
    """The things that fit best, best first; in their own order where they fit alike, and where nothing is typed.

    texts_of: what a thing is called, and all that is said of it: what fits its name comes first.
    """
    words = query.casefold().split()
    fillers = set(tr(FILLERS).split())
    query = " ".join([word for word in words if word not in fillers] or words)
    if not query:
        return [thing for thing, _ in zip(things, range(most), strict=False)]
    found = [(_either(query, *texts_of(thing)), at, thing) for at, thing in enumerate(things)]
    kept = sorted(
        ((-score, at, thing) for score, at, thing in found if score is not None), key=lambda one: one[:2]
    )
    return [thing for _, _, thing in kept[:most]]


def _either(query: str, name: str, all_of_it: str) -> float | None:
    """A fit by name goes before one by all that is known of the command; None if neither fits."""
    by_name = fit(query, name)
    return fit(query, all_of_it, is_name=False) if by_name is None else by_name + OF_THE_NAME


MOST: Final = 60
WIDTH, HEIGHT, TOP = 560, 396, 96
MOVES: Final = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class CommandPalette(QDialog):
    """Told its commands; `chosen` is the one to be run once it has closed."""

    def __init__(self, commands: list[PaletteEntry], palette: Palette, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setWindowTitle(tr("Find a command"))
        self.setAccessibleName(tr("Find a command"))
        self.chosen: PaletteEntry | None = None
        self._commands = commands
        self._found: list[PaletteEntry] = []
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("An action, panel, plan, workload or contract"))
        self.search.setAccessibleName(tr("Find a command"))
        self.search.textChanged.connect(self._show)
        self.search.installEventFilter(self)
        self.list = RowList(tr("Commands found"), palette)
        self.list.empty_text = "Nothing of that name. Try fewer letters."
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keyboard stays in the line above it
        self.list.row_opened.connect(lambda _, at: self._choose(int(at)))
        frame = QFrame()
        frame.setObjectName("popover")
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(8, 8, 8, 8)
        inside.setSpacing(6)
        inside.addWidget(self.search)
        inside.addWidget(self.list, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(frame)
        size = parent.size()
        self.resize(min(WIDTH, size.width() - 40), min(HEIGHT, size.height() - TOP - 20))
        self.move(parent.mapToGlobal(parent.rect().topLeft()))
        self.move(self.x() + (size.width() - self.width()) // 2, self.y() + TOP)
        self._show("")
        self.search.setFocus()

    @property
    def found(self) -> list[PaletteEntry]:
        """What fits what is typed, best first."""
        return self._found

    def _show(self, text: str) -> None:
        """Shows the commands that fit best, the first one chosen."""
        self._found = list(best(text, self._commands, lambda command: (command.title, command.text), MOST))
        self.list.show_rows(
            [
                ListRow(one.title, f"{one.kind}: {one.note}" if one.note else one.kind, one.shortcut,
                        icon=one.icon, kind="command", key=str(at), unit="")
                for at, one in enumerate(self._found)
            ]
        )  # fmt: skip
        self._stand_on(0)

    def _stand_on(self, at: int) -> None:
        """Chooses a row, kept within the list; the field reads it out, as it has the keyboard."""
        model = self.list.model()
        if self._found:
            index = model.index(min(len(self._found) - 1, max(0, at)), 0)
            self.list.setCurrentIndex(index)
            self.list.scrollTo(index)
            self.search.setAccessibleDescription(str(index.data(Qt.ItemDataRole.AccessibleTextRole)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows go through what was found while the cursor stays in the line; Enter does the one that is chosen."""
        if watched is self.search and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in MOVES:
                steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -8, Qt.Key.Key_PageDown: 8}
                self._stand_on(self.list.currentIndex().row() + steps[Qt.Key(event.key())])
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._choose(self.list.currentIndex().row())
                return True
        return super().eventFilter(watched, event)

    def _choose(self, at: int) -> None:
        """Closes with the command of a row; it is done once the palette is gone."""
        if 0 <= at < len(self._found):
            self.chosen = self._found[at]
            self.accept()


def open_palette(commands: list[PaletteEntry], palette: Palette, parent: QWidget) -> None:
    """Ask what is to be done, and do it once the list is gone."""
    dialog = CommandPalette(commands, palette, parent)
    dialog.exec()
    chosen = dialog.chosen
    dialog.deleteLater()
    if chosen is not None:
        chosen.run()
