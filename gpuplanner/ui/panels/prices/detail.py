"""One offer of the price book: every field to edit in place, what is old or missing, and what it costs all in."""

from decimal import Decimal
from typing import Final

from PySide6 import QtCore, QtGui, QtWidgets

from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.book.exchange import in_money
from gpuplanner.domain.model.book.offer import OWNED_FIELDS, Offer, is_owned
from gpuplanner.domain.model.book.offer_fields import (
    OFFER_FIELD_BY_NAME,
    OfferField,
    OfferValue,
    parse_offer_value,
)
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.hardware_needs import INTERCONNECTS
from gpuplanner.domain.model.tables import CATEGORY_WORDS
from gpuplanner.domain.model.window import Window
from gpuplanner.files.system.resources import rows_of, words_table
from gpuplanner.files.tables.network_words import NETWORKS
from gpuplanner.ui.kit import page_parts, two_columns
from gpuplanner.ui.kit.layout import LEFT, RIGHT, STRETCH, TOP, box, column, grid, named, placed, row, share
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.panels.prices.offer_rows import all_in_words, badge_of, hidden_words
from gpuplanner.ui.words import numbers

PLACES: Final = tuple(
    (row["field"], int(row["row"]), int(row["column"]), int(row["width"]))
    for row in rows_of("price_form.csv")
)
"""Field -> row, column and width of its place in the form."""

FIRST_HALF: Final = 5
COLUMNS: Final = 3
"""Rows of the first half of the form, and columns of each."""

DIGITS_SHOWN: Final = 12
"""Behind the point: nobody types more."""
WIDEST_FORM: Final = 760
"""Pixels: fields wider than that are no easier to read."""

UNITS: Final = {row["unit"]: row["sign"] for row in rows_of("unit_signs.csv")}


IF_EMPTY: Final = words_table("if_empty")
"""What a field means that is empty, where it is not unknown."""


class PriceDetail(QtWidgets.QScrollArea):
    """Told one offer; emits the field that the planner changed, None where it is unknown now."""

    field_set = QtCore.Signal(str, str, object)  # offer_id, field, value
    egress_set = QtCore.Signal(object)  # GB that a GPU sends out in an hour, as typed

    def __init__(self) -> None:
        super().__init__()
        self._offer: Offer | None = None
        self._window: Window | None = None
        self.editors: dict[str, QtWidgets.QLineEdit | QtWidgets.QComboBox] = {}
        self._money: dict[str, QtWidgets.QLabel] = {}
        back, tip, called = tr("\u2039 All offers"), tr("Back to the list (Esc)"), tr("Back to all offers")
        self.back = page_parts.named_button(back, tip, called=called, is_link=True)
        self.sign = page_parts.Drawing()
        self.sign.setFixedWidth(18)
        self.badge = page_parts.muted_label()
        self.badge_row = QtWidgets.QWidget()
        row(placed(self.sign, TOP), share(self.badge), on=self.badge_row, spacing=4)
        self.error = page_parts.label(role="red", step="small", is_wrapped=True)
        self.error.hide()
        self._form = grid(spacing=(8, 6))
        self._fields: dict[str, QtWidgets.QWidget] = {}
        for name, *_ in PLACES:
            field = self._fields[name] = QtWidgets.QWidget()
            field.setLayout(self._field(OFFER_FIELD_BY_NAME[name]))
        self._lay_form(is_wide=False)
        line = self._egress_line()
        self.all_in, self.hidden = page_parts.muted_label(), page_parts.muted_label()
        above = (placed(self.back, LEFT), self.badge_row, self._form, self.error)
        all_in = (page_parts.heading_label(tr("All in")), line, self.all_in, self.hidden)
        inside = column(*above, 6, *all_in, STRETCH, margins=(14, 8, 12, 10), spacing=6)
        self._inside = box("panel", inside, QtWidgets.QWidget())
        self._inside.setMaximumWidth(text_px(WIDEST_FORM))
        page_parts.scrolled(self._inside, tr("One offer"), on=self)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        if (is_wide := event.size().width() >= two_columns.BESIDE_FROM_PX) is not self._is_wide:
            self._lay_form(is_wide=is_wide)
            self._inside.setMaximumWidth(text_px(2 * WIDEST_FORM if is_wide else WIDEST_FORM))

    def _lay_form(self, *, is_wide: bool) -> None:
        """All fields below each other, or the second half of them beside the first."""
        self._is_wide = is_wide
        for name, line, at, width in PLACES:
            is_beside = is_wide and line >= FIRST_HALF
            place = (line - FIRST_HALF, at + COLUMNS) if is_beside else (line, at)
            self._form.addWidget(self._fields[name], *place, 1, width)
        for at in range(2 * COLUMNS):
            self._form.setColumnStretch(at, int(is_wide or at < COLUMNS))

    def _egress_line(self) -> QtWidgets.QHBoxLayout:
        name = tr("GB sent out per GPU-hour")
        tip = tr("For all offers; empty: no egress")
        self.egress = named(QtWidgets.QLineEdit(alignment=RIGHT, placeholderText=tr("not set")), name, tip)
        self.egress.setFixedWidth(text_px(72))
        self.egress.editingFinished.connect(self._take_egress)
        return row(page_parts.label(tr("Egress, GB per GPU-hour"), of=self.egress), self.egress, STRETCH)

    def show_offer(self, offer: Offer, window: Window, egress_gb_per_gpu_hour: float | None) -> None:
        """Show an offer; what is being typed stays while it is the same one."""
        if self._offer is None or self._offer.offer_id != offer.offer_id:
            self.error.hide()
            self.verticalScrollBar().setValue(0)
        self._offer, self._window = offer, window
        for name, editor in self.editors.items():
            self._put(OFFER_FIELD_BY_NAME[name], editor, getattr(offer, name))
        for name, title_of in self._money.items():  # what is typed is what the vendor quotes
            title, unit = OFFER_FIELD_BY_NAME[name].title, UNITS[str(OFFER_FIELD_BY_NAME[name].unit)]
            title_of.setText(tr("{first}, {second}", first=title, second=in_money(unit, offer.currency)))
        owned = is_owned(offer)
        has_term = bool(offer.term_months) and not owned
        for name in ("term_months", "min_term_months", "term_days", "upfront_usd"):
            self.editors[name].setEnabled(has_term)
        for name in ("rate_low", "rate_usd_per_gpu_hour", "rate_high"):
            self.editors[name].setEnabled(not owned)  # it follows from what is below
        for name in OWNED_FIELDS:
            self._fields[name].setVisible(owned)
        if not self.egress.isModified():
            written = "" if egress_gb_per_gpu_hour is None else numbers.significant(egress_gb_per_gpu_hour)
            self.egress.setText(written)
        self.all_in.setText(all_in_words(offer))
        self.hidden.show_text(hidden_words(offer))
        self._show_badge()

    def focus_rate(self) -> None:
        """The keyboard comes to the rate, all of it chosen."""
        rate = self.editors["rate_usd_per_gpu_hour"]
        rate.setFocus(QtCore.Qt.FocusReason.OtherFocusReason)
        if isinstance(rate, QtWidgets.QLineEdit):
            rate.selectAll()

    # Inside

    def _show_badge(self) -> None:
        if self._offer is None or self._window is None:
            return
        name, role, words = badge_of(self._offer, self._window)
        self.badge_row.setVisible(bool(name))
        if name:
            self.sign.show_drawing(name, role)
            self.badge.setText(spoken(words))

    def _field(self, spec: OfferField) -> QtWidgets.QVBoxLayout:
        editor = self._choice(spec) if spec.kind in ("category", "flag", "interconnect") else self._line(spec)
        unit = UNITS.get(str(spec.unit), spec.unit)
        is_said = not unit or str(spec.title).endswith(str(unit))  # "Term in days" has its unit
        title = spec.title if is_said else tr("{first}, {second}", first=spec.title, second=unit)
        editor.setAccessibleName(
            tr("{first}, {second}", first=spec.title, second=spec.unit) if spec.unit else spoken(spec.title)
        )
        editor.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Fixed)
        editor.setMinimumWidth(text_px(64))
        above = page_parts.muted_label(spoken(title), is_wrapped=False, of=editor)
        self.editors[spec.name] = editor
        if spec.kind == "money":
            self._money[spec.name] = above
        return column(above, editor, spacing=1)

    def _line(self, spec: OfferField) -> QtWidgets.QLineEdit:
        empty = spoken(IF_EMPTY.get(spec.name, worded("unknown")))
        line = named(QtWidgets.QLineEdit(placeholderText=empty), tip=write_field_tip(spec))
        if spec.kind in ("money", "number", "integer"):
            line.setAlignment(RIGHT)
        line.editingFinished.connect(lambda: self._take(spec, line))
        return line

    def _choice(self, spec: OfferField) -> QtWidgets.QComboBox:
        unknown = [] if spec.is_required else [(tr("unknown"), None)]
        options: dict[str, list[tuple[Text, OfferValue]]] = {
            "category": [(sentence(words), kind.value) for kind, words in CATEGORY_WORDS.items()],
            "flag": [(tr("yes"), True), (tr("no"), False)],
            "interconnect": [(NETWORKS[name], name) for name in INTERCONNECTS],
        }
        choice = page_parts.choice_of(spec.title, write_field_tip(spec), [*unknown, *options[spec.kind]])
        choice.activated.connect(lambda at: self._emit(spec.name, choice.itemData(at)))
        return choice

    def _put(
        self, spec: OfferField, editor: QtWidgets.QLineEdit | QtWidgets.QComboBox, value: object
    ) -> None:
        if isinstance(editor, QtWidgets.QComboBox):
            with QtCore.QSignalBlocker(editor):
                shown = str(value) if spec.kind == "category" else value
                editor.setCurrentIndex(max(0, editor.findData(shown)))
        elif not (editor.hasFocus() and editor.isModified()):
            editor.setText(field_text(spec, value))
            editor.setCursorPosition(0)
            editor.setModified(False)

    def _take(self, spec: OfferField, line: QtWidgets.QLineEdit) -> None:
        if not line.isModified() or self._offer is None:
            return
        line.setModified(False)
        try:
            text = numbers.plain_number(line.text()) if spec.kind in ("money", "number") else line.text()
            value = parse_offer_value(spec.name, text)
        except PlannerError as error:
            self.refuse(error)
            return
        self._emit(spec.name, value)

    def _take_egress(self) -> None:
        if self.egress.isModified():
            self.egress.setModified(False)
            self.egress_set.emit(numbers.plain_number(self.egress.text()))

    def _emit(self, name: str, value: OfferValue) -> None:
        self.error.hide()
        if self._offer is not None:
            self.field_set.emit(self._offer.offer_id, name, value)

    def refuse(self, error: PlannerError) -> None:
        """Say what cannot be and what to do; the fields show again what holds."""
        fault, remedy = spoken(error.what), sentence(error.remedy)
        self.error.setText(tr("{title}: {what}. {remedy}.", title=error.where, what=fault, remedy=remedy))
        self.error.show()
        self.ensureWidgetVisible(self.error)
        if self._offer is not None:
            for name, editor in self.editors.items():
                self._put(OFFER_FIELD_BY_NAME[name], editor, getattr(self._offer, name))


def field_text(spec: OfferField, value: object) -> str:
    """A value as its field shows it; nothing where it is unknown."""
    if value is None:
        return ""
    if spec.kind == "money" and isinstance(value, Decimal):
        is_long = -int(value.as_tuple().exponent) > DIGITS_SHOWN  # of a rate that was worked out
        text = f"{round(value, DIGITS_SHOWN) if is_long else value:f}"
        # exact, and in the locale: what the field shows it also reads
        return text.replace(".", numbers.locale().decimalPoint())
    if spec.kind == "number" and isinstance(value, int | float | Decimal):
        return numbers.significant(float(value))
    return str(value)


def write_field_tip(spec: OfferField) -> str:
    """Return the tool tip of a field: its title, and what an empty field means."""
    title = tr("{first}, {second}", first=spec.title, second=spec.unit) if spec.unit else spoken(spec.title)
    if spec.name == "rate_usd_per_gpu_hour":
        return tr("{title}; empty or 0: quote needed", title=title)
    if spec.name in ("rate_low", "rate_high"):
        return tr("{title}; empty: the rate", title=title)
    if spec.is_required:
        return title
    if spec.name in IF_EMPTY:
        return tr("{title}; empty: {empty}", title=title, empty=IF_EMPTY[spec.name])
    return tr("{title}; empty: unknown", title=title)
