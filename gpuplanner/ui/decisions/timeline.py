"""The twelve months of a plan with the days of its decisions: how many are due when."""

from collections.abc import Iterable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.plain_text import show_tip_at
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.commitment.next_decision import OPEN, NextDecision
from gpuplanner.domain.model.calendar_months import month_bounds, month_of
from gpuplanner.domain.model.window import MONTH_S, day_of
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.kit import drawing, palettes, type_scale
from gpuplanner.ui.state.commitment_words import until_words
from gpuplanner.ui.words import numbers

MONTHS: Final = 12
HEIGHT: Final = 44
CIRCLE_PX: Final = 20
EDGE_PX: Final = 26


@dataclass(frozen=True, slots=True, kw_only=True)
class DueDay:
    """Open decisions of one day: the day, epoch seconds, the decisions, and the colour of how near it is."""

    day_s: int
    decisions: tuple[NextDecision, ...]
    role: str


def due_days(decisions: Iterable[NextDecision], today_s: int) -> tuple[DueDay, ...]:
    """Open decisions by their day, the nearest first; what is overdue is due today. today_s: epoch seconds."""
    by_day: dict[int, list[NextDecision]] = {}
    for decision in decisions:
        if decision.state == OPEN and decision.by_s is not None:
            by_day.setdefault(max(day_of(decision.by_s), day_of(today_s)), []).append(decision)
    return tuple(
        DueDay(day_s=day_s, decisions=tuple(of_day), role=until_words(day_s, today_s)[2])
        for day_s, of_day in sorted(by_day.items())
    )


def month_starts(start_s: int, end_s: int) -> list[int]:
    """The first seconds of the calendar months (UTC) from an instant up to another, epoch seconds."""
    starts, (_, next_s) = list[int](), month_bounds(month_of(start_s))
    while next_s < end_s:
        starts.append(next_s)
        _, next_s = month_bounds(month_of(next_s))
    return starts


def together(days: Sequence[DueDay], places_px: Sequence[int]) -> list[tuple[int, DueDay]]:
    """Days with their places, those whose circles would overlap as one at the place of the first.

    places_px: of each day, in their order.
    """
    joined: list[tuple[int, DueDay]] = []
    for day, place_px in zip(days, places_px, strict=True):
        if joined and place_px - joined[-1][0] < CIRCLE_PX:
            at_px, first = joined[-1]
            both = (*first.decisions, *day.decisions)
            joined[-1] = at_px, DueDay(day_s=first.day_s, decisions=both, role=first.role)
        else:
            joined.append((place_px, day))
    return joined


class DecisionTimeline(QWidget):
    """Told decisions; says which one was pressed."""

    decision_chosen = Signal(str)  # decision_id

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Days of decisions"))
        self.days: tuple[DueDay, ...] = ()
        self._begins_s = self._today_s = 0
        self.setFixedHeight(type_scale.text_px(HEIGHT))
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_decisions(self, decisions: Iterable[NextDecision], begins_s: int, today_s: int) -> None:
        """Show the days of decisions from a plan's first day on. begins_s, today_s: epoch seconds."""
        days = due_days(decisions, today_s)
        if (days, begins_s, today_s) != (self.days, self._begins_s, self._today_s):
            self.days, self._begins_s, self._today_s = days, begins_s, today_s
            self.setAccessibleDescription(". ".join(_day_words(day) for day in days))
            self.update()

    def circles(self) -> list[tuple[int, DueDay]]:
        """The circles that are drawn, each with its middle in pixels of the usual text size."""
        return together(self.days, [self._place(day.day_s) for day in self.days])

    def _place(self, at_s: int) -> int:
        """Where an instant, epoch seconds, is on the line; what lies outside is at its end."""
        share = (at_s - self._begins_s) / (MONTHS * MONTH_S)
        return EDGE_PX + round(min(max(share, 0.0), 1.0) * (self._width() - 2 * EDGE_PX))

    def _width(self) -> int:
        return round(self.width() / type_scale.text_scale())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line with its months, and a circle with the number of decisions on each day."""
        painter, palette = QPainter(self), palettes.in_use()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = type_scale.in_text_size(painter, self.rect())
        middle, small = rect.top() + 14, type_scale.base_font("small")
        painter.fillRect(QRect(EDGE_PX, middle, rect.width() - 2 * EDGE_PX, 1), palette.colour("edge"))
        for at_s in month_starts(self._begins_s, self._begins_s + MONTHS * MONTH_S):
            left = self._place(at_s)
            painter.fillRect(QRect(left, middle - 3, 1, 7), palette.colour("edge"))
            place = QRect(left - 20, middle + 12, 40, 14)
            drawing.draw_text(
                painter, place, numbers.month_name(at_s), small, palette.muted, Qt.AlignmentFlag.AlignCenter
            )
        for middle_px, day in self.circles():
            colour = palette.colour(day.role if day.role != "muted" else "text")
            circle = QRect(middle_px - CIRCLE_PX // 2, middle - CIRCLE_PX // 2, CIRCLE_PX, CIRCLE_PX)
            drawing.draw_box(painter, circle, colour, None, CIRCLE_PX / 2)
            count, strong = numbers.whole(len(day.decisions)), type_scale.base_font("small_strong")
            drawing.draw_text(painter, circle, count, strong, palette.raised, Qt.AlignmentFlag.AlignCenter)

    def day_at(self, place: QPoint) -> DueDay | None:
        """The days of the circle at a place in the widget; None beside them."""
        x = round(place.x() / type_scale.text_scale())
        return next(
            (day for middle_px, day in self.circles() if abs(x - middle_px) <= CIRCLE_PX // 2 + 2), None
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A circle chooses its first decision."""
        day = self.day_at(event.position().toPoint())
        if day is not None:
            self.decision_chosen.emit(day.decisions[0].decision_id)

    def event(self, event: QEvent) -> bool:
        """The tip of a circle names its decisions."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            day = self.day_at(event.pos())
            words = "" if day is None else "\n".join(_lines(day))
            show_tip_at(event.globalPos(), words, self)
            return True
        return super().event(event)


def _lines(day: DueDay) -> list[str]:
    """Each decision with its day."""
    return [
        tr("{day}: {what}", day=numbers.date(decision.by_s or day.day_s), what=decision.title_shortly)
        for decision in day.decisions
    ]


def _day_words(day: DueDay) -> str:
    """30 Nov 2026: End borealis-held (68 H100), Order 24 H100 for 36 months."""
    titles = ", ".join(spoken(decision.title_shortly) for decision in day.decisions)
    return tr("{day}: {what}", day=numbers.date(day.day_s), what=titles)
