"""Recommendations: what to sign, once each and by when; what becomes of contracts; what else to decide."""

import re

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpuplanner.domain.audit.trace import figure
from gpuplanner.domain.commitment.plan_trail import order_subject, part_of, row_subject
from gpuplanner.domain.commitment.result import Advice, Order, PoolPlan, Verdict
from gpuplanner.domain.commitment.spot_words import spot_sentences, spot_summary
from gpuplanner.domain.commitment.whole_dollars import bought_gpus, layer_dollars, layer_key, layer_of
from gpuplanner.domain.model.contract import Contract
from gpuplanner.domain.model.log_length import (
    Support,
    cannot_support,
    days_words,
    log_support,
    short_advice_words,
)
from gpuplanner.domain.model.names_apart import told_apart
from gpuplanner.domain.model.pool import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.ui import numbers
from gpuplanner.ui.lanes import lane_of
from gpuplanner.ui.localized import localized
from gpuplanner.ui.panels.order_words import (
    SOON_DAYS,
    bought_words,
    days_between,
    in_place_of,
    order_by_words,
    order_usd_per_month,
    reason_words,
    sentences,
    terms_words,
)
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
    rows = _sign_now(due, shown, advice, today_s)
    rows += _section("To let end", "$ per month", _ending_rows(shown, advice, today_s))
    rows += _section(f"To sign later: {_gpus_in(later)}", "", _later(later, shown, advice, today_s))
    rows += _section("Contracts that these orders replace", "", _followed_rows(shown, advice, today_s))
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


def pool_title(plan: PoolPlan) -> str:
    """Inference and the GPU model, with a middle dot."""
    return f"{lane_of(plan.pool).title} \u00b7 {plan.gpu_model or 'unknown model'}"


# What to sign


def _sign_now(due: list[Order], shown: Shown, advice: Advice, today_s: int) -> list[ListRow]:
    """A row for each commitment that is due, under a heading with how many GPUs and their $ a month."""
    if not due:
        return [ListRow("Nothing to sign now", is_heading=True)]
    due = sorted(
        due, key=lambda order: (order.reason == "now", order.order_by_s, order.pool, -order.term_months)
    )
    whole = [order_usd_per_month(order, shown, advice) for order in due]
    total = None if None in whole else sum(usd for usd in whole if usd is not None)
    heading = ListRow(
        f"To sign now: {_gpus_in(due)}",
        amount="$ per month" if total is None else f"{numbers.change(total)} $ per month",
        is_heading=True,
        figure_id="" if total is None else figure("orders_usd"),
    )
    return [
        heading,
        *(_commitment(order, advice, usd, today_s) for order, usd in zip(due, whole, strict=True)),
    ]


def _gpus_in(orders: list[Order]) -> str:
    gpus = sum(map(bought_gpus, orders))
    return f"{numbers.gpus(gpus)} {'GPU' if gpus == 1 else 'GPUs'}"


def _commitment(order: Order, advice: Advice, usd: int | None, today_s: int) -> ListRow:
    found = layer_of(order, advice)
    facts = [f"Starts {numbers.date(order.start_s)}", lane_of(order.pool).title, *in_place_of([order])]
    bound = None
    if found is not None:
        plan, layer = found
        if layer.utilization is not None:
            facts.append(f"{numbers.percent(layer.utilization)} used")
        bound = next(
            (row.utilization for row in plan.break_even if row.term_months == order.term_months), None
        )
    else:
        facts.append(reason_words(order, advice))
    sentence, icon, role = order_by_words(order.order_by_s, today_s)
    return ListRow(
        f"Commit {bought_words([order])} for {numbers.counted(order.term_months, 'month')}.",
        sentence,
        "" if usd is None else numbers.change(usd),
        icon,
        role,
        kind="layers",
        key=_layers_key(order),
        tip=""
        if bound is None
        else f"Break-even: pays when used above {numbers.percent(bound)} of the hours.",
        note_role=role,
        more=numbers.MIDDOT.join(facts),
        figure_id="" if usd is None else figure("order_usd", order_subject(order)),
    )


def _layers_key(order: Order) -> str:
    return f"{order.pool.value}\t{order.gpu_model or ''}"


def _later(orders: list[Order], shown: Shown, advice: Advice, today_s: int) -> list[ListRow]:
    """One row for each day to order by, day of start, pool and GPU model."""
    groups: dict[tuple[int, int, str, str | None], list[Order]] = {}
    for order in sorted(orders, key=lambda order: (order.order_by_s, order.start_s)):
        day = (order.order_by_s, order.start_s, _layers_key(order), order.offer_gpu_model)
        groups.setdefault(day, []).append(order)
    rows = []
    for (order_by_s, start_s, key, _), group in groups.items():
        first = group[0]
        terms = terms_words([(bought_gpus(order), order.term_months) for order in group])
        what = bought_words(group)
        lane = lane_of(first.pool).title
        title = f"Commit {what} for {numbers.counted(first.term_months, 'month')}."
        if len(group) > 1:
            most = max(group, key=lambda order: (order.gpus, -order.term_months)).term_months
            title = f"Commit {what}, most for {numbers.counted(most, 'month')}."
        sentence, icon, role = order_by_words(order_by_s, today_s)
        usd = [order_usd_per_month(order, shown, advice) for order in group]
        known = sum(value for value in usd if value is not None)
        reason = reason_words(first, advice)
        last = terms if len(group) > 1 else reason
        tip = sentences(
            reason,
            ""
            if None in usd
            else f"{numbers.dollars(known)} a month from its start, not part of this plan's spend",
        )
        rows.append(
            ListRow(
                title,
                f"{sentence}{numbers.MIDDOT}starts {numbers.date(start_s)}",
                icon=icon,
                icon_role=role,
                kind="layers",
                key=key,
                tip=tip,
                note_role=role,
                more=numbers.MIDDOT.join([lane, *in_place_of(group), last]),
            )
        )
    return rows


# What becomes of contracts


def _ending_rows(shown: Shown, advice: Advice, today_s: int) -> list[ListRow]:
    contracts = {contract.contract_id: contract for contract in shown.evaluation.project.contracts}
    used = {row.contract_id: row.utilization for row in shown.evaluation.audit.contracts}
    rows = [
        _ending(verdict, contracts[verdict.contract_id], used.get(verdict.contract_id), today_s)
        for verdict in advice.verdicts
        if verdict.verdict == "let_expire" and verdict.contract_id in contracts
    ]
    return sorted(rows, key=lambda row: not row.amount)


def _ending(verdict: Verdict, contract: Contract, used: float | None, today_s: int) -> ListRow:
    share = "" if used is None else f", {numbers.percent(used)} used"
    gpus = f"{numbers.gpus(contract.gpus)} {contract.gpu_model or 'GPUs'}"
    name = f"Let {verdict.contract_id} end."
    if not contract.is_committed:  # the plan pays it no more; a commitment is paid until it ends
        money = contract.usd_per_month
        amount = "" if money is None else numbers.change(-money)
        facts = sentences(f"{gpus} on demand{share}", "Its work fits")
        why = figure("contract_usd", verdict.contract_id, "ends") if amount else ""
        return ListRow(name, facts, amount, "clock", kind="contract", key=verdict.contract_id, figure_id=why)
    when, icon, role = "No end", "clock", "muted"
    if contract.end_s is not None:
        is_over = contract.end_s <= today_s
        when = f"{'Ended' if is_over else 'Ends'} {numbers.date(contract.end_s - 1)}"
        if contract.notice_days and verdict.order_by_s is not None and not is_over:
            when += f", notice by {numbers.date(verdict.order_by_s)}"
            days = days_between(today_s, verdict.order_by_s)
            if days < 0:
                when, icon, role = f"{when}, {numbers.counted(-days, 'day')} ago", "octagon", "red"
            elif days <= SOON_DAYS:
                icon, role = "triangle", "amber"
    return ListRow(
        name,
        when,
        icon=icon,
        icon_role=role,
        kind="contract",
        key=verdict.contract_id,
        note_role=role,
        more=f"{gpus} committed{share}",
    )


def _followed_rows(shown: Shown, advice: Advice, today_s: int) -> list[ListRow]:
    contracts = {contract.contract_id: contract for contract in shown.evaluation.project.contracts}
    followed = [
        verdict
        for verdict in advice.verdicts
        if verdict.verdict in ("renew", "shorten") and verdict.contract_id in contracts
    ]
    followed.sort(key=lambda verdict: contracts[verdict.contract_id].end_s or 0)
    return [_followed(verdict, contracts[verdict.contract_id], today_s) for verdict in followed]


def _followed(verdict: Verdict, contract: Contract, today_s: int) -> ListRow:
    """A contract whose GPUs the orders take over: no second amount, no second thing to sign."""
    model = contract.gpu_model or "GPUs"
    parts = [(float(gpus), int(term)) for gpus, term in _SHARE.findall(verdict.reason)]
    term = numbers.counted(verdict.then_term_months, "month")
    most = f"most for {term}" if len(parts) > 1 else f"for {term}"
    follow = "follows" if verdict.gpus == 1 else "follow"
    end = ""
    if contract.end_s is not None:
        last_s = contract.end_s - 1
        end = f" {'ended' if contract.end_s <= today_s else 'ends'} {numbers.date(last_s)}"
    inside = f"In the orders: {terms_words(parts)}" if parts else "In the orders above"
    by = "" if verdict.order_by_s is None else f"; order by {numbers.date(verdict.order_by_s)}"
    return ListRow(
        f"{verdict.contract_id}{end}: {numbers.gpus(verdict.gpus)} {model} {follow} it.",
        inside,
        icon="info",
        kind="contract",
        key=verdict.contract_id,
        tip=f"{numbers.gpus(verdict.gpus)} of its {numbers.gpus(contract.gpus)} {model}. "
        "These are GPUs of the orders above, not more of them.",
        more=f"{most[0].upper()}{most[1:]}{by}",
    )


_SHARE = re.compile(r"([0-9][0-9.e+]*) GPUs? for (\d+) months?")
"""A part of a verdict's reason, as the verdict words it: GPUs, months."""


# What else


def _review(shown: Shown) -> list[ListRow]:
    review = sorted(
        (card for card in shown.cards if card.in_review), key=lambda card: -(shown.usd.get(card.key) or 0.0)
    )
    if not review:
        return []
    title = f"Decide {numbers.whole(len(review))} in review."
    return [
        ListRow(
            title,
            f"Costliest first: {told_apart(shown.cards)[review[0].key]}.",
            icon="review",
            kind="workload",
            key=review[0].key,
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
