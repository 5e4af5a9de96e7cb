"""The board: columns of cards, and idle contracts, with search, sort, groups and filter; emits what was done."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu, QWidget

from gpuplanner.charts.kit.plain_text import Markup, escaped
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.message import Text, lowered
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.plan.splits import Splits, leaf_keys, whole_key
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.board import band_selection, board_review, landed_cards, selection, selection_line
from gpuplanner.ui.board.card_sheet import CardSheet
from gpuplanner.ui.board.hover_change import HoverChange
from gpuplanner.ui.board.idle_column import IdleColumn
from gpuplanner.ui.board.landed_line import LandedLine
from gpuplanner.ui.board.menu import (
    Arranged,
    BoardCards,
    CardVerbs,
    MenuState,
    card_menu,
    only_choices,
    place_among,
    splits_of,
)
from gpuplanner.ui.board.pool_column import PoolColumn
from gpuplanner.ui.board.review import ReviewWhy, RuleOffer
from gpuplanner.ui.board.toolbar import BoardToolbar, FilterLine, fill_filter_menu, fill_group_menu
from gpuplanner.ui.cards.board_view import BoardView
from gpuplanner.ui.cards.card_list import CardView
from gpuplanner.ui.cards.details import MergedCards, merges_of
from gpuplanner.ui.cards.facets import FACETS, similar_keys
from gpuplanner.ui.cards.model import CardModel, Slot
from gpuplanner.ui.kit.layout import box, column, row, share
from gpuplanner.ui.kit.page_parts import scrolled
from gpuplanner.ui.state.view_state import ViewState, is_planned, lane_of_card
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import LANES, Lane, lane_of

# --- What the board says in a column: in place of cards, in the slot under a card that hovers, and why none may land


def slot_of(pool: Pool, change: HoverChange) -> Slot:
    """Return what a drop on a pool would change: the whole plan in the headline's period, and a second line.

    The second line is next month if its sign differs; else each pool next month, this one first.
    """
    changed = [
        (other, amount) for other, amount in change.pools.items() if amount is not None and round(amount)
    ]
    changed.sort(key=lambda item: (item[0] is not pool, -abs(item[1])))
    details = tuple((lane_of(other), numbers.change(amount)) for other, amount in changed)
    if (usd := change.whole_usd) is None:
        return Slot(title=tr("Cost unknown"), details=details, beside=change.beside)
    return Slot(
        title=tr("Whole plan"),
        change=change.words,
        is_saving=usd < 0 and not change.leaves_demand,
        details=details,
        beside=change.beside,
    )


def refusal_of(lane: Lane, is_read_only: bool) -> str:
    """Why cards may not be dropped on a column; empty where they may."""
    if is_read_only:
        return tr("Open a plan to move cards")
    return tr("Review is no pool. Drop the card on one.") if lane is Lane.REVIEW else ""


def empty_words(lane: Lane, shown: ViewState, view: BoardView) -> str | Markup:
    """What stands in a column without cards; may hold one link."""
    if not shown.cards:
        return Markup(tr("No jobs yet. <a href='#'>Import a job log</a>")) if lane is Lane.TRAINING else ""
    if view.is_filtered:
        searched = view.search.strip()
        quoted = escaped(f"\u201c{searched}\u201d" if searched else tr("the filter"))
        return Markup(
            tr("No workload matches {quoted}. <a href='#'>Clear search</a>", quoted=quoted)
            if searched
            else tr("No workload matches {quoted}. <a href='#'>Clear filter</a>", quoted=quoted)
        )
    if shown.is_today:
        return tr("{pool} had no jobs.", pool=lowered(lane.word))
    if lane is Lane.REVIEW:
        return tr("Nothing to decide")
    return tr("No {pool} workloads. Drag a card here.", pool=lowered(lane.word))


# --- The board: four columns of cards with search, sort, groups and filter; emits what the planner did with the cards


class Board(QWidget):
    """The workloads of one scenario in their columns."""

    workloads_moved = Signal(tuple, object)  # keys, Pool
    workloads_labelled = Signal(tuple, object)  # keys, Pool
    workloads_pinned = Signal(tuple, bool)
    automatic_separation_asked = Signal()
    preview_asked = Signal(tuple, object)  # keys, Pool
    preview_ended = Signal()
    import_asked = Signal()
    jobs_asked = Signal(str)  # key of the workload whose jobs are to be seen
    rule_asked = Signal()  # of what was decided last, or of the selected cards
    split_asked = Signal(str)  # key of the card that is to be divided
    merge_asked = Signal(tuple)  # keys of parts
    merge_cards_asked = Signal(tuple)  # keys of cards that are to be one
    apart_asked = Signal(tuple)  # keys of cards that are merged
    names_apart_asked = Signal(tuple)  # keys of workloads of which each is of many names
    dates_asked = Signal(str, tuple)  # one of DATE_VERBS, keys of workloads
    planned_asked = Signal(str)  # key of the planned work that is to be changed; "": more of it
    planned_dropped = Signal(tuple)  # keys of planned work
    limit_asked = Signal(tuple, object)  # keys of workloads, Only: who alone may serve them
    team_stop_asked = Signal(str)  # team whose workloads are to stop; "": that of the selected card
    demand_asked = Signal(str)  # key of the workload whose demand is to step; "": of any
    view_changed = Signal(str)  # how it is looked at, as text to be remembered

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Board"), minimumWidth=360)
        self.setObjectName("page")
        self.shown: ViewState | None = None
        self._waiting: ViewState | None = None
        self._cards, self._merged = BoardCards(), MergedCards()
        self.arranged: Arranged | None = None
        self.view = BoardView()
        self._is_read_only = False
        self.columns = {lane: PoolColumn(lane) for lane in LANES}
        self.idle = IdleColumn()
        self.selection = selection.BoardSelection(self.columns, self)
        for pool in self.columns.values():
            self._connect(pool)
        self.toolbar = BoardToolbar()
        self.search = self.toolbar.search
        self.filter_line = FilterLine()
        self.selection_line = selection_line.SelectionLine()
        self.offer = RuleOffer()
        self.landed_line = LandedLine()
        self.sheet = CardSheet()
        self.review_why = ReviewWhy(self)
        review = self.columns[Lane.REVIEW]
        self.review = board_review.BoardReview(
            column=review,
            selection=self.selection,
            why=self.review_why,
            shown=lambda: self.shown,
            parent=self,
        )
        self.band = band_selection.BandSelection(self.selection.views, self._build())
        self.landed = landed_cards.LandedCards(self.columns, self)
        self.workloads_moved.connect(self.landed.follow)
        self.landed.landed.connect(self._follow_landed)
        self._connect_parts()

    def _build(self) -> QWidget:
        """Put the parts together; returns what the columns stand on."""
        columns = row(*map(share, self.columns.values()), self.idle, margins=(5, 0, 5, 9), spacing=5)
        ground = box("page", columns, QWidget())
        area = scrolled(ground, tr("Columns"), is_wide=True)
        cards = share(row(share(area), self.sheet, spacing=0))
        foot = (self.selection_line, self.landed_line, self.offer)
        column(self.toolbar, self.filter_line, cards, *foot, on=self, spacing=0)
        return ground

    def _connect(self, pool: PoolColumn) -> None:
        """Passes on what a column says, and gives it the board's refusal and places."""
        pool.refusal = lambda keys, lane: refusal_of(lane, self._is_read_only)
        pool.place_of = self._place_of
        pool.workloads_dropped.connect(self.workloads_moved)
        pool.hover_begun.connect(self.preview_asked)
        pool.hover_ended.connect(self.preview_ended)
        pool.empty_action_asked.connect(self._empty_action)
        pool.cards.drag_begun.connect(self._show_moving)
        pool.cards.drag_ended.connect(self._end_drag)
        pool.cards.card_opened.connect(lambda _: self.show_details())
        pool.cards.group_toggled.connect(lambda value: self.look(self.view.folding(value)))
        pool.cards.group_picked.connect(self._select_group)
        pool.cards.customContextMenuRequested.connect(self._open_menu)

    def _connect_parts(self) -> None:
        """Turns what toolbar, filter line and review say into another view or a question to the window."""
        bar, line = self.toolbar, self.filter_line
        bar.search_changed.connect(lambda: self.look(replace(self.view, search=self.search.text())))
        bar.sort_chosen.connect(self.sort_by)
        bar.group_menu_opened.connect(lambda menu: fill_group_menu(menu, self.view, self.group_by))
        bar.filter_menu_opened.connect(self.fill_filter_menu)
        bar.separation_asked.connect(self.automatic_separation_asked)
        bar.planned_asked.connect(lambda: self.planned_asked.emit(""))
        line.value_dropped.connect(self.toggle_filter)
        line.cleared.connect(self.clear_filter)
        self.selection.changed.connect(self.show_selection)
        self.selection_line.cleared.connect(self.selection.clear)
        self.selection_line.details_asked.connect(self.show_details)
        self.offer.taken.connect(self.rule_asked)
        self.review.decided.connect(self._label)
        self.review.card_wanted.connect(self.show_workload)
        self.review_why.rule_asked.connect(self.rule_asked)
        self.review_why.jobs_asked.connect(self.open_jobs)

    # What to show

    def show_waiting(self) -> None:
        """Of another project: no cards of the one before, and that they are worked out."""
        self.shown = self.arranged = None
        for pool in self.columns.values():
            pool.model.show_cards((), {}, {}, 0.0, True)
            pool.show_empty(tr("Calculating…"))

    def show_state(self, shown: ViewState) -> None:
        """Show the cards of an evaluation; a board of Today is read only."""
        if any(pool.cards.dragged_keys for pool in self.columns.values()):
            self._waiting = shown  # nothing moves while a card is in the hand
            return
        shown = self.shown = self._merged.show(shown)
        self._is_read_only = shown.is_today
        self.columns[Lane.REVIEW].setVisible(not shown.is_today)  # nothing of the past is still to be decided
        for pool in self.columns.values():
            pool.cards.setDragEnabled(not shown.is_today)
            pool.model.show_leaving({})
        self.toolbar.show_for(is_today=shown.is_today)
        self._lay_out()
        self.landed.show_soon()

    def show_preview(self, pool: Pool, change: HoverChange) -> None:
        """Say in the column under the cursor what a drop would change."""
        under = self.columns[lane_of(pool)]
        under.show_change(slot_of(pool, change), change)

    # How to look at it

    def look(self, view: BoardView) -> None:
        """Look at the cards in another way."""
        if view != self.view:
            before, self.view = self.view, view
            if view.search != self.search.text():
                self.search.setText(view.search)
            self._lay_out()
            if view.to_text() != before.to_text():
                self.view_changed.emit(view.to_text())

    def sort_by(self, title: str) -> None:
        """Sort every column."""
        self.look(replace(self.view, sort=title))

    def group_by(self, facet: str) -> None:
        """Put headings above the cards that share a value; "" takes them away."""
        self.look(replace(self.view, group=facet))

    def toggle_filter(self, facet: str, value: Text) -> None:
        """Let the cards with one value through, or no longer."""
        self.look(self.view.toggled(facet, value))

    def clear_filter(self) -> None:
        """Show every card again."""
        self.look(self.view.unfiltered())

    # What was asked of it

    def selected_keys(self) -> tuple[str, ...]:
        """Keys of the selected cards of all columns; of the current card where none is selected."""
        return self.selection.keys()

    def _open_to_change(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """These keys; none of them where the board is read only."""
        return () if self._is_read_only else keys

    def move_selected(self, pool: Pool) -> None:
        """Move the selected cards, as Alt+1, Alt+2 and Alt+3 do: they stay selected, and keep the keyboard."""
        if keys := self._open_to_change(self.selected_keys()):
            current = self.selection.current_key()
            self.selection.select(keys, current)  # also a card that only has the keyboard
            self.workloads_moved.emit(keys, pool)
            self.selection.go_with(current if current in keys else keys[0], lane_of(pool))

    def _follow_landed(self, key: str, lane: Lane) -> None:
        """The keyboard goes with a card that was dropped, unless it is on its way elsewhere."""
        if self.selection.focused_lane() is not None and key in self.selection.selected_keys():
            self.selection.go_with(key, lane)

    def toggle_pin(self) -> None:
        """Pin the selected cards, or let them go where all are pinned."""
        if keys := self._open_to_change(self.selected_keys()):
            self.workloads_pinned.emit(keys, not self._are_pinned(keys))

    def _are_pinned(self, keys: Sequence[str]) -> bool:
        """Whether all of these cards are pinned."""
        wanted = frozenset(keys)
        return all(card.is_pinned for card in self._all() if card.key in wanted)

    def _all(self) -> Sequence[CardFigures]:
        """Every card; none before there is a state."""
        return () if self.shown is None else self.shown.cards

    def _splits(self) -> Splits:
        """What the plan that is shown divides."""
        return {} if self.shown is None else splits_of(self.shown)

    def label_selected(self, pool: Pool) -> None:
        """Say what the selected workloads are; those in Review are decided then, and the next is selected."""
        if keys := self._open_to_change(self.selected_keys()):
            self.review.leave(frozenset(keys), pool)
            self._label(keys, pool)

    def _label(self, keys: tuple[str, ...], pool: Pool) -> None:
        """Says of the whole workloads behind these cards what class they are."""
        self.workloads_labelled.emit(self._whole(keys), pool)

    def selected_workloads(self) -> tuple[str, ...]:
        """Keys of the workloads that the selected cards are of, each once: a part is of what was divided."""
        return self._whole(self.selected_keys())

    def _whole(self, keys: Sequence[str]) -> tuple[str, ...]:
        """The workloads behind these cards: all members of merged ones, the whole of divided ones, each once."""
        splits, members = self._splits(), {} if self.shown is None else self.shown.members
        cards = (one for key in keys for one in members.get(key, (key,)))
        return tuple(dict.fromkeys(whole_key(key, splits) for key in cards))

    def members_of(self, key: str) -> tuple[str, ...]:
        """The cards that a card stands for, itself first; of a single card none."""
        return () if self.shown is None else self.shown.members.get(key, ())

    def open_jobs(self) -> None:
        """Ask for the jobs of the card with the keyboard, or of the first that is selected."""
        current = self.selection.current_key()
        keys = (current,) if current is not None else self.selected_keys()
        if keys and not self._planned_of(keys[:1]):  # no log has any
            self.jobs_asked.emit(keys[0])

    def show_details(self) -> None:
        """Open the side sheet at the selected cards, or close it where it is open."""
        self.sheet.setVisible(self.sheet.isHidden())
        self.show_selection()

    def ask_split(self) -> None:
        """Ask how the card with the keyboard is to be divided."""
        keys = self.selected_keys()
        key = self.selection.current_key() or (keys[0] if keys else "")
        is_merged = self.shown is not None and key in self.shown.members
        if keys and not self._is_read_only and not is_merged and not self._planned_of((key,)):
            self.split_asked.emit(key)

    def ask_merge(self) -> None:
        """Make whole what the selected cards are parts of."""
        if keys := self._open_to_change(self.selected_keys()):
            self.merge_asked.emit(keys)

    def ask_merge_cards(self) -> None:
        """Ask for the name of the one card that the selected ones are to be."""
        keys = self._open_to_change(self.selected_keys())
        if len(keys) > 1 and not self._planned_of(keys):
            self.merge_cards_asked.emit(keys)

    def ask_apart(self) -> None:
        """Make single cards again of those that are merged."""
        if keys := self._open_to_change(self.selected_keys()):
            self.apart_asked.emit(keys)

    def ask_names_apart(self) -> None:
        """Make workloads of their own of the names that the selected ones are of."""
        if keys := self._open_to_change(self.selected_workloads()):
            self.names_apart_asked.emit(keys)

    def ask_dates(self, verb: str) -> None:
        """Ask, or say, when the selected workloads are there. verb: of DATE_VERBS."""
        if keys := self._open_to_change(self.selected_workloads()):
            self.dates_asked.emit(verb, keys)

    def ask_limit(self, only: Only) -> None:
        """Say who alone may serve the selected workloads."""
        if keys := self._open_to_change(self.selected_workloads()):
            self.limit_asked.emit(keys, only)

    def ask_team_stop(self) -> None:
        """Ask from when all workloads of a team stop: of the selected card's, or of any."""
        if not self._is_read_only:
            self.team_stop_asked.emit("")

    def ask_planned(self) -> None:
        """Ask for what the selected planned work is to be."""
        works = self._open_to_change(self._planned_of(self.selected_keys()))
        if len(works) == 1:
            self.planned_asked.emit(works[0])

    def drop_planned(self) -> None:
        """Take the planned work that is selected out of the plan."""
        if works := self._open_to_change(self._planned_of(self.selected_keys())):
            self.planned_dropped.emit(works)

    def ask_demand(self) -> None:
        """Ask for a step of the demand of the selected workload, or of any."""
        keys = self.selected_workloads()
        if not self._is_read_only:
            self.demand_asked.emit(keys[0] if len(keys) == 1 else "")

    def _planned_of(self, keys: Sequence[str]) -> tuple[str, ...]:
        """Those of these cards that are planned work, which no log has."""
        wanted = frozenset(keys)
        return tuple(card.key for card in self._all() if card.key in wanted and is_planned(card))

    def select_similar(self, facet: str) -> None:
        """Select every shown card that shares a facet's value with the current card."""
        keys = self.selected_keys()
        like = self.find_card(self.selection.current_key() or (keys[0] if keys else ""))
        if like is not None and self.arranged is not None:
            cards = [card for of_lane in self.arranged.cards.values() for card in of_lane]
            self.selection.select(similar_keys(facet, like, cards, self.arranged.facts), like.key)

    def focus_search(self) -> None:
        """Put the cursor into the search field."""
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def show_workload(self, key: str) -> None:
        """Scroll to a card, select it and give it the keyboard."""
        key = leaf_keys(key, self._splits())[0]  # of a workload that is divided, its first part
        merged = {} if self.shown is None else self.shown.members
        key = next((one for one, keys in merged.items() if key in keys), key)
        if (card := self.find_card(key)) is None or self.arranged is None:
            return
        view = self.columns[lane_of_card(card)].cards
        if view.model().row_of(key) is None:
            self.clear_filter()
        if view.model().row_of(key) is None:  # its group is folded
            self.look(self.view.folding(FACETS[self.view.group].values(card, self.arranged.facts)[0]))
        self.selection.clear_others(view)
        view.select_keys((key,), key)
        view.scrollTo(view.currentIndex())
        view.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc lets the selection go, then closes the side sheet."""
        if event.key() == Qt.Key.Key_Escape and self.selection.selected_keys():
            self.selection.clear()
        elif event.key() == Qt.Key.Key_Escape and not self.sheet.isHidden():
            self.sheet.hide()
        else:
            super().keyPressEvent(event)

    # Inside

    def _select_group(self, value: str) -> None:
        """Select the cards of a group in every column."""
        if (arranged := self.arranged) is not None and self.view.group:
            read = FACETS[self.view.group].values
            cards = (card for found in arranged.cards.values() for card in found)
            self.selection.select([card.key for card in cards if read(card, arranged.facts)[0] == value])

    def _lay_out(self) -> None:
        """Shows the cards in their columns, and keeps selection, current card and scroll position where they are."""
        if (shown := self.shown) is None:
            return
        made = self.arranged = self._cards.arrange(shown, self.view)
        settling = shown.is_settling and not shown.is_today
        kept = frozenset(self.selection.selected_keys())
        for lane, pool in self.columns.items():
            view, rows, cards = pool.cards, made.rows[lane], made.cards[lane]
            current, scrolled = view.current_key(), view.verticalScrollBar().value()
            before = pool.model.cards if current is not None else ()
            change = pool.model.show_cards(
                rows,
                made.usd,
                made.marks,
                made.largest[lane],
                settling,
                made.apart,
                made.ends,
                made.dates,
                has_headings=rows is not cards,
            )
            if change is not None:
                if change.row is not None:
                    view.follow_one(change.row, kept, current)
                elif kept or current:
                    if current is not None and pool.model.row_of(current) is None:
                        current = _nearest_left(before, pool.model, current)  # it has gone elsewhere
                    view.select_keys(kept, current)
                view.stay_at(scrolled)
            findings = made.marks.findings[lane]
            pool.heading.show_sums(made.sums[lane], settling, len(cards), findings=findings)
            pool.show_empty("" if cards else empty_words(lane, shown, self.view))
        self.idle.show_sums(shown, made.sums)
        self.toolbar.show_view(self.view)
        self.filter_line.show_view(self.view, made.visible_count, made.count)
        self.show_selection()

    def show_selection(self) -> None:
        """The sums of what is selected, and the side sheet of it."""
        shown, made = self.shown, self.arranged
        if shown is None or made is None:
            return
        cards = [card for view in self.selection.views for card in view.selected_cards()]
        self.selection_line.show_cards(cards, shown.usd, shown.members)
        if not self.sheet.isHidden():
            current = self.selection.card(self.selection.current_key() or "")
            self.sheet.show_cards(cards or ([current] if current is not None else []), shown, made.facts)

    def fill_filter_menu(self, menu: QMenu) -> None:
        if self.arranged is not None and self.shown is not None:
            cards, facts = self.shown.cards, self.arranged.facts
            fill_filter_menu(menu, self.view, cards, facts, self.toggle_filter, self.clear_filter)

    def find_card(self, key: str) -> CardFigures | None:
        """The card with this key; None once it is gone."""
        return next((card for card in self._all() if card.key == key), None)

    def _empty_action(self) -> None:
        """What the button of an empty column does: clear the filter if it hides all, else import."""
        if self.shown is not None and self.shown.cards:
            self.clear_filter()
        else:
            self.import_asked.emit()

    def _place_of(self, keys: tuple[str, ...], lane: Lane) -> int:
        """The row at which the first of the cards would stand in a column."""
        first, made = self.find_card(keys[0]) if keys else None, self.arranged
        if first is None or made is None:
            return 0
        return place_among(first, self.columns[lane].model.rows, self.view, made.usd, made.facts)

    def _show_moving(self) -> None:
        """Marks the cards that are being dragged in every column they come from."""
        keys: frozenset[str] = frozenset(
            key for pool in self.columns.values() for key in pool.cards.dragged_keys
        )
        for pool in self.columns.values():
            pool.model.show_moving(keys)

    def _end_drag(self) -> None:
        """Ends a drag, and shows the state that came meanwhile."""
        self._show_moving()
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self.show_state(waiting)

    def _open_menu(self, place: QPoint) -> None:
        """Opens the menu of the selected cards where it was asked for."""
        view, keys = self.sender(), self.selected_keys()
        if not keys or self.shown is None:
            return
        assert isinstance(view, CardView)
        verbs = CardVerbs(
            show_details=self.show_details,
            open_jobs=self.open_jobs,
            move=self.move_selected,
            label=self.label_selected,
            make_rule=self.rule_asked.emit,
            toggle_pin=self.toggle_pin,
            split=self.ask_split,
            merge=self.ask_merge,
            merge_cards=self.ask_merge_cards,
            take_apart=self.ask_apart,
            part_names=self.ask_names_apart,
            date=self.ask_dates,
            change_planned=self.ask_planned,
            drop_planned=self.drop_planned,
            change_demand=self.ask_demand,
            limit=self.ask_limit,
            stop_team=self.ask_team_stop,
            select_similar=self.select_similar,
            select_all=self.selection.select_everything,
        )
        like = self.find_card(self.selection.current_key() or keys[0])
        state = MenuState(
            keys=keys,
            are_pinned=self._are_pinned(keys),
            is_read_only=self._is_read_only,
            splits=splits_of(self.shown),
            like=like,
            arranged=self.arranged,
            merged=frozenset(key for keys in merges_of(self.shown).values() for key in keys),
            planned=frozenset(self._planned_of(keys)),
            only=only_choices(self.shown, self.selected_workloads()),
        )
        card_menu(state, verbs, self).exec(view.viewport().mapToGlobal(place))


def _nearest_left(before: Sequence[CardFigures], after: CardModel, current: str) -> str | None:
    """The key of the card that is still there and stood nearest under `current`, else nearest above it."""
    if (row := next((at for at, card in enumerate(before) if card.key == current), None)) is None:
        return None
    around = (*before[row + 1 :], *reversed(before[:row]))
    return next((card.key for card in around if after.row_of(card.key) is not None), None)
