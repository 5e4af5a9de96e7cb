"""The board: four columns of cards with search, sort, groups and filter; emits what the planner did with the cards."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QScrollArea, QVBoxLayout, QWidget

from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario.parting import leaf_keys, whole_key
from gpuplanner.ui.board.card_sheet import CardSheet
from gpuplanner.ui.board.cards import Arranged, BoardCards, place_among, splits_of
from gpuplanner.ui.board.column_words import empty_words, refusal_of, slot_of
from gpuplanner.ui.board.filter_line import FilterLine
from gpuplanner.ui.board.filter_menu import fill_filter_menu, fill_group_menu
from gpuplanner.ui.board.hover_change import HoverChange
from gpuplanner.ui.board.landed_cards import LandedCards
from gpuplanner.ui.board.menu import CardVerbs, MenuState, card_menu, only_choices
from gpuplanner.ui.board.pool_column import PoolColumn
from gpuplanner.ui.board.review import BoardReview
from gpuplanner.ui.board.review_why import ReviewWhy
from gpuplanner.ui.board.rubber_band import BandSelection
from gpuplanner.ui.board.rule_offer import RuleOffer
from gpuplanner.ui.board.selection import BoardSelection
from gpuplanner.ui.board.selection_line import SelectionLine
from gpuplanner.ui.board.toolbar import BoardToolbar
from gpuplanner.ui.cards.board_view import BoardView
from gpuplanner.ui.cards.card_list import CardView
from gpuplanner.ui.cards.facets import FACETS, similar_keys
from gpuplanner.ui.cards.merged import MergedCards, merges_of
from gpuplanner.ui.cards.model import CardModel
from gpuplanner.ui.kit.theme import Coloured, Palette
from gpuplanner.ui.state.view_state import ViewState, is_planned, lane_of_card
from gpuplanner.ui.words.lanes import LANES, Lane, lane_of
from gpuplanner.ui.words.translation import tr


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

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setAccessibleName(tr("Board"))
        self.setMinimumWidth(360)
        self._palette = palette
        self._shown: ViewState | None = None
        self._waiting: ViewState | None = None
        self._cards, self._merged = BoardCards(), MergedCards()
        self._arranged: Arranged | None = None
        self.view = BoardView()
        self._is_read_only = False
        self.columns = {lane: PoolColumn(lane, palette) for lane in LANES}
        self.selection = BoardSelection(self.columns, self)
        for column in self.columns.values():
            self._connect(column)
        self.toolbar = BoardToolbar(palette)
        self.search = self.toolbar.search
        self.filter_line = FilterLine(palette)
        self.selection_line = SelectionLine(palette)
        self.offer = RuleOffer(palette)
        self.sheet = CardSheet(palette)
        self.review_why = ReviewWhy(palette, self)
        review = self.columns[Lane.REVIEW]
        self.review = BoardReview(review, self.selection, self.review_why, lambda: self._shown, self)
        self.band = BandSelection(self.selection.views, self._build())
        self.landed = LandedCards(self.columns, palette, self)
        self.workloads_moved.connect(self.landed.follow)
        self.landed.landed.connect(self._follow_landed)
        self._connect_parts()
        self.show_palette(palette)

    def _build(self) -> QWidget:
        """Put the parts together; returns what the columns stand on."""
        row = QWidget()
        row.setObjectName("page")
        columns = QHBoxLayout(row)
        columns.setContentsMargins(9, 0, 9, 9)
        columns.setSpacing(8)
        for column in self.columns.values():
            columns.addWidget(column, 1)
        scroll = QScrollArea()
        scroll.setWidget(row)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setAccessibleName(tr("Columns"))
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        beside = QHBoxLayout()
        beside.setSpacing(0)
        beside.addWidget(scroll, 1)
        beside.addWidget(self.sheet)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.toolbar)
        layout.addWidget(self.filter_line)
        layout.addLayout(beside, 1)
        layout.addWidget(self.selection_line)
        layout.addWidget(self.offer)
        return row

    def _connect(self, column: PoolColumn) -> None:
        """Passes on what a column says, and gives it the board's refusal and places."""
        column.refusal = lambda keys, lane: refusal_of(lane, self._is_read_only)
        column.place_of = self._place_of
        column.workloads_dropped.connect(self.workloads_moved)
        column.hover_begun.connect(self.preview_asked)
        column.hover_ended.connect(self.preview_ended)
        column.empty_action_asked.connect(self._empty_action)
        column.cards.drag_begun.connect(self._show_moving)
        column.cards.drag_ended.connect(self._end_drag)
        column.cards.card_opened.connect(lambda _: self.show_details())
        column.cards.group_toggled.connect(lambda value: self.look(self.view.folding(value)))
        column.cards.group_picked.connect(self._select_group)
        column.cards.customContextMenuRequested.connect(self._open_menu)

    def _connect_parts(self) -> None:
        """Turns what toolbar, filter line and review say into another view or a question to the window."""
        bar, line = self.toolbar, self.filter_line
        bar.search_changed.connect(lambda: self.look(replace(self.view, search=self.search.text())))
        bar.sort_chosen.connect(self.sort_by)
        bar.group_menu_opened.connect(lambda menu: fill_group_menu(menu, self.view, self.group_by))
        bar.filter_menu_opened.connect(self._fill_filter_menu)
        bar.separation_asked.connect(self.automatic_separation_asked)
        bar.planned_asked.connect(lambda: self.planned_asked.emit(""))
        line.value_dropped.connect(self.toggle_filter)
        line.cleared.connect(self.clear_filter)
        self.selection.changed.connect(self._show_selection)
        self.selection_line.cleared.connect(self.selection.clear)
        self.selection_line.details_asked.connect(self.show_details)
        self.offer.taken.connect(self.rule_asked)
        self.review.decided.connect(self._label)
        self.review.card_wanted.connect(self.show_workload)
        self.review_why.rule_asked.connect(self.rule_asked)
        self.review_why.jobs_asked.connect(self.open_jobs)

    # What to show

    def show_state(self, shown: ViewState) -> None:
        """Show the cards of an evaluation; a board of Today is read only."""
        if self._is_dragging():
            self._waiting = shown  # nothing moves while a card is in the hand
            return
        shown = self._shown = self._merged.show(shown)
        self._is_read_only = shown.is_today
        self.columns[Lane.REVIEW].setVisible(not shown.is_today)  # nothing of the past is still to be decided
        for column in self.columns.values():
            column.cards.setDragEnabled(not shown.is_today)
            column.model.show_leaving({})
        self.toolbar.show_idle(shown)
        self._lay_out()
        self.landed.show_soon()

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        views: tuple[Coloured, ...] = (
            self.toolbar,
            self.filter_line,
            *self.columns.values(),
            self.sheet,
            self.offer,
            self.review_why,
            self.selection_line,
            self.landed,
        )
        for view in views:
            view.show_palette(palette)

    def show_preview(self, pool: Pool, change: HoverChange) -> None:
        """Say in the column under the cursor what a drop would change."""
        column = self.columns[lane_of(pool)]
        column.show_change(slot_of(pool, change, column.width()), change)

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

    def move_selected(self, pool: Pool) -> None:
        """Move the selected cards, as Alt+1, Alt+2 and Alt+3 do: they stay selected, and keep the keyboard."""
        keys = self.selected_keys()
        if keys and not self._is_read_only:
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
        keys = self.selected_keys()
        if keys and not self._is_read_only:
            self.workloads_pinned.emit(keys, not self._are_pinned(keys))

    def _are_pinned(self, keys: Sequence[str]) -> bool:
        """Whether all of these cards are pinned."""
        wanted = frozenset(keys)
        cards = self._shown.cards if self._shown is not None else ()
        return all(card.is_pinned for card in cards if card.key in wanted)

    def label_selected(self, pool: Pool) -> None:
        """Say what the selected workloads are; those in Review are decided then, and the next is selected."""
        keys = self.selected_keys()
        if keys and not self._is_read_only:
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
        splits = {} if self._shown is None else splits_of(self._shown)
        members = {} if self._shown is None else self._shown.members
        cards = (one for key in keys for one in members.get(key, (key,)))
        return tuple(dict.fromkeys(whole_key(key, splits) for key in cards))

    def members_of(self, key: str) -> tuple[str, ...]:
        """The cards that a card stands for, itself first; of a single card none."""
        return () if self._shown is None else self._shown.members.get(key, ())

    def open_jobs(self) -> None:
        """Ask for the jobs of the card with the keyboard, or of the first that is selected."""
        current = self.selection.current_key()
        keys = (current,) if current is not None else self.selected_keys()
        if keys and not self._planned_of(keys[:1]):  # no log has any
            self.jobs_asked.emit(keys[0])

    def show_details(self) -> None:
        """Open the side sheet at the selected cards, or close it where it is open."""
        self.sheet.setVisible(self.sheet.isHidden())
        self._show_selection()

    def ask_split(self) -> None:
        """Ask how the card with the keyboard is to be divided."""
        keys = self.selected_keys()
        key = self.selection.current_key() or (keys[0] if keys else "")
        is_merged = self._shown is not None and key in self._shown.members
        if keys and not self._is_read_only and not is_merged and not self._planned_of((key,)):
            self.split_asked.emit(key)

    def ask_merge(self) -> None:
        """Make whole what the selected cards are parts of."""
        keys = self.selected_keys()
        if keys and not self._is_read_only:
            self.merge_asked.emit(keys)

    def ask_merge_cards(self) -> None:
        """Ask for the name of the one card that the selected ones are to be."""
        keys = self.selected_keys()
        if len(keys) > 1 and not self._is_read_only and not self._planned_of(keys):
            self.merge_cards_asked.emit(keys)

    def ask_apart(self) -> None:
        """Make single cards again of those that are merged."""
        keys = self.selected_keys()
        if keys and not self._is_read_only:
            self.apart_asked.emit(keys)

    def ask_names_apart(self) -> None:
        """Make workloads of their own of the names that the selected ones are of."""
        keys = self.selected_workloads()
        if keys and not self._is_read_only:
            self.names_apart_asked.emit(keys)

    def ask_dates(self, verb: str) -> None:
        """Ask, or say, when the selected workloads are there. verb: of DATE_VERBS."""
        keys = self.selected_workloads()
        if keys and not self._is_read_only:
            self.dates_asked.emit(verb, keys)

    def ask_limit(self, only: Only) -> None:
        """Say who alone may serve the selected workloads."""
        keys = self.selected_workloads()
        if keys and not self._is_read_only:
            self.limit_asked.emit(keys, only)

    def ask_team_stop(self) -> None:
        """Ask from when all workloads of a team stop: of the selected card's, or of any."""
        if not self._is_read_only:
            self.team_stop_asked.emit("")

    def ask_planned(self) -> None:
        """Ask for what the selected planned work is to be."""
        works = self._planned_of(self.selected_keys())
        if len(works) == 1 and not self._is_read_only:
            self.planned_asked.emit(works[0])

    def drop_planned(self) -> None:
        """Take the planned work that is selected out of the plan."""
        works = self._planned_of(self.selected_keys())
        if works and not self._is_read_only:
            self.planned_dropped.emit(works)

    def ask_demand(self) -> None:
        """Ask for a step of the demand of the selected workload, or of any."""
        keys = self.selected_workloads()
        if not self._is_read_only:
            self.demand_asked.emit(keys[0] if len(keys) == 1 else "")

    def _planned_of(self, keys: Sequence[str]) -> tuple[str, ...]:
        """Those of these cards that are planned work, which no log has."""
        wanted = frozenset(keys)
        cards = self._shown.cards if self._shown is not None else ()
        return tuple(card.key for card in cards if card.key in wanted and is_planned(card))

    def select_similar(self, facet: str) -> None:
        """Select every shown card that shares a facet's value with the current card."""
        keys = self.selected_keys()
        like = self._card(self.selection.current_key() or (keys[0] if keys else ""))
        if like is not None and self._arranged is not None:
            cards = [card for found in self._arranged.cards.values() for card in found]
            self.selection.select(similar_keys(facet, like, cards, self._arranged.facts), like.key)

    def focus_search(self) -> None:
        """Put the cursor into the search field."""
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def show_workload(self, key: str) -> None:
        """Scroll to a card, select it and give it the keyboard."""
        splits = {} if self._shown is None else splits_of(self._shown)
        key = leaf_keys(key, splits)[0]  # of a workload that is divided, its first part
        merged = {} if self._shown is None else self._shown.members
        key = next((one for one, keys in merged.items() if key in keys), key)
        card = self._card(key)
        if card is None or self._arranged is None:
            return
        view = self.columns[lane_of_card(card)].cards
        if view.model().row_of(key) is None:
            self.clear_filter()
        if view.model().row_of(key) is None:  # its group is folded
            self.look(self.view.folding(FACETS[self.view.group].values(card, self._arranged.facts)[0]))
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
        arranged = self._arranged
        if arranged is not None and self.view.group:
            read = FACETS[self.view.group].values
            cards = (card for found in arranged.cards.values() for card in found)
            self.selection.select([card.key for card in cards if read(card, arranged.facts)[0] == value])

    def _lay_out(self) -> None:
        """Shows the cards in their columns, and keeps selection, current card and scroll position where they are."""
        shown = self._shown
        if shown is None:
            return
        made = self._arranged = self._cards.arrange(shown, self.view)
        settling = shown.is_settling and not shown.is_today
        kept = frozenset(self.selection.selected_keys())
        for lane, column in self.columns.items():
            view, rows, cards = column.cards, made.rows[lane], made.cards[lane]
            current, scrolled = view.current_key(), view.verticalScrollBar().value()
            before = column.model.cards if current is not None else ()
            change = column.model.show_cards(
                rows, made.usd, made.marks, made.largest[lane], settling, made.apart, made.ends,
                made.dates, has_headings=rows is not cards,
            )  # fmt: skip
            if change is not None:
                if change.row is not None:
                    view.follow_one(change.row, kept, current)
                elif kept or current:
                    if current is not None and column.model.row_of(current) is None:
                        current = _nearest_left(before, column.model, current)  # it has gone elsewhere
                    view.select_keys(kept, current)
                view.stay_at(scrolled)
            has_dates = bool(made.dates) and any(card.key in made.dates for card in made.everything[lane])
            column.heading.show_sums(
                made.sums[lane], settling, len(cards), has_dates=has_dates, findings=made.marks.findings[lane]
            )
            column.show_empty("" if cards else empty_words(lane, shown, self.view))
        self.toolbar.show_view(self.view)
        self.filter_line.show_view(self.view, made.visible_count, made.count)
        self._show_selection()

    def _show_selection(self) -> None:
        """The sums of what is selected, and the side sheet of it."""
        shown, made = self._shown, self._arranged
        if shown is None or made is None:
            return
        cards = [card for view in self.selection.views for card in view.selected_cards()]
        self.selection_line.show_cards(cards, shown.usd, shown.members)
        if not self.sheet.isHidden():
            current = self.selection.card(self.selection.current_key() or "")
            self.sheet.show_cards(cards or ([current] if current is not None else []), shown, made.facts)

    def _fill_filter_menu(self, menu: QMenu) -> None:
        if self._arranged is not None and self._shown is not None:
            fill_filter_menu(
                menu,
                self.view,
                self._shown.cards,
                self._arranged.facts,
                self.toggle_filter,
                self.clear_filter,
            )

    def _card(self, key: str) -> CardFigures | None:
        """The card with this key; None once it is gone."""
        cards = self._shown.cards if self._shown is not None else ()
        return next((card for card in cards if card.key == key), None)

    def _empty_action(self) -> None:
        """What the button of an empty column does: clear the filter if it hides all, else import."""
        if self._shown is not None and self._shown.cards:
            self.clear_filter()
        else:
            self.import_asked.emit()

    def _place_of(self, keys: tuple[str, ...], lane: Lane) -> int:
        """The row at which the first of the cards would stand in a column."""
        first, made = self._card(keys[0]) if keys else None, self._arranged
        if first is None or made is None:
            return 0
        return place_among(first, self.columns[lane].model.rows, self.view, made.usd, made.facts)

    def _show_moving(self) -> None:
        """Marks the cards that are being dragged in every column they come from."""
        keys: frozenset[str] = frozenset(
            key for column in self.columns.values() for key in column.cards.dragged_keys
        )
        for column in self.columns.values():
            column.model.show_moving(keys)

    def _is_dragging(self) -> bool:
        """Whether cards hang at the mouse: a new state waits until they are dropped."""
        return any(column.cards.dragged_keys for column in self.columns.values())

    def _end_drag(self) -> None:
        """Ends a drag, and shows the state that came meanwhile."""
        self._show_moving()
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self.show_state(waiting)

    def _open_menu(self, place: QPoint) -> None:
        """Opens the menu of the selected cards where it was asked for."""
        view, keys = self.sender(), self.selected_keys()
        if not keys or self._shown is None:
            return
        assert isinstance(view, CardView)
        verbs = CardVerbs(
            self.show_details, self.open_jobs, self.move_selected, self.label_selected, self.rule_asked.emit,
            self.toggle_pin, self.ask_split, self.ask_merge, self.ask_merge_cards, self.ask_apart,
            self.ask_names_apart,
            self.ask_dates, self.ask_planned, self.drop_planned, self.ask_demand, self.ask_limit, self.ask_team_stop,
            self.select_similar, self.selection.select_everything,
        )  # fmt: skip
        like = self._card(self.selection.current_key() or keys[0])
        state = MenuState(
            keys, self._are_pinned(keys), self._is_read_only, splits_of(self._shown), like, self._arranged,
            frozenset(one for of in merges_of(self._shown).values() for one in of),
            frozenset(self._planned_of(keys)), only_choices(self._shown, self.selected_workloads()),
        )  # fmt: skip
        menu = card_menu(state, verbs, self._palette, self)
        menu.exec(view.viewport().mapToGlobal(place))


def _nearest_left(before: Sequence[CardFigures], after: CardModel, current: str) -> str | None:
    """The key of the card that is still there and stood nearest under `current`, else nearest above it."""
    row = next((at for at, card in enumerate(before) if card.key == current), None)
    if row is None:
        return None
    around = (*before[row + 1 :], *reversed(before[:row]))
    return next((card.key for card in around if after.row_of(card.key) is not None), None)
