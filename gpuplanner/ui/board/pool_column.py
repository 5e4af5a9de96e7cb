"""One column of the board: its heading, its cards, and what a drop there would change."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from PySide6 import QtCore, QtGui, QtWidgets

from gpuplanner.charts.kit.plain_text import MarkupLabel, set_tip, spoken, tr
from gpuplanner.domain.commitment.plan.comparison import Horizon, plan_usd_in
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import known_sum, missing_sentence
from gpuplanner.domain.model.plan_inputs import whole_key, with_those_merged
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.board.card_sheet import DECISION_KEYS, ReviewFoot
from gpuplanner.ui.cards import details
from gpuplanner.ui.cards.card_list import DRAG_HOT_SPOT, DRAG_WIDTH, WORKLOADS_MIME, CardView
from gpuplanner.ui.cards.delegate import CARD_HEIGHT, BoardDelegate, row_px
from gpuplanner.ui.cards.marks import Finding, finding_words
from gpuplanner.ui.cards.model import CardModel, Slot
from gpuplanner.ui.kit import theme
from gpuplanner.ui.kit.layout import STRETCH, column, named, share
from gpuplanner.ui.kit.page_parts import label, soon
from gpuplanner.ui.state.view_state import LaneSums, ViewState, idle_rows
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.glossary import Lane

# --- What a drop would change: $ a month, utilization, and what the hardware and spot rules say of the cards there

MOST_ASKED = 200
"""Cards that the rules are asked about while they hover: more than that take longer than a frame."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HoverChange:
    """$ a month: the whole plan, then each pool; None is unknown. year: $ of the whole plan in twelve months."""

    total: float | None
    pools: dict[Pool, float | None]
    utilization: tuple[float | None, float | None] = (None, None)  # effective, of the plan: before, after
    warnings: tuple[details.Line, ...] = ()
    year: float | None = None

    def per_period(self, monthly: Text) -> tuple[float | None, Text]:
        """$ of the whole plan and of what time: a month, by a word of its own; where that stays as it is, as while
        contracts run, twelve months."""
        is_year = self.total is not None and not round(self.total) and round(self.year or 0.0)
        return (self.year, worded(" in 12 months")) if is_year else (self.total, monthly)


def hover_change(before: Advice, after: Advice, warnings: tuple[details.Line, ...] = ()) -> HoverChange:
    """The difference of two answers of the engine."""
    return HoverChange(
        total=_difference(before.totals.plan, after.totals.plan),
        pools={pool: _difference(_of_pool(before, pool), _of_pool(after, pool)) for pool in POOLS},
        utilization=(before.totals.effective_utilization_plan, after.totals.effective_utilization_plan),
        warnings=warnings,
        year=_difference(*(plan_usd_in(one, Horizon.TWELVE_MONTHS) for one in (before, after))),
    )


def rule_warnings(keys: Sequence[str], pool: Pool, shown: ViewState) -> tuple[details.Line, ...]:
    """What the rules say of cards in a pool: which do not fit there, which may not use spot, where users are far.

    One line a rule, with how many of the cards it is about. Of more than MOST_ASKED cards the first are asked.
    """
    splits = shown.evaluation.figures.basis.plan.splits
    cards = with_those_merged(keys, details.merges_of(shown))
    lights: dict[Light, list[str]] = {Light.RED: [], Light.AMBER: []}
    spot: dict[Text, list[details.Line]] = {}
    reasons: dict[Light, Text] = {}
    wholes = tuple(dict.fromkeys(whole_key(key, splits) for key in cards[:MOST_ASKED]))
    for key in wholes:
        if (workload := details.workload_named(key, shown.evaluation.project.workloads)) is None:
            continue
        fit = details.fit_of(key, shown)
        light, why = (None, "") if fit is None else details.fit_words(fit, workload, pool, shown)
        if light in lights:
            lights[light].append(key)
            reasons.setdefault(light, why)
        line = details.spot_words(workload, pool, shown)
        if not line.figure:
            spot.setdefault(line.text, []).append(line)
    lines = []
    for light, found in lights.items():
        if found:
            drawn, role, words = details.LIGHTS[light]
            text = tr("{title}: {value}", title=words, value=reasons[light])
            lines.append(
                details.Line(text=_of(len(found), len(wholes), text), figure="", icon=drawn, role=role)
            )
    lines += [
        details.Line(
            text=_of(len(found), len(wholes), text), figure="", icon="interruption", role=found[0].role
        )
        for text, found in spot.items()
    ]
    far = {str(check.subject) for check in shown.checks if check.code == "transit_over_80_ms"} & set(wholes)
    if far:
        away = _of(len(far), len(wholes), tr("Users over 80 ms away"))
        lines.append(details.Line(text=away, figure="", icon="residency", role="amber"))
    return tuple(lines)


def _of(count: int, all_cards: int, text: Text) -> str:
    """Add to a text how many of the cards it is of, unless there is a single card."""
    if all_cards == 1:
        return spoken(text)
    shown = tr("{shown} of {total}", shown=numbers.whole(count), total=numbers.whole(all_cards))
    return tr("{title}: {value}", title=shown, value=text)


def _of_pool(advice: Advice, pool: Pool) -> float | None:
    """What a pool costs a month over all GPU models; None as soon as one is unknown."""
    return known_sum(plan.cost_per_month for plan in advice.pools if plan.pool is pool)


def _difference(before: float | None, after: float | None) -> float | None:
    """After less before; None if either is unknown."""
    return None if before is None or after is None else after - before


# --- Under the slot while a card hovers: the change of utilization, and what the rules say; the mouse goes through it

LINE, PAD, MOST_WARNINGS = 17, 8, 4
_WRAPPED: Final = 4
"""A warning takes at most so many lines; its rest is in the side sheet."""


class HoverNote(QtWidgets.QWidget):
    """Told a change and where its slot is."""

    def __init__(self, parent: QtWidgets.QWidget) -> None:
        super().__init__(parent, accessibleName=tr("Effect of a drop"))
        self.setAttribute(QtCore.Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._lines: tuple[tuple[str, str, str], ...] = ()  # icon, role, text
        self.hide()

    @property
    def text(self) -> str:
        """All that it says."""
        return "\n".join(text for _, _, text in self._lines)

    def show_change(self, change: HoverChange, under: QtCore.QPoint, width: int) -> None:
        """Say it under a place; above it where there is no room. Nothing to say: nothing is shown."""
        lines = [("", "text", said) for said in (utilization_words(change),) if said]
        room = width - 2 * PAD - 20
        for warning in change.warnings[:MOST_WARNINGS]:
            first, *more = _wrapped(warning.text, room)
            if len(more) >= _WRAPPED:
                more = [*more[: _WRAPPED - 2], f"{more[_WRAPPED - 2]} \u2026"]
            lines += [(warning.icon, warning.role, first), *(("", "muted", rest) for rest in more)]
        self._lines = tuple(lines)
        self.setAccessibleDescription(spoken(self.text))
        height = LINE * len(lines) + 2 * PAD - 4
        top, parent = under.y() + 2, self.parentWidget()
        if parent is not None and top + height > parent.height():
            top = max(0, under.y() - 52 - height)
        self.setGeometry(QtCore.QRect(under.x(), top, width, height))
        self.setVisible(bool(lines))
        self.raise_()
        self.update()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """The lines in their box, icons in a column of their own if any line has one."""
        painter, palette = QtGui.QPainter(self), theme.in_use()
        theme.draw_box(painter, self.rect(), palette.raised, palette.edge, 4)
        has_icons = any(drawn for drawn, _, _ in self._lines)
        for place, (drawn, role, text) in enumerate(self._lines):
            top = PAD - 2 + LINE * place
            if drawn:
                theme.draw_icon(painter, drawn, palette.colour(role), PAD, top + 2, 14)
            left = PAD + (20 if has_icons and place else 0)
            rect = QtCore.QRect(left, top, self.width() - left - PAD, LINE)
            colour = palette.muted if role == "muted" else palette.text
            theme.draw_text(painter, rect, text, theme.base_font("small"), colour)


def utilization_words(change: HoverChange) -> str:
    """Utilization 71.2% to 73.0%, +1.8 pt; empty where either is unknown."""
    before, after = change.utilization
    if before is None or after is None:
        return ""
    points = round(100 * after, 1) - round(100 * before, 1)
    sign = "+" if points > 0.05 else numbers.MINUS if points < -0.05 else "\u00b1"
    moved, now = numbers.one_decimal(abs(points)), numbers.percent(after)
    return tr("Utilization {after}, {sign}{points} pt", after=now, sign=sign, points=moved)


def _wrapped(text: Text, room: int) -> list[str]:
    """Words in lines of a width; a word that is too long is elided when it is drawn."""
    lines = [""]
    for word in str(text).split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and theme.width_of(longer, theme.base_font("small")) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


# --- One column of the board: its heading, its cards, and the question whether a drop may land ---

UNDER_TITLE: Final = 25
"""Pixels of a heading down to the end of its title, whose line is painted alone where nothing else changed."""
UNIT_FROM: Final = 230
"""Width of a column from which its units are written in full."""
LEAST_WIDTH: Final = 176
AROUND_TITLE: Final = 51
"""Pixels of a head beside its title and its dollars: edges, icon, and what keeps the two apart."""


class ColumnHeading(QtWidgets.QWidget):
    """Title, count and sums of a column, with its units said once."""

    def __init__(self, lane: Lane) -> None:
        super().__init__()
        self._lane = lane
        self.sums: LaneSums | None = None
        self._is_settling = False
        self._visible_cards = 0
        self.findings: tuple[Finding, ...] = ()
        self._ground = theme.in_use().surface
        self._words = soon(self, self.recolour, 1)  # nobody listens before the frame of a drop is painted
        self.setFixedHeight(theme.text_px(46))
        self.setAttribute(
            QtCore.Qt.WidgetAttribute.WA_OpaquePaintEvent
        )  # the column behind is not painted with it
        self.setAccessibleName(tr("{title} column", title=lane.title))

    def show_ground(self, colour: str) -> None:
        """The colour that it stands on."""
        self._ground = colour
        self.update()

    @property
    def count_text(self) -> str:
        """How many cards: all of them, or 5 of 33 while a search or a filter leaves some out."""
        whole = 0 if self.sums is None else self.sums.cards
        all_cards = numbers.whole(whole)
        if self._visible_cards == whole:
            return all_cards
        visible = numbers.whole(self._visible_cards)
        return tr("{shown} of {total}", shown=visible, total=all_cards)

    def show_sums(
        self, sums: LaneSums, is_settling: bool, visible_cards: int, *, findings: tuple[Finding, ...] = ()
    ) -> None:
        """Show the sums of the column, which are of all its cards; visible_cards are those that are not left out.

        findings: what its cards have in common; those that not all of their cards are marked by are counted here.
        """
        is_said = (sums, findings) == (self.sums, self.findings)
        is_of_all = visible_cards == self._visible_cards
        if is_said and is_of_all and is_settling is self._is_settling:
            return
        self.findings = findings
        self.sums, self._is_settling, self._visible_cards = sums, is_settling, visible_cards
        if is_said and is_of_all:
            self.update(0, 0, self.width(), theme.text_px(UNDER_TITLE))  # its dollars are muted, or no longer
        else:
            self.update()
        if not is_said:
            self._words.start()

    @property
    def counted(self) -> tuple[Finding, ...]:
        """What is said of the pool, for it is so of more of its cards than are marked."""
        return tuple(finding for finding in self.findings if finding.is_of_the_pool)

    def _say(self, sums: LaneSums) -> None:
        """In words, for who listens and who rests the mouse on it."""
        of_the_pool = " ".join(map(finding_words, self.counted))
        self.setAccessibleName(
            tr(
                "{title}: {cards}, {usd_per_month} and {gpu_hours_per_month} GPU-h per month.",
                title=self._lane.title,
                cards=details.cards_words(sums.cards, sums.workloads),
                usd_per_month=numbers.sum_of(sums.dollars),
                gpu_hours_per_month=numbers.whole(sums.gpu_hours_per_month),
            )
            + (f" {of_the_pool}" if of_the_pool else "")
        )
        set_tip(
            self,
            tr(
                "{title}: {cards}, {usd_per_month} and {gpu_hours_per_month} GPU-h per month.",
                title=self._lane.title,
                cards=details.cards_words(sums.cards, sums.workloads),
                usd_per_month=numbers.sum_of(sums.dollars)
                if sums.dollars.is_at_least
                else numbers.cents(sums.usd_per_month),
                gpu_hours_per_month=numbers.one_decimal(sums.gpu_hours_per_month),
            )
            + (f" {spoken(missing_sentence(sums.dollars))}. " if sums.dollars.is_at_least else " ")
            + (
                tr(
                    "Includes {in_review} in review: {usd}.",
                    in_review=numbers.whole(sums.in_review),
                    usd=numbers.dollars(sums.review_usd_per_month),
                )
                if self._lane is not Lane.REVIEW
                else tr("Counted in likely pools.")
                if sums.are_likely
                else tr("Counted in the plan's pool, perhaps not the likely one.")
            )
            + (f"\n{of_the_pool}" if of_the_pool else ""),
        )

    def recolour(self) -> None:
        """Other colours from now on, and figures as they are written now."""
        if self.sums is not None:
            self._say(self.sums)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """Only what the event asks for: title and sums stand on lines of their own."""
        painter, area = QtGui.QPainter(self), event.rect()
        painter.fillRect(area, self._ground)
        left, right = 9, theme.in_text_size(painter, self.rect()).width() - 10
        if area.top() < theme.text_px(UNDER_TITLE):
            self._paint_title(painter, left, right)
        if area.bottom() >= theme.text_px(UNDER_TITLE) and self.sums is not None:
            self._paint_sums(painter, left, right, self.sums)

    def _paint_title(self, painter: QtGui.QPainter, left: int, right: int) -> None:
        """Title, count and dollars."""
        palette, lane, sums = theme.in_use(), self._lane, self.sums
        theme.draw_icon(painter, lane.icon, palette.lane(lane), left, 8)
        money = "" if sums is None else numbers.sum_of(sums.dollars, numbers.whole)
        quiet = palette.muted if self._is_settling else palette.text
        money_width = theme.text_width(money, theme.base_font("title"))
        money_rect = QtCore.QRect(right - money_width, 7, money_width + 1, 18)
        theme.draw_text(painter, money_rect, money, theme.base_font("title"), quiet, theme.RIGHT)
        title_space = right - money_width - 8 - left - 22
        place = QtCore.QRect(left + 22, 7, title_space, 18)
        drawn = theme.draw_text(painter, place, lane.title, theme.base_font("title"), palette.text)
        if sums is None:
            return
        count = self.count_text
        count_rect = QtCore.QRect(left + 22 + drawn + 6, 7, title_space - drawn - 6, 18)
        if theme.text_width(count, theme.base_font("body")) <= count_rect.width():
            theme.draw_text(painter, count_rect, count, theme.base_font("body"), palette.muted)

    def _paint_sums(self, painter: QtGui.QPainter, left: int, right: int, sums: LaneSums) -> None:
        """Under the title: GPU-hours and units; those of Review are in the other heads too, so it says that."""
        palette, small = theme.in_use(), theme.base_font("small")
        is_wide = right > UNIT_FROM - 10
        hours = numbers.whole(sums.gpu_hours_per_month)
        unit = tr("$ per month") if is_wide else tr("$/month")
        if self._lane is Lane.REVIEW:
            unit = tr("{unit}, in pools", unit=unit)
        space = right - left - theme.text_width(unit, small) - 8
        whole = (
            tr("{hours} GPU-h per month", hours=hours) if is_wide else tr("{hours} GPU-h/month", hours=hours)
        )
        text = theme.fitting((whole, tr("{gpu_hours} GPU-h", gpu_hours=hours)), small, space)
        theme.draw_text(painter, QtCore.QRect(left, 25, space, 16), text, small, palette.muted)
        theme.draw_text(
            painter, QtCore.QRect(left, 25, right - left, 16), unit, small, palette.muted, theme.RIGHT
        )


def least_width(lane: Lane) -> int:
    """So wide that its head shows its title and millions of dollars whole, whatever the size of type."""
    title = theme.base_font("title")
    words = theme.text_width(lane.title, title) + theme.text_width("8,888,888", title)
    buttons = 8 if lane is Lane.REVIEW else 0  # at its foot, and as wordy as its title
    return theme.text_px(max(LEAST_WIDTH, AROUND_TITLE + words + buttons))


class PoolColumn(QtWidgets.QFrame):
    """One pool as a column of workload cards."""

    workloads_dropped = QtCore.Signal(tuple, object)  # keys, Pool
    hover_begun = QtCore.Signal(tuple, object)  # keys, Pool
    hover_ended = QtCore.Signal()
    empty_action_asked = QtCore.Signal()

    def __init__(self, lane: Lane) -> None:
        super().__init__()
        self.lane = lane
        self._is_target = False
        self._hovering: tuple[str, ...] = ()
        self._slot: Slot | None = None
        self._change: HoverChange | None = None
        self.refusal: Callable[[tuple[str, ...], Lane], str] = lambda keys, to: ""
        self.place_of: Callable[[tuple[str, ...], Lane], int] = lambda keys, to: 0
        self.setMinimumWidth(least_width(lane))
        self.setAcceptDrops(True)
        self.setAccessibleName(tr("{title} pool", title=lane.title) if lane.pool else tr("Review queue"))
        self.heading = ColumnHeading(lane)
        self.model = CardModel(self)
        self.delegate = BoardDelegate(self)
        self.cards = CardView(lane.title, self.model, self.delegate)
        self._empty = named(MarkupLabel(), role="muted")
        self._empty.setWordWrap(True)
        self._empty.setAlignment(QtCore.Qt.AlignmentFlag.AlignLeft | QtCore.Qt.AlignmentFlag.AlignTop)
        self._empty.setContentsMargins(9, 6, 9, 0)
        self._empty.linkActivated.connect(lambda _: self.empty_action_asked.emit())
        self._empty.hide()
        self.foot = ReviewFoot() if lane is Lane.REVIEW else None
        column(
            self.heading, self._empty, share(self.cards), self.foot, on=self, margins=(1, 3, 1, 1), spacing=0
        )
        if self.foot is not None:
            self.cards.decision_keys = DECISION_KEYS
        self.note = HoverNote(self)
        self.recolour()

    def sizeHint(self) -> QtCore.QSize:
        return QtCore.QSize(240, 500)

    def recolour(self) -> None:
        """The cards are drawn on what `paintEvent` lays under them."""
        palette = theme.in_use()
        ground = palette.lanes[self.lane].tint if self._is_target else palette.surface
        self.delegate.ground = ground
        self.cards.show_ground(ground)
        self.heading.show_ground(ground)

    def show_empty(self, text: str) -> None:
        """One sentence in place of cards; empty text where there are some. May hold one link."""
        if text == self._empty.text() and self._empty.isHidden() is not bool(text):
            return
        self._empty.show_text(text)
        if self.foot is not None:
            self.foot.setVisible(not text)  # nothing to decide, nothing to press

    def show_change(self, slot: Slot, change: HoverChange | None = None) -> None:
        """Say in the open slot what a drop here would change, and under it what else is to be known."""
        if (row := self.model.slot_row) is not None:
            self._slot, self._change = slot, change or self._change
            self.model.open_slot(row, slot)
            self._place_note(row)

    def _place_note(self, row: int) -> None:
        """Puts what a drop would change under the open slot."""
        if self._change is not None:
            view = self.cards.viewport()
            corner = view.mapTo(self, self.cards.visualRect(self.model.index(row)).bottomLeft())
            self.note.show_change(self._change, corner, view.width())

    def _keep_slot_clear(self, mouse: QtCore.QPoint) -> None:
        """Move the slot out from under the picture of the card that hangs at the mouse: what it says is to be read."""
        if (row := self.model.slot_row) is None or self._slot is None:
            return
        to_column = self.cards.viewport().mapTo(self, QtCore.QPoint(0, 0))
        said = self.cards.visualRect(self.model.index(row)).translated(to_column)
        if not self.note.isHidden():
            said = said.united(self.note.geometry())
        held = QtCore.QRect(mouse - DRAG_HOT_SPOT, QtCore.QSize(DRAG_WIDTH, theme.text_px(CARD_HEIGHT)))
        if not said.intersects(held):
            return
        step, top = row_px(), self.cards.verticalScrollBar().value() - to_column.y()
        above = (held.top() - said.height() + top) // step
        below = -(-(held.bottom() + 1 + top) // step)
        wanted = above if above >= self._first_visible() else below
        if (wanted := min(max(wanted, self._first_visible()), self._last_visible())) != row:
            self.model.open_slot(wanted, self._slot)
            self._place_note(wanted)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """The column on its ground with the coloured edge on top, tinted while it is the target."""
        painter, palette = QtGui.QPainter(self), theme.in_use()
        colours = palette.lanes[self.lane]
        fill = colours.tint if self._is_target else palette.surface
        border = colours.fill if self._is_target else palette.line
        theme.draw_box(painter, self.rect(), fill, border, 4, 1)
        painter.setClipRect(QtCore.QRect(0, 0, self.width(), 3))
        theme.draw_box(painter, QtCore.QRect(0, 0, self.width(), 12), colours.fill, None, 4)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self.cards.viewport().update()

    def dragEnterEvent(self, event: QtGui.QDragEnterEvent) -> None:
        """Takes the keys out of the drag and asks what dropping them would change."""
        if event.mimeData().hasFormat(WORKLOADS_MIME):
            self._hovering = tuple(json.loads(bytes(event.mimeData().data(WORKLOADS_MIME).data()).decode()))
            self.begin_hover(self._hovering)
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QtGui.QDragMoveEvent) -> None:
        """Keeps the slot under the mouse; says no where the drop is refused."""
        self._keep_slot_clear(event.position().toPoint())
        if self._hovering and not self.refusal(self._hovering, self.lane):
            event.acceptProposedAction()
        else:
            event.ignore()

    def dragLeaveEvent(self, event: QtGui.QDragLeaveEvent) -> None:
        self.end_hover()

    def dropEvent(self, event: QtGui.QDropEvent) -> None:
        """Says which workloads were dropped into which pool; the column itself moves nothing."""
        keys = self._hovering
        self.end_hover()
        if keys and self.lane.pool is not None and not self.refusal(keys, self.lane):
            event.acceptProposedAction()
            self.workloads_dropped.emit(keys, self.lane.pool)

    def begin_hover(self, keys: tuple[str, ...]) -> None:
        """Show this column as the target of these cards."""
        reason = self.refusal(keys, self.lane)
        here = {card.key for card in self.model.cards}
        if not reason and set(keys) <= here and self.lane.pool is not None:
            return
        self._is_target = True
        self.recolour()
        row = min(max(self.place_of(keys, self.lane), self._first_visible()), self._last_visible())
        title = reason or tr("Whole plan")
        change = "" if reason else tr("calculating")
        self._slot, self._change = Slot(title=title, change=change, is_refused=bool(reason)), None
        self.model.open_slot(row, self._slot)

        self.update()
        if not reason:
            self.hover_begun.emit(keys, self.lane.pool)

    def end_hover(self) -> None:
        """Back to what it was."""
        self._hovering = ()
        self.model.close_slot()
        self.note.hide()
        if self._is_target:
            self._is_target = False
            self.recolour()
            self.update()
            self.hover_ended.emit()

    def _first_visible(self) -> int:
        """The first row that is wholly in sight."""
        return -(-self.cards.verticalScrollBar().value() // row_px())

    def _last_visible(self) -> int:
        """The last row that is wholly in sight."""
        seen_to = self.cards.verticalScrollBar().value() + self.cards.viewport().height()
        bottom = seen_to - theme.text_px(CARD_HEIGHT)
        return max(0, min(len(self.model.rows), bottom // row_px()))


# --- The narrow column at the end: what contracts are paid and serve nobody, which makes the columns add up to Spend

IDLE_TIP: Final = worded("Paid, but without a workload. With it, columns add up to Spend.")


class IdleColumn(QtWidgets.QFrame):
    """Told what is shown, and the sums of the columns beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Idle contracts"))
        self.setFixedWidth(theme.text_px(94))
        self.usd = label(step="title")
        self.table = FigureTable(tr("Idle contracts"))
        self._whole: int | None = None
        self._usd_by_model: list[tuple[str | None, int | None]] = []
        self._words = soon(self, self._say, 1)  # with the headline, once the frame of a drop is painted
        # lines that wrap would make the board as tall as all its cards
        title, unit = (
            label(tr("Idle contracts"), step="small_strong"),
            label(tr("$ per month"), role="muted", step="small"),
        )
        column(title, self.usd, unit, 6, self.table, STRETCH, on=self, margins=(7, 9, 2, 6), spacing=1)

    def show_sums(self, shown: ViewState, sums: Mapping[Lane, LaneSums]) -> None:
        """Show what is idle in all, and by GPU model."""
        self._whole, self._usd_by_model = idle_rows(shown, sums)
        if numbers.whole(self._whole) != self.usd.text():
            self._words.start()

    def _say(self) -> None:
        self.usd.setText(numbers.whole(self._whole))
        why = figure("column_idle")  # an amount stands under its model: beside it is no room for both
        cells = (
            (Cell(text=of or tr("unknown"), role="muted"), Cell(text=numbers.whole(usd), figure_id=why))
            for of, usd in self._usd_by_model
        )
        self.table.show_whole(
            (Column(title="", is_figure=False),), [Row((cell,)) for both in cells for cell in both]
        )
        set_tip(self, tr(IDLE_TIP))

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """A column on its ground, with a grey edge on top."""
        painter, palette = QtGui.QPainter(self), theme.in_use()
        theme.draw_box(painter, self.rect(), palette.surface, palette.line, 4, 1)
        painter.fillRect(QtCore.QRect(0, 0, self.width(), 3), palette.colour("muted"))
