"""Everything that can be asked for by name: actions, panels, scenarios, workloads and contracts, from their tables."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtGui import QAction, QKeySequence

from gpuplanner.charts.kit.plain_text import off_button
from gpuplanner.domain.model.scenario.plan_inputs import TODAY
from gpuplanner.domain.model.worded import worded
from gpuplanner.ui.frame.actions import ACTIONS
from gpuplanner.ui.session.session import Session
from gpuplanner.ui.session.ways import Ways
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import speak, tr

OWN = "palette"
"""The action that opens the list itself: it is not in it."""


WORDS_OF_KIND = {
    "Panel": worded("show see view go to"),
    "Scenario": worded("open view go to plan"),
    "Workload": worded("show find card job"),
    "Contract": worded("show find agreement commitment"),
}
"""What people say before the name of a thing of a kind."""
OTHER_WORDS = {
    "Prices": worded("rates offers cost price list"),
    "Duration": worded("commitment layers terms levels load curve"),
    "Checks": worded("warnings problems issues"),
    "Actions": worded("recommendations orders advice to do"),
    "Contracts": worded("agreements commitments dates"),
    "Cost": worded("spend unit costs variance"),
    "Hardware": worded("fit gpu models"),
    "Backtest": worded("would it have paid history"),
    "Utilization": worded("use idle activity"),
    "Export workbook": worded("save excel xlsx spreadsheet"),
    "Import": worded("add load open log csv"),
}
"""By how a title begins: synonyms of it."""


@dataclass(frozen=True, slots=True)
class Command:
    """One row: what it is called and is, its shortcut, and what it does."""

    title: str
    kind: str
    note: str
    icon: str
    run: Callable[[], object]
    shortcut: str = ""

    def __post_init__(self) -> None:
        speak(self, "title", "kind", "note")

    @property
    def text(self) -> str:
        """What is searched: also other words that people have for it."""
        own = next((words for start, words in OTHER_WORDS.items() if self.title.startswith(start)), "")
        return f"{self.title} {self.kind} {self.note} {WORDS_OF_KIND.get(self.kind, '')} {own}"


def commands_of(
    session: Session, by_id: Mapping[str, QAction], panels: Sequence[tuple[str, str, QAction]], ways: Ways
) -> list[Command]:
    """What can be asked for now: actions that are enabled, then panels, scenarios, contracts and workloads.

    by_id: the actions of the menus; panels: name and title of each, and the action that shows or hides it.
    """
    found = _actions(by_id)
    if session.has_workspace:
        found += [*_panels(panels, ways), *_scenarios(session, ways), *_things(session, ways)]
    return found


def _actions(by_id: Mapping[str, QAction]) -> list[Command]:
    found = []
    for spec in ACTIONS:
        action = by_id.get(spec.action_id)
        if not spec.title or action is None or spec.action_id == OWN or not action.isEnabled():
            continue
        title = off_button(action.text()).rstrip("\u2026")
        parent = tr(spec.title.split("/")[0]) if "/" in spec.title else ""
        name = f"{parent} {title[:1].lower()}{title[1:]}" if parent else title
        found.append(
            Command(
                name,
                tr(spec.menu),
                tr(spec.tip),
                spec.icon or "chevron_right",
                action.trigger,
                _keys(action),
            )
        )
    return found


def _panels(panels: Sequence[tuple[str, str, QAction]], ways: Ways) -> list[Command]:
    return [
        Command(
            title,
            tr("Panel"),
            tr("Open the panel"),
            "document",
            partial(ways.panel, name),
            _keys(toggle),
        )
        for name, title, toggle in panels
    ]


def _scenarios(session: Session, ways: Ways) -> list[Command]:
    names = (TODAY, *(plan.name for plan in session.document.project.scenarios))
    return [
        Command(name, tr("Scenario"), tr("Show it"), "lock" if name == TODAY else "compare",
                partial(ways.scenario, name), f"Ctrl+{number}" if number < 10 else "")
        for number, name in enumerate(names, 1)
    ]  # fmt: skip


def _things(session: Session, ways: Ways) -> list[Command]:
    evaluation = session.evaluation
    if evaluation is None:
        return []
    contracts = [
        Command(one.contract_id, tr("Contract"), numbers.MIDDOT.join(filter(None, (one.provider, one.cluster))),
                "contract", partial(ways.contract, one.contract_id))
        for one in session.document.project.contracts
    ]  # fmt: skip
    cards = [
        Command(card.name, tr("Workload"), numbers.MIDDOT.join((lane_of(card.pool).title, card.cluster)),
                "job_log", partial(ways.workload, card.key))
        for card in evaluation.figures.cards
    ]  # fmt: skip
    return [*contracts, *cards]


def _keys(action: QAction) -> str:
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
