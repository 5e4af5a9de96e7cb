"""The heading of a column: title, menu, cost and utilization of a pool."""

from typing import Final

from PySide6 import QtCore, QtGui, QtWidgets

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.model.amounts import missing_sentence
from gpuplanner.ui.cards import details
from gpuplanner.ui.cards.marks import Finding, finding_words
from gpuplanner.ui.kit import drawing, palettes, type_scale
from gpuplanner.ui.kit.page_parts import soon
from gpuplanner.ui.state.view_state import LaneSums
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import Lane

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
        self._ground = palettes.in_use().surface
        self._words = soon(self, self.recolour, 1)  # nobody listens before the frame of a drop is painted
        self.setFixedHeight(type_scale.text_px(46))
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
            self.update(
                0, 0, self.width(), type_scale.text_px(UNDER_TITLE)
            )  # its dollars are muted, or no longer
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
        if self._lane is not Lane.REVIEW:
            of_review = tr(
                "Includes {in_review} in review: {usd}.",
                in_review=numbers.whole(sums.in_review),
                usd=numbers.dollars(sums.review_usd_per_month),
            )
        elif sums.are_likely:
            of_review = tr("Counted in likely pools.")
        else:
            of_review = tr("Counted in the plan's pool, perhaps not the likely one.")
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
            + of_review
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
        left, right = 9, type_scale.in_text_size(painter, self.rect()).width() - 10
        if area.top() < type_scale.text_px(UNDER_TITLE):
            self._paint_title(painter, left, right)
        if area.bottom() >= type_scale.text_px(UNDER_TITLE) and self.sums is not None:
            self._paint_sums(painter, left, right, self.sums)

    def _paint_title(self, painter: QtGui.QPainter, left: int, right: int) -> None:
        """Title, count and dollars."""
        palette, lane, sums = palettes.in_use(), self._lane, self.sums
        drawing.draw_icon(painter, lane.icon, palette.lane(lane), left, 8)
        money = "" if sums is None else numbers.sum_of(sums.dollars, numbers.whole)
        quiet = palette.muted if self._is_settling else palette.text
        money_width = type_scale.text_width(money, type_scale.base_font("title"))
        money_rect = QtCore.QRect(right - money_width, 7, money_width + 1, 18)
        drawing.draw_text(painter, money_rect, money, type_scale.base_font("title"), quiet, drawing.RIGHT)
        title_space = right - money_width - 8 - left - 22
        place = QtCore.QRect(left + 22, 7, title_space, 18)
        drawn = drawing.draw_text(painter, place, lane.title, type_scale.base_font("title"), palette.text)
        if sums is None:
            return
        count = self.count_text
        count_rect = QtCore.QRect(left + 22 + drawn + 6, 7, title_space - drawn - 6, 18)
        if type_scale.text_width(count, type_scale.base_font("body")) <= count_rect.width():
            drawing.draw_text(painter, count_rect, count, type_scale.base_font("body"), palette.muted)

    def _paint_sums(self, painter: QtGui.QPainter, left: int, right: int, sums: LaneSums) -> None:
        """Under the title: GPU-hours and units; those of Review are in the other heads too, so it says that."""
        palette, small = palettes.in_use(), type_scale.base_font("small")
        is_wide = right > UNIT_FROM - 10
        hours = numbers.whole(sums.gpu_hours_per_month)
        unit = tr("$ per month") if is_wide else tr("$/month")
        if self._lane is Lane.REVIEW:
            unit = tr("{unit}, in pools", unit=unit)
        space = right - left - type_scale.text_width(unit, small) - 8
        whole = (
            tr("{hours} GPU-h per month", hours=hours) if is_wide else tr("{hours} GPU-h/month", hours=hours)
        )
        text = drawing.fitting((whole, tr("{gpu_hours} GPU-h", gpu_hours=hours)), small, space)
        drawing.draw_text(painter, QtCore.QRect(left, 25, space, 16), text, small, palette.muted)
        drawing.draw_text(
            painter, QtCore.QRect(left, 25, right - left, 16), unit, small, palette.muted, drawing.RIGHT
        )


def least_width(lane: Lane) -> int:
    """So wide that its head shows its title and millions of dollars whole, whatever the size of type."""
    title = type_scale.base_font("title")
    words = type_scale.text_width(lane.title, title) + type_scale.text_width("8,888,888", title)
    buttons = 8 if lane is Lane.REVIEW else 0  # at its foot, and as wordy as its title
    return type_scale.text_px(max(LEAST_WIDTH, AROUND_TITLE + words + buttons))
