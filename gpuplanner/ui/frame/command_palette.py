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
OF_A_TEXT: Final = (60.0, 30.0, -30.0)
"""What a fit of whole words counts more in the name, in other words for it, and in all else that is said."""
LONG_WORD: Final = 4
"""Letters above which an s at the end of a word may be one of many, or of he and she."""
BEGINS: Final = 80.0
"""From here on a fit is at the beginning of a word."""


def fit(query: str, text: str, *, is_name: bool = True) -> float | None:
    """How well a text fits, more is better; None where it does not. is_name: else letters in order are no fit.

    Every word of the query has to be found: at the beginning of a word it counts most, then anywhere, then as letters
    in their order, close together. Short texts come before long ones. Case does not matter.
    """
    found = [_word_fit(word, text.casefold(), is_name=is_name) for word in query.casefold().split()]
    known = [one for one in found if one is not None]
    return sum(known) - len(text) / 1000 if len(known) == len(found) else None


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
        return (100.0 if at == 0 else BEGINS if is_begin else 50.0) + len(word)
    if not is_name:  # a long text has any letters in order
        return None
    found = re.search(".*?".join(map(re.escape, word)), text)
    if found is None:
        return None
    return max(1.0, 30.0 - (found.end() - found.start() - len(word)))


def best(
    query: str, things: Iterable[Thing], texts_of: Callable[[Thing], tuple[str, ...]], most: int
) -> Sequence[Thing]:
    """The things that fit best, best first; in their own order where they fit alike, and where nothing is typed.

    texts_of: what a thing is called, other words for it, all that is said of it: what fits an earlier one comes first.
    Where nothing has all the words, what has most of them is found: a question has more words than a name.
    """
    things = [*things]
    words = query.casefold().split()
    fillers = set(tr(FILLERS).split())
    query = " ".join([word for word in words if word not in fillers] or words)
    if not query:
        return things[:most]
    texts = [texts_of(thing) for thing in things]
    scores = [_of_all_words(query, one) for one in texts]
    if not any(score is not None for score in scores):
        scores = [_of_some_words(query, one) for one in texts]
    found = [(-score, at) for at, score in enumerate(scores) if score is not None]
    return [things[at] for _, at in sorted(found)[:most]]


def _of_all_words(query: str, texts: tuple[str, ...]) -> float | None:
    """The best fit of a query in one of the texts of a thing; None if it fits none."""
    name, *others = texts
    found = [
        score + more
        for text, more in zip(others, OF_A_TEXT[1:], strict=False)
        if (score := fit(query, text, is_name=False)) is not None
    ]
    by_name = fit(query, name)
    if by_name is not None:  # letters within a name are no better than a word for it
        words = query.casefold().split()
        is_whole = all((_word_fit(word, name.casefold(), is_name=False) or 0.0) >= BEGINS for word in words)
        found.append(by_name + (OF_A_TEXT[0] if is_whole else 0.0))
    return max(found, default=None)


def _of_some_words(query: str, texts: tuple[str, ...]) -> float | None:
    """How many words of a query begin words of a thing's name or of other words for it, one or many; None if none."""
    told = " ".join(texts[:2]).casefold()
    found = []
    for word in query.casefold().split():
        ways = [word, word.removesuffix("s")] if len(word) > LONG_WORD else [word]
        fits = [_word_fit(way, told, is_name=False) or 0.0 for way in ways]
        found.append(max(fits) if max(fits) >= BEGINS else 0.0)
    return sum(found) - len(told) / 1000 if any(found) else None


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
        self._found = list(best(text, self._commands, lambda command: command.texts, MOST))
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
