"""Everything that can be asked for by name: actions, panels, scenarios, workloads and contracts, from their tables."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtGui import QAction, QKeySequence

from gpuplanner.charts.kit.plain_text import off_button
from gpuplanner.domain.edits import teams_of
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.scenario.plan_inputs import TODAY
from gpuplanner.ui.panels.panel import About
from gpuplanner.ui.session.session import Session
from gpuplanner.ui.session.ways import Ways
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import COMMAND, plan_keys
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import speak, tr

OWN = "palette"
"""The action that opens the list itself: it is not in it."""


WORDS_OF_KIND = {
    "Panel": worded("show see view go to"),
    "Scenario": worded("open view go to plan"),
    "Workload": worded("show find card job"),
    "Contract": worded("show find agreement commitment"),
    "Team": worded("cut end cancel close shut down lay off layoff"),
}
"""What people say before the name of a thing of a kind."""

OF_TODAY = worded("audit spend now bill waste idle stranded leaks ")
"""What people look for on Today."""


@dataclass(frozen=True, slots=True)
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
    found = _actions(by_id)
    if session.has_workspace:
        found += [*_panels(panels, ways), *_scenarios(session, ways), *_things(session, ways)]
    return found


def _actions(by_id: Mapping[str, QAction]) -> list[PaletteEntry]:
    """The commands that can be given now, by their names in the menus."""
    found = []
    for command in COMMAND.values():
        action = by_id.get(command.command_id)
        if action is None or command.command_id == OWN or not action.isEnabled():
            continue
        title = off_button(action.text()).rstrip("\u2026")
        name = f"{tr(command.parent)} {title[:1].lower()}{title[1:]}" if command.parent else title
        icon = command.icon or "chevron_right"
        keys, before = _keys(action), WORDS_OF_KIND.get(command.menu, "")
        also = tr(command.also)
        found.append(
            PaletteEntry(name, tr(command.menu), tr(command.tip), icon, action.trigger, keys, before, also)
        )
    return found


def _panels(panels: Sequence[tuple[About, QAction]], ways: Ways) -> list[PaletteEntry]:
    """Each panel, which is opened or brought to the front, and each view of it that has a name."""
    what, does, before = tr("Panel"), tr("Open the panel"), WORDS_OF_KIND["Panel"]
    found = []
    for about, opener in panels:
        title = off_button(tr(about.title))
        found.append(
            PaletteEntry(title, what, does, "document", partial(ways.panel, about.name), _keys(opener), before,
                         about.also)
        )  # fmt: skip
        found += [
            PaletteEntry(tr("{title}: {view}", title=title, view=view.title), what, does, "document",
                         partial(ways.panel, about.name, view.name), "", before, view.also)
            for view in about.views
        ]  # fmt: skip
    return found


def _scenarios(session: Session, ways: Ways) -> list[PaletteEntry]:
    """Today and each plan, with the key of its number."""
    names = (TODAY, *(plan.name for plan in session.document.project.scenarios))
    return [
        PaletteEntry(name, tr("Scenario"), tr("Show it"), "lock" if name == TODAY else "compare",
                partial(ways.scenario, name), plan_keys(number), WORDS_OF_KIND["Scenario"],
                OF_TODAY if name == TODAY else "")
        for number, name in enumerate(names, 1)
    ]  # fmt: skip


def _things(session: Session, ways: Ways) -> list[PaletteEntry]:
    """Contracts and workloads by name; none before the first evaluation."""
    evaluation = session.evaluation
    if evaluation is None:
        return []
    contracts = [
        PaletteEntry(one.contract_id, tr("Contract"), numbers.MIDDOT.join(filter(None, (one.provider, one.cluster))),
                "contract", partial(ways.contract, one.contract_id), before=WORDS_OF_KIND["Contract"])
        for one in session.document.project.contracts
    ]  # fmt: skip
    cards = [
        PaletteEntry(card.name, tr("Workload"), numbers.MIDDOT.join((lane_of(card.pool).title, card.cluster)),
                "job_log", partial(ways.workload, card.key), before=WORDS_OF_KIND["Workload"])
        for card in evaluation.figures.cards
    ]  # fmt: skip
    return [*contracts, *cards, *_teams(session, ways)]


def _teams(session: Session, ways: Ways) -> list[PaletteEntry]:
    """Each team, whose workloads may be stopped; none on Today."""
    plan = session.plan
    teams = {} if plan is None else teams_of(session.document.project, plan)
    return [
        PaletteEntry(tr("Stop team {team}", team=team), tr("Team"), numbers.counted(len(keys), "workload"), "clock",
                partial(ways.stop_team, team), before=WORDS_OF_KIND["Team"])
        for team, keys in teams.items() if team
    ]  # fmt: skip


def _keys(action: QAction) -> str:
    """The action's keys as this system writes them."""
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
