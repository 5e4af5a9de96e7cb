"""Entries of the command palette: actions, panels, scenarios, workloads and contracts."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from PySide6.QtGui import QAction, QKeySequence

from gpuplanner.charts.kit.plain_text import off_button
from gpuplanner.charts.kit.translation import speak, spoken, tr
from gpuplanner.domain.edits.find import teams_of
from gpuplanner.domain.message import Message, Text, lowered, worded
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.files.system.resources import words_table
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.flows.session import Session, Ways
from gpuplanner.ui.panels.panel import About
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import COMMAND, plan_keys
from gpuplanner.ui.words.lanes import lane_of

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
