"""BoardDelegate: draws every card, every slot and the picture of a drag. One for the whole board."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final, NamedTuple

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.message import Text
from gpuplanner.ui.cards.card_dates import CardDates
from gpuplanner.ui.cards.column_rows import GroupHeading
from gpuplanner.ui.cards.marks import CHIP_WORDS
from gpuplanner.ui.cards.model import CARD_ROLE, FACE_ROLE, CardModel, Face, Look, Slot
from gpuplanner.ui.kit import drawing, palettes, type_scale
from gpuplanner.ui.state.view_state import class_lane, is_planned, lane_of_card
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import Lane

# --- Pictures of cards that were drawn before: most cards of a frame look as they did in the last one

MOST_BYTES: Final = 8_000_000
"""What one column keeps: about a hundred cards at an ordinary scale, thirty at twice that."""
_BYTES_PER_PIXEL: Final = 4


def is_whole(ratio: float) -> bool:
    """Whether a picture stands on the pixels of a screen of this scale wherever a card does; else it would blur."""
    return ratio == int(ratio)


def _drawn(
    size: QSize, ratio: float, ground: str | Qt.GlobalColor, draw: Callable[[QPainter], object]
) -> QPixmap:
    """A picture of a size, at the scale of a screen, on a colour."""
    image = QPixmap(size * ratio)
    image.setDevicePixelRatio(ratio)
    image.fill(ground)
    painter = QPainter(image)
    draw(painter)
    painter.end()
    return image


class _KeptPicture(NamedTuple):
    """A picture that is kept, and all that it was drawn from."""

    made_of: object
    image: QPixmap
    taken_bytes: int


class CardPictures:
    """The picture of each thing seen last, with all that it was drawn from; the one not seen for longest goes first."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._kept: OrderedDict[Hashable, _KeptPicture] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._kept)

    def clear(self) -> None:
        """Draw everything anew."""
        self._kept.clear()
        self._bytes = 0

    def picture(
        self,
        key: Hashable,
        of: object,
        size: QSize,
        ratio: float,
        ground: str,
        draw: Callable[[QPainter], object],
    ) -> QPixmap:
        """The picture of what has this key, drawn where it is not kept, or was drawn from another `of`.

        of: all that `draw` looks at, size and ratio too, told apart by `==`, quick for what is the same object.
        ground: the colour behind it. The picture is opaque, so that its letters are smoothed as on the window.
        """
        if (known := self._kept.get(key)) is not None and known.made_of == of:
            self._kept.move_to_end(key)
            return known.image
        image = _drawn(size, ratio, ground, draw)
        taken = image.width() * image.height() * _BYTES_PER_PIXEL
        self._bytes += taken - (self._kept.pop(key).taken_bytes if known else 0)
        self._kept[key] = _KeptPicture(made_of=of, image=image, taken_bytes=taken)
        while self._bytes > self._most_bytes and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= oldest.taken_bytes
        return image


# --- BoardDelegate: draws every card, every slot and the picture of a drag. One for the whole board

CARD_HEIGHT: Final = 48
GAP: Final = 4
"""Pixels of a card, and under it."""
SMALL_ICON: Final = 12
WIDE_FROM: Final = 216
MOST_FRAMES: Final = 400
"""Small pictures that cards share: frames, badges, dollars."""
MONEY_STEP: Final = "now"
_AROUND, _MONEY_TOP, _MONEY_HEIGHT = 2, 24, 20
"""Pixels beside dollars that a letter may reach into, where their line begins, and how high it is."""
LEAST_NAME: Final = 84
"""So wide a name is before a word stands beside it."""
SURE_FROM: Final = 0.8
"""A class that is surer has no badge."""
LEAST_APART: Final = 34
"""So wide stays what tells a card from another of its name."""
_MIDDLE = Qt.TextElideMode.ElideMiddle
_UNDER_MOUSE: Final = QStyle.StateFlag.State_MouseOver.value
_SELECTED: Final = QStyle.StateFlag.State_Selected.value
_FOCUSED: Final = QStyle.StateFlag.State_HasFocus.value
"""As numbers: flags of Python are slow to join, and every card asks for three."""


def row_px() -> int:
    """How high a row of a column is: a card and what is under it, in the text size of the window."""
    return type_scale.text_px(CARD_HEIGHT + GAP)


class BoardDelegate(QStyledItemDelegate):
    """Cards, flat: a strip of the pool, name and dollars, a bar of GPU-hours, marks and a class badge."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._frames: dict[tuple[object, ...], QPixmap] = {}
        self.pictures = CardPictures()
        # $ a month and of a run: how wide they are written
        self._money: dict[tuple[float | None, str], int] = {}
        self._written_in = (
            numbers.locale(),
            palettes.in_use(),
        )  # what the kept pictures are written and drawn in
        self.ground = palettes.in_use().surface  # the colour of the column behind the cards

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, row_px())

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draws a row by its look and its state; the painter is left as it was."""
        cards, state = index.model(), option.state.value
        assert isinstance(cards, CardModel)
        painter.save()
        self.paint_row(
            painter,
            option.rect,
            cards.look_of(index.row()),
            is_selected=bool(state & _SELECTED),
            is_hovered=bool(state & _UNDER_MOUSE),
            is_focused=bool(state & _FOCUSED),
        )
        painter.restore()

    def paint_row(
        self,
        painter: QPainter,
        place: QRect,
        look: Look,
        *,
        is_selected: bool,
        is_hovered: bool,
        is_focused: bool,
    ) -> None:
        """Draw a row in its place; the painter's pen, brush and font may be others afterwards."""
        locale, palette = numbers.locale(), palettes.in_use()
        written_locale, written_palette = self._written_in
        if locale is not written_locale or palette is not written_palette:
            self._written_in = locale, palette
            for kept in (self._frames, self.pictures, self._money):
                kept.clear()
        before = painter.worldTransform()
        place = type_scale.in_text_size(painter, place)
        rect = QRect(place.left(), place.top(), place.width(), CARD_HEIGHT)
        slot, row, face = look
        if slot is not None:
            self._paint_slot(painter, rect, slot)
        elif isinstance(row, GroupHeading):
            self._paint_heading(painter, rect, row)
        elif row is not None and face is not None:
            border = palette.edge if is_hovered else palette.line
            fill = palette.selection if is_selected else palette.raised
            ratio, usd = _ratio(painter), (face.usd, face.dates.run_usd)
            if usd not in self._money:
                if len(self._money) > MOST_FRAMES:
                    self._money.clear()
                self._money[usd] = _money_width(face)
            width = self._money[usd]
            self._paint_body(painter, rect, row, face, fill, border, ratio, width)
            self._paint_kept_money(painter, rect, face, fill, ratio, width)
        if is_focused and slot is None:
            drawing.draw_box(painter, rect, None, palette.focus, 4, 2)
        painter.setWorldTransform(before)

    def picture(self, index: QModelIndex, count: int, size: QSize, ratio: float) -> QPixmap:
        """What follows the cursor: the card, or three of them stacked and how many there are."""
        under = 2 if count > 1 else 0
        whole = size + QSize(4 * under, 4 * under)

        def draw(painter: QPainter) -> None:
            type_scale.in_text_size(painter, QRect(QPoint(), whole))
            for step in range(under, -1, -1):
                rect = QRect(4 * step, 4 * step, round(size.width() / type_scale.text_scale()), CARD_HEIGHT)
                drawing.draw_box(painter, rect, palettes.in_use().raised, palettes.in_use().accent, 4, 1.5)
            if count > 1:
                rect, said = QRect(12, 0, size.width() - 24, CARD_HEIGHT), numbers.counted(count, "workload")
                drawing.draw_text(painter, rect, said, type_scale.base_font("strong"), palettes.in_use().text)
                return
            card, face = index.data(CARD_ROLE), index.data(FACE_ROLE)
            lane, look = lane_of_card(card), (palettes.in_use().raised, palettes.in_use().accent)
            painter.drawPixmap(0, 0, self._frame(rect.size(), lane, *look, painter))
            self._paint_card(painter, rect, card, face)
            self._paint_money(painter, rect, face)
            drawing.draw_box(painter, rect, None, palettes.in_use().accent, 4, 1.5)

        return _drawn(whole, ratio, Qt.GlobalColor.transparent, draw)

    def _shared(
        self,
        key: tuple[object, ...],
        size: QSize,
        ratio: float,
        ground: str | Qt.GlobalColor,
        draw: Callable[[QPainter], object],
    ) -> QPixmap:
        """A small picture that is the same for many cards, so that it is drawn once. key: all that it is drawn from."""
        if (image := self._frames.get(key)) is None:
            if len(self._frames) > MOST_FRAMES:
                self._frames.clear()
            image = self._frames[key] = _drawn(size, ratio, ground, draw)
        return image

    def _frame(
        self, size: QSize, lane: Lane, fill: str, border: str, painter: QPainter, is_dashed: bool = False
    ) -> QPixmap:
        """Ground, border and strip of a card."""
        ratio = _ratio(painter)

        def draw(on: QPainter) -> None:
            rect = QRect(0, 0, size.width(), size.height())
            drawing.draw_box(on, rect, fill, border, dashed=is_dashed)
            on.setClipRect(QRect(0, 0, 3, size.height()))
            drawing.draw_box(on, rect, palettes.in_use().lane(lane), None, 4)

        key = (size.width(), lane, fill, border, is_dashed, ratio)
        return self._shared(key, size, ratio, Qt.GlobalColor.transparent, draw)

    def _badge_box(self, size: QSize, border: str, is_dashed: bool, painter: QPainter) -> QPixmap:
        """The outline of a badge; most are as wide as others, and rounded corners are slow to draw."""
        ratio, rect = _ratio(painter), QRect(0, 0, size.width(), size.height())
        key = (size.width(), border, is_dashed, ratio)
        return self._shared(
            key,
            size,
            ratio,
            Qt.GlobalColor.transparent,
            lambda on: drawing.draw_box(on, rect, None, border, 3, 1, is_dashed),
        )

    def _paint_body(
        self,
        painter: QPainter,
        rect: QRect,
        card: CardFigures,
        face: Face,
        fill: str,
        border: str,
        ratio: float,
        money_width: int,
    ) -> None:
        """A card but for its dollars, as it was drawn before where nothing of it is another.

        A drop changes the dollars of many cards, or only how sure they are, and the rest of one.
        """
        size = rect.size()
        edge = palettes.in_use().edge if is_planned(card) else border  # dashes of a hairline are not seen

        def draw(on: QPainter, at: QRect) -> None:
            """Draws the frame, which cards of one kind share, and the card's own text upon it."""
            frame = self._frame(size, lane_of_card(card), fill, edge, on, is_planned(card))
            on.drawPixmap(at.topLeft(), frame)
            self._paint_card(on, at, card, face)

        if not is_whole(ratio):
            draw(painter, rect)
            return
        of = (
            card,
            face.bar,
            face.marks,
            face.apart,
            face.ends,
            face.dates,
            money_width,
            size.width(),
            ratio,
            self.ground,
        )
        place, key = QRect(0, 0, size.width(), size.height()), (card.key, fill, border)
        picture = self.pictures.picture(key, of, size, ratio, self.ground, lambda on: draw(on, place))
        painter.drawPixmap(rect.topLeft(), picture)

    def _paint_kept_money(
        self, painter: QPainter, rect: QRect, face: Face, fill: str, ratio: float, width: int
    ) -> None:
        """Dollars as they were drawn before: a drop mutes those of every card, and letters are slow to draw."""
        if not is_whole(ratio):
            self._paint_money(painter, rect, face)
            return
        width += 2 * _AROUND + 1
        place = QRect(0, -_MONEY_TOP, width + 8 - _AROUND, CARD_HEIGHT)
        key = (write_dollars(face), face.is_settling, fill, ratio)
        size = QSize(width, _MONEY_HEIGHT)
        image = self._shared(key, size, ratio, fill, lambda on: self._paint_money(on, place, face))
        painter.drawPixmap(rect.right() - 8 - width + _AROUND + 1, rect.top() + _MONEY_TOP, image)

    def _paint_money(self, painter: QPainter, rect: QRect, face: Face) -> None:
        """$ of a card with their unit, at the right below its name; muted while they are worked out again."""
        (amount, unit), right = write_dollars(face), rect.right() - 8
        colour = palettes.in_use().muted if face.is_settling else palettes.in_use().text
        place = QRect(right - _money_width(face), rect.top() + _MONEY_TOP, _money_width(face) + 1, 18)
        drawing.draw_text(painter, place, amount, type_scale.base_font(MONEY_STEP), colour)
        drawing.draw_text(
            painter, place, unit, type_scale.base_font("small"), palettes.in_use().muted, drawing.RIGHT
        )

    def _paint_card(self, painter: QPainter, rect: QRect, card: CardFigures, face: Face) -> None:
        """What stands on a card but for its dollars: every word of it is in what `_paint_body` keeps it by."""
        palette = palettes.in_use()
        lane = lane_of_card(card)
        left, right, top = rect.left() + 11, rect.right() - 8, rect.top() + 5
        name_left = left
        if card.is_pinned:
            drawing.draw_icon(painter, "lock", palette.muted, left, top + 3, 12)
            name_left += 16
        has_note = bool(face.marks) and face.marks[0].icon == "note"
        marks = [mark for mark in face.marks[has_note:] if mark.is_drawn][:3]
        if has_note:
            drawing.draw_icon(painter, "note", palette.muted, name_left, top + 3, 12)
            name_left += 16
        small, named = (
            type_scale.base_font("small"),
            type_scale.text_width(card.name, type_scale.base_font("strong")),
        )
        spare = right - name_left - min(named, LEAST_NAME) - 6 - 18 * len(marks)
        name_right = self._paint_badge(painter, card, right, top, spare)
        spare -= right - name_right
        for mark in reversed(marks):
            word = tr(CHIP_WORDS.get(mark.icon, ""))
            width = type_scale.text_width(word, small) + 4
            if width <= spare:
                spare, name_right = spare - width, name_right - width
                drawing.draw_text(
                    painter, QRect(name_right, top, width, 18), word, small, palette.colour(mark.role)
                )
            name_right -= 18
            drawing.draw_icon(painter, mark.icon, palette.colour(mark.role), name_right, top + 2, 14)
        name_right -= 0 if name_right == right else 6
        self._paint_name(painter, QRect(name_left, top, name_right - name_left, 18), card.name, face)

        top += 20
        bar = QRect(left, top + 6, 56 if rect.width() >= WIDE_FROM else 32, 6)
        shown = under_texts(card, face.dates)
        beside = QRect(bar.right() + 8, top, right - _money_width(face) - bar.right() - 14, 18)
        fits = type_scale.text_width(shown[-1], small) <= beside.width()
        if not fits and face.dates.texts:
            beside.setLeft(left)  # when it is there says more than a short bar
        else:
            painter.fillRect(bar, palette.colour("track"))
            is_there = card.gpu_hours_per_month > 0 and not face.dates.is_over
            filled = max(2, round(bar.width() * min(face.bar, 1.0))) if is_there else 0
            painter.fillRect(QRect(bar.left(), bar.top(), filled, bar.height()), palette.lane(lane))
            if lost := max((mark.lost for mark in face.marks), default=0.0):
                red = min(filled, max(3, round(filled * lost)))
                lost_part = QRect(bar.left() + filled - red, bar.top(), red, bar.height())
                painter.fillRect(lost_part, palette.colour("red"))
        if fits or face.dates.texts:
            fitted = drawing.fitting(shown, small, beside.width())
            drawing.draw_text(painter, beside, fitted, small, palette.muted)

    def _paint_name(self, painter: QPainter, rect: QRect, name: Text, face: Face) -> None:
        """A name, and beside it what tells it from another card of that name."""
        palette, small, apart = palettes.in_use(), type_scale.base_font("small"), spoken(face.apart)
        wanted = type_scale.text_width(apart, small) + 10 if apart else 0  # it gives way before the name does
        room_for_name = type_scale.text_width(spoken(name), type_scale.base_font("strong"))
        beside = min(wanted, max(LEAST_APART, rect.width() - room_for_name))
        room = QRect(rect.left(), rect.top(), rect.width() - beside, rect.height())
        name = shorten_name(spoken(name), face.ends, room.width())
        colour = palette.muted if face.dates.is_over else palette.text
        drawing.draw_text(painter, room, name, type_scale.base_font("strong"), colour, drawing.LEFT, _MIDDLE)
        if apart:
            left = (
                rect.left()
                + min(room.width(), type_scale.text_width(name, type_scale.base_font("strong")))
                + 6
            )
            left_over = QRect(left, rect.top(), rect.right() + 1 - left, rect.height())
            drawing.draw_text(painter, left_over, apart, small, palette.muted, drawing.LEFT, _MIDDLE)

    def _paint_badge(self, painter: QPainter, card: CardFigures, right: int, top: int, space: int) -> int:
        """The class, where it is not sure, planned or not that of the pool; returns its left edge, else the right."""
        palette, classification = palettes.in_use(), card.classification
        lane = class_lane(classification)
        sure = numbers.whole_percent(classification.confidence)
        is_dashed = card.in_review or is_planned(card)
        texts: tuple[str, ...] = (tr("planned"),)
        if card.in_review:
            texts = (f"{lane.title}? {sure}", f"{lane.title[:5]}? {sure}", f"? {sure}", sure)
        elif not is_dashed and classification.confidence < SURE_FROM:
            texts = (sure,)
        elif not is_dashed and lane is not lane_of_card(card):
            texts = (lane.title, lane.title[:5], "")
        elif not is_dashed:
            return right
        text = drawing.fitting(texts, type_scale.base_font("small"), space - 24)
        box = QRect(0, top + 1, type_scale.text_width(text, type_scale.base_font("small")) + 24, 16)
        box.moveRight(right)
        border = palette.edge if is_dashed else palette.line
        painter.drawPixmap(box.topLeft(), self._badge_box(box.size(), border, is_dashed, painter))
        drawing.draw_icon(painter, lane.icon, palette.lane(lane), box.left() + 4, box.top() + 2, 12)
        text_rect = box.adjusted(19, 0, -3, 0)
        drawing.draw_text(
            painter, text_rect, text, type_scale.base_font("small"), palette.muted, drawing.LEFT
        )
        return box.left() - 2

    def _paint_heading(self, painter: QPainter, rect: QRect, heading: GroupHeading) -> None:
        """The heading of a group: a fold, its name and $ a month; under them how many cards and their GPU-hours."""
        palette, small = palettes.in_use(), type_scale.base_font("small")
        left, right, top = rect.left() + 2, rect.right() - 8, rect.top() + 9
        drawn = "chevron_right" if heading.is_folded else "chevron_down"
        drawing.draw_icon(painter, drawn, palette.muted, left, top + 2, 14)
        money, strong = numbers.whole(heading.whole_usd_per_month), type_scale.base_font("strong")
        width = type_scale.text_width(money, strong)
        place = QRect(right - width, top, width + 1, 18)
        drawing.draw_text(painter, place, money, strong, palette.text, drawing.RIGHT)
        left += 18
        room = QRect(left, top, right - width - 8 - left, 18)
        called, total = spoken(heading.title), type_scale.base_font("total")
        drawing.draw_text(painter, room, called, total, palette.text, drawing.LEFT, _MIDDLE)
        count = numbers.counted(heading.cards, "workload")
        amount = numbers.whole(heading.gpu_hours_per_month)
        hours = tr("{gpu_hours} GPU-h", gpu_hours=amount)
        size = drawing.fitting((f"{count}{numbers.MIDDOT}{hours}", hours), small, right - left)
        drawing.draw_text(painter, QRect(left, top + 18, right - left, 16), size, small, palette.muted)
        painter.setPen(QColor(palette.line))
        painter.drawLine(rect.left(), rect.bottom() - 1, rect.right(), rect.bottom() - 1)

    def _paint_slot(self, painter: QPainter, rect: QRect, slot: Slot) -> None:
        """The open slot: where a card comes from, or the change of dollars a drop would bring, or why it is
        refused.
        """
        palette = palettes.in_use()
        if slot.is_source:
            drawing.draw_box(painter, rect, palette.surface, palette.edge, 4, 1, True)
            inside = rect.adjusted(11, 0, -8, 0)
            body = type_scale.base_font("body")
            drawing.draw_text(painter, inside, slot.title, body, palette.muted, drawing.LEFT, _MIDDLE)
            return
        border = palette.red if slot.is_refused else palette.edge
        drawing.draw_box(painter, rect, palette.raised, border, 4, 1, True)
        left, right, top = rect.left() + 11, rect.right() - 8, rect.top() + 5
        colour: QColor | str = palette.green if slot.is_saving else palette.text
        change_font = type_scale.base_font("total")
        if type_scale.text_width(slot.change, change_font) > right - left:
            change_font = type_scale.base_font("small_strong")
        width = type_scale.text_width(slot.change, change_font) if slot.change else 0
        if slot.is_refused:
            drawing.draw_icon(painter, "octagon", palette.red, left, top + 11, 16)
            left += 22
            painter.setPen(QColor(palette.text))
            painter.setFont(type_scale.base_font("body"))
            place = QRect(left, rect.top() + 3, right - left, CARD_HEIGHT - 6)
            wrapped = int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap)
            painter.drawText(place, wrapped, slot.title)
            return
        room = right - left - width - 8
        titles = slot.title, slot.title.removeprefix("Whole ").capitalize(), ""
        title = drawing.fitting(titles, type_scale.base_font("strong"), room)
        drawing.draw_text(
            painter, QRect(left, top, room, 18), title, type_scale.base_font("strong"), palette.text
        )
        at_right = QRect(right - width, top, width + 1, 18)
        drawing.draw_text(painter, at_right, slot.change, change_font, colour, drawing.RIGHT)
        below = QRect(left, top + 20, right - left, 18)
        under = slot.beside or ("" if title or slot.details else slot.title)
        if under:
            small = type_scale.base_font("small")
            drawing.draw_text(painter, below, under, small, palette.muted, drawing.RIGHT)
        else:
            self._paint_changes(painter, below, slot.details)

    def _paint_changes(self, painter: QPainter, rect: QRect, details: tuple[tuple[Lane, str], ...]) -> None:
        """Each pool's change after its icon: with the target's first, they add up to the whole plan."""
        small, palette = type_scale.base_font("small"), palettes.in_use()
        widths = [SMALL_ICON + 3 + type_scale.text_width(text, small) for _, text in details]
        spare = rect.width() - sum(widths)
        gap = max(3, min(12, spare // max(1, len(details) - 1)))
        left = rect.left()
        for (lane, text), width in zip(details, widths, strict=True):
            drawing.draw_icon(painter, lane.icon, palette.lanes[lane].fill, left, rect.top() + 3, SMALL_ICON)
            box = QRect(left + SMALL_ICON + 3, rect.top(), width, rect.height())
            drawing.draw_text(painter, box, text, small, palette.muted)
            left += width + gap


LEAST_HOURS: Final = 0.5
LEAST_BEGUN: Final = 3
"""So many letters of its beginning a shortened name keeps."""


def shorten_name(name: str, ends: tuple[str, ...], width: int) -> str:
    """Return a name cut to fit: the end that distinguishes it, and as much of the beginning as there is room for.

    ends: longest first, each after an ellipsis, and the longest begins after the first word: where too little of the
    beginning is left beside any, the name is cut after as much of it as fits. Without ends it is cut in its middle.
    """
    strong = type_scale.base_font("strong")
    if type_scale.text_width(name, strong) <= width:
        return name
    begun = (name[:at] + end for end in ends for at in range(len(name) - len(end), LEAST_BEGUN - 1, -1))
    cut = (name[:at] + "\u2026" for at in range(len(name), 0, -1) if ends)
    return next((text for text in (*begun, *cut) if type_scale.text_width(text, strong) <= width), name)


def under_texts(card: CardFigures, dates: CardDates) -> tuple[str, ...]:
    """What stands beside the bar, longest first: GPU-hours and when it is there; where only one has room, the dates."""
    hours = numbers.whole(card.gpu_hours_per_month)
    if dates.is_over or (dates.texts and card.gpu_hours_per_month < LEAST_HOURS):
        return dates.texts  # a run that is still to come has its $ there, no GPU-hours yet
    return (*(f"{hours}{numbers.MIDDOT}{text}" for text in dates.texts), *dates.texts) or (hours,)


def _ratio(painter: QPainter) -> float:
    """Pixels of the screen to one of what is painted in the text size of the window."""
    return painter.device().devicePixelRatioF() * type_scale.text_scale()


def write_dollars(face: Face) -> tuple[str, str]:
    """Return the $ of a card and their unit: the total of a planned run, else per month."""
    if face.dates.run_usd:
        return face.dates.run_usd, f" {tr('in all')}"
    return numbers.dollars(face.usd), "" if face.usd is None else tr("/mo")


def _money_width(face: Face) -> int:
    """How wide the dollars of a card are with their unit: what is beside its bar has the rest."""
    amount, unit = write_dollars(face)
    return type_scale.text_width(amount, type_scale.base_font(MONEY_STEP)) + type_scale.text_width(
        unit, type_scale.base_font("small")
    )
