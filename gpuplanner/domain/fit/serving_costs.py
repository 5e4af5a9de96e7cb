"""What sized inference costs: the cheapest offer whose hardware fits, by the month and by the million tokens."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gpuplanner.domain.fit.eligibility import Need, cheapest, cheapest_steady, eligible_offers
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.pool import Pool, PricingCategory
from gpuplanner.domain.serving.load import Load
from gpuplanner.domain.serving.memory import BYTES_BY_PRECISION
from gpuplanner.domain.serving.sizing import SizedRow


@dataclass(frozen=True, slots=True)
class ServingCost:
    """A sized row with its $; None: nobody offers it, or its size is not known.

    offer: the cheapest that nobody takes back (on demand or committed; inference never uses spot). on_demand: the
    cheapest by the hour. tokens_per_month: those of the load, read and generated.
    """

    row: SizedRow
    offer: Offer | None
    on_demand: Offer | None
    tokens_per_month: float

    @property
    def rate(self) -> float | None:
        """$ per GPU-hour of the offer.

        None where no offer holds the row.
        """
        return None if self.offer is None else self.offer.rate

    @property
    def usd_per_month(self) -> float | None:
        """$ of holding the peak's replicas all month.

        A month is 730 h. None where there is no offer, or where the size is not known.
        """
        return _product(self.row.gpu_hours_per_month_flat, self.rate)

    @property
    def usd_per_month_autoscaled(self) -> float | None:
        """$ of what a perfect autoscaler rents by the hour, on demand: a commitment is paid whatever runs.

        A month is 730 h. None where nothing is offered on demand, or where the size is not known.
        """
        rate = None if self.on_demand is None else self.on_demand.rate
        return _product(self.row.gpu_hours_per_month_autoscaled, rate)

    @property
    def peak_provisioning_usd_per_month(self) -> float | None:
        """The leak: $ of the GPU-hours that are held for the peak and not needed, at the rate that is paid for them.

        Units: $ a month. None where either part is unknown.
        """
        return _product(self.row.peak_provisioning_gpu_hours, self.rate)

    @property
    def usd_per_million_tokens(self) -> float | None:
        """$ of the month over its tokens, read and generated.

        Held GPUs count whether they are busy or not. None where the month's $ are unknown or it has no
        tokens.
        """
        usd, tokens = self.usd_per_month, self.tokens_per_month
        return None if usd is None or not tokens else usd / tokens * 1e6


def cost_rows(rows: Iterable[SizedRow], load: Load, offers: Sequence[Offer]) -> tuple[ServingCost, ...]:
    """Every row with the offers of its GPU model that fit it, in the order of the rows.

    A row that does not fit, or of which nobody knows it, has no offer. Offers keep their rates: no month of
    growth or fall is counted.
    Source: docs/formulas.md, Inference sizing.
    """
    found: dict[str, tuple[Offer, ...]] = {}
    answer = []
    for row in rows:
        if row.gpu_model not in found:
            found[row.gpu_model] = _offers_of(offers, row.gpu_model)
        fitting = [offer for offer in found[row.gpu_model] if _holds(offer, row)] if row.fits else []
        answer.append(
            ServingCost(
                row,
                cheapest_steady(fitting),
                cheapest(fitting, PricingCategory.STANDARD),
                load.tokens_per_month,
            )
        )
    return tuple(answer)


def best_row(costs: Iterable[ServingCost]) -> ServingCost | None:
    """The row of least $ a month in the widest precision that has one; ties: fewer GPUs, then the row's id.

    Quantised weights are another model, so a narrower precision is the advice only where no wider one can be had. A
    row whose queue never settles is no answer; one without its prefill (is_bound) may need more than it says.
    """
    known = [
        cost
        for cost in costs
        if cost.usd_per_month is not None and not cost.row.is_unstable and not cost.row.is_bound
    ]
    widest = max((BYTES_BY_PRECISION[cost.row.precision] for cost in known), default=0.0)
    known = [cost for cost in known if BYTES_BY_PRECISION[cost.row.precision] == widest]
    return min(
        known,
        key=lambda cost: (cost.usd_per_month or 0.0, cost.row.gpus_peak or 0, cost.row.row_id),
        default=None,
    )


def _offers_of(offers: Iterable[Offer], gpu_model: str) -> tuple[Offer, ...]:
    """Offers of a GPU model, whatever its case, whose hardware is not red for inference."""
    folded = gpu_model.casefold()
    of_model = (offer for offer in offers if offer.gpu_model.casefold() == folded)
    return tuple(
        offer for offer in of_model if eligible_offers((offer,), Need(Pool.INFERENCE, offer.gpu_model))
    )


def _holds(offer: Offer, row: SizedRow) -> bool:
    """Whether the offer's GPUs have the memory that the row counts on; one that states none has the model's."""
    if offer.gpu_memory_gb is None or row.gpu_memory_gb is None:
        return True
    return offer.gpu_memory_gb >= row.gpu_memory_gb


def _product(hours: float | None, rate: float | None) -> float | None:
    return None if hours is None or rate is None else hours * rate
