"""The command palette: a line to type, and entries that match."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final, TypeVar

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QFrame, QLineEdit, QWidget

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.ask.changes import MOST_LETTERS, meant_by
from gpuplanner.domain.ask.reading import NotUnderstoodError
from gpuplanner.domain.message import worded
from gpuplanner.files.system.resources import long_text, read_question_forms
from gpuplanner.ui.flows.ask_flow import AskFlow
from gpuplanner.ui.kit.dialogs import exec_once
from gpuplanner.ui.kit.layout import box, column, named, share
from gpuplanner.ui.tables.row_list import ListRow, RowList
from gpuplanner.ui.window.palette_entries import PaletteEntry

Thing = TypeVar("Thing")
FILLERS: Final = long_text("filler_words")
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
    fits = [_word_fit(word, text.casefold(), is_name=is_name) for word in query.casefold().split()]
    known = [fit for fit in fits if fit is not None]
    return sum(known) - len(text) / 1000 if len(known) == len(fits) else None


def _word_fit(word: str, text: str, *, is_name: bool) -> float | None:
    """How well a word stands in a text: at its begin, at a word's, within one, or in a name its letters in order.

    None if not.
    """
    at = text.find(word)
    while at > 0 and text[at - 1].isalnum():
        if (further := text.find(word, at + 1)) < 0:
            break
        at = further
    if at >= 0:
        if at == 0:
            rank = 100.0
        elif not text[at - 1].isalnum():
            rank = BEGINS
        else:
            rank = 50.0
        return rank + len(word)
    if not is_name:  # a long text has any letters in order
        return None
    match = re.search(".*?".join(map(re.escape, word)), text)
    return None if match is None else max(1.0, 30.0 - (match.end() - match.start() - len(word)))


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
    if not (query := " ".join([word for word in words if word not in fillers] or words)):
        return things[:most]
    texts = [texts_of(entry) for entry in things]
    scores = [_of_all_words(query, text) for text in texts]
    if not any(score is not None for score in scores):
        scores = [_of_some_words(query, text) for text in texts]
    ranked = [(-score, at) for at, score in enumerate(scores) if score is not None]
    return [things[at] for _, at in sorted(ranked)[:most]]


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


AskOf = Callable[[str], tuple[PaletteEntry, bool]]
"""The row that asks what is typed, and whether it is understood, or so near that it comes first."""


def asking(flow: AskFlow) -> AskOf | None:
    """What answers words that are typed; None while no plan can be asked."""
    asked, forms = flow.asked(), read_question_forms()
    if asked is None:
        return None

    def of(typed: str) -> tuple[PaletteEntry, bool]:
        try:
            meant_by(typed, forms, asked)
        except NotUnderstoodError as fault:
            is_near = bool(fault.instead)
            why = spoken(fault.what) if is_near else tr("No match: see examples")
            return PaletteEntry(
                title=typed, kind=tr("Ask"), note=why, icon="search", run=partial(flow.ask, typed)
            ), is_near
        return PaletteEntry(
            title=typed, kind=tr("Ask"), note=tr("Answer it"), icon="why", run=partial(flow.ask, typed)
        ), True

    return of


def _bare(text: str) -> str:
    """The words of a text, without case and signs."""
    return " ".join(re.findall(r"\w+", text.casefold()))


class CommandPalette(QDialog):
    """Told its commands; `chosen` is the one to be run once it has closed."""

    def __init__(self, commands: list[PaletteEntry], parent: QWidget, ask: AskOf | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setWindowTitle(tr("Find a command"))
        self.setAccessibleName(tr("Find a command"))
        self.chosen: PaletteEntry | None = None
        self._commands, self._ask = commands, ask
        self.found: list[PaletteEntry] = []  # what fits what is typed, best first
        hint = tr("Question, change, action, panel, workload or contract")
        self.search = named(QLineEdit(placeholderText=hint, maxLength=MOST_LETTERS), tr("Find a command"))
        self.search.textChanged.connect(self._show)
        self.search.installEventFilter(self)
        self.list = RowList(tr("Commands found"))
        self.list.empty_text = worded("No match. Try fewer letters.")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keyboard stays in the line above it
        self.list.row_opened.connect(lambda _, at: self._choose(int(at)))
        inside = column(self.search, share(self.list), margins=8, spacing=6)
        column(box("popover", inside, QFrame()), on=self)
        size = parent.size()
        self.resize(min(WIDTH, size.width() - 40), min(HEIGHT, size.height() - TOP - 20))
        self.move(parent.mapToGlobal(parent.rect().topLeft()))
        self.move(self.x() + (size.width() - self.width()) // 2, self.y() + TOP)
        self._show("")
        self.search.setFocus()

    def _show(self, text: str) -> None:
        """Shows the commands that fit best, the first one chosen."""
        self.found = list(best(text, self._commands, lambda command: command.texts, MOST))
        if self._ask is not None and " " in text.strip():
            answer, is_near = self._ask(text.strip())
            is_named = bool(self.found) and _bare(text) in _bare(self.found[0].title)
            self.found.insert(int(is_named) if is_near else len(self.found), answer)
        self.list.show_rows(
            [
                ListRow(
                    title=one.title,
                    note=f"{one.kind}: {one.note}" if one.note else one.kind,
                    amount=one.shortcut,
                    icon=one.icon,
                    kind="command",
                    key=str(at),
                    unit="",
                )
                for at, one in enumerate(self.found)
            ]
        )
        self._stand_on(0)

    def _stand_on(self, at: int) -> None:
        """Chooses a row, kept within the list; the field reads it out, as it has the keyboard."""
        model = self.list.model()
        if self.found:
            index = model.index(min(len(self.found) - 1, max(0, at)), 0)
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
        if 0 <= at < len(self.found):
            self.chosen = self.found[at]
            self.accept()


def open_palette(commands: list[PaletteEntry], parent: QWidget, ask: AskOf | None = None) -> None:
    """Ask what is to be done, and do it once the list is gone. ask: what answers words; None: nothing does."""
    dialog = CommandPalette(commands, parent, ask)
    exec_once(dialog)
    chosen = dialog.chosen
    if chosen is not None:
        chosen.run()
