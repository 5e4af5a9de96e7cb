"""The menu of selected cards: everything that can be done with them, each with its key; in it who alone may serve."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from gpuplanner.charts.kit.plain_text import on_button, set_tip
from gpuplanner.domain.edits import sellers_in
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.model.book.only import ANYBODY, Only, who_words
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.domain.model.scenario.parting import Splits, whole_key
from gpuplanner.files.job_logs.judging.names import MERGED_DIGITS
from gpuplanner.ui.board.cards import Arranged
from gpuplanner.ui.cards.facets import FACETS, SIMILAR, similar_keys
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import COMMAND, OPEN, SELECT_ALL, keys_of
from gpuplanner.ui.words.date_verbs import CLEAR, DATE_VERBS, date_command
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import spoken, tr


@dataclass(frozen=True, slots=True)
class OnlyChoices:
    """What offers and contracts name; now: who may serve the selected workloads, None where they differ."""

    providers: Sequence[str] = ()
    regions: Sequence[str] = ()
    now: Only | None = ANYBODY


NO_CHOICES = OnlyChoices()


def only_choices(shown: ViewState, keys: Sequence[str]) -> OnlyChoices:
    """The choices for some workloads of the plan that is shown."""
    plan = shown.evaluation.figures.basis.plan
    now = {plan.only.get(key, ANYBODY) for key in keys}
    sellers = sellers_in(shown.evaluation.project)
    return OnlyChoices(sellers.providers, sellers.regions, now.pop() if len(now) == 1 else None)


def add_only_menu(menu: QMenu, choices: OnlyChoices, limit: Callable[[Only], None]) -> None:
    """Anybody, a provider, a region, anybody but a provider.

    None where offers and contracts name neither and nothing is limited.
    """
    only = menu.addMenu(tr("Only from"))
    only.setToolTipsVisible(True)

    def add(title: str, value: Only, tip: str) -> None:
        """Adds a choice, checked if it holds now."""
        action = only.addAction(on_button(title), lambda: limit(value))
        action.setCheckable(True)
        action.setChecked(choices.now == value)
        set_tip(action, tip)

    add(tr("Anybody"), ANYBODY, tr("Every offer and contract that fits may serve it"))
    tip = tr("Offers and contracts of others do not serve it, and it is planned apart")
    for field, names in (("provider", choices.providers), ("region", choices.regions)):
        if names:
            only.addSeparator()
        for name in names:
            title = name if field == "provider" else tr("Region {name}", name=name)
            add(title, Only(**{field: name}), tip)
    if choices.providers:
        only.addSeparator()
    for name in choices.providers:
        away = Only(not_provider=name)
        add(
            spoken(who_words(away)),
            away,
            tr("Its offers and contracts do not serve it, and it is planned apart"),
        )
    only.setEnabled(bool(choices.providers or choices.regions) or choices.now != ANYBODY)


@dataclass(frozen=True, slots=True)
class CardVerbs:
    """What the board does with the selected cards."""

    show_details: Callable[[], None]
    open_jobs: Callable[[], None]
    move: Callable[[Pool], None]
    label: Callable[[Pool], None]
    make_rule: Callable[[], None]
    toggle_pin: Callable[[], None]
    split: Callable[[], None]
    merge: Callable[[], None]
    merge_cards: Callable[[], None]
    take_apart: Callable[[], None]
    part_names: Callable[[], None]
    date: Callable[[str], None]  # one of DATE_VERBS
    change_planned: Callable[[], None]
    drop_planned: Callable[[], None]
    change_demand: Callable[[], None]
    limit: Callable[[Only], None]
    stop_team: Callable[[], None]
    select_similar: Callable[[str], None]
    select_all: Callable[[], None]


@dataclass(frozen=True, slots=True, eq=False)
class MenuState:
    """What the menu is opened on. like: the card that others may be similar to.

    merged: keys of all that the plan has merged, also of such as stand alone, for the others are gone. planned: those
    of the cards that no log has.
    """

    keys: tuple[str, ...]
    are_pinned: bool
    is_read_only: bool
    splits: Splits
    like: CardFigures | None
    arranged: Arranged | None
    merged: frozenset[str] = frozenset()
    planned: frozenset[str] = frozenset()
    only: OnlyChoices = NO_CHOICES

    @property
    def is_all_planned(self) -> bool:
        """Whether no log has any of the cards."""
        return bool(self.planned) and self.planned.issuperset(self.keys)


def card_menu(state: MenuState, verbs: CardVerbs, palette: Palette, parent: QWidget) -> QMenu:
    """The menu of the selected cards; on a read only board only what changes nothing."""
    menu = QMenu(parent)
    menu.setToolTipsVisible(True)
    _keyed(menu, tr("Details"), OPEN, verbs.show_details)
    jobs = _keyed(menu, tr("Show its jobs"), keys_of("jobs"), verbs.open_jobs)
    jobs.setIcon(icon("job_log", palette.text))
    jobs.setEnabled(not state.is_all_planned)
    menu.addSeparator()
    if not state.is_read_only:
        _add_changes(menu, state, verbs, palette)
        menu.addSeparator()
    _add_similar(menu, state, verbs)
    _keyed(menu, tr("Select all that is shown"), SELECT_ALL, verbs.select_all)
    return menu


def _add_changes(menu: QMenu, state: MenuState, verbs: CardVerbs, palette: Palette) -> None:
    """Adds what changes the plan.

    Where cards stand, what they are, parts, dates, demand and who may serve them.
    """
    keys = state.keys
    count = "" if len(keys) == 1 else f" {numbers.counted(len(keys), 'workload')}"
    for pool in POOLS:
        lane = lane_of(pool)
        action = _keyed(
            menu,
            tr("Move{count} to {pool}", count=count, pool=pool),
            keys_of(f"move_{pool}"),
            lambda pool=pool: verbs.move(pool),
        )
        action.setIcon(icon(lane.icon, palette.lane(lane)))
    label = menu.addMenu(tr("Label{count} as", count=count))
    label.setEnabled(not state.is_all_planned)
    for pool in POOLS:
        named = lane_of(pool).title
        _keyed(label, named, keys_of(f"label_{pool}"), lambda pool=pool: verbs.label(pool))
    rule = _command(menu, "make_rule", verbs.make_rule)
    rule.setEnabled(not state.is_all_planned)
    menu.addSeparator()
    _add_dates(menu, state, verbs, palette)
    add_only_menu(menu, state.only, verbs.limit)
    menu.addSeparator()
    pin = _keyed(menu, tr("Unpin") if state.are_pinned else tr("Pin"), keys_of("pin"), verbs.toggle_pin)
    pin.setIcon(icon("lock", palette.text))
    split = _command(menu, "split", verbs.split)
    members = {} if state.arranged is None else state.arranged.facts.members
    split.setEnabled(len(keys) == 1 and keys[0] not in members and not state.planned)
    pin.setEnabled(not state.is_all_planned)
    split.setIcon(icon("split", palette.text, palette.edge))
    merge = _command(menu, "merge", verbs.merge)
    merge.setEnabled(any(whole_key(key, state.splits) != key for key in keys))
    merge.setIcon(icon("merge", palette.text, palette.edge))
    one = _command(menu, "merge_cards", verbs.merge_cards)
    one.setEnabled(len(keys) > 1 and not state.planned)
    for action in (label.menuAction(), rule, pin, split, one):
        if state.planned and not action.isEnabled():
            set_tip(
                action,
                tr("No log has it: its class is the pool that it is planned for, and it stays whole"),
            )
    apart = _command(menu, "take_apart", verbs.take_apart)
    apart.setEnabled(any(key in members for key in keys))
    if not apart.isEnabled() and any(key in state.merged for key in keys):
        apart.setText(tr("Take apart: the others of it are not in this pool or not in this log"))
    why = "" if apart.isEnabled() else tr("Only a card that stands for several can be taken apart")
    set_tip(apart, why or tr("Make single cards of it again, where it stands"))
    if len(keys) == 1 and state.like is not None and MERGED_DIGITS in state.like.name:
        names = menu.addAction(tr("Take the names apart"))
        set_tip(names, tr("Make workloads of their own of the names that are alike but for digits"))
        names.triggered.connect(lambda _: verbs.part_names())


def _add_dates(menu: QMenu, state: MenuState, verbs: CardVerbs, palette: Palette) -> None:
    """When the workloads are there in the plan, and what of them is planned."""
    dates = menu.addMenu(icon("clock", palette.text, palette.edge), tr(date_command(CLEAR).parent))
    dates.setToolTipsVisible(True)
    known = {} if state.arranged is None else state.arranged.dates
    for name in DATE_VERBS:
        command = date_command(name)
        action = _command(dates, command.command_id, lambda name=name: verbs.date(name))
        set_tip(action, tr(command.tip))
        if name == CLEAR:
            action.setEnabled(any(key in known for key in state.keys))
    team = _command(dates, "stop_team", verbs.stop_team)
    if state.like is not None and state.like.owner:
        said = tr("Stop all of team {team}\u2026", team=state.like.owner)
        team.setText(on_button(said))
        set_tip(team, said)
    dates.addSeparator()
    _keyed(dates, tr("Change its demand\u2026"), keys_of("change_demand"), verbs.change_demand)
    if state.planned:
        change = _keyed(menu, tr("Change planned work\u2026"), "", verbs.change_planned)
        change.setEnabled(len(state.keys) == 1)
        remove = _command(menu, "drop_planned", verbs.drop_planned)
        remove.setIcon(icon("minus", palette.text, palette.edge))


def _add_similar(menu: QMenu, state: MenuState, verbs: CardVerbs) -> None:
    """Select similar: what the cards would share, and how many there are."""
    similar = menu.addMenu(tr("Select similar"))
    if state.like is None or state.arranged is None:
        similar.setEnabled(False)
        return
    cards = [card for found in state.arranged.cards.values() for card in found]
    for facet in SIMILAR:
        value = ", ".join(map(spoken, FACETS[facet].values(state.like, state.arranged.facts)))
        count = len(similar_keys(facet, state.like, cards, state.arranged.facts))
        action = similar.addAction(
            tr(
                "{similar}: {value}  ({count})",
                similar=FACETS[facet].similar,
                value=on_button(value),
                count=numbers.whole(count),
            )
        )
        action.triggered.connect(lambda _=False, facet=facet: verbs.select_similar(facet))
        set_tip(action, value)


def _command(menu: QMenu, command_id: str, verb: Callable[..., None]) -> QAction:
    """A command of the window in the menu, called as there."""
    command = COMMAND[command_id]
    return _keyed(menu, tr(command.name), command.shortcut, verb)


def _keyed(menu: QMenu, title: str, key: str, verb: Callable[..., None]) -> QAction:
    """Adds an entry with its key."""
    action = menu.addAction(spoken(title), verb)
    action.setShortcut(QKeySequence(key))
    return action
