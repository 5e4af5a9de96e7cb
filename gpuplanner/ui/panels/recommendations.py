"""Recommendations: what to sign, once each and by when; what becomes of contracts; what else to decide."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpuplanner.domain.audit.trace import figure
from gpuplanner.domain.commitment.plan_trail import part_of, row_subject
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.commitment.spot_words import spot_sentences, spot_summary
from gpuplanner.domain.commitment.whole_dollars import layer_dollars, layer_key
from gpuplanner.domain.model.log_length import (
    Support,
    cannot_support,
    days_words,
    log_support,
    short_advice_words,
)
from gpuplanner.domain.model.pool import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.ui import numbers
from gpuplanner.ui.localized import localized
from gpuplanner.ui.panels.order_words import days_between, pool_title
from gpuplanner.ui.panels.recommended_contracts import ending_rows, followed_rows
from gpuplanner.ui.panels.recommended_orders import gpus_in, sign_later, sign_now
from gpuplanner.ui.row_list import ListRow, RowList
from gpuplanner.ui.said import said as translated
from gpuplanner.ui.shown import Shown
from gpuplanner.ui.theme import Palette

NO_PLAN = "Nothing to recommend yet. Import prices to see a plan."
OF_A_PLAN = "Recommendations are of a plan. Open one to see them."


class RecommendationsPanel(QWidget):
    """Told what is shown; emits what a row is about. now_s: the day it is; None: the window's end."""

    contract_asked = Signal(str)
    workload_asked = Signal(str)
    layers_asked = Signal(object, object)  # Pool, GPU model or None

    def __init__(self, palette: Palette, now_s: int | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._now_s = now_s
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(translated("Recommendations"))
        self.list = RowList(translated("Recommendations"), palette)
        self.list.empty_text = NO_PLAN
        self.list.row_opened.connect(self._open)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.list)

    def show_shown(self, shown: Shown) -> int:
        """Show the recommendations; returns how many there are."""
        rows = recommendation_rows(shown, self._now_s)
        has_prices = bool(shown.evaluation.project.offers)
        self.list.empty_text = OF_A_PLAN if shown.is_today and has_prices else NO_PLAN
        self.list.show_rows(rows)
        return sum(not row.is_heading for row in rows)

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.list.show_palette(palette)

    def _open(self, kind: str, key: str) -> None:
        if kind == "layers":
            pool, model = key.split("\t", 1)
            self.layers_asked.emit(Pool(pool), model or None)
        else:
            (self.contract_asked if kind == "contract" else self.workload_asked).emit(key)


def recommendation_rows(shown: Shown, now_s: int | None = None) -> list[ListRow]:
    """What to sign now and later, each commitment once; then what becomes of contracts; then what else there is."""
    advice = shown.advice
    if advice is None or shown.is_today:
        return []
    window = shown.evaluation.project.window
    today_s = window.end_s if now_s is None else now_s
    due = [order for order in advice.orders if order.reason == "now" or order.order_by_s < today_s]
    later = [order for order in advice.orders if order not in due]
    rows = sign_now(due, shown, advice, today_s)
    rows += _section("To let end", "$ per month", ending_rows(shown, advice, today_s))
    rows += _section(f"To sign later: {gpus_in(later)}", "", sign_later(later, shown, advice, today_s))
    rows += _section("Contracts that these orders replace", "", followed_rows(shown, advice, today_s))
    others = [*_spot(advice), *_checkpoints(shown), *_review(shown)]
    others += [
        ListRow(f"{pool_title(plan)}: read this.", localized(plan.note), icon="info")
        for plan in advice.pools
        if plan.note
    ]
    others += _short_log(window.hours)
    if today_s >= window.end_s + DAY_S and any(order.reason == "now" for order in advice.orders):
        days = numbers.counted(days_between(window.end_s, today_s), "day")
        others.append(
            ListRow(
                f"The log ends {numbers.date(window.end_s - 1)}.",
                f"To sign at once: counted from there, {days} ago.",
                icon="info",
            )
        )
    rows += _section("What else", "$ per month", others)
    return rows if any(not row.is_heading for row in rows) else []


def _section(title: str, unit: str, rows: list[ListRow]) -> list[ListRow]:
    return [ListRow(title, amount=unit, is_heading=True), *rows] if rows else []


def _review(shown: Shown) -> list[ListRow]:
    review = sorted(
        (card for card in shown.cards if card.in_review), key=lambda card: -(shown.usd.get(card.key) or 0.0)
    )
    if not review:
        return []
    title = f"Decide {numbers.whole(len(review))} in review."
    return [
        ListRow(
            title, f"Costliest first: {review[0].name}.", icon="review", kind="workload", key=review[0].key
        )
    ]


def _short_log(hours: int) -> list[ListRow]:
    """What the log is too short for; nothing where it supports all that a plan shows."""
    missing = cannot_support(hours)
    weak = [
        one.message for one in log_support(hours) if one.support is Support.WEAK and one.figure == "range"
    ]
    if not missing and not weak:
        return []
    short = short_advice_words(hours)
    is_short = bool(short)
    said = [short, f"It gives {missing}." if missing else "", *weak]
    return [
        ListRow(
            localized(f"The log has {days_words(hours)}."),
            localized(" ".join(filter(None, said))),
            icon="triangle" if is_short else "info",
            icon_role="amber" if is_short else "muted",
        )
    ]


def _checkpoints(shown: Shown) -> list[ListRow]:
    """How often to write checkpoints on spot, where that saves; it opens the workload that it saves most for."""
    advice = () if shown.outlook is None else shown.outlook.spot
    found = spot_summary(advice)
    if found is None:
        return []
    title, said, usd = found
    most = max(advice, key=lambda one: one.saves_usd_per_month or 0.0)
    return [
        ListRow(
            localized(title),
            localized(said),
            numbers.change(-usd),
            "burst",
            kind="workload",
            key=most.key,
            tip=localized(" ".join(spot_sentences(most))),
            more="Each workload's own is under Hardware",
            figure_id=figure("spot_saves"),
        )
    ]


def _spot(advice: Advice) -> list[ListRow]:
    rows = []
    whole = layer_dollars(advice)  # the dollars that the layers show
    for plan in advice.pools:
        for layer in plan.layers:
            if (
                layer.pricing_category in (PricingCategory.DYNAMIC, PricingCategory.MIXED)
                and layer.spot_share > 0
            ):
                rate = numbers.cents(layer.rate_usd_per_gpu_hour)
                usd = whole[layer_key(plan, layer)]
                rows.append(
                    ListRow(
                        f"Run {plan.pool} {plan.gpu_model or ''}".strip() + " on spot.",
                        f"{rate} per GPU-hour, lost work included"
                        + (
                            "."
                            if layer.spot_share > 0.9995
                            else f"; {numbers.percent(layer.spot_share)} of its hours."
                        ),
                        "" if usd is None else numbers.change(usd),
                        "burst",
                        figure_id=""
                        if usd is None
                        else figure("layer_usd", row_subject(plan, part_of(layer))),
                    )
                )
    return rows
