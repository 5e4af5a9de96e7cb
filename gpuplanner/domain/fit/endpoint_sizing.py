"""What is sized for one endpoint of a project, and the cheapest offer that serves it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.figures.figure import by_row, floats
from gpuplanner.domain.figures.serving import SIZING
from gpuplanner.domain.fit.rules import Need, cheapest, cheapest_steady, eligible_offers
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.places import NOTHING_CHOSEN, ServedModel, ServingChoice
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import GpuModel, Pool, PricingCategory
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.serving import sizing
from gpuplanner.domain.serving.replica import BYTES_BY_PRECISION

# --- What sized inference costs: the cheapest offer whose hardware fits, by the month and by the million tokens


@dataclass(frozen=True, slots=True)
class ServingCost:
    """A sized row with its GPUs and $, by the keys of their figures; None: nobody offers it, or its size is not known.

    offer: the cheapest that nobody takes back (on demand or committed; inference never uses spot). on_demand: the
    cheapest by the hour. inputs: what went into the figures, by key.
    """

    row: sizing.SizedRow
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
    one.key for one in SIZING.figures if one.formula is not None and one.key not in sizing.SizedRow.__slots__
)
"""Those that hang on offers and GPUs; a sized row has its memory and first token."""


def cost_rows(
    rows: Iterable[sizing.SizedRow], load: sizing.Load, offers: Sequence[Offer]
) -> tuple[ServingCost, ...]:
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


def _holds(offer: Offer, row: sizing.SizedRow) -> bool:
    """Whether the offer's GPUs have the memory that the row counts on; one that states none has the model's."""
    if offer.gpu_memory_gb is None or row.gpu_memory_gb is None:
        return True
    return offer.gpu_memory_gb >= row.gpu_memory_gb


def _inputs(
    row: sizing.SizedRow, offer: Offer | None, on_demand: Offer | None, load: sizing.Load
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
    row: sizing.SizedRow,
    offer: Offer | None,
    on_demand: Offer | None,
    inputs: Mapping[str, float | None],
    figures: Mapping[str, float | None],
) -> ServingCost:
    """The row with its figures; GPUs are whole, as replicas are."""
    gpus = figures["gpus_peak"]
    others = {key: value for key, value in figures.items() if key != "gpus_peak"}
    return ServingCost(row, offer, on_demand, inputs, None if gpus is None else int(gpus), **others)


# --- What is sized for one endpoint of a project: its model, its load, every row with its $, and the row that is drawn


@dataclass(frozen=True, slots=True)
class EndpointSizing:
    """One endpoint (an empty key: none of the log). costs: every GPU model, precision and tensor parallelism.

    terms: what was assumed. best: the row of least cost; None where no row has a price.
    Source: docs/formulas.md, Inference sizing.
    """

    key: str
    choice: ServingChoice
    model: ServedModel
    load: sizing.Load
    terms: sizing.ServingTerms
    costs: tuple[ServingCost, ...]
    best: ServingCost | None

    @property
    def drawn(self) -> ServingCost | None:
        """The row that the planner chose; else that of least cost; else of fewest GPUs; None where nothing fits.

        Rows whose prefill is not known (is_bound) are not drawn for their few GPUs: they may need more.
        """
        choice = self.choice
        wanted = self.row(choice.gpu_model, choice.precision, choice.tensor_parallel)
        if wanted is not None or self.best is not None:
            return wanted or self.best
        fitting = [cost for cost in self.costs if cost.gpus_peak is not None and not cost.row.is_bound]
        return min(fitting, key=lambda cost: (cost.gpus_peak or 0, cost.row.row_id), default=None)

    def row(self, gpu_model: str, precision: str, tensor_parallel: int) -> ServingCost | None:
        """One row; None where there is none of that name.

        The GPU model is found whatever its case; precision and GPUs of a replica must be the same.
        """
        wanted = (gpu_model.casefold(), precision, tensor_parallel)
        for cost in self.costs:
            row = cost.row
            if (row.gpu_model.casefold(), row.precision, row.tensor_parallel) == wanted:
                return cost
        return None

    def replicas_by_hour(self, cost: ServingCost) -> tuple[int, ...] | None:
        """What a perfect autoscaler holds of a row in each hour of the load; None where its size is not known.

        One number for each of load.hours, at the headroom of the terms.
        """
        mu = cost.row.requests_per_s
        return None if mu is None else sizing.replicas_by_hour(self.load, mu, self.terms.headroom)


def load_of_endpoint(project: Project, key: str, assumptions: Assumptions) -> sizing.Load | None:
    """The requests of an endpoint: those of a week where one was read, else its traffic; None without either.

    key: of the workload; an empty key is the endpoint that stands beside the log.
    Tokens of a request are as assumed where the file does not say. None, too, where the traffic says no
    number of requests.
    """
    week = project.serving.get(key, NOTHING_CHOSEN).week
    read = week if week is not None else project.traffic.get(key)
    return None if read is None else sizing.load_of(read, assumptions)


def size_endpoint(
    project: Project,
    key: str,
    assumptions: Assumptions,
    offers: Sequence[Offer],
    gpu_models: Sequence[GpuModel],
) -> EndpointSizing | None:
    """The sizing of an endpoint; None where its model or its requests are not known.

    key: as in `load_of_endpoint`. offers: those of the price book in force, which price the rows and may name
    further GPU models.
    Source: docs/formulas.md, Inference sizing.
    """
    choice = project.serving.get(key, NOTHING_CHOSEN)
    load = load_of_endpoint(project, key, assumptions)
    if choice.model is None or load is None:
        return None
    terms = sizing.terms_of(assumptions)
    rows = sizing.size_rows(choice.model, load, sizing.serving_gpus(gpu_models, offers), terms)
    costs = cost_rows(rows, load, offers)
    return EndpointSizing(key, choice, choice.model, load, terms, costs, best_row(costs))
