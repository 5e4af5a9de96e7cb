"""Recommendations: what the plan does, each with its evidence and its dollars."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpuplanner.domain.commitment.result import Advice, Layer, Order, PoolPlan, Verdict
from gpuplanner.domain.model.contract import Contract
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.ui import numbers
from gpuplanner.ui.lanes import lane_of
from gpuplanner.ui.row_list import ListRow, RowList
from gpuplanner.ui.shown import Shown
from gpuplanner.ui.theme import Palette


class RecommendationsPanel(QWidget):
    """Told what is shown; emits what a row is about."""

    contract_asked = Signal(str)
    workload_asked = Signal(str)

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName("Recommendations")
        self.list = RowList("Recommendations", palette)
        self.list.empty_text = "Nothing to recommend yet. Import prices to see a plan."
        self.list.row_opened.connect(self._open)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.list)

    def show_shown(self, shown: Shown) -> int:
        """Show the recommendations; returns how many there are."""
        rows = recommendation_rows(shown)
        heading = ListRow("What the plan does", amount="$ per month", is_heading=True)
        self.list.show_rows([heading, *rows] if rows else [])
        return len(rows)

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.list.show_palette(palette)

    def _open(self, kind: str, key: str) -> None:
        (self.contract_asked if kind == "contract" else self.workload_asked).emit(key)


def recommendation_rows(shown: Shown) -> list[ListRow]:
    """What to do, in the order in which a planner decides: what ends, what to sign, by when, spot, review."""
    advice = shown.advice
    if advice is None or shown.is_today:
        return []
    contracts = {contract.contract_id: contract for contract in shown.evaluation.project.contracts}
    used = {row.contract_id: row.utilization for row in shown.evaluation.audit.contracts}
    rows: list[ListRow] = []
    for verdict in advice.verdicts:
        contract = contracts.get(verdict.contract_id)
        if verdict.verdict == "let_expire" and contract is not None:
            rows.append(_ending(verdict, contract, used.get(verdict.contract_id)))
    rows += [_commitment(order, advice) for order in advice.orders if order.reason == "now"]
    renewed = [
        verdict
        for verdict in advice.verdicts
        if verdict.verdict in ("renew", "shorten") and verdict.contract_id in contracts
    ]
    renewed.sort(key=lambda verdict: verdict.order_by_s or 0)
    rows += [_renewal(verdict, contracts[verdict.contract_id], shown) for verdict in renewed]
    said = {verdict.order_by_s for verdict in renewed}
    rows += _later(
        [
            order
            for order in advice.orders
            if order.reason != "now" and not (order.reason == "contract_end" and order.order_by_s in said)
        ]
    )
    rows += _spot(advice)
    review = sorted(
        (card for card in shown.cards if card.in_review), key=lambda card: -(shown.usd.get(card.key) or 0.0)
    )
    if review:
        rows.append(
            ListRow(
                f"Decide {numbers.whole(len(review))} in review.",
                f"Dearest first: {review[0].name}.",
                icon="review",
                kind="workload",
                key=review[0].key,
            )
        )
    notes = [(plan, plan.note) for plan in advice.pools if plan.note]
    rows += [ListRow(f"{pool_title(plan)}: read this.", note, icon="info") for plan, note in notes]
    return rows


def pool_title(plan: PoolPlan) -> str:
    """Inference and the GPU model, with a middle dot."""
    return f"{lane_of(plan.pool).title} \u00b7 {plan.gpu_model or 'unknown model'}"


def _ending(verdict: Verdict, contract: Contract, used: float | None) -> ListRow:
    share = "" if used is None else f", {numbers.percent(used)} used"
    model = contract.gpu_model or "GPUs"
    money, amount = contract.usd_per_month, ""
    if contract.is_committed:
        when = "" if contract.end_s is None else f"Ends {numbers.date(contract.end_s - 1)}"
        facts = _sentences(f"{numbers.gpus(contract.gpus)} {model} committed{share}", when)
    else:  # the plan pays it no more; a commitment is paid until it ends
        amount = "" if money is None else numbers.change(-money)
        facts = _sentences(f"{numbers.gpus(contract.gpus)} {model} on demand{share}", "Its work fits")
    return ListRow(
        f"Let {verdict.contract_id} end.", facts, amount, "clock", kind="contract", key=verdict.contract_id
    )


def _sentences(*parts: str) -> str:
    cleaned = [part.strip().rstrip(".") for part in parts if part.strip()]
    return ". ".join(part[0].upper() + part[1:] for part in cleaned) + "." if cleaned else ""


def layer_of(order: Order, advice: Advice) -> tuple[PoolPlan, Layer] | None:
    """The pool and the layer that an order of today buys."""
    for plan in advice.pools:
        if plan.pool is order.pool and plan.gpu_model == order.gpu_model:
            for layer in plan.layers:
                if (
                    not layer.existing
                    and layer.term_months == order.term_months
                    and layer.offer_id == order.offer_id
                ):
                    return plan, layer
    return None


def _commitment(order: Order, advice: Advice) -> ListRow:
    found = layer_of(order, advice)
    evidence = [lane_of(order.pool).title]
    amount = ""
    if found is not None:
        plan, layer = found
        if layer.utilization is not None:
            evidence.append(f", {numbers.percent(layer.utilization)} used")
        bound = next(
            (row.utilization for row in plan.break_even if row.term_months == order.term_months), None
        )
        if bound is not None:
            evidence.append(f"; pays above {numbers.percent(bound)}")
        if abs(layer.gpus - order.gpus) < 1e-9 and layer.usd_per_month is not None:
            amount = numbers.change(layer.usd_per_month)
    return ListRow(
        f"Commit {numbers.gpus(order.gpus)} {order.gpu_model or 'GPUs'} for "
        f"{numbers.counted(order.term_months, 'month')}.",
        "".join(evidence) + ".",
        amount,
        "contract",
        kind="contract",
        key="",
    )


def _renewal(verdict: Verdict, contract: Contract, shown: Shown) -> ListRow:
    late = verdict.order_by_s is not None and verdict.order_by_s < shown.evaluation.project.window.end_s
    by = "" if verdict.order_by_s is None else f": order by {numbers.date(verdict.order_by_s)}"
    end = "" if contract.end_s is None else f"Ends {numbers.date(contract.end_s - 1)}"
    term = numbers.counted(verdict.then_term_months, "month")
    count = f"{numbers.gpus(verdict.gpus)} of {numbers.gpus(contract.gpus)} {contract.gpu_model or 'GPUs'}"
    return ListRow(
        f"Renew {verdict.contract_id}{by}.",
        _sentences("The date has passed" if late else "", end, f"{count}, most for {term}"),
        icon="octagon" if late else "triangle",
        icon_role="red" if late else "amber",
        kind="contract",
        key=verdict.contract_id,
    )


_REASONS = {
    "contract_end": "when a contract ends",
    "lead_time": "as soon as lead time allows",
    "growth": "as demand grows",
}


def _later(orders: list[Order]) -> list[ListRow]:
    """One row a date on which something is to be ordered."""
    by_date: dict[int, list[Order]] = {}
    for order in sorted(orders, key=lambda order: order.order_by_s):
        by_date.setdefault(order.order_by_s, []).append(order)
    rows = []
    for order_by_s, group in by_date.items():
        models: dict[str, float] = {}
        for order in group:
            models[order.gpu_model or "GPUs"] = models.get(order.gpu_model or "GPUs", 0.0) + order.gpus
        what = ", ".join(f"{numbers.gpus(gpus)} {model}" for model, gpus in models.items())
        terms = sorted({order.term_months for order in group})
        span = numbers.counted(terms[0], "month") if len(terms) == 1 else f"{terms[0]} to {terms[-1]} months"
        reasons = ", ".join(dict.fromkeys(_REASONS.get(order.reason, order.reason) for order in group))
        start = numbers.date(min(order.start_s for order in group))
        rows.append(
            ListRow(
                f"Order by {numbers.date(order_by_s)}.",
                f"{what} for {span} from {start}, {reasons}.",
                icon="triangle",
                icon_role="amber",
                kind="contract",
                key="",
            )
        )
    return rows


def _spot(advice: Advice) -> list[ListRow]:
    rows = []
    for plan in advice.pools:
        for layer in plan.layers:
            if (
                layer.pricing_category in (PricingCategory.DYNAMIC, PricingCategory.MIXED)
                and layer.spot_share > 0
            ):
                rate = numbers.cents(layer.rate_usd_per_gpu_hour)
                rows.append(
                    ListRow(
                        f"Run {plan.pool} {plan.gpu_model or ''}".strip() + " on spot.",
                        f"{rate} per GPU-hour, lost work included"
                        + (
                            "."
                            if layer.spot_share > 0.9995
                            else f"; {numbers.percent(layer.spot_share)} of its hours."
                        ),
                        "" if layer.usd_per_month is None else numbers.change(layer.usd_per_month),
                        "burst",
                    )
                )
    return rows
