"""The menus and the command palette: all that can be asked for by name, found by a few letters."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, TypeVar

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QFrame, QLineEdit, QMenu, QMenuBar, QWidget

from gpuplanner.charts.kit.plain_text import off_button, set_tip, speak, spoken, tr
from gpuplanner.domain.ask.changes import MOST_LETTERS, meant_by
from gpuplanner.domain.ask.reading import NotUnderstoodError
from gpuplanner.domain.edits.find import teams_of
from gpuplanner.domain.message import Message, Text, lowered, worded
from gpuplanner.domain.model.plan_inputs import TODAY
from gpuplanner.files.system.resources import long_text, read_question_forms, words_table
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.flows.ask_flow import AskFlow
from gpuplanner.ui.flows.session import Session, Ways
from gpuplanner.ui.kit.dialogs import exec_once
from gpuplanner.ui.kit.layout import box, column, named, share
from gpuplanner.ui.panels.panel import About
from gpuplanner.ui.tables.row_list import ListRow, RowList
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import COMMAND, COMMANDS, MENUS, PLAN, PROJECT, plan_keys, with_keys
from gpuplanner.ui.words.glossary import lane_of

# --- Everything that can be asked for by name: actions, panels, scenarios, workloads and contracts, from their tables

OWN = "palette"
"""The action that opens the list itself: it is not in it."""


WORDS_OF_KIND: Final = words_table("command_kind")
"""What people say before the name of a thing of a kind."""

OF_TODAY = worded("audit spend now bill waste idle stranded leaks")
"""What people look for on Today."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaletteEntry:
    """One row: what it is called and is, its shortcut, what it does, and other words that it is looked for by."""

    title: str
    kind: str
    note: str
    icon: str
    run: Callable[[], object]
    shortcut: str = ""
    before: Text = ""  # what people say before its name
    also: Text = ""

    def __post_init__(self) -> None:
        speak(self, "before", "also")

    @property
    def texts(self) -> tuple[str, str, str]:
        """What is searched: its name, other words that people have for it, and all that is said of it."""
        words = f"{self.title} {self.kind} {self.before} {self.also}"
        return self.title, words, f"{words} {self.note}"


def entries_of(
    session: Session, by_id: Mapping[str, QAction], panels: Sequence[tuple[About, QAction]], ways: Ways
) -> list[PaletteEntry]:
    """What can be asked for now: actions that are enabled, then panels, scenarios, contracts and workloads.

    by_id: the actions of the menus; panels: what each says of itself, and the action that brings it to the front.
    """
    actions = _actions(by_id)
    if session.has_workspace:
        actions += [*_panels(panels, ways), *_scenarios(session, ways), *_things(session, ways)]
    return actions


def _actions(by_id: Mapping[str, QAction]) -> list[PaletteEntry]:
    """The commands that can be given now, by their names in the menus."""
    actions = []
    for command in COMMAND.values():
        action = by_id.get(command.command_id)
        if action is None or command.command_id == OWN or not action.isEnabled():
            continue
        title = off_button(action.text()).rstrip("\u2026")
        name = title
        if command.parent and command.is_checkable:
            name = tr("{title}: {value}", title=tr(command.parent), value=title)
        elif command.parent:
            under = spoken(lowered(Message(command.name)))
            name = f"{tr(command.parent)} {under}".rstrip("\u2026")
        icon, keys = command.icon or "chevron_right", _keys(action)
        kind, before = tr(command.menu), WORDS_OF_KIND.get(command.menu, "")
        also = f"{tr(command.also)} {command.name}"
        entry = PaletteEntry(
            title=name,
            kind=kind,
            note=tr(command.tip),
            icon=icon,
            run=action.trigger,
            shortcut=keys,
            before=before,
            also=also,
        )
        actions.append(entry)
    return actions


def _panels(panels: Sequence[tuple[About, QAction]], ways: Ways) -> list[PaletteEntry]:
    """Each panel, which is opened or brought to the front, and each view of it that has a name."""
    what, does, before = tr("Panel"), tr("Open the panel"), WORDS_OF_KIND["Panel"]
    actions = []
    for about, opener in panels:
        title = off_button(tr(about.title))
        actions.append(
            PaletteEntry(
                title=title,
                kind=what,
                note=does,
                icon="document",
                run=partial(ways.panel, about.name),
                shortcut=_keys(opener),
                before=before,
                also=about.also,
            )
        )
        actions += [
            PaletteEntry(
                title=tr("{title}: {value}", title=title, value=view.title),
                kind=what,
                note=does,
                icon="document",
                run=partial(ways.panel, about.name, view.name),
                shortcut="",
                before=before,
                also=view.also,
            )
            for view in about.views
        ]
    return actions


def _scenarios(session: Session, ways: Ways) -> list[PaletteEntry]:
    """Today and each plan, with the key of its number."""
    names = (TODAY, *(plan.name for plan in session.document.project.scenarios))
    return [
        PaletteEntry(
            title=name,
            kind=tr("Plan"),
            note=tr("Show it"),
            icon="lock" if name == TODAY else "compare",
            run=partial(ways.scenario, name),
            shortcut=plan_keys(number),
            before=WORDS_OF_KIND["Plan"],
            also=OF_TODAY if name == TODAY else "",
        )
        for number, name in enumerate(names, 1)
    ]


def _things(session: Session, ways: Ways) -> list[PaletteEntry]:
    """Contracts and workloads by name; none before the first evaluation."""
    if (evaluation := session.evaluation) is None:
        return []
    contracts = [
        PaletteEntry(
            title=one.contract_id,
            kind=tr("Contract"),
            note=numbers.MIDDOT.join(filter(None, (one.provider, one.cluster))),
            icon="contract",
            run=partial(ways.contract, one.contract_id),
            before=WORDS_OF_KIND["Contract"],
        )
        for one in session.document.project.contracts
    ]
    cards = [
        PaletteEntry(
            title=card.name,
            kind=tr("Workload"),
            note=numbers.MIDDOT.join((lane_of(card.pool).title, card.cluster)),
            icon="job_log",
            run=partial(ways.workload, card.key),
            before=WORDS_OF_KIND["Workload"],
        )
        for card in evaluation.figures.cards
    ]
    return [*contracts, *cards, *_teams(session, ways)]


def _teams(session: Session, ways: Ways) -> list[PaletteEntry]:
    """Each team, whose workloads may be stopped; none on Today."""
    plan = session.plan
    teams = {} if plan is None else teams_of(session.document.project, plan)
    return [
        PaletteEntry(
            title=tr("Stop team {team}", team=team),
            kind=tr("Team"),
            note=numbers.counted(len(keys), "workload"),
            icon="clock",
            run=partial(ways.stop_team, team),
            before=WORDS_OF_KIND["Team"],
        )
        for team, keys in teams.items()
        if team
    ]


def _keys(action: QAction) -> str:
    """The action's keys as this system writes them."""
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)


# --- The command palette: a line to type a few letters in, and what fits them, words first; Enter does it

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


# --- The menus of the window, made of the table of commands: an action for each, its tip with its shortcut


def build_menus(bar: QMenuBar, owner: QWidget) -> tuple[dict[str, QAction], dict[str, QMenu]]:
    """Fill a menu bar; returns the actions by id and the menus by title (submenus as "File/Open recent")."""
    actions: dict[str, QAction] = {}
    menus = {
        title: bar.addMenu(with_key)
        for title, with_key in zip(MENUS, with_alt_keys(map(tr, MENUS)), strict=True)
    }
    for command in COMMANDS:
        menu = menus[command.menu]
        if not command.title:
            menu.addSeparator()
            continue
        if command.parent:
            if (path := f"{command.menu}/{command.parent}") not in menus:
                menus[path] = menu.addMenu(tr(command.parent))
            menu = menus[path]
            if not command.name:
                continue
        action = QAction(tr(command.name), owner, checkable=command.is_checkable)
        if command.shortcut:
            action.setShortcut(QKeySequence(command.shortcut))
        tip = tr(command.tip)
        set_tip(action, with_keys(tip, command.command_id) if command.shortcut else spoken(tip))
        action.setStatusTip("")
        menu.addAction(action)
        actions[command.command_id] = action
    for menu in menus.values():
        menu.setToolTipsVisible(True)
    return actions, menus


def with_alt_keys(titles: Iterable[str]) -> Iterator[str]:
    """Titles of menus, each with & before the first of its letters that no menu before it has: Alt and it open it."""
    taken = set[str]()
    for title in titles:
        at = next((at for at, sign in enumerate(title) if sign.isalpha() and sign.lower() not in taken), 0)
        taken.add(title[at].lower())
        yield f"{title[:at]}&{title[at:]}"


def enable_actions(actions: dict[str, QAction], *, has_project: bool, is_plan: bool) -> None:
    """Only what means something now can be asked for."""
    is_met = {PROJECT: has_project, PLAN: is_plan}
    for command in COMMANDS:
        if command.needs:  # who undoes, say, knows himself when he can
            actions[command.command_id].setEnabled(is_met[command.needs])
