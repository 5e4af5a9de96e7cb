"""The headline: five or six figures in a row, each a button that answers 'Why this number?'."""

from operator import attrgetter

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.commitment.plan.comparison import Horizon
from gpuplanner.ui.frame.horizon_switch import HorizonSwitch
from gpuplanner.ui.kit import drawing, page_parts, palettes, type_scale
from gpuplanner.ui.kit.layout import ground, named, row, share
from gpuplanner.ui.kit.page_parts import named_button
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.state.headline_figures import HeadlineFigure
from gpuplanner.ui.words import numbers

HEIGHT = 78
VALUES_FROM, VALUES_TO = 25, 52
"""Pixels of a figure between its title and its second line, which are painted alone where nothing else changed."""
MOST_FIGURES = 7
FIRST_FIGURES = 3
"""The rest stands behind More."""
LINK_EDGE = 4
"""Pixels of the style of a link at each side of its text."""


class FigureButton(QAbstractButton):
    """One figure: heading with its unit, today's value, an arrow, the plan's value, and a second line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.figure: HeadlineFigure | None = None  # what it shows
        self.has_rule = False
        tip = tr("Open {name}", name=tr("Waiting"))
        self.link = named(page_parts.named_button("", tip, called=tip, is_link=True), step="small")
        self.link.setParent(self)  # over what its second line ends with
        self.is_tight = False  # set for all figures of a row at once: like things are equally large
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # it looks otherwise under the pointer
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedHeight(type_scale.text_px(HEIGHT) - 1)
        self.setAccessibleName(tr("Figure"))
        self.setMinimumWidth(text_px(110))

    def show_figure(self, figure: HeadlineFigure) -> None:
        """Show a figure."""
        # nothing behind it is painted with it: said here, for a style that is put on takes it back
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        if figure == self.figure and not figure.shares:  # shares are written in a paint
            return
        if self._is_beside_values(figure):
            self.update(
                0, type_scale.text_px(VALUES_FROM), self.width(), type_scale.text_px(VALUES_TO - VALUES_FROM)
            )
        else:
            self.update()
        self.figure = figure
        value = tr("{now} now, {plan} in the plan", now=figure.now, plan=figure.plan)
        if figure.is_calculating:
            value = tr("{now} now", now=figure.now) if figure.now else ""
        elif not figure.now:
            value = figure.plan
        elif figure.is_asked:
            value = tr("{now} before, {plan} with the question", now=figure.now, plan=figure.plan)
        shares = ", ".join(f"{lane.title} {numbers.percent(share)}" for lane, share in figure.shares)
        second = figure.second[0] if figure.second else ""
        settling = tr("calculating") if figure.is_settling or figure.is_calculating else ""
        title = f"{figure.title} {figure.unit}".strip()
        self.setAccessibleName(", ".join(filter(None, (title, value, shares, settling))))
        self.setAccessibleDescription(spoken(second))
        lines = [figure.tip, *(line for line in (figure.aside[:1] + figure.second[:1]) if line)]
        set_tip(self, "\n".join([*map(spoken, lines), tr("Why this number? Enter or F1")]))

    def show_waiting(self) -> None:
        """Nothing is known of it yet."""
        self.figure = None
        self.link.hide()
        self.setAccessibleName(tr("Figure, calculating"))
        set_tip(self, "")
        self.update()

    def _is_beside_values(self, figure: HeadlineFigure) -> bool:
        """Whether title, unit and second line are drawn already, and stay."""
        if (before := self.figure) is None or figure.shares or before.shares or self.hasFocus():
            return False
        of = attrgetter("title", "unit", "second", "icon", "is_bad")
        return bool(of(figure) == of(before))

    def sizeHint(self) -> QSize:
        return QSize(240, type_scale.text_px(HEIGHT) - 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return and F1 ask why; on its link Return opens what that is of."""
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter or event.key() == Qt.Key.Key_F1:
            (self.link if is_enter and self.link.hasFocus() else self).click()
        else:
            super().keyPressEvent(event)

    def place_link(self) -> None:
        """Puts the link where its second line ends with one, which is not painted."""
        left, first, link = self._second_line(round(self.width() / type_scale.text_scale()) - 8)
        self.link.setVisible(bool(link))
        named(self.link, link).setText(link)
        self.link.adjustSize()
        begin = left + type_scale.text_width(first, type_scale.base_font("small"))
        self.link.move(text_px(begin) - LINK_EDGE, text_px(VALUES_TO + 8) - self.link.height() // 2)

    def _second_line(self, right: int) -> tuple[int, str, str]:
        """Where the second line begins, what it says in the longest form that fits, and the link that it ends with."""
        if (figure := self.figure) is None:
            return 16, "", ""
        left = 34 if figure.icon or figure.is_bad else 16
        second = drawing.fitting(
            tuple(map(spoken, figure.second)), type_scale.base_font("small"), right - left
        )
        link = next((one for one in map(spoken, figure.links) if second.endswith(one)), "")
        return left, second.removesuffix(link), link

    def paintEvent(self, event: QPaintEvent) -> None:
        """The figure with title, values and second line; only what the event asks for is drawn."""
        painter, palette, figure = QPainter(self), palettes.in_use(), self.figure
        area, is_pointed_at = event.rect(), self.underMouse() or self.isDown()
        painter.fillRect(area, palette.colour("surface" if is_pointed_at else "raised"))
        if self.has_rule:
            painter.fillRect(0, 0, 1, self.height(), palette.colour("line"))
        painter.save()
        left, right = 16, type_scale.in_text_size(painter, self.rect()).width() - 8
        if figure is None:
            place = QRect(left, VALUES_FROM, right - left, VALUES_TO - VALUES_FROM)
            drawing.draw_text(painter, place, tr("Calculating"), type_scale.base_font("small"), palette.muted)
            painter.restore()
            return
        if area.top() < type_scale.text_px(VALUES_FROM):
            self._paint_title(painter, figure, left, right)
        if figure.shares:
            self._paint_shares(painter, figure, left, right)
        else:
            self._paint_values(painter, figure, left, right)
        if area.bottom() >= type_scale.text_px(VALUES_TO):
            self._paint_second(painter, figure, left, right)
        painter.restore()
        if self.hasFocus():
            drawing.draw_box(painter, self.rect().adjusted(3, 3, -3, -3), None, palette.focus, 4, 2)

    def _paint_title(self, painter: QPainter, figure: HeadlineFigure, left: int, right: int) -> None:
        """The title, and its unit where there is room."""
        palette, strong, small = (
            palettes.in_use(),
            type_scale.base_font("small_strong"),
            type_scale.base_font("small"),
        )
        drawn = drawing.draw_text(
            painter, QRect(left, 8, right - left, 16), figure.title, strong, palette.text
        )
        unit_rect = QRect(left + drawn + 5, 8, right - left - drawn - 5, 16)
        if type_scale.text_width(figure.unit, small) <= unit_rect.width():
            drawing.draw_text(painter, unit_rect, figure.unit, small, palette.muted)

    def _paint_second(self, painter: QPainter, figure: HeadlineFigure, left: int, right: int) -> None:
        """The second line without its link, which is a button."""
        palette, small = palettes.in_use(), type_scale.base_font("small")
        icon = "octagon" if figure.is_bad else figure.icon
        if icon:
            drawing.draw_icon(painter, icon, palette.red if figure.is_bad else palette.amber, left, 53, 13)
        at, words, _ = self._second_line(right)
        colour = palette.red if figure.is_bad else palette.muted
        drawing.draw_text(painter, QRect(at, VALUES_TO, right - at, 16), words, small, colour)

    @property
    def needs_tight(self) -> bool:
        """Whether its value, or both beside each other, have room only in a smaller size."""
        if (figure := self.figure) is None or figure.shares:
            return False
        beside = type_scale.text_width(figure.now, type_scale.base_font("now")) + 26 if figure.now else 0
        step = "small" if figure.is_calculating else "figure"
        wanted = beside + type_scale.text_width(figure.plan, type_scale.base_font(step))
        return type_scale.text_px(wanted + 24) > self.width()  # less what `paintEvent` leaves at the sides

    def _paint_values(self, painter: QPainter, figure: HeadlineFigure, left: int, right: int) -> None:
        """Today's value, an arrow and the plan's; today's is left out where there is no room."""
        palette = palettes.in_use()
        if figure.is_settling or figure.is_calculating:
            colour = palette.muted
        elif figure.is_good:
            colour = palette.green
        else:
            colour = palette.text
        at, top, height = left, VALUES_FROM, 26
        steps = ("body", "title") if self.is_tight else ("now", "figure")  # the plan's is always the larger
        now_font, plan_font = map(type_scale.base_font, steps)
        if figure.is_calculating:
            plan_font = type_scale.base_font("small")
        plan_width = type_scale.text_width(figure.plan, plan_font)
        now_width = type_scale.text_width(figure.now, now_font)
        if figure.now and now_width + plan_width + 26 <= right - left:
            rect = QRect(at, top + 1, now_width + 1, height)
            drawing.draw_text(painter, rect, figure.now, now_font, palette.muted)
            drawing.draw_icon(painter, "arrow", palette.muted, at + now_width + 6, top + 8, 13)
            at += now_width + 25
        drawing.draw_text(painter, QRect(at, top, right - at + 6, height), figure.plan, plan_font, colour)
        aside = drawing.fitting(
            (*figure.aside, ""), type_scale.base_font("small"), right - at - plan_width - 8
        )
        beside = QRect(at + plan_width + 8, top + 3, right - at, height)
        drawing.draw_text(painter, beside, aside, type_scale.base_font("small"), palette.muted)

    def _paint_shares(self, painter: QPainter, figure: HeadlineFigure, left: int, right: int) -> None:
        """Shares of the classes as a bar, and below it in percent, with names where there is room."""
        palette, edge = palettes.in_use(), float(left)
        width, total = right - left - 4, sum(share for _, share in figure.shares) or 1.0
        for lane, of_all in figure.shares:
            part = width * of_all / total
            wide = max(0, round(edge + part) - round(edge) - 1)
            painter.fillRect(QRect(round(edge), 32, wide, 8), palette.lane(lane))
            edge += part
        texts = [f"{lane.title} {numbers.percent(share)}" for lane, share in figure.shares]
        if sum(type_scale.text_width(text, type_scale.base_font("small")) + 26 for text in texts) > width:
            texts = [numbers.percent(share) for _, share in figure.shares]
        place, small = left, type_scale.base_font("small")
        for (lane, _), text in zip(figure.shares, texts, strict=True):
            drawing.draw_icon(painter, lane.icon, palette.lane(lane), place, 53, 13)
            room = QRect(place + 17, 52, right - place - 17, 16)
            place += drawing.draw_text(painter, room, text, small, palette.muted) + 28


class Headline(QWidget):
    """The row of figures under the scenario bar."""

    why_asked = Signal(str)  # figure id
    waits_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, accessibleName=tr("Headline"))
        ground(self, "headline")
        self.setFixedHeight(text_px(HEIGHT))
        self._figures: tuple[HeadlineFigure, ...] = ()
        self._buttons = tuple(FigureButton() for _ in range(MOST_FIGURES))
        for number, button in enumerate(self._buttons):
            button.has_rule = number > 0
            button.clicked.connect(self._ask_why)
            button.link.clicked.connect(self.waits_asked)
        parts = (share(button, 2) for button in self._buttons)
        self._row = row(*parts, on=self, margins=(0, 0, 12, 1), spacing=0)
        self.horizon = HorizonSwitch()
        self._row.insertWidget(0, self.horizon)  # by Tab it comes last
        self.horizon.hide()
        self.more = named_button(tr("More"), tr("Other figures"), self._turn_more, is_link=True)
        self.more.setCheckable(True)
        self._row.addWidget(self.more)

    @property
    def buttons(self) -> tuple[FigureButton, ...]:
        """Those that show a figure."""
        return self._buttons[: len(self._figures)]

    def show_figures(self, figures: tuple[HeadlineFigure, ...]) -> None:
        """Show five figures, or six."""
        self._figures = figures
        for at, button in enumerate(self._buttons):
            button.setVisible(at < (len(figures) if self.more.isChecked() else FIRST_FIGURES))
            if at < len(figures):
                button.show_figure(figures[at])
                by = 3 if figures[at].shares else 2
                if self._row.stretch(at + 1) != by:  # else every edit would lay the row out again
                    self._row.setStretch(at + 1, by)
        self._row.activate()  # where there are more or fewer of them than before, they have their new widths
        self._even_out()

    def _turn_more(self) -> None:
        """Shows the other figures too, or the first alone again."""
        self.more.setText(tr("Less") if self.more.isChecked() else tr("More"))
        self.show_figures(self._figures)

    def show_waiting(self) -> None:
        """Of another project: nothing of the one before is shown."""
        self._figures = ()
        for button in self._buttons:
            button.show_waiting()

    def show_horizon(self, horizon: Horizon | None, *, is_plan: bool) -> None:
        """How far ahead the figures look; None: at a month of the year. Of Today there is nothing to choose."""
        self.horizon.setVisible(is_plan)
        self._buttons[0].has_rule = is_plan
        self.horizon.show_horizon(horizon)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._row.activate()  # the buttons have their new widths
        self._even_out()

    def _even_out(self) -> None:
        """All figures are small as soon as one must be, and links stand where their lines end now."""
        is_tight = any(button.needs_tight for button in self.buttons if not button.isHidden())
        for button in self.buttons:
            button.place_link()
            if button.is_tight is not is_tight:
                button.is_tight = is_tight
                button.update()

    def button_of(self, figure_id: str) -> FigureButton | None:
        """The button of a figure."""
        matching = (
            button for button in self.buttons if button.figure and button.figure.figure_id == figure_id
        )
        return next(matching, None)

    def _ask_why(self) -> None:
        """Asks for the figure of the button that was pressed."""
        button = self.sender()
        if isinstance(button, FigureButton) and button.figure is not None:
            self.why_asked.emit(button.figure.figure_id)
