"""The sizing of one endpoint: its model, its load, every row with its cost, and the row that is drawn."""

from gpuplanner.domain.fit.api_offers import ApiOffer, api_offer
from gpuplanner.domain.fit.serving_costs import BY_THE_HOUR, ServingCost, cost_sort_key
from gpuplanner.domain.fit.shorter_ways import ShorterWay
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.cube import DAY_HOURS
from gpuplanner.domain.model.places import NO_PLACES, Places, ServedModel, ServingChoice
from gpuplanner.domain.model.plan.planned_work import ALWAYS, PlannedWork
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.serving.autoscaling import Replay, replay_row
from gpuplanner.domain.serving.calibration import BYTES_BY_PRECISION
from gpuplanner.domain.serving.load import Load
from gpuplanner.domain.serving.ratios import Compared, SpeedRatio
from gpuplanner.domain.serving.regions import Regional, regional
from gpuplanner.domain.serving.replicas import ServingTerms, replicas_by_hour
from gpuplanner.domain.serving.sizing import RowId
from gpuplanner.lazy_dataclass import dataclass, field


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
