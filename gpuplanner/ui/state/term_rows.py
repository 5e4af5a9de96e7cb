"""Layers of one pool and model as rows of a table and bands of a chart."""

from collections.abc import Sequence

from gpuplanner.charts.kit.translation import speak, spoken, tr
from gpuplanner.domain.commitment import result
from gpuplanner.domain.commitment.plan.layers import as_one, mean_paid_gpus, mean_rate
from gpuplanner.domain.commitment.plan.row_notes import level_beyond_words
from gpuplanner.domain.commitment.plan.totals import is_priced_layer
from gpuplanner.domain.commitment.plan.twelve_months import LEAST_GPU_HOURS
from gpuplanner.domain.commitment.words.terms import term_name
from gpuplanner.domain.evidence.plan.layers import BY_USE, EXISTING
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.amounts import grouped, known_sum
from gpuplanner.domain.model.book.offer import Offer, is_owned
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.reports import plan_layers
from gpuplanner.files.system.resources import long_text
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.words import numbers


@dataclass(frozen=True, slots=True, kw_only=True)
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
    is_unserved: bool = False  # demand that nobody serves, in no $
    tip: str = ""
    note: str = ""  # when its first GPUs come, whose GPUs the existing ones are, or how many its offers have
    set_gpus: int | None = None  # as the planner set them, also where its offers have fewer or come later

    def __post_init__(self) -> None:
        speak(self, "name", "tip")

    @property
    def part(self) -> str:
        """The row of a trace: existing, a term in months, or by use with how it is bought."""
        if self.existing or self.is_unserved:
            return EXISTING if self.existing else "unserved"
        return str(self.term_months) if self.term_months else f"{BY_USE}-{self.category.value}"


def term_rows(plan: result.PoolPlan, offers: Sequence[Offer]) -> list[TermRow]:
    """Existing contracts, every term that can be bought (longest first), then what is priced by use."""
    rates = {offer.offer_id: offer.bare_rate for offer in offers}
    owned = frozenset(offer.offer_id for offer in offers if is_owned(offer))
    bought = _by_term(plan.layers)
    bound = {row.term_months: row for row in plan.break_even if row.term_months}
    rows = [
        TermRow(
            name=plan_layers.EXISTING_SHORTLY,
            term_months=None,
            gpus=layer.gpus,
            is_set=False,
            used=layer.utilization,
            break_even=None,
            rate=layer.rate,
            usd=layer.cost_per_month,
            category=layer.pricing_category,
            existing=True,
        )
        for layer in plan.layers
        if layer.existing
    ]
    set_gpus = {level.term_months: level.gpus for level in plan.by_hand.levels}
    for months in sorted({*bought, *bound, *set_gpus}, reverse=True):
        layer, term = bought.get(months), term_name(plan, months)
        limit = bound.get(months)
        beyond = plan.by_hand.beyond_of(months)
        offer_id: str | None = None
        rate: float | None = None
        if layer:
            offer_id, rate = layer.offer_id, layer.rate
        elif limit:
            offer_id, rate = limit.offer_id, rates.get(limit.offer_id)
        rows.append(
            TermRow(
                name=plan_layers.owned_words(term) if offer_id in owned else term,
                term_months=months,
                gpus=layer.gpus if layer else 0.0,
                is_set=True,
                used=layer.utilization if layer else None,
                break_even=limit.break_even if limit else None,
                rate=rate,
                usd=layer.cost_per_month if layer else 0.0,
                category=PricingCategory.COMMITTED,
                tip=held_words(layer) if layer else "",
                set_gpus=set_gpus.get(months),
                note=spoken(level_beyond_words(beyond)) if beyond else "",
            )
        )
    rows += [
        TermRow(
            name=plan_layers.layer_words(layer),
            term_months=0,
            gpus=layer.mean_gpus,
            is_set=False,
            used=None,
            break_even=None,
            rate=layer.rate,
            usd=layer.cost_per_month,
            category=layer.pricing_category,
        )
        for layer in plan.layers
        if not layer.existing and not layer.term_months
    ]
    lost = plan.unserved_gpu_hours / HOURS_PER_MONTH
    if lost * HOURS_PER_MONTH > LEAST_GPU_HOURS:
        tip = tr(long_text("unserved_hours", gpu_hours=numbers.whole(plan.unserved_gpu_hours)))
        rows.append(
            TermRow(
                name=tr("Unserved"),
                term_months=0,
                gpus=lost,
                is_set=False,
                used=None,
                break_even=None,
                rate=None,
                usd=0.0,
                category=PricingCategory.STANDARD,
                is_unserved=True,
                tip=tip,
            )
        )
    return rows


def held_words(layer: result.Layer) -> str:
    """For how much of next month a layer is held, where its order starts in it; empty where it is all of it."""
    if layer.paid_hours >= HOURS_PER_MONTH:
        return ""
    return tr(long_text("paid_hours", hours=numbers.whole(layer.paid_hours)))


def _by_term(layers: Sequence[result.Layer]) -> dict[int, result.Layer]:
    """One layer a term: what several offers make up together, at their mean rate."""
    bought = (layer for layer in layers if not layer.existing)
    alike = grouped((layer.term_months, layer) for layer in bought if layer.term_months)
    return {months: same[0] if len(same) == 1 else as_one(same) for months, same in alike.items()}


def total_row(plan: result.PoolPlan, rows: Sequence[TermRow], name: str) -> TermRow:
    """What the pool and model come to: GPUs paid for as a mean, how much of them is used, the mean rate."""
    rows = [row for row in rows if not row.is_unserved]
    gpus = sum(row.gpus for row in rows)
    has_prices = all(is_priced_layer(layer) for layer in plan.layers)
    paid = mean_paid_gpus(plan.layers)
    used = result.used_share(min(plan.demand.mean_gpus, paid), paid) if has_prices else None
    usd = known_sum(row.usd for row in rows)
    rate = mean_rate(plan.layers)
    return TermRow(
        name=name,
        term_months=None,
        gpus=gpus,
        is_set=False,
        used=used,
        break_even=None,
        rate=rate,
        usd=usd,
        category=PricingCategory.MIXED,
    )
