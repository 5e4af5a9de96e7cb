"""Recommendations: what to sign, once each and by when; what becomes of contracts; what else to decide."""

import re

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpuplanner.domain.audit.trace import figure
from gpuplanner.domain.commitment.plan_trail import order_subject, part_of, row_subject
from gpuplanner.domain.commitment.result import Advice, Layer, Order, PoolPlan, Verdict
from gpuplanner.domain.model.contract import Contract
from gpuplanner.domain.model.pool import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOURS_PER_MONTH
from gpuplanner.ui import numbers
from gpuplanner.ui.lanes import lane_of
from gpuplanner.ui.row_list import ListRow, RowList
from gpuplanner.ui.shown import Shown
from gpuplanner.ui.theme import Palette
from gpuplanner.ui.whole_dollars import layer_dollars, layer_key

SOON_DAYS = 30
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
        self.setAccessibleName("Recommendations")
        self.list = RowList("Recommendations", palette)
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
    others = [*_spot(advice), *_review(shown)]
    others += [
        ListRow(f"{pool_title(plan)}: read this.", plan.note, icon="info")
        for plan in advice.pools
        if plan.note
    ]
    if today_s >= window.end_s + DAY_S and any(order.reason == "now" for order in advice.orders):
        days = numbers.counted(_days(window.end_s, today_s), "day")
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
    gpus = sum(order.gpus for order in orders)
    return f"{numbers.gpus(gpus)} {'GPU' if gpus == 1 else 'GPUs'}"


def _layer_of(order: Order, advice: Advice) -> tuple[PoolPlan, Layer] | None:
    """The pool and the layer that an order of today buys."""
    if order.reason != "now":
        return None
    for plan in advice.pools:
        if plan.pool is order.pool and plan.gpu_model == order.gpu_model:
            for layer in plan.layers:
                same = layer.term_months == order.term_months and layer.offer_id == order.offer_id
                if same and not layer.existing:
                    return plan, layer
    return None


def order_usd_per_month(order: Order, shown: Shown, advice: Advice) -> int | None:
    """What an order costs a month: its layer's dollars where it is the layer, else its offer's rate."""
    found = _layer_of(order, advice)
    if found is not None and abs(found[1].gpus - order.gpus) < 1e-9:
        return layer_dollars(advice)[layer_key(*found)]
    offers = shown.offers
    rate = next((offer.rate for offer in offers if offer.offer_id == order.offer_id), None)
    return None if rate is None else round(HOURS_PER_MONTH * order.gpus * rate)


def _days(start_s: int, end_s: int) -> int:
    return end_s // DAY_S - start_s // DAY_S


def _order_by(order_by_s: int, today_s: int) -> tuple[str, str, str]:
    """The sentence, the icon and its colour of a date to order by, as seen from today."""
    by, days = f"Order by {numbers.date(order_by_s)}", _days(today_s, order_by_s)
    if days < 0:
        return f"{by}, {numbers.counted(-days, 'day')} ago: ask for a quicker start", "octagon", "red"
    if days <= SOON_DAYS:
        when = "today" if days == 0 else f"in {numbers.counted(days, 'day')}"
        return f"{by}, {when}", "triangle", "amber"
    return by, "contract", "muted"


def _commitment(order: Order, advice: Advice, usd: int | None, today_s: int) -> ListRow:
    found = _layer_of(order, advice)
    facts = [f"Starts {numbers.date(order.start_s)}", lane_of(order.pool).title]
    bound = None
    if found is not None:
        plan, layer = found
        if layer.utilization is not None:
            facts.append(f"{numbers.percent(layer.utilization)} used")
        bound = next(
            (row.utilization for row in plan.break_even if row.term_months == order.term_months), None
        )
    else:
        facts.append(_reason(order, advice))
    sentence, icon, role = _order_by(order.order_by_s, today_s)
    return ListRow(
        f"Commit {numbers.gpus(order.gpus)} {order.gpu_model or 'GPUs'} for "
        f"{numbers.counted(order.term_months, 'month')}.",
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


_REASONS = {
    "contract_end": "when a contract ends",
    "lead_time": "as soon as lead time allows",
    "growth": "as demand grows",
}


def _reason(order: Order, advice: Advice) -> str:
    """Why it starts when it does; without growth a later start is a matter of its hours."""
    growth = next(
        (
            plan.growth
            for plan in advice.pools
            if plan.pool is order.pool and plan.gpu_model == order.gpu_model
        ),
        0.0,
    )
    if order.reason == "growth" and growth <= 0:
        return "when its hours pay for it"
    return _REASONS.get(order.reason, order.reason)


def _later(orders: list[Order], shown: Shown, advice: Advice, today_s: int) -> list[ListRow]:
    """One row for each day to order by, day of start, pool and GPU model."""
    groups: dict[tuple[int, int, str], list[Order]] = {}
    for order in sorted(orders, key=lambda order: (order.order_by_s, order.start_s)):
        groups.setdefault((order.order_by_s, order.start_s, _layers_key(order)), []).append(order)
    rows = []
    for (order_by_s, start_s, key), group in groups.items():
        first = group[0]
        terms = _terms([(order.gpus, order.term_months) for order in group])
        model = first.gpu_model or "GPUs"
        what = f"{numbers.gpus(sum(order.gpus for order in group))} {model}"
        lane = lane_of(first.pool).title
        title = f"Commit {what} for {numbers.counted(first.term_months, 'month')}."
        if len(group) > 1:
            most = max(group, key=lambda order: (order.gpus, -order.term_months)).term_months
            title = f"Commit {what}, most for {numbers.counted(most, 'month')}."
        sentence, icon, role = _order_by(order_by_s, today_s)
        usd = [order_usd_per_month(order, shown, advice) for order in group]
        known = sum(value for value in usd if value is not None)
        reason = _reason(first, advice)
        last = terms if len(group) > 1 else reason
        tip = _sentences(
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
                more=f"{lane}{numbers.MIDDOT}{last}",
            )
        )
    return rows


def _terms(parts: list[tuple[float, int]]) -> str:
    """31 for 6 months, 16 for 3, 8 for 24: most GPUs first, the unit once."""
    ordered = sorted(parts, key=lambda part: (-part[0], part[1]))
    words = [
        f"{numbers.gpus(gpus)} for {term if at else numbers.counted(term, 'month')}"
        for at, (gpus, term) in enumerate(ordered)
    ]
    return ", ".join(words)


def _sentences(*parts: str) -> str:
    cleaned = [part.strip().rstrip(".") for part in parts if part.strip()]
    return ". ".join(part[0].upper() + part[1:] for part in cleaned) + "." if cleaned else ""


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
        facts = _sentences(f"{gpus} on demand{share}", "Its work fits")
        why = figure("contract_usd", verdict.contract_id, "ends") if amount else ""
        return ListRow(name, facts, amount, "clock", kind="contract", key=verdict.contract_id, figure_id=why)
    when, icon, role = "No end", "clock", "muted"
    if contract.end_s is not None:
        is_over = contract.end_s <= today_s
        when = f"{'Ended' if is_over else 'Ends'} {numbers.date(contract.end_s - 1)}"
        if contract.notice_days and verdict.order_by_s is not None and not is_over:
            when += f", notice by {numbers.date(verdict.order_by_s)}"
            days = _days(today_s, verdict.order_by_s)
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
    inside = f"In the orders: {_terms(parts)}" if parts else "In the orders above"
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
            title, f"Costliest first: {review[0].name}.", icon="review", kind="workload", key=review[0].key
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
