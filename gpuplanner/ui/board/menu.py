"""The cards of the board as they are to be seen, and the menu of all that can be done with selected ones."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from PySide6.QtGui import QAction, QIcon, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from gpuplanner.charts.kit.plain_text import on_button, set_tip
from gpuplanner.charts.kit.translation import by_count, spoken, tr
from gpuplanner.domain.edits.seller_limits import sellers_in
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.book.only import ANYBODY, Only, named_words, who_words
from gpuplanner.domain.model.places import residency_only
from gpuplanner.domain.model.plan.splits import Splits, whole_key
from gpuplanner.domain.model.spelling import names_apart
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.cards import board_view, card_dates, card_order, column_rows, facets
from gpuplanner.ui.cards.marks import CardMarks
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.page_parts import add_choice, passing_menu
from gpuplanner.ui.state.view_state import LaneSums, LaneTotals, ViewState, lane_sums, lane_totals
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import COMMAND, OPEN, SELECT_ALL, keys_of
from gpuplanner.ui.words.date_verbs import CLEAR, DATE_VERBS, date_command
from gpuplanner.ui.words.lanes import Lane, lane_of

# --- The cards of the board as they are to be seen: sorted, filtered, grouped; what stayed the same is kept

ELLIPSIS = "\u2026"


def telling_ends(names: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """By name its ends that no other name has, longest first, each after an ellipsis; only names that have some.

    >>> telling_ends(["aurora-large-pretrain", "aurora-base-pretrain", "sft"])["aurora-base-pretrain"]
    ('…base-pretrain',)
    """
    ends = {name: _ends(name) for name in set(names)}
    count = Counter(end for found in ends.values() for end in found)
    count.update(list(ends))  # a name may be the end of another
    told = {name: tuple(ELLIPSIS + end for end in found if count[end] == 1) for name, found in ends.items()}
    return {name: found for name, found in told.items() if found}


def _ends(name: str) -> tuple[str, ...]:
    """What is left of a name after its first word, its first two, and so on."""
    words = name.split("-")
    return tuple("-".join(words[at:]) for at in range(1, len(words)))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Arranged:
    """Everything that the columns show. cards: those that the filter lets through; rows: with headings, as folded."""

    usd: card_order.Usd
    marks: CardMarks
    facts: facets.CardFacts
    apart: Mapping[str, Message]
    ends: Mapping[str, tuple[str, ...]]
    everything: card_order.Lanes
    cards: card_order.Lanes
    rows: Mapping[Lane, Sequence[column_rows.BoardRow]]
    sums: Mapping[Lane, LaneSums]
    largest: Mapping[Lane, float]  # GPU-hours that fill a bar
    dates: card_dates.Dates

    @property
    def visible_count(self) -> int:
        """How many cards the filter lets through."""
        return sum(map(len, self.cards.values()))

    @property
    def count(self) -> int:
        """How many cards there are."""
        return sum(map(len, self.everything.values()))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Sorted:
    """Sorted columns with what they were sorted by: still good while these are the very same values."""

    usd: card_order.Usd
    sort: str
    cards: tuple[CardFigures, ...]
    lanes: card_order.Lanes
    before: card_order.Lanes  # the columns that these were made of by a move
    moved: card_order.Moved | None


class BoardCards:
    """Keeps the last answer and what it was of."""

    def __init__(self) -> None:
        self._sorted: _Sorted | None = None
        self._texts: tuple[tuple[object, ...], Mapping[str, str]] = ((), {})
        self._apart: tuple[tuple[object, ...], Mapping[str, Message]] = ((), {})
        self._ends: Mapping[str, tuple[str, ...]] = {}
        self._models: tuple[object, Mapping[str, str]] = (None, {})
        self._largest: tuple[card_order.Lanes, Mapping[Lane, float]] = ({}, {})
        self._marks: tuple[tuple[object, ...], CardMarks | None] = ((), None)
        self._sums: tuple[tuple[object, ...], Mapping[Lane, LaneSums]] = ((), {})
        self._totals: Mapping[Lane, LaneTotals] = {}
        self._dates: card_dates.Dates = {}
        self._gone: tuple[object, frozenset[str]] = (None, frozenset())

    def arrange(self, shown: ViewState, view: board_view.BoardView) -> Arranged:
        """The columns of an evaluation, as they are looked at."""
        marks = self._marks_of(shown)
        facts = facets.CardFacts(
            has_warning=marks.has_warning,
            notes=shown.evaluation.project.notes,
            splits=splits_of(shown),
            models=self._models_of(shown),
            members=shown.members,
            dates=(dates := self._dates_of(shown)),
            on_spot=frozenset(one.key for one in shown.outlook.spot if one.on_spot)
            if shown.outlook
            else frozenset(),
        )
        everything = self._in_order(shown, view.sort)
        texts = self._texts_of(shown, facts) if view.search.strip() else {}
        cards = column_rows.filtered(everything, view, texts, facts)
        rows = {lane: column_rows.rows_of(found, view, shown.usd, facts) for lane, found in cards.items()}
        # What tells cards of one name apart; the same while only cards are moved
        of = (shown.evaluation.project.workloads, *_told_by_plan(shown))
        if not _are_same(self._apart[0], of):
            self._apart = of, names_apart(shown.cards)
            self._ends = telling_ends(card.name for card in shown.cards)
        apart, sums = self._apart[1], self._sums_of(shown, everything)
        return Arranged(
            usd=shown.usd,
            marks=marks,
            facts=facts,
            apart=apart,
            ends=self._ends,
            everything=everything,
            cards=cards,
            rows=rows,
            sums=sums,
            largest=self._largest_of(cards),
            dates=dates,
        )

    def _largest_of(self, cards: card_order.Lanes) -> Mapping[Lane, float]:
        """Looked up again only in columns that are another list now, and not where few cards moved."""
        before, known = self._largest
        made = {}
        for lane, found in cards.items():
            if before.get(lane) is found:
                made[lane] = known[lane]
                continue
            left, came = self._change_of(lane, before.get(lane), found) or (None, ())
            if left is None or column_rows.largest_hours(left) >= known[lane]:
                made[lane] = column_rows.largest_hours(found)
            else:
                made[lane] = max(known[lane], column_rows.largest_hours(came))
        self._largest = cards, made
        return made

    def _change_of(
        self, lane: Lane, before: object, after: object
    ) -> tuple[Sequence[CardFigures], Sequence[CardFigures]] | None:
        """The cards that left a column and those that came; None where that is not how it came about."""
        if (known := self._sorted) is None or known.moved is None:
            return None
        if known.before.get(lane) is not before or known.lanes[lane] is not after:
            return None
        return known.moved.left.get(lane, ()), known.moved.came.get(lane, ())

    def _marks_of(self, shown: ViewState) -> CardMarks:
        """The same while cards are moved and the advice of before is shown."""
        evaluation = shown.evaluation
        of = (
            shown.is_today,
            evaluation.audit,
            shown.advice,
            shown.outlook,
            shown.fit,
            evaluation.project.notes,
            _identity(splits_of(shown)),
            _identity(shown.members),
        )
        before, made = self._marks
        if made is None or not _are_same(before, of):
            made = CardMarks(shown)
            self._marks = of, made
        return made

    def _dates_of(self, shown: ViewState) -> card_dates.Dates:
        """The same while what a plan says of time is: cards are drawn again where it is not."""
        if self._gone[0] is not shown.costs:
            self._gone = shown.costs, card_dates.gone_of(shown.costs)
        if (made := card_dates.card_dates(shown, self._gone[1])) != self._dates:
            self._dates = made
        return self._dates

    def _sums_of(self, shown: ViewState, everything: card_order.Lanes) -> Mapping[Lane, LaneSums]:
        """The same while only the way to look at the cards changes."""
        of = (shown, shown.cards)
        if not _are_same(self._sums[0], of):
            self._totals = lane_totals(shown.usd, everything, self._totals, self._change_of)
            self._sums = of, lane_sums(shown, everything, self._totals)
        return self._sums[1]

    def _in_order(self, shown: ViewState, sort: str) -> card_order.Lanes:
        """Every card in its column; after a move only the cards that moved are put in their places."""
        known, moved = self._sorted, None
        if known is not None and known.usd is shown.usd and known.sort == sort:
            if known.cards is shown.cards:
                return known.lanes
            moved = card_order.moved_in_lanes(known.lanes, known.cards, shown.cards, shown.usd, sort)
        made = card_order.in_lanes(shown.cards, shown.usd, sort) if moved is None else moved.lanes
        before = {} if known is None else known.lanes
        self._sorted = _Sorted(
            usd=shown.usd, sort=sort, cards=shown.cards, lanes=made, before=before, moved=moved
        )
        return made

    def _texts_of(self, shown: ViewState, facts: facets.CardFacts) -> Mapping[str, str]:
        """The same while only cards are moved: no word of a card says where it stands."""
        of = (shown.evaluation.audit, facts.notes, *_told_by_plan(shown))
        if not _are_same(self._texts[0], of):
            self._texts = of, column_rows.search_texts(shown.cards, facts)
        return self._texts[1]

    def _models_of(self, shown: ViewState) -> Mapping[str, str]:
        """The AI model that the jobs of a workload name most, by key; of most workloads only the name tells it."""
        workloads = shown.evaluation.project.workloads
        if self._models[0] is not workloads:
            named = {workload.key: workload.model_time[0][0] for workload in workloads if workload.model_time}
            self._models = workloads, named
        return self._models[1]


def splits_of(shown: ViewState) -> Splits:
    """What the plan that is shown divides; nothing of the past is divided."""
    return {} if shown.is_today else shown.evaluation.figures.basis.plan.splits


def place_among(
    card: CardFigures,
    rows: Sequence[column_rows.BoardRow],
    view: board_view.BoardView,
    usd: card_order.Usd,
    facts: facets.CardFacts,
) -> int:
    """The row at which a card would stand in a column: in its group where cards are grouped."""
    key = card_order.SORTS[view.sort](usd)
    mine = key(card)
    if not view.group:
        return sum(1 for row in rows if isinstance(row, CardFigures) and key(row) < mine)
    value = facets.FACETS[view.group].values(card, facts)[0]
    heads = ((at, row) for at, row in enumerate(rows) if isinstance(row, column_rows.GroupHeading))
    at = next((place for place, row in heads if row.value == value), None)
    if at is None:
        return len(rows)
    place = at + 1
    while place < len(rows):
        row = rows[place]
        if isinstance(row, column_rows.GroupHeading) or not key(row) < mine:
            break
        place += 1
    return place


def _told_by_plan(shown: ViewState) -> tuple[object, ...]:
    """What of a plan says which cards there are, and of which names."""
    planned = () if shown.is_today else shown.evaluation.figures.basis.plan.planned
    return planned, _identity(splits_of(shown)), _identity(shown.members)


def _identity(known: Mapping[str, object]) -> object:
    """Two plans that divide, or merge, nothing are alike in this."""
    return known or None


def _are_same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Whether both hold the very same objects, which costs less than comparing thousands of cards."""
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))


# --- The menu of selected cards: everything that can be done with them, each with its key; in it who alone may serve


@dataclass(frozen=True, slots=True)
class OnlyChoices:
    """What offers and contracts name; now: who may serve the selected workloads, None where they differ."""

    providers: Sequence[str] = ()
    regions: Sequence[str] = ()
    now: Only | None = ANYBODY
    countries: Sequence[str] = ()


NO_CHOICES = OnlyChoices()
NO_ICON = QIcon()


def only_choices(shown: ViewState, keys: Sequence[str]) -> OnlyChoices:
    """The choices for some workloads of the plan that is shown."""
    plan = shown.evaluation.figures.basis.plan
    now = {plan.only.get(key, ANYBODY) for key in keys}
    sellers = sellers_in(shown.evaluation.project)
    allowed = residency_only(shown.evaluation.project.places)
    countries = (*((allowed,) if allowed else ()), *sellers.countries)
    return OnlyChoices(sellers.providers, sellers.regions, now.pop() if len(now) == 1 else None, countries)


def add_only_menu(menu: QMenu, choices: OnlyChoices, limit: Callable[[Only], None]) -> None:
    """Anybody, a provider, a region, countries (those that data residency allows first), anybody but a provider.

    None where offers and contracts name neither and nothing is limited.
    """
    only = menu.addMenu(tr("Only from"))
    only.setToolTipsVisible(True)

    def add(title: str, value: Only, tip: str) -> None:
        """Adds a choice, checked if it holds now."""
        is_now = choices.now == value
        set_tip(add_choice(only, on_button(title), lambda: limit(value), is_chosen=is_now), tip)

    add(tr("Anybody"), ANYBODY, tr("Any fitting offer or contract may serve it"))
    tip = tr("No other offers or contracts serve it; it is planned separately")
    sold = {"provider": choices.providers, "region": choices.regions, "country": choices.countries}
    for field, names in sold.items():
        if names:
            only.addSeparator()
        for name in names:
            only_it = Only(**{field: name})
            title = tr("Region {name}", name=name) if field == "region" else spoken(named_words(only_it))
            add(title, only_it, tip)
    if choices.providers:
        only.addSeparator()
    tip = tr("Its offers and contracts do not serve it; planned separately")
    for name in choices.providers:
        away = Only(not_provider=name)
        add(spoken(who_words(away)), away, tip)
    only.setEnabled(any(sold.values()) or choices.now != ANYBODY)


@dataclass(frozen=True, slots=True, kw_only=True)
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


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
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


def card_menu(state: MenuState, verbs: CardVerbs, parent: QWidget) -> QMenu:
    """The menu of the selected cards; on a read only board only what changes nothing."""
    menu = passing_menu(parent)
    _keyed(menu, tr("Details"), OPEN, verbs.show_details)
    has_log = not state.is_all_planned
    drawn = icon("job_log", "text")
    _keyed(menu, tr("Show jobs"), keys_of("jobs"), verbs.open_jobs, drawn, is_possible=has_log)
    menu.addSeparator()
    if not state.is_read_only:
        _add_changes(menu, state, verbs)
        menu.addSeparator()
    _add_similar(menu, state, verbs)
    _keyed(menu, tr("Select all shown"), SELECT_ALL, verbs.select_all)
    return menu


def _add_changes(menu: QMenu, state: MenuState, verbs: CardVerbs) -> None:
    """Adds what changes the plan.

    Where cards stand, what they are, parts, dates, demand and who may serve them.
    """
    from gpuplanner.files.job_logs.reduce.names import MERGED_DIGITS

    keys, has_log = state.keys, not state.is_all_planned
    count = numbers.whole(len(keys))
    for pool in POOLS:
        lane = lane_of(pool)
        move = by_count(
            len(keys), "Move to {pool}", "Move {count} workloads to {pool}", count=count, pool=pool
        )
        drawn = icon(lane.icon, lane)
        _keyed(menu, move, keys_of(f"move_{pool}"), lambda pool=pool: verbs.move(pool), drawn)
    label = menu.addMenu(by_count(len(keys), "Label as", "Label {count} workloads as", count=count))
    label.setEnabled(has_log)
    for pool in POOLS:
        _keyed(label, lane_of(pool).title, keys_of(f"label_{pool}"), lambda pool=pool: verbs.label(pool))
    rule = _keyed(menu, *_command("make_rule"), verbs.make_rule, is_possible=has_log)
    menu.addSeparator()
    _add_dates(menu, state, verbs)
    add_only_menu(menu, state.only, verbs.limit)
    menu.addSeparator()
    pins = tr("Unpin") if state.are_pinned else tr("Pin")
    lock = icon("lock", "text")
    pin = _keyed(menu, pins, keys_of("pin"), verbs.toggle_pin, lock, is_possible=has_log)
    members = {} if state.arranged is None else state.arranged.facts.members
    is_whole = len(keys) == 1 and keys[0] not in members and not state.planned
    drawn = icon("split", "text", "edge")
    split = _keyed(menu, *_command("split"), verbs.split, drawn, is_possible=is_whole)
    has_parts = any(whole_key(key, state.splits) != key for key in keys)
    _keyed(menu, *_command("merge"), verbs.merge, icon("merge", "text", "edge"), is_possible=has_parts)
    are_many = len(keys) > 1 and not state.planned
    one = _keyed(menu, *_command("merge_cards"), verbs.merge_cards, is_possible=are_many)
    why = tr("Planned work stays whole, in the class of its pool")
    for action in (label.menuAction(), rule, pin, split, one):
        if state.planned and not action.isEnabled():
            set_tip(action, why)
    is_merged = any(key in members for key in keys)
    apart = _keyed(menu, *_command("take_apart"), verbs.take_apart, is_possible=is_merged)
    if not is_merged and any(key in state.merged for key in keys):
        apart.setText(tr("Take apart: other parts are not in this pool or log"))
    why = "" if is_merged else tr("Only for cards of several workloads")
    set_tip(apart, why or tr("Split into single cards in this pool"))
    if len(keys) == 1 and state.like is not None and MERGED_DIGITS in state.like.name:
        names = menu.addAction(tr("Split the names"))
        set_tip(names, tr("They differ only in digits"))
        names.triggered.connect(lambda _: verbs.part_names())


def _add_dates(menu: QMenu, state: MenuState, verbs: CardVerbs) -> None:
    """When the workloads are there in the plan, and what of them is planned."""
    dates = menu.addMenu(icon("clock", "text", "edge"), tr(date_command(CLEAR).parent))
    dates.setToolTipsVisible(True)
    known = {} if state.arranged is None else state.arranged.dates
    for name in DATE_VERBS:
        command = date_command(name)
        action = _keyed(dates, *_command(command.command_id), lambda name=name: verbs.date(name))
        set_tip(action, tr(command.tip))
        if name == CLEAR:
            action.setEnabled(any(key in known for key in state.keys))
    team = _keyed(dates, *_command("stop_team"), verbs.stop_team)
    if state.like is not None and state.like.owner:
        title = tr("Stop team {team}…", team=state.like.owner)
        team.setText(on_button(title))
        set_tip(team, title)
    dates.addSeparator()
    _keyed(dates, tr("Change its demand\u2026"), keys_of("change_demand"), verbs.change_demand)
    if state.planned:
        is_one = len(state.keys) == 1
        _keyed(menu, tr("Change planned work\u2026"), "", verbs.change_planned, is_possible=is_one)
        _keyed(menu, *_command("drop_planned"), verbs.drop_planned, icon("minus", "text", "edge"))


def _add_similar(menu: QMenu, state: MenuState, verbs: CardVerbs) -> None:
    """Select similar: what the cards would share, and how many there are."""
    similar = menu.addMenu(tr("Select similar"))
    if state.like is None or state.arranged is None:
        similar.setEnabled(False)
        return
    facts = state.arranged.facts
    cards = [card for found in state.arranged.cards.values() for card in found]
    for facet in facets.SIMILAR:
        value = ", ".join(map(spoken, facets.FACETS[facet].values(state.like, facts)))
        count = numbers.whole(len(facets.similar_keys(facet, state.like, cards, facts)))
        same, named = facets.FACETS[facet].similar, on_button(value)
        said = tr("{similar}: {value}  ({count})", similar=same, value=named, count=count)
        action = similar.addAction(said)
        action.triggered.connect(lambda _=False, facet=facet: verbs.select_similar(facet))
        set_tip(action, value)


def _command(command_id: str) -> tuple[str, str]:
    """A command of the window, called and pressed as there."""
    command = COMMAND[command_id]
    return tr(command.name), command.shortcut


def _keyed(
    menu: QMenu,
    title: str,
    key: str,
    verb: Callable[..., object],
    drawn: QIcon = NO_ICON,
    is_possible: bool = True,
) -> QAction:
    """Adds an entry with its key, and its picture."""
    action = menu.addAction(drawn, spoken(title))
    action.triggered.connect(lambda _: verb())
    action.setShortcut(QKeySequence(key))
    action.setEnabled(is_possible)
    return action
