"""The layers of one pool and model as rows of a table and bands of a chart; no figure is worked out anew."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from gpuplanner.domain.commitment.evidence.plan_evidence import BY_USE, EXISTING
from gpuplanner.domain.commitment.layer_figures import as_one, mean_paid_gpus, mean_rate, used_share
from gpuplanner.domain.commitment.plan.totals import is_priced_layer
from gpuplanner.domain.commitment.result import Layer, PoolPlan
from gpuplanner.domain.commitment.words.term_names import term_name
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.owned import is_owned
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.ui.words.translation import speak, spoken, tr

USAGE_NAMES = {
    PricingCategory.STANDARD: titles.ON_DEMAND,
    PricingCategory.DYNAMIC: worded("Spot"),
    PricingCategory.MIXED: worded("On demand, spot"),
}


WHAT_THE_ADVICE_MINIMISES = worded(
    "The advice has the least expected cost over the whole horizon, with churn, price fall and volatility, not next "
    "month's bill: a longer term set by you can cost less in month 0, more later."
)
"""Said wherever levels set by hand stand beside the advice."""


@dataclass(frozen=True, slots=True)
class TermRow:
    """One row: GPUs bought (or their mean, for what is used as it comes), and what stands beside them."""

    name: Text
    term_months: int | None
    gpus: float
    is_set: bool  # whether a planner may set it
    used: float | None
    break_even: float | None
    rate: float | None
    usd: float | None
    category: PricingCategory
    existing: bool = False

    def __post_init__(self) -> None:
        speak(self, "name")

    @property
    def part(self) -> str:
        """The row of a trace: existing, a term in months, or by use with how it is bought."""
        if self.existing:
            return EXISTING
        return str(self.term_months) if self.term_months else f"{BY_USE}-{self.category.value}"


def term_rows(plan: PoolPlan, offers: Sequence[Offer]) -> list[TermRow]:
    """Existing contracts, every term that can be bought (longest first), then what is priced by use."""
    rates = {offer.offer_id: offer.rate for offer in offers}
    owned = frozenset(offer.offer_id for offer in offers if is_owned(offer))
    bought = _by_term(plan.layers)
    bound = {row.term_months: row for row in plan.break_even if row.term_months}
    rows = [
        TermRow(tr("Existing"), None, layer.gpus, False, layer.utilization, None, layer.rate,
                layer.cost_per_month, layer.pricing_category, True)
        for layer in plan.layers
        if layer.existing
    ]  # fmt: skip
    for months in sorted({*bought, *bound}, reverse=True):
        layer = bought.get(months)
        limit = bound.get(months)
        rows.append(
            TermRow(
                _term_name(
                    spoken(term_name(plan, months)),
                    layer.offer_id if layer else limit.offer_id if limit else None,
                    owned,
                ),
                months,
                layer.gpus if layer else 0.0,
                True,
                layer.utilization if layer else None,
                limit.break_even if limit else None,
                layer.rate if layer else rates.get(limit.offer_id) if limit else None,
                layer.cost_per_month if layer else 0.0,
                PricingCategory.COMMITTED,
            )
        )
    rows += [
        TermRow(USAGE_NAMES.get(layer.pricing_category, tr(titles.ON_DEMAND)) if is_priced_layer(layer)
                else tr("No price yet"), 0, layer.mean_gpus, False, None, None,
                layer.rate, layer.cost_per_month, layer.pricing_category)
        for layer in plan.layers
        if not layer.existing and not layer.term_months
    ]  # fmt: skip
    return rows


def _term_name(term: str, offer_id: str | None, owned: Collection[str]) -> str:
    """12 months; 48 months, owned, where GPUs of our own are the only or the cheapest offer of the term."""
    return tr("{term}, owned", term=term) if offer_id in owned else term


def _by_term(layers: Sequence[Layer]) -> dict[int, Layer]:
    """One layer a term: what several offers make up together, at their mean rate."""
    alike: dict[int, list[Layer]] = {}
    for layer in layers:
        if not layer.existing and layer.term_months:
            alike.setdefault(layer.term_months, []).append(layer)
    return {months: mine[0] if len(mine) == 1 else as_one(mine) for months, mine in alike.items()}


def total_row(plan: PoolPlan, rows: Sequence[TermRow], name: str) -> TermRow:
    """What the pool and model come to: GPUs paid for as a mean, how much of them is used, the mean rate."""
    gpus = sum(row.gpus for row in rows)
    has_prices = all(is_priced_layer(layer) for layer in plan.layers)
    paid = mean_paid_gpus(plan.layers)
    used = used_share(min(plan.mean_gpus, paid), paid) if has_prices else None
    usd = known_sum(row.usd for row in rows)
    return TermRow(name, None, gpus, False, used, None, mean_rate(plan.layers), usd, PricingCategory.MIXED)
