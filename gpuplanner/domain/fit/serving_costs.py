"""What sized inference costs: the cheapest offer whose hardware fits, by the month and by the million tokens."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.figures.columns import by_row, floats
from gpuplanner.domain.figures.serving import SIZING
from gpuplanner.domain.fit.eligibility import Need, cheapest, cheapest_steady, eligible_offers
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.pool import Pool, PricingCategory
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.serving.load import Load
from gpuplanner.domain.serving.memory import BYTES_BY_PRECISION
from gpuplanner.domain.serving.sizing import SizedRow


@dataclass(frozen=True, slots=True)
class ServingCost:
    """A sized row with its GPUs and $, by the keys of their figures; None: nobody offers it, or its size is not known.

    offer: the cheapest that nobody takes back (on demand or committed; inference never uses spot). on_demand: the
    cheapest by the hour. inputs: what went into the figures, by key.
    """

    row: SizedRow
    offer: Offer | None
    on_demand: Offer | None
    inputs: Mapping[str, float | None]
    gpus_peak: int | None
    gpu_hours_per_month_flat: float | None
    peak_provisioning_gpu_hours: float | None
    cost_per_month: float | None
    needed_per_month: float | None
    autoscaled_per_month: float | None
    peak_provisioning_per_month: float | None
    cost_per_million_tokens: float | None

    @property
    def rate(self) -> float | None:
        """$ per GPU-hour of the offer, what is paid upfront spread over its term.

        None where no offer holds the row.
        """
        return self.inputs["rate"]


FIGURES: Final = tuple(
    one.key for one in SIZING.figures if one.formula is not None and one.key not in SizedRow.__slots__
)
"""Those that hang on offers and GPUs; a sized row has its memory and first token."""


def cost_rows(rows: Iterable[SizedRow], load: Load, offers: Sequence[Offer]) -> tuple[ServingCost, ...]:
    """Every row with the offers of its GPU model that fit it, in the order of the rows.

    A row that does not fit, or of which nobody knows it, has no offer. Offers keep their rates: no month of
    growth or fall is counted.
    Source: docs/formulas.md, Inference sizing.
    """
    found: dict[str, tuple[Offer, ...]] = {}
    held = []
    for row in rows:
        if row.gpu_model not in found:
            found[row.gpu_model] = _offers_of(offers, row.gpu_model)
        fitting = [offer for offer in found[row.gpu_model] if _holds(offer, row)] if row.fits else []
        offer, on_demand = cheapest_steady(fitting), cheapest(fitting, PricingCategory.STANDARD)
        held.append((row, offer, on_demand, _inputs(row, offer, on_demand, load)))
    if not held:
        return ()
    columns = {key: floats([inputs[key] for *_, inputs in held]) for key in held[0][-1]}
    figures = SIZING.worked_out(columns, FIGURES)
    values = by_row({key: figures[key] for key in FIGURES})
    return tuple(_with_figures(*one, row) for one, row in zip(held, values, strict=True))


def best_row(costs: Iterable[ServingCost]) -> ServingCost | None:
    """The row of least $ a month in the widest precision that has one; ties: fewer GPUs, then the row's id.

    Quantised weights are another model, so a narrower precision is the advice only where no wider one can be had. A
    row whose queue never settles is no answer; one without its prefill (is_bound) may need more than it says.
    """
    known = [
        cost
        for cost in costs
        if cost.cost_per_month is not None and not cost.row.is_unstable and not cost.row.is_bound
    ]
    widest = max((BYTES_BY_PRECISION[cost.row.precision] for cost in known), default=0.0)
    known = [cost for cost in known if BYTES_BY_PRECISION[cost.row.precision] == widest]
    return min(
        known,
        key=lambda cost: (cost.cost_per_month or 0.0, cost.gpus_peak or 0, cost.row.row_id),
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


def _inputs(
    row: SizedRow, offer: Offer | None, on_demand: Offer | None, load: Load
) -> Mapping[str, float | None]:
    """What goes into the figures of a row, by key; None where it is not known or not offered."""
    return {
        "tensor_parallel": row.tensor_parallel,
        "replicas_peak": row.replicas_peak,
        "month_hours": HOURS_PER_MONTH,
        "gpu_hours_per_month_autoscaled": row.gpu_hours_per_month_autoscaled,
        "rate": None if offer is None else offer.spread_rate,
        "on_demand_rate": None if on_demand is None else on_demand.rate,
        "tokens_per_month": load.tokens_per_month,
    }


def _with_figures(
    row: SizedRow,
    offer: Offer | None,
    on_demand: Offer | None,
    inputs: Mapping[str, float | None],
    figures: Mapping[str, float | None],
) -> ServingCost:
    """The row with its figures; GPUs are whole, as replicas are."""
    gpus = figures["gpus_peak"]
    others = {key: value for key, value in figures.items() if key != "gpus_peak"}
    return ServingCost(row, offer, on_demand, inputs, None if gpus is None else int(gpus), **others)
