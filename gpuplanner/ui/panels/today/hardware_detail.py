"""Hardware fit of one workload: lights, needs to edit, its run on two networks, and offers."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QScrollArea, QSizePolicy, QToolButton, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.commitment.outlook_result import SpotAdvice
from gpuplanner.domain.commitment.words.spot import spot_sentences
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.evidence.workloads import network_subject
from gpuplanner.domain.fit.fit_rows import FitRow, worst_light
from gpuplanner.domain.fit.needs import PLANNER
from gpuplanner.domain.fit.offer_fit import OfferFit
from gpuplanner.domain.fit.other_hardware import NetworkCost, OnNetwork
from gpuplanner.domain.fit.workload_fit import NEED_TITLES, WorkloadFit
from gpuplanner.domain.message import Message, Text, joined, lowered, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.hardware_needs import (
    INTERCONNECTS,
    NEED_BY_NAME,
    NeedSpec,
    NeedValue,
    parse_need,
)
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.reports.training import OTHER_HARDWARE, OUT_OF_MEMORY
from gpuplanner.files.system.resources import long_text
from gpuplanner.files.tables.network_words import NETWORKS
from gpuplanner.ui.cards.details import LIGHTS
from gpuplanner.ui.kit import page_parts
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.layout import RIGHT, STRETCH, box, column, emptied, grid, named, row, share
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.panels.today.hardware_rows import has_words, needs_words
from gpuplanner.ui.tables.cells import Cell, Column, Filled, Row, filled_rows
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of

# ---------------------------------------------------------------- one workload


def network_columns(network: NetworkCost) -> tuple[Column, ...]:
    """The headings of the two networks: which is today's is said."""
    return (
        Column(title="", is_figure=False),
        *(
            Column(title=tr("{network},\ntoday", network=name) if network.has == name.lower() else name)
            for name in ("InfiniBand", tr("Ethernet"))
        ),
    )


def network_rows(network: NetworkCost, key: str = "") -> list[Row]:
    """A run and a month on both networks, of the workload of a key; the one that it has is strong."""
    fast, slow = network.infiniband, network.ethernet
    if fast is None or slow is None:
        return []
    lines: tuple[tuple[str, str, Callable[[OnNetwork], str]], ...] = (
        (tr("One training step, s"), "step", lambda on: numbers.gpus(on.step_s)),
        (tr("Longest run, h"), "hours", lambda on: numbers.one_decimal(on.run_hours)),
        (tr("Longest run, GPU-h"), "gpu_hours", lambda on: numbers.whole(on.run_gpu_hours)),
        (tr("Longest run, $"), "usd", lambda on: numbers.whole(on.run_usd)),
        (tr("GPU-h per month"), "month_hours", lambda on: numbers.whole(on.gpu_hours_per_month)),
        (tr("$ per month"), "month_usd", lambda on: numbers.whole(on.usd_per_month)),
    )

    def cell(scope: str, on: OnNetwork, text: str) -> Cell:
        asked = figure("on_network", network_subject(key, on.network), scope) if key else ""
        return Cell(text=text, is_strong=on.network == network.has, figure_id=asked)

    return [
        Row((Cell(text=title), *(cell(scope, on, text(on)) for on in (fast, slow))))
        for title, scope, text in lines
    ]


def network_note(network: NetworkCost) -> str:
    """How the table was worked out, with its inputs."""
    own = network.infiniband if network.has == "infiniband" else network.ethernet
    other = network.ethernet if network.has == "infiniband" else network.infiniband
    if own is None or other is None:
        return tr("Unknown: {reason}.", reason=network.reason)
    names = {"infiniband": "InfiniBand", "ethernet": tr("Ethernet")}
    gpus = tr("{count} GPUs", count=numbers.gpus(network.run_gpus))
    if network.usd_per_gpu_hour:
        gpus = tr("{gpus} at {rate} per GPU-hour", gpus=gpus, rate=numbers.cents(network.usd_per_gpu_hour))
    return tr(
        "On {network}: {run_hours} h on {gpus}. On {other}, at most {run_hours} h × {step_s} s ÷ {own_step_s} "
        "s = {other_hours} h, with {source}.",
        source=tr("published step times of its model")
        if network.is_of_model
        else tr("step times from an article on training infrastructure (2026)"),
        network=names[own.network],
        run_hours=numbers.one_decimal(own.run_hours),
        gpus=gpus,
        other=names[other.network],
        step_s=numbers.gpus(other.step_s),
        own_step_s=numbers.gpus(own.step_s),
        other_hours=numbers.one_decimal(other.run_hours),
    )


def _offer_cell(offer: OfferFit) -> Cell:
    if offer.light is None:
        return Cell(text=offer.offer_id, tip=tr("Unknown"))
    icon, role, word = LIGHTS[offer.light]
    tip = tr("{title}: {value}", title=offer.offer_id, value=word)
    return Cell(text=offer.offer_id, icon=icon, icon_role=role, tip=tip)


def _amiss_cell(offer: OfferFit) -> Cell:
    if offer.light is None:
        return Cell(text=tr("its need is unknown"), role="muted")
    why = "; ".join(spoken(row.reason) for row in offer.rows if row.reason) or LIGHTS[offer.light][2]
    return Cell(text=why, role="muted", tip=why)


OFFER_COLUMNS: Final[tuple[Filled[OfferFit], ...]] = (
    Filled(title="Offer", is_figure=False, width=170, cell=_offer_cell),
    Filled(title="Why", is_figure=False, width=0, is_cut_at_end=True, cell=_amiss_cell),
)
"""Of offers for one workload, with what is amiss."""


def offer_key(offer: OfferFit) -> str:
    """What the row of an offer opens; nothing where its need is unknown."""
    return "" if offer.light is None else offer.offer_id


# --- One workload's hardware: its lights with reasons, its needs to edit, its run on two networks, offers and why not

UNITS = {"GB": "GB", "hours": "h", "billion parameters": worded("billion")}
"""Unit of a need -> what stands behind its title; others say their unit in it."""

INFERRED = "found"
"""What a choice says of a need that the planner did not set."""


class HardwareDetail(QScrollArea):
    """Told one workload; emits the need that the planner set, None to take it back."""

    need_set = Signal(str, str, object)  # workload key, need, value or None
    workload_asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._fit: WorkloadFit | None = None
        self._needs_of: tuple[str, ...] = ()
        self.editors: dict[str, QLineEdit | QComboBox] = {}
        self.backs: dict[str, QToolButton] = {}
        self._sources: dict[str, QLabel] = {}
        self.title = page_parts.label(step="title")
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.board_link = page_parts.named_button(
            tr("Show on board"),
            tr("Show on board"),
            lambda: None if self._fit is None else self.workload_asked.emit(self._fit.key),
            is_link=True,
        )
        self.where, self.elsewhere = page_parts.muted_label(), page_parts.muted_label()
        self.lights = grid(spacing=(8, 2), shares=(0, 1))
        self.form = grid(spacing=(8, 6), shares=(1,))
        self.error = page_parts.label(role="red", step="small", is_wrapped=True)
        self.error.hide()
        self.network_title = page_parts.heading_label(tr("Longest run on both networks"))
        self.network_note = page_parts.muted_label()
        self.network = FigureTable(tr("Longest run on both networks"))
        self.spot_title, self.spot_note = page_parts.heading_label(tr("On spot")), page_parts.muted_label()
        self.others = tuple(
            (of, page_parts.heading_label(spoken(of.title)), FigureTable(spoken(of.title)))
            for of in (OTHER_HARDWARE, OUT_OF_MEMORY)
        )
        self.offers_title = page_parts.heading_label("")
        self.offers = FigureTable(tr("Offers for this workload"))
        body = column(
            *(row(share(self.title), self.board_link), self.where, 4),
            *(part for _, *parts in self.others for part in parts),  # hours and $ before lights
            *(self.lights, self.elsewhere, 8),
            *(page_parts.heading_label(tr("What it needs")), self.form, self.error, 8),
            *(self.network_title, self.network, self.network_note),
            *(self.spot_title, self.spot_note, self.offers_title, self.offers, STRETCH),
            margins=(14, 8, 12, 10),
            spacing=4,
        )
        self._body = box("panel", body, QWidget())
        page_parts.scrolled(self._body, tr("Hardware of one workload"), on=self)

    def show_fit(self, fit: WorkloadFit, name: Text, usd: float | None, offers: Sequence[OfferFit]) -> None:
        """Show a workload; $ a month of today; offers as the domain sorted them, best first."""
        is_other = self._fit is None or self._fit.key != fit.key
        self._fit = fit
        if is_other:
            self.error.hide()
            self.verticalScrollBar().setValue(0)
        self.title.setText(spoken(name))
        set_tip(self.title, fit.key)
        contracts = ", ".join(
            hardware.contract_or_offer for hardware in fit.hardware if hardware.contract_or_offer
        ) or tr("no contract")
        parts = (
            lane_of(fit.pool).title,
            fit.gpu_model or tr("GPU model unknown"),
            tr("today on {contracts}", contracts=contracts),
            tr("{usd} per month", usd=numbers.dollars(usd)),
        )
        self.where.setText(numbers.MIDDOT.join(parts))
        self._show_lights(fit.rows)
        self._show_needs(fit)
        self.network_title.setVisible(fit.network is not None)
        self.network_note.setVisible(fit.network is not None)
        if fit.network is None:
            self.network.hide()
        else:
            self.network_note.setText(network_note(fit.network))
            self.network.show_all(network_columns(fit.network), network_rows(fit.network, fit.key))
        for of, title, table in self.others:
            found = table_rows(of, (fit,))
            title.setVisible(bool(found))
            table.show_all(table_columns(of), found)
        self.offers_title.setText(_offers_words(fit, offers))
        self.offers.show_all(OFFER_COLUMNS, filled_rows(OFFER_COLUMNS, offers, offer_key))

    def show_spot(self, advice: Sequence[SpotAdvice]) -> None:
        """What spot means for the workload, for each GPU model that it is planned on; hidden where it uses none."""
        for widget in (self.spot_title, self.spot_note):
            widget.setVisible(bool(advice))
        lines = [(one.gpu_model, spoken(joined(spot_sentences(one), " "))) for one in advice]
        is_one = len(lines) == 1
        self.spot_note.setText(
            "\n".join(
                said if is_one else tr("{title}: {value}", title=model or "Unknown model", value=said)
                for model, said in lines
            )
        )

    def show_elsewhere(self, pool: Pool | None, rows: Sequence[FitRow]) -> None:
        """What another pool asks of this hardware, where the card stands in one that is not its class."""
        self.elsewhere.setVisible(bool(rows))
        if pool is None or not rows:
            return
        light = worst_light(rows)
        word = tr("unknown") if light is None else spoken(lowered(LIGHTS[light][2]))
        reasons = "; ".join(
            tr("{title}: {value}", title=NEED_TITLES[row.need], value=spoken(row.reason))
            for row in rows
            if row.reason
        )
        elsewhere = tr(long_text("fit_elsewhere", title=lane_of(pool).title, word=word))
        self.elsewhere.setText(" ".join(f"{part}." for part in (elsewhere, reasons) if part))

    def lay_out(self) -> None:
        """Lay out what was just filled in now, so that its first frame has it where it stays.

        Left to itself the body keeps the height that it had before, with its new lines squeezed into it, for a frame.
        """
        for child in self._body.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if not child.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide):
                child.show()  # a new line counts in a layout once it is shown, which else waits for its turn
        QCoreApplication.sendEvent(self._body, QEvent(QEvent.Type.LayoutRequest))

    # ---- lights

    def _show_lights(self, rows: Sequence[FitRow]) -> None:
        emptied(self.lights)
        for at, one in enumerate(rows):
            sign, word = PlainLabel(numbers.UNKNOWN), worded("Unknown")
            if one.light is not None:
                name, role, word = LIGHTS[one.light]
                sign = page_parts.Drawing(name, role)
            sign.setFixedWidth(18)
            has, needs = one.has_source, one.source_words
            sources = tr("Today: {has_source}\nNeed: {source_words}", has_source=has, source_words=needs)
            values = PlainLabel(tr("{has}, needs {needs}", has=has_words(one), needs=needs_words(one)))
            values.setAlignment(RIGHT | Qt.AlignmentFlag.AlignVCenter)
            self.lights.addWidget(named(sign, word), 2 * at, 0)
            said = page_parts.label(spoken(NEED_TITLES[one.need]), step="strong")
            self.lights.addWidget(named(said, tip=sources), 2 * at, 1)
            self.lights.addWidget(named(values, tip=sources), 2 * at, 2)
            if one.reason:
                words = f"{sentence(one.reason)}{numbers.MIDDOT}{spoken(one.has_source)}"
                why = page_parts.muted_label(words)
                self.lights.addWidget(why, 2 * at + 1, 1, 1, 2)

    # ---- needs

    def _show_needs(self, fit: WorkloadFit) -> None:
        if tuple(fit.needs) != self._needs_of:
            self._build_form(tuple(fit.needs))
        for name, needed in fit.needs.items():
            spec, editor = NEED_BY_NAME[name], self.editors[name]
            is_set = needed.source == PLANNER
            self.backs[name].setVisible(is_set)
            self._sources[name].setText(spoken(needed.source_words))
            if isinstance(editor, QComboBox):
                with QSignalBlocker(editor):
                    own = editor.findData(needed.value) if is_set else 0
                    inferred = INFERRED
                    if not is_set:
                        need = _need_words(spec, needed.value)
                        inferred = tr("{name} ({note})", name=need, note=tr(INFERRED))
                    editor.setItemText(0, numbers.capital(inferred))
                    editor.setCurrentIndex(max(0, own))
            elif not (editor.hasFocus() and editor.isModified()):  # what is being typed stays
                editor.setText(_need_words(spec, needed.value) if needed.value is not None else "")
                editor.setModified(False)

    def _build_form(self, names: tuple[str, ...]) -> None:
        emptied(self.form)
        self._needs_of = names
        self.editors, self.backs, self._sources = {}, {}, {}
        for at, name in enumerate(names):
            spec = NEED_BY_NAME[name]
            editor = self._choice(spec) if spec.kind in ("flag", "interconnect") else self._field(spec)
            editor.setAccessibleName(
                tr("{first}, {second}", first=spec.title, second=spec.unit)
                if spec.unit
                else spoken(spec.title)
            )
            back = page_parts.tool_button(
                tr("Reset {title} to the detected value", title=spec.title),
                tr("Reset to detected"),
                lambda _=False, name=name: self._emit(name, None),
            )
            back.setIcon(icon("undo", "text"))
            source, unit = page_parts.muted_label(), UNITS.get(str(spec.unit), "")
            title = tr("{first}, {second}", first=spec.title, second=unit) if unit else spoken(spec.title)
            self.editors[name], self.backs[name], self._sources[name] = editor, back, source
            self.form.addLayout(column(page_parts.label(title, of=editor), source, spacing=0), at, 0)
            self.form.addWidget(back, at, 1)
            self.form.addWidget(editor, at, 2, RIGHT)

    def _field(self, spec: NeedSpec) -> QLineEdit:
        field = QLineEdit(alignment=RIGHT, placeholderText=tr("unknown"))
        field.setFixedWidth(text_px(80))
        low, high = numbers.significant(spec.low), numbers.significant(spec.high)
        set_tip(
            field,
            tr(
                "{title}, {unit}: {low} to {high}; empty resets it",
                title=spec.title,
                unit=spec.unit,
                low=low,
                high=high,
            ),
        )
        field.editingFinished.connect(lambda: self._take(spec, field))
        return field

    def _choice(self, spec: NeedSpec) -> QComboBox:
        options: Sequence[NeedValue] = INTERCONNECTS if spec.kind == "interconnect" else (True, False)
        options_shown = [(tr(INFERRED), None), *((_need_words(spec, option), option) for option in options)]
        least = tr("{title}: minimum need?", title=spec.title)
        choice = page_parts.choice_of(spec.title, least, options_shown)
        choice.setFixedWidth(text_px(164))
        choice.activated.connect(lambda at: self._emit(spec.name, choice.itemData(at)))
        return choice

    def _take(self, spec: NeedSpec, field: QLineEdit) -> None:
        if not field.isModified():
            return
        field.setModified(False)
        try:
            value = parse_need(spec.name, numbers.plain_number(field.text()))
        except PlannerError as error:
            fault, remedy = spoken(error.what), sentence(error.remedy)
            self.error.setText(tr("{title}: {what}. {remedy}.", title=spec.title, what=fault, remedy=remedy))
            self.error.show()
            if self._fit is not None:
                held = self._fit.needs[spec.name].value
                # what holds, not what was refused
                field.setText("" if held is None else _need_words(spec, held))
            return
        self._emit(spec.name, value)

    def _emit(self, name: str, value: NeedValue) -> None:
        self.error.hide()
        if self._fit is not None:
            self.need_set.emit(self._fit.key, name, value)


def _need_words(spec: NeedSpec, value: NeedValue) -> str:
    if value is None:
        return tr("none") if spec.kind in ("flag", "interconnect") else ""
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if isinstance(value, Message | str):
        return spoken(NETWORKS.get(str(value), value))
    return numbers.significant(value)


def _offers_words(fit: WorkloadFit, offers: Sequence[OfferFit]) -> str:
    model = tr("Offers of {gpu_model}", gpu_model=fit.gpu_model) if fit.gpu_model else tr("Offers")
    if not offers:
        return tr("{model}: none. Import prices.", model=model)
    red = sum(offer.light is not None and LIGHTS[offer.light][0] == "octagon" for offer in offers)
    if not red:
        return tr("{model}: all can be used", model=model)
    return tr("{model}: {offers} can be used, {red} cannot", model=model, offers=len(offers) - red, red=red)
