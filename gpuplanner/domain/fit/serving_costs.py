"""Cost of sized inference: the cheapest offer whose hardware fits each row, by month and by million tokens."""

from collections.abc import Iterable, Mapping, Sequence
from math import inf
from typing import Final

from gpuplanner.domain.figures.figure import by_row, floats
from gpuplanner.domain.figures.serving import SIZING
from gpuplanner.domain.fit.rules import Need, cheapest, eligible_offers, steady_offers
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.serving.load import Load
from gpuplanner.domain.serving.sizing import SizedRow
from gpuplanner.lazy_dataclass import dataclass

BY_THE_HOUR: Final = 0
"""As a term: no commitment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingCost:
    """A sized row with its GPUs and $, by the keys of their figures; None: nobody offers it, or its size is not known.

    offer: the cheapest by the hour, or of the term that is asked for (inference never uses spot). on_demand: the
    cheapest by the hour. inputs: what went into the figures, by key. api_from, hosting_from: of provisioned throughput
    the requests a month from which it costs no more than the API, and hosting no more than it; None: at no traffic, or
    not known.
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
    api_from: float | None = None
    hosting_from: float | None = None

    @property
    def rate(self) -> float | None:
        """$ per GPU-hour of the offer, what is paid upfront spread over its term.

        None where no offer holds the row.
        """
        return self.inputs["rate"]

    @property
    def upfront(self) -> float | None:
        """$ paid at once for all GPUs of the row; 0 where the offer asks for none; None without an offer or GPUs."""
        return None if self.offer is None or self.gpus_peak is None else self.offer.upfront * self.gpus_peak


FIGURES: Final = tuple(
    row.key for row in SIZING.figures if row.formula is not None and row.key not in SizedRow.__slots__
)
"""Those that hang on offers and GPUs; a sized row has its memory and first token."""


def cost_rows(
    rows: Iterable[SizedRow], load: Load, offers: Sequence[Offer], term_months: int | None
) -> tuple[ServingCost, ...]:
    """Every row with the offers of its GPU model that fit it, in the order of the rows.

    term_months: of the commitment that is asked for; None: whichever costs least. A row that does not fit, or of which
    nobody knows it, has no offer. Offers keep their rates: no month of growth or fall is counted.
    Source: docs/formulas/sizing.md.
    """
    bought: dict[tuple[str, float | None], _Bought] = {}
    held = []
    for row in rows:
        chip = (row.gpu_model, row.gpu_memory_gb)
        if chip not in bought:
            bought[chip] = _bought(_offers_of(offers, *chip), term_months)
        offer, on_demand, rates = bought[chip] if row.fits else NOT_BOUGHT
        held.append((row, offer, on_demand, rates | _inputs(row, load)))
    if not held:
        return ()
    columns = {key: floats([inputs[key] for *_, inputs in held]) for key in held[0][-1]}
    figures = SIZING.worked_out(columns, FIGURES)
    values = by_row({key: figures[key] for key in FIGURES})
    return tuple(_with_figures(*pair, row) for pair, row in zip(held, values, strict=True))


_Bought = tuple[Offer | None, Offer | None, dict[str, float | None]]
NOT_BOUGHT: Final[_Bought] = (None, None, {"rate": None, "on_demand_rate": None})


def _bought(fitting: Sequence[Offer], term_months: int | None) -> _Bought:
    """The offer that is taken, the cheapest by the hour, and their rates as figures take them."""
    on_demand = cheapest(fitting, PricingCategory.STANDARD)
    offer = on_demand if term_months == BY_THE_HOUR else _of_term(fitting, term_months)
    by_hour = None if on_demand is None else on_demand.rate
    return offer, on_demand, {"rate": None if offer is None else offer.spread_rate, "on_demand_rate": by_hour}


def _of_term(offers: Sequence[Offer], term_months: int | None) -> Offer | None:
    """The cheapest commitment of a term, or of all ways to pay; None without one."""
    of_term = (offer for offer in offers if term_months in (None, offer.term_months))
    return next(iter(steady_offers(of_term)), None)


def terms_of_offers(offers: Iterable[Offer]) -> tuple[int, ...]:
    """Terms in months that may be asked for: by the hour, and every one that a priced offer has, shortest first."""
    priced = steady_offers(offers)
    return tuple(sorted({BY_THE_HOUR, *(offer.term_months for offer in priced)}))


def _offers_of(offers: Iterable[Offer], gpu_model: str, memory_gb: float | None) -> tuple[Offer, ...]:
    """Offers of a GPU model, whatever its case, whose hardware is not red for inference and has the memory that is
    counted on; one that states none has the model's.
    """
    folded, least = gpu_model.casefold(), memory_gb or 0.0
    return tuple(
        offer
        for offer in offers
        if offer.gpu_model.casefold() == folded
        and (offer.gpu_memory_gb is None or offer.gpu_memory_gb >= least)
        and eligible_offers((offer,), Need(Pool.INFERENCE, offer.gpu_model))
    )


def _inputs(row: SizedRow, load: Load) -> dict[str, float | None]:
    """What goes into the figures of a row beside its rates, by key; None where it is not known."""
    return {
        "tensor_parallel": row.tensor_parallel,
        "replicas_peak": row.replicas_peak,
        "month_hours": HOURS_PER_MONTH,
        "gpu_hours_per_month_autoscaled": row.gpu_hours_per_month_autoscaled,
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
    return ServingCost(
        row=row,
        offer=offer,
        on_demand=on_demand,
        inputs=inputs,
        gpus_peak=None if gpus is None else int(gpus),
        **others,
    )


def cost_sort_key(cost: ServingCost) -> tuple[float, int]:
    """Key for sorting: fewest $ first, what has no price last."""
    return inf if cost.cost_per_month is None else cost.cost_per_month, cost.gpus_peak or 0
