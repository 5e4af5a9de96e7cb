"""The board: four columns of cards with search, sort and filter; emits what the planner did with the cards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.model.pool import Pool
from gpuplanner.ui import numbers
from gpuplanner.ui.board_menu import CardVerbs, card_menu
from gpuplanner.ui.board_order import SORTS, Lanes, Usd, filtered, in_lanes, moved_in_lanes
from gpuplanner.ui.board_toolbar import BoardToolbar
from gpuplanner.ui.card_list import Slot
from gpuplanner.ui.card_marks import CardMarks
from gpuplanner.ui.card_names import names_apart
from gpuplanner.ui.hover_change import HoverChange
from gpuplanner.ui.lanes import LANES, Lane, lane_of
from gpuplanner.ui.pool_column import PoolColumn
from gpuplanner.ui.review_why import ReviewWhy
from gpuplanner.ui.rule_offer import RuleOffer
from gpuplanner.ui.shown import Shown, lane_of_card, lane_sums
from gpuplanner.ui.theme import Palette


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """How the cards were sorted last, and of what."""

    usd: Usd
    sort: str
    cards: tuple[CardFigures, ...]
    lanes: Lanes


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

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setAccessibleName("Board")
        self.setMinimumWidth(360)
        self._palette = palette
        self._shown: Shown | None = None
        self._waiting: Shown | None = None
        self._known: _Known | None = None
        self._clusters_of: object = None
        self._named: tuple[object, Mapping[str, str]] = None, {}
        self._sort = next(iter(SORTS))
        self._cluster: str | None = None
        self._is_read_only = False
        self.columns = {lane: PoolColumn(lane, palette) for lane in LANES}
        row = QWidget()
        row.setObjectName("page")
        columns = QHBoxLayout(row)
        columns.setContentsMargins(9, 0, 9, 9)
        columns.setSpacing(8)
        for column in self.columns.values():
            columns.addWidget(column, 1)
            self._connect(column)
        self._scroll = QScrollArea()
        self._scroll.setWidget(row)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setAccessibleName("Columns")
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.toolbar = BoardToolbar(palette)
        self.search = self.toolbar.search
        self.toolbar.search_changed.connect(self._lay_out)
        self.toolbar.sort_chosen.connect(self.sort_by)
        self.toolbar.cluster_chosen.connect(self._filter_by)
        self.toolbar.separation_asked.connect(self.automatic_separation_asked)
        layout.addWidget(self.toolbar)
        layout.addWidget(self._scroll, 1)
        self.offer = RuleOffer(palette)
        self.offer.taken.connect(self.rule_asked)
        layout.addWidget(self.offer)
        foot = self.columns[Lane.REVIEW].foot
        assert foot is not None
        foot.decided.connect(self.decide_selected)
        foot.why_asked.connect(self.open_review_why)
        self.review_why = ReviewWhy(palette, self)
        self.review_why.decided.connect(self.decide_selected)
        self.review_why.rule_asked.connect(self.rule_asked)
        self.review_why.jobs_asked.connect(self.open_jobs)
        self.show_palette(palette)

    def _connect(self, column: PoolColumn) -> None:
        column.refusal = self._refusal
        column.place_of = self._place_of
        column.workloads_dropped.connect(self.workloads_moved)
        column.hover_begun.connect(self.preview_asked)
        column.hover_ended.connect(self.preview_ended)
        column.empty_action_asked.connect(self._empty_action)
        column.cards.drag_begun.connect(self._show_moving)
        column.cards.drag_ended.connect(self._end_drag)
        column.cards.side_asked.connect(self._go_sideways)
        column.cards.picked_alone.connect(self._clear_other_columns)
        column.cards.card_opened.connect(self.jobs_asked)
        column.cards.decided.connect(self.decide_selected)
        column.cards.why_asked.connect(self.open_review_why)
        column.cards.customContextMenuRequested.connect(self._open_menu)

    # What to show

    def show_shown(self, shown: Shown) -> None:
        """Show the cards of an evaluation; a board of Today is read only."""
        if self._is_dragging():
            self._waiting = shown  # nothing moves while a card is in the hand
            return
        self._shown = shown
        self._is_read_only = shown.is_today
        self.columns[Lane.REVIEW].setVisible(not shown.is_today)  # nothing of the past is still to be decided
        for column in self.columns.values():
            column.cards.setDragEnabled(not shown.is_today)
            column.model.show_leaving({})
        self._fill_filter(shown)
        self.toolbar.show_idle(shown)
        self._lay_out()

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        for view in (self.toolbar, *self.columns.values(), self.offer, self.review_why):
            view.show_palette(palette)

    def show_preview(self, pool: Pool, change: HoverChange) -> None:
        """Say in the column under the cursor what a drop would change."""
        changed = [
            (other, amount) for other, amount in change.pools.items() if amount is not None and round(amount)
        ]
        changed.sort(key=lambda item: (item[0] is not pool, -abs(item[1])))
        details = tuple((lane_of(other), numbers.change(amount)) for other, amount in changed)
        title = "Whole plan" if change.total is not None else "Cost unknown"
        amount = "" if change.total is None else f"{numbers.dollar_change(change.total)} a month"
        if amount and self.columns[lane_of(pool)].width() < 260:
            amount = f"{numbers.dollar_change(change.total)}/mo"
        saving = change.total is not None and round(change.total) < 0
        self.columns[lane_of(pool)].show_change(Slot(title, amount, saving, details))

    # What was asked of it

    def selected_keys(self) -> tuple[str, ...]:
        """Keys of the selected cards of all columns; of the current card where none is selected."""
        keys = tuple(key for column in self.columns.values() for key in column.cards.selected_keys())
        if keys:
            return keys
        lane = self._focused_lane()
        current = None if lane is None else self.columns[lane].cards.current_key()
        return () if current is None else (current,)

    def move_selected(self, pool: Pool) -> None:
        """Move the selected cards, as Alt+1, Alt+2 and Alt+3 do."""
        keys = self.selected_keys()
        if keys and not self._is_read_only:
            self._go_on_from(frozenset(keys), lane_of(pool))
            self.workloads_moved.emit(keys, pool)

    def toggle_pin(self) -> None:
        """Pin the selected cards, or let them go where all are pinned."""
        keys = self.selected_keys()
        if keys and not self._is_read_only:
            pinned = self._are_pinned(keys)
            self.workloads_pinned.emit(keys, not pinned)

    def _are_pinned(self, keys: tuple[str, ...]) -> bool:
        wanted = frozenset(keys)
        cards = self._shown.cards if self._shown is not None else ()
        return all(card.is_pinned for card in cards if card.key in wanted)

    def label_selected(self, pool: Pool) -> None:
        """Say what the selected workloads are; those in Review are decided then, and the next is selected."""
        keys = self.selected_keys()
        if keys and not self._is_read_only:
            self._leave_review(frozenset(keys), pool)
            self.workloads_labelled.emit(keys, pool)

    def decide_selected(self, pool: Pool) -> None:
        """Say what the selected workloads of Review are, as its keys do; the first where none is selected."""
        view = self.columns[Lane.REVIEW].cards
        current = view.current_key()
        keys = view.selected_keys() or (() if current is None else (current,))
        if not keys:
            self._select_first_in_review()
        elif not self._is_read_only:
            self._leave_review(frozenset(keys), pool)
            view.setFocus(Qt.FocusReason.OtherFocusReason)
            self.workloads_labelled.emit(keys, pool)

    def open_review_why(self) -> None:
        """Why the card of Review that has the keyboard is taken for what it is."""
        view = self.columns[Lane.REVIEW].cards
        if view.current_key() is None:
            self._select_first_in_review()
        card = self._card(view.current_key() or "")
        if card is not None and self._shown is not None:
            place = view.visualRect(view.currentIndex())
            more = len(set(view.selected_keys()) - {card.key})
            self.review_why.show_card(card, self._shown.usd.get(card.key), view, place, more)

    def open_jobs(self) -> None:
        """Ask for the jobs of the card with the keyboard, or of the first that is selected."""
        lane = self._focused_lane()
        current = None if lane is None else self.columns[lane].cards.current_key()
        keys = (current,) if current is not None else self.selected_keys()
        if keys:
            self.jobs_asked.emit(keys[0])

    def sort_by(self, title: str) -> None:
        """Sort every column."""
        self._sort = title
        self._lay_out()

    def focus_cards(self) -> None:
        """Give the first column the keyboard."""
        self.columns[Lane.TRAINING].cards.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_search(self) -> None:
        """Put the cursor into the search field."""
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def show_workload(self, key: str) -> None:
        """Scroll to a card, select it and give it the keyboard."""
        card = self._card(key)
        if card is None:
            return
        if self.search.text() or self._cluster:
            self._cluster = None
            self.search.clear()
            self._lay_out()
        view = self.columns[lane_of_card(card)].cards
        self._clear_other_columns(view)
        view.select_keys(frozenset((key,)), key)
        view.scrollTo(view.currentIndex())
        view.setFocus(Qt.FocusReason.OtherFocusReason)

    # Inside

    def _select_first_in_review(self) -> None:
        cards = self.columns[Lane.REVIEW].model.cards
        if cards:
            self.show_workload(cards[0].key)

    def _leave_review(self, keys: frozenset[str], pool: Pool) -> None:
        """Show decided cards as gone before their figures are there, and go on with the next one."""
        model = self.columns[Lane.REVIEW].model
        decided = {
            card.key: f"{lane_of(pool).title}: {card.name}" for card in model.cards if card.key in keys
        }
        if decided:
            self._go_on_from(keys, None)
            model.show_leaving(decided)

    def _go_on_from(self, keys: frozenset[str], target: Lane | None) -> None:
        """Select the card that follows those that leave their column by a key, so that the next key finds one."""
        for lane, column in self.columns.items():
            view = column.cards
            if lane is target or not any(card.key in keys for card in column.model.cards):
                continue
            following = view.neighbour_of(keys)
            self._clear_other_columns(view)
            view.select_keys(frozenset(() if following is None else (following,)), following)
            if following is not None:
                view.scrollTo(view.currentIndex())
            return

    def _apart_of(self, shown: Shown) -> Mapping[str, str]:
        """What tells cards of one name apart; the same while only cards are moved."""
        workloads = shown.evaluation.project.workloads
        if self._named[0] is not workloads:
            self._named = workloads, names_apart(shown.cards)
        return self._named[1]

    def _lay_out(self) -> None:
        shown = self._shown
        if shown is None:
            return
        usd, marks = shown.usd, CardMarks(shown)
        everything = self._sorted(shown)
        apart = self._apart_of(shown)
        lanes = filtered(everything, self.search.text(), self._cluster)
        sums = lane_sums(shown, everything)
        settling = shown.is_settling and not shown.is_today
        kept = frozenset(key for column in self.columns.values() for key in column.cards.selected_keys())
        for lane, column in self.columns.items():
            largest = max((card.gpu_hours_per_month for card in lanes[lane]), default=0.0)
            view = column.cards
            current, scrolled = view.current_key(), view.verticalScrollBar().value()
            if current is not None and all(card.key != current for card in lanes[lane]):
                current = _nearest_left(column.model.cards, lanes[lane], current)  # it has gone elsewhere
            if column.model.show_cards(lanes[lane], usd, marks, largest, settling, apart):
                if kept or current:
                    view.select_keys(kept, current)
                view.verticalScrollBar().setValue(scrolled)
            column.heading.show_sums(sums[lane], settling, len(lanes[lane]))
            column.show_empty(self._empty_text(lane, bool(lanes[lane])))
        self.toolbar.show_choice(self._sort, self._cluster)

    def _sorted(self, shown: Shown) -> Lanes:
        """Every card in its column; after a move only the cards that moved are put in their places."""
        known, made = self._known, None
        if known is not None and known.usd is shown.usd and known.sort == self._sort:
            made = moved_in_lanes(known.lanes, known.cards, shown.cards, shown.usd, self._sort)
        if made is None:
            made = in_lanes(shown.cards, shown.usd, self._sort)
        self._known = _Known(shown.usd, self._sort, shown.cards, made)
        return made

    def _card(self, key: str) -> CardFigures | None:
        cards = self._shown.cards if self._shown is not None else ()
        return next((card for card in cards if card.key == key), None)

    def _empty_text(self, lane: Lane, has_cards: bool) -> str:
        if has_cards or self._shown is None:
            return ""
        if not self._shown.cards:
            return "No jobs yet. <a href='#'>Import a job log</a>" if lane is Lane.TRAINING else ""
        if self.search.text() or self._cluster:
            quoted = f"\u201c{self.search.text()}\u201d" if self.search.text() else self._cluster
            return f"No workload matches {quoted}. <a href='#'>Clear search</a>"
        if self._shown.is_today:
            return f"Nothing ran where {lane.value} runs."
        return (
            "Nothing to decide." if lane is Lane.REVIEW else f"No {lane.value} workloads. Drop a card here."
        )

    def _empty_action(self) -> None:
        if self._shown is not None and self._shown.cards:
            self._cluster = None
            self.search.clear()
            self._lay_out()
        else:
            self.import_asked.emit()

    def _fill_filter(self, shown: Shown) -> None:
        workloads = shown.evaluation.project.workloads
        if self._clusters_of is workloads:
            return
        self._clusters_of = workloads
        clusters = sorted({card.cluster for card in shown.cards})
        if self._cluster not in clusters:
            self._cluster = None
        self.toolbar.show_clusters(clusters)

    def _filter_by(self, cluster: str | None) -> None:
        self._cluster = cluster
        self._lay_out()

    def _refusal(self, keys: tuple[str, ...], lane: Lane) -> str:
        """Why these cards may not be dropped on a column; empty where they may."""
        if self._is_read_only:
            return "Today is the past: open a plan to move cards"
        if lane is Lane.REVIEW:
            return "Review is for what is not decided: drop on a pool"
        return ""

    def _place_of(self, keys: tuple[str, ...], lane: Lane) -> int:
        """The row at which the first of the cards would stand in a column."""
        first = self._card(keys[0]) if keys else None
        if first is None or self._shown is None:
            return 0
        key = SORTS[self._sort](self._shown.usd)
        mine = key(first)
        return sum(1 for card in self.columns[lane].model.cards if key(card) < mine)

    def _show_moving(self) -> None:
        keys: frozenset[str] = frozenset(
            key for column in self.columns.values() for key in column.cards.dragged_keys
        )
        for column in self.columns.values():
            column.model.show_moving(keys)

    def _is_dragging(self) -> bool:
        return any(column.cards.dragged_keys for column in self.columns.values())

    def _end_drag(self) -> None:
        self._show_moving()
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self.show_shown(waiting)

    def _focused_lane(self) -> Lane | None:
        return next((lane for lane, column in self.columns.items() if column.cards.hasFocus()), None)

    def _go_sideways(self, step: int) -> None:
        lane = self._focused_lane()
        if lane is None:
            return
        at = LANES.index(lane)
        here = self.columns[lane].cards
        top = here.visualRect(here.currentIndex()).center().y() if here.currentIndex().isValid() else 0
        while 0 <= at + step < len(LANES):
            at += step
            view = self.columns[LANES[at]].cards
            if view.model().cards:
                index = view.indexAt(QPoint(30, top))
                if not index.isValid():
                    index = view.model().index(view.model().rowCount() - 1)
                view.setFocus(Qt.FocusReason.OtherFocusReason)
                self._clear_other_columns(view)
                view.setCurrentIndex(index)
                return

    def _clear_other_columns(self, keep: QWidget | None = None) -> None:
        kept = keep or self.sender()
        for column in self.columns.values():
            if column.cards is not kept:
                column.cards.clearSelection()

    def _open_menu(self, place: QPoint) -> None:
        view = self.sender()
        keys = self.selected_keys()
        if not keys:
            return
        verbs = CardVerbs(
            self.open_jobs, self.move_selected, self.label_selected, self.rule_asked.emit, self.toggle_pin
        )
        menu = card_menu(keys, self._are_pinned(keys), self._is_read_only, verbs, self._palette, self)
        menu.exec(view.viewport().mapToGlobal(place))  # type: ignore[union-attr,attr-defined]


def _nearest_left(before: Sequence[CardFigures], after: Sequence[CardFigures], current: str) -> str | None:
    """The key of the card that is still there and stood nearest under `current`, else nearest above it."""
    left = {card.key for card in after}
    row = next(at for at, card in enumerate(before) if card.key == current)
    around = (*before[row + 1 :], *reversed(before[:row]))
    return next((card.key for card in around if card.key in left), None)
