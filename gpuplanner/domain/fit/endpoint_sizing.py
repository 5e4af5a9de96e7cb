"""What is sized for one endpoint of a project, the cheapest offer that serves it, and what else hosting may cost."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil, inf, nan
from typing import Any, Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.figures.figure import by_row, floats
from gpuplanner.domain.figures.serving import SIZING
from gpuplanner.domain.figures.typed import amount, whole
from gpuplanner.domain.fit.needs import load_of_endpoint
from gpuplanner.domain.fit.rules import Need, cheapest, eligible_offers, steady_offers
from gpuplanner.domain.fit.workload_fit import main_models
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import DAY_HOURS
from gpuplanner.domain.model.places import NO_PLACES, NOTHING_CHOSEN, Places, ServedModel, ServingChoice
from gpuplanner.domain.model.plan.planned_work import ALWAYS, PlannedWork
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.serving.autoscaling import Replay, replay_row
from gpuplanner.domain.serving.load import Load, shape_of_week
from gpuplanner.domain.serving.placement import Placement, current_placement, placement_of
from gpuplanner.domain.serving.ratios import Compared, SpeedRatio, compared, corrections, speed_ratios
from gpuplanner.domain.serving.regions import Regional, regional
from gpuplanner.domain.serving.replicas import NEARLY, ServingTerms, replicas_by_hour, terms_of
from gpuplanner.domain.serving.sizing import Correction, RowId, SizedRow, rated_rows, size_rows
from gpuplanner.domain.serving.speed import BYTES_BY_PRECISION, ServingTables, serving_gpus
from gpuplanner.lazy_dataclass import dataclass, field, replace

# --- Hosting beside what it may be weighed against ------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiOffer:
    """What an API would cost in place of hosting. usd_per_million_*: tokens read, tokens generated.

    break_even_requests_per_month: from so many on hosting costs no more, the replicas held that they ask for;
    break_even_requests_per_s: at the peak, where it is as much above the mean as it is now. None: the API costs less
    at any traffic, or nobody offers the GPUs.
    """

    usd_per_million_in: float
    usd_per_million_out: float
    usd_per_month: float
    break_even_requests_per_month: float | None
    break_even_requests_per_s: float | None


Until = Callable[[Floats], Floats]


def _from(
    load: Load, row: SizedRow, rate: float | None, request_usd: float, spare: int | None, *more: Any
) -> float | None:
    """`break_even_requests` of the replicas of a row, rate in $ per GPU-hour; None where it is not known."""
    if rate is None or not row.replicas_asked or not load.requests_per_month:
        return None
    usd = rate * row.tensor_parallel * HOURS_PER_MONTH
    return break_even_requests(request_usd, load.requests_per_month / row.replicas_asked, usd, spare, *more)


def api_offer(
    load: Load, row: SizedRow, assumptions: Assumptions, rate: float | None, spare: int | None
) -> ApiOffer | None:
    """An API at the assumed prices; None where they are not set. rate: $ per GPU-hour of the row; spare: replicas.

    Source: docs/formulas/sizing.md.
    """
    usd_in, usd_out = assumptions.serving_api_usd_in, assumptions.serving_api_usd_out
    if usd_in is None or usd_out is None:
        return None
    usd = (load.context_tokens * usd_in + load.generated_tokens * usd_out) / 1e6  # of a request
    requests = _from(load, row, rate, usd, spare)
    peak = None if requests is None else requests / load.requests_per_month * load.peak_requests_per_s
    return ApiOffer(
        usd_per_million_in=usd_in,
        usd_per_million_out=usd_out,
        usd_per_month=usd * load.requests_per_month,
        break_even_requests_per_month=requests,
        break_even_requests_per_s=peak,
    )


MOST_STEPS: Final = 1_000_000


def break_even_requests(
    request_usd: float,
    requests: float,
    usd: float,
    spare: int | None,
    least: int = 1,
    until: Until | None = None,
) -> float | None:
    """Requests a month from which replicas never cost more than the API; None: however many there are they may.

    requests: a month, of one replica; usd: a month. spare None: one where there are two or more; least: that are sold.
    until: in place of the API, the most requests for which something else costs less than so many $, whose requests
    cost request_usd in the long run. Law: a further replica that has hardly anything to do makes hosting cost most, so
    that the last such step decides.

    >>> break_even_requests(0.001, 3_000_000, 1_000, 0), break_even_requests(0.001, 1_500_000, 1_000, None)
    (1000000.0, 5000000.0)
    >>> break_even_requests(0.001, 500_000, 1_000, 0)
    """
    full_usd, beside = requests * request_usd, 1 if spare is None else spare
    steps = inf if full_usd <= usd else (beside * usd + full_usd) / (full_usd - usd)
    if steps > MOST_STEPS:
        return None
    count = np.arange(1, max(ceil(steps), least) + 1)
    held = usd * np.maximum(count + np.where(count > 1, beside, spare or 0), least)
    most = np.minimum(count * requests, until(held) if until else held / request_usd)
    return float(most[most > (count - 1) * requests * (1 + NEARLY)].max(initial=0.0))


@dataclass(frozen=True, slots=True)
class ShorterWay:
    """Sites that bring the answer sooner than those of today. ms_saved: there and back, over the top 80% of users."""

    sites: tuple[str, ...]
    ms_saved: float
    usd_per_month: float


def shorter_ways(placement: Placement, load: Load, assumptions: Assumptions) -> tuple[ShorterWay, ...]:
    """What the best sites of each number are worth by what the planner states of 100 ms; none where nothing is stated.

    Source: docs/formulas/sizing.md.
    """
    usd, share = assumptions.serving_usd_per_request, assumptions.serving_completions_per_100_ms
    now_ms = placement.today.current.round_trip_ms
    if usd is None or share is None or now_ms is None:
        return ()
    per_ms = load.requests_per_month * usd * share / 100
    return tuple(
        ShorterWay(sites.sites, now_ms - sites.round_trip_ms, per_ms * (now_ms - sites.round_trip_ms))
        for sites in placement.proposed
        if sites.round_trip_ms is not None and sites.round_trip_ms < now_ms
    )


# --- What sized inference costs: the cheapest offer whose hardware fits, by the month and by the million tokens


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


BY_THE_HOUR: Final = 0
"""As a term: no commitment."""


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
        of = (row.gpu_model, row.gpu_memory_gb)
        if of not in bought:
            bought[of] = _bought(_offers_of(offers, *of), term_months)
        offer, on_demand, rates = bought[of] if row.fits else NOT_BOUGHT
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


# --- Throughput that a provider sells by the unit

PROVISIONED: Final = "provisioned"
"""Where a precision would stand: the provider chooses the hardware."""


def provisioned_cost(sizing: "EndpointSizing", offer: Offer, per_unit: float) -> ServingCost:
    """An offer of provisioned throughput, its units as replicas. per_unit: tokens a minute.

    Units hold the tokens of the peak, read and generated, and are no fewer than are sold. Traffic from which it costs
    no more than the API, and from which hosting the best row costs no more than it.
    Source: docs/formulas/sizing.md, Comparisons.
    """
    load, best, least, rate = sizing.load, sizing.best, offer.min_gpus or 1, offer.spread_rate or nan
    asked = load.peak_requests_per_s * load.tokens_per_request * 60 / per_unit
    units = max(ceil(asked * (1 - NEARLY)), least)
    row = SizedRow(
        gpu_model=offer.offer_id,
        precision=PROVISIONED,
        tensor_parallel=1,
        fits=True,
        replicas_peak=units,
        replicas_asked=asked,
    )
    sold = replace(offer, gpu_model=offer.offer_id, tokens_per_minute_per_unit=None)
    [cost] = cost_rows([row], load, [sold], offer.term_months)
    unit, usd = load.requests_per_month / asked, rate * HOURS_PER_MONTH

    def served(below: Floats) -> Floats:
        return unit * np.where(below > least * usd, np.ceil(below / usd * (1 - NEARLY)) - 1, 0.0)

    api, spare = api_offer(load, row, sizing.assumptions, None, 0), sizing.terms.spare
    api_from = (
        None if api is None else _from(load, row, rate, api.usd_per_month / load.requests_per_month, 0, least)
    )
    hosting_from = None if best is None else _from(load, best.row, best.rate, usd / unit, spare, 1, served)
    held = replace(cost, gpus_peak=None, gpu_hours_per_month_flat=None)
    return replace(held, api_from=api_from, hosting_from=hosting_from)


def _plain(name: str) -> str:
    """A model's name without case and punctuation."""
    return "".join(filter(str.isalnum, name.casefold()))


# --- Which row is advised, which is the runner-up and why it lost, and which comes nearest where none meets the targets


@dataclass(frozen=True, slots=True)
class Beside:
    """A row that is not the advice, and why."""

    cost: ServingCost
    why: Text


def best_row(costs: Iterable[ServingCost]) -> ServingCost | None:
    """The row of least $ a month that keeps the targets, in the widest precision that has one.

    Ties: a measured GPU model before one that nobody measured, fewer GPUs, then the row's id. Quantised weights are
    another model, so a narrower precision is the advice only where that of the model cannot be had. A row whose queue
    never settles is no answer.
    """
    return next(iter(_in_order(costs)), None)


def _in_order(costs: Iterable[ServingCost]) -> list[ServingCost]:
    """The rows that can be had and keep the targets, the advised first."""
    known = [
        cost
        for cost in costs
        if cost.cost_per_month is not None and not cost.row.is_unstable and cost.row.meets_target is not False
        if not cost.row.is_rewritten
    ]

    def order(cost: ServingCost) -> tuple[float, float, bool, int, RowId]:
        width = BYTES_BY_PRECISION.get(cost.row.precision, 0.0)
        usd = cost.cost_per_month or 0.0
        return (-width, usd, cost.row.is_assumed, cost.gpus_peak or 0, cost.row.row_id)

    return sorted(known, key=order)


def runner_up(costs: Iterable[ServingCost]) -> Beside | None:
    """The cheapest row on another GPU model, or else in another shape, and what it lost by; None without one."""
    ranked = _in_order(costs)
    if len(ranked) < 2:
        return None
    best, others = ranked[0], ranked[1:]
    same_width = [other for other in others if other.row.precision == best.row.precision] or others
    second = next((other for other in same_width if other.row.gpu_model != best.row.gpu_model), same_width[0])
    more = (second.cost_per_month or 0.0) - (best.cost_per_month or 0.0)
    if more < 0:
        why = worded(
            "{usd} less per month with {precision} weights: another model, test its answers",
            usd=amount(-more),
            precision=second.row.precision,
        )
    else:
        why = worded(
            "{usd} more per month: {gpus} GPUs at {rate} per GPU-hour",
            usd=amount(more),
            gpus=whole(second.gpus_peak or 0),
            rate=amount(second.rate or 0.0, 2),
        )
    return Beside(second, why)


def nearest_row(costs: Iterable[ServingCost]) -> Beside | None:
    """Of rows that all miss a target the one that misses least, and by how much; None where one keeps them all."""
    every = [cost for cost in costs if cost.row.missed_by is not None and not cost.row.is_rewritten]
    if not every or any(cost.row.meets_target for cost in every):
        return None
    cost = min(every, key=lambda cost: (cost.row.missed_by or 0.0, cost.row.row_id))
    return Beside(cost, cost.row.why)


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


# --- What is sized for one endpoint of a project: its model, its load, every row with its $, and the row that is drawn


def cost_sort_key(cost: ServingCost) -> tuple[float, int]:
    """Key for sorting: fewest $ first, what has no price last."""
    return inf if cost.cost_per_month is None else cost.cost_per_month, cost.gpus_peak or 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointSizing:
    """One endpoint (an empty key: none of the log). costs: every GPU model, precision and tensor parallelism.

    terms: what was assumed. best: the row of least cost; None where no row has a price. cheaper: the row of least cost
    at whichever term, where it costs less. offered_terms: in months, that rates may be asked for; 0 is by the hour.
    measured: of the planner's own, beside the formula. ratios: of other GPU
    models against that of the drawn row. shorter_ways: what other sites are worth, where the planner states it.
    provisioned: throughput by the unit, beside the rows.
    Source: docs/formulas/sizing.md.
    """

    key: str
    choice: ServingChoice
    load: Load
    terms: ServingTerms
    costs: tuple[ServingCost, ...]
    best: ServingCost | None
    offered_terms: tuple[int, ...] = (BY_THE_HOUR,)
    places: Places = NO_PLACES
    assumptions: Assumptions = field(default_factory=Assumptions)
    measured: tuple[Compared, ...] = ()
    ratios: tuple[SpeedRatio, ...] = ()
    shorter_ways: tuple[ShorterWay, ...] = ()
    provisioned: tuple[ServingCost, ...] = ()
    cheaper: ServingCost | None = None

    @property
    def every(self) -> tuple[ServingCost, ...]:
        """All rows, hosted or provisioned."""
        return (*self.costs, *self.provisioned)

    @property
    def model(self) -> ServedModel | None:
        """What is served; None where requests a second of a GPU are stated."""
        return None if self.choice.rates else self.choice.model

    def api(self, cost: ServingCost) -> ApiOffer | None:
        """An API in place of hosting a row; None where no price of one is assumed, or what is served has no tokens."""
        if self.model is None:
            return None
        return api_offer(self.load, cost.row, self.assumptions, cost.rate, self.terms.spare)

    def regional(self, cost: ServingCost) -> Regional | None:
        """A row by the sites of today; None without users and sites, or where its size is not known."""
        if not self.places.can_be_placed:
            return None
        return regional(
            self.places, self.load, cost.row, self.terms, rate=cost.rate, assumptions=self.assumptions
        )

    @property
    def drawn(self) -> ServingCost | None:
        """The row that the planner chose; else that of least cost; else the one that misses the targets least, of those
        that keep them that of the model's own precision and fewest GPUs; None where nothing fits.
        """
        choice = self.choice
        wanted = self.row(choice.gpu_model, choice.precision, choice.tensor_parallel)
        if wanted is not None or self.best is not None:
            return wanted or self.best
        fitting = [cost for cost in self.costs if cost.gpus_peak is not None]

        def order(cost: ServingCost) -> tuple[bool, float, bool, float, int, RowId]:
            row, width = cost.row, BYTES_BY_PRECISION.get(cost.row.precision, 0.0)
            missed = 1.0 if row.missed_by is None else max(1.0, row.missed_by)
            return row.is_unstable, missed, row.is_rewritten, -width, cost.gpus_peak or 0, row.row_id

        return min(fitting, key=order, default=None)

    def cheapest_on(self, gpu_model: str) -> ServingCost | None:
        """The row of least cost on a GPU model in the precision of the drawn row, else of fewest GPUs; None without."""
        precision = None if self.drawn is None else self.drawn.row.precision
        rows = [
            cost
            for cost in self.costs
            if cost.row.gpu_model.casefold() == gpu_model.casefold()
            and cost.row.precision == precision
            and cost.gpus_peak is not None
        ]
        return min(rows, key=cost_sort_key, default=None)

    def row(self, gpu_model: str, precision: str, tensor_parallel: int) -> ServingCost | None:
        """One row; None where there is none of that name.

        The GPU model is found whatever its case; precision and GPUs of a replica must be the same.
        """
        wanted, rest = gpu_model.casefold(), (precision, tensor_parallel)
        of_shape = (cost for cost in self.costs if cost.row.row_id[1:] == rest)
        return next((cost for cost in of_shape if cost.row.gpu_model.casefold() == wanted), None)

    def of_key(self, key: str) -> ServingCost | None:
        """The row of a key; None where there is none."""
        return next((cost for cost in self.costs if cost.row.key == key), None)

    def planned(
        self, cost: ServingCost, name: str, cluster: str = "", team: str = ""
    ) -> tuple[PlannedWork, ...]:
        """A row as work that a plan may hold: GPUs all day, and in busy hours those beside them; none if not sized.

        Two spans, such that least is held: at every hour of the day the most that it asks for on any day, spare
        replicas with it; an hour that the load does not know asks for the peak.
        """
        replicas, row = self.replicas_by_hour(cost), cost.row
        if replicas is None or not row.replicas_peak:
            return ()
        asked: dict[int, int] = {}
        for hour, count in zip(self.load.hours, replicas, strict=True):
            needs = min(row.replicas_peak, count + row.replicas_spare)
            asked[hour.week_hour] = max(needs, asked.get(hour.week_hour, 0))
        day = [
            max(asked.get(at, row.replicas_peak) for at in ALWAYS[hour::DAY_HOURS])
            for hour in range(DAY_HOURS)
        ]
        most = max(day)

        def busy(base: int) -> range:
            over = [hour for hour, needs in enumerate(day) if needs > base]
            return range(over[0], over[-1] + 1) if over else range(0)

        base = min(sorted({0, *day}), key=lambda base: base * DAY_HOURS + (most - base) * len(busy(base)))
        hours = tuple(hour for hour in ALWAYS if hour % DAY_HOURS in busy(base))
        spans = ((name, base, ALWAYS), (f"{name}, busy hours" if base else name, most - base, hours))
        return tuple(
            PlannedWork(
                name=of,
                pool=Pool.INFERENCE,
                gpu_model=row.gpu_model,
                gpus=float(count * row.tensor_parallel),
                cluster=cluster,
                team=team,
                hours=hours,
            )
            for of, count, hours in spans
            if count and hours
        )

    def replay(self, cost: ServingCost) -> Replay | None:
        """How an autoscaler would have followed the load on a row; None where its size is not known."""
        return replay_row(self.load, cost.row, self.terms)

    def replicas_by_hour(self, cost: ServingCost) -> tuple[int, ...] | None:
        """What a perfect autoscaler holds of a row in each hour of the load; None where its size is not known.

        One number for each of load.hours, at the headroom of the terms.
        """
        mu = cost.row.requests_per_s
        return None if mu is None else replicas_by_hour(self.load, mu, self.terms.headroom)


def shape_in_log(project: Project, key: str) -> tuple[float, ...]:
    """GPU time of an endpoint by hour of the week, as the log has it; empty without any."""
    at = next((at for at, workload in enumerate(project.workloads) if workload.key == key), None)
    return () if at is None else shape_of_week(project.cube.hourly_of(at).tolist(), project.window.start_s)


def size_endpoint(
    project: Project, key: str, assumptions: Assumptions, offers: Sequence[Offer], tables: ServingTables
) -> EndpointSizing | None:
    """The sizing of an endpoint; None where its model or its requests are not known.

    key: as in `load_of_endpoint`. offers: those of the price book in force, which price the rows and may name
    further GPU models. The way to the users is that of the project's sites
    of today where they are known.
    Source: docs/formulas/sizing.md.
    """
    choice = project.serving.get(key, NOTHING_CHOSEN)
    load = load_of_endpoint(project, key, assumptions)
    if load is None or (choice.model is None and not choice.rates):
        return None
    return size_choice(
        key, choice, load, assumptions, project.places, offers, tables, held=gpus_in_log(project, key)
    )


def gpus_in_log(project: Project, key: str) -> tuple[str, float] | None:
    """The GPU model of most of an endpoint's GPU time, and GPUs in the mean; None where the log has it not."""
    places = (at for at, workload in enumerate(project.workloads) if workload.key == key)
    at = next(places, None)
    name = None if at is None else main_models(project)[at]
    if at is None or name is None:
        return None
    return name, project.workloads[at].gpu_hours / project.window.hours


def size_choice(
    key: str,
    choice: ServingChoice,
    load: Load,
    assumptions: Assumptions,
    places: Places,
    offers: Sequence[Offer],
    tables: ServingTables,
    *,
    models: Mapping[str, ServedModel | None] | None = None,
    replicas: int | None = None,
    held: tuple[str, float] | None = None,
) -> EndpointSizing:
    """The sizing of a model, or of stated rates, under a load. models: of the names in measurements, None: all of the
    model that is sized. replicas: how many are held, where the planner says so. held: GPU model and GPUs of today that
    ratios are against; None: the drawn row's.

    Source: docs/formulas/sizing.md.
    """
    terms, model = terms_of(assumptions, way_of(places)), choice.model
    by_unit = [offer for offer in offers if offer.tokens_per_minute_per_unit]
    offers = [offer for offer in offers if not offer.tokens_per_minute_per_unit]
    gpus = serving_gpus(tables, offers)
    points: tuple[Compared, ...] = ()
    of_model: tuple[Compared, ...] = ()
    own: Mapping[RowId, Correction] = {}
    if model is None or choice.rates:
        terms = replace(terms, spare=terms.spare or 0)  # none that nobody asked for
        if not load.are_tokens_known:  # those of a language model are assumed of nothing else
            load = replace(load, context_tokens=0.0, generated_tokens=0.0, longest_tokens=0.0)
        rows = rated_rows(load, dict(choice.rates), terms, replicas)
    else:
        named = dict.fromkeys((point.model for point in choice.measured), model) if models is None else models
        points = compared(choice.measured, named, tables)
        own = corrections(points, model, named)
        of_model = tuple(point for point in points if named.get(point.measured.model) == model)
        rows = size_rows(model, load, gpus, terms, tables.calibration, replicas, own)
    costs = cost_rows(rows, load, offers, choice.term_months)
    states = assumptions.serving_usd_per_request is not None and places.can_be_placed
    ways = shorter_ways(placement_of(places), load, assumptions) if states else ()
    best = best_row(costs)
    least = None if choice.term_months is None else best_row(cost_rows(rows, load, offers, None))
    if least is not None and best is not None and (least.cost_per_month or 0) >= (best.cost_per_month or 0):
        least = None
    made = EndpointSizing(
        key=key,
        choice=choice,
        load=load,
        terms=terms,
        costs=costs,
        best=best,
        offered_terms=terms_of_offers(offers),
        places=places,
        assumptions=assumptions,
        measured=points,
        shorter_ways=ways,
        cheaper=least,
    )
    if model is None or choice.rates:
        return made
    sold = ((o, o.tokens_per_minute_per_unit) for o in by_unit if _plain(o.gpu_model) == _plain(model.name))
    made = replace(
        made,
        provisioned=tuple(
            provisioned_cost(made, o, tokens) for o, tokens in sold if tokens and load.tokens_per_month
        ),
    )
    if made.drawn is None:
        return made
    against: ServingCost = made.drawn
    held_gpus: float | None = against.gpus_peak
    if held is not None and (today := made.cheapest_on(held[0])) is not None:
        against, held_gpus = today, held[1]
    rates = {cost.row.gpu_model: cost.rate for cost in costs if cost.rate is not None}
    ratios = tuple(
        replace(ratio, gpus=held_gpus, rate=rates.get(ratio.gpu_model))
        for ratio in speed_ratios(against.row, model, load, gpus, terms, tables.calibration, own, of_model)
    )
    return replace(made, ratios=ratios)


def way_of(places: Places) -> float | None:
    """ms there and back between users and the sites of today, over the top 80% of users; None: not known."""
    return current_placement(places).current.round_trip_ms if places.can_be_placed else None
