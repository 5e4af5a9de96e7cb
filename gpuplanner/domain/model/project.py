"""A project: imported data and the user's decisions, in one immutable value."""

from collections.abc import Mapping
from typing import Any

from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.exchange import USD, ExchangeRate
from gpuplanner.domain.model.book.extras import sending
from gpuplanner.domain.model.book.offer import Offer, offers_in_case, owned_at
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.business_figures import BusinessFigure
from gpuplanner.domain.model.cube import Cube, Workload
from gpuplanner.domain.model.gpu_family import Same
from gpuplanner.domain.model.hardware_needs import NeedsSet
from gpuplanner.domain.model.intake import FileIntake, JobFacts, RequestDays, days_answered
from gpuplanner.domain.model.places import NO_PLACES, Places, ServingChoice, Traffic
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.queue_limits import Limit
from gpuplanner.domain.model.tables import ClassRule, Pool
from gpuplanner.domain.model.trained import StatedRun
from gpuplanner.domain.model.window import Window, iso_utc
from gpuplanner.lazy_dataclass import dataclass, field, fields, replace


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Project:
    """Everything that a project file saves.

    Laws: workloads are sorted by key (the cube's workload_index points into them), contracts by contract_id, offers by
    offer_id; each GPU model has one spelling (unified on import, ignoring case); owned offers have the rate that
    follows from the project's assumptions.

    labels: classes that the user set, by workload key; they override all rules.
    rules: the user's class rules, each with a unique rule_id; the first match decides.
    traffic: tokens of endpoints, by workload key; kept when a new import has no such workload.
    needs: needs that the user set, by workload key; only entries with a value.
    notes: the user's notes, by workload key; never empty.
    mappings: GPU models that may replace another, at most one mapping a pair, sorted by pair; kept when a new import
    has no such model. serving: the user's sizing choice for an endpoint, by workload key ("": an endpoint that is not
    in the log); kept as traffic is. places: users' cities, sites, measured network latencies and data residency.
    plan_from_s: start of every plan, epoch seconds on a whole hour after the window; None: the end of the window.
    earlier_offers: superseded rates with their dates, as offers; by id and day. currency: ISO code of all amounts and
    figures, except quoted amounts. exchange: exchange rates that the user states, one a currency, sorted by code;
    amounts in other currencies are unknown. same: names that mean the same thing, sorted; kept when an import has
    neither. budgets: largest chargeback per month by team name, as given; None: unknown in the project's currency.
    business: business figures, at most one a name, key and month, sorted by them. runs: training runs that the user
    stated, in order of entry. queue_limits: limits of a replay; None: none. is_fair_share: True if a replay starts jobs
    by fair share; None: by eligible time. scenarios: the plans, in the order of their tabs; without Today, which is
    derived and read-only.
    """

    window: Window
    cube: Cube
    workloads: tuple[Workload, ...] = ()
    jobs: JobFacts = field(default_factory=JobFacts)
    contracts: tuple[Contract, ...] = ()
    offers: tuple[Offer, ...] = ()
    intake: tuple[FileIntake, ...] = ()
    assumptions: Assumptions = field(default_factory=Assumptions)
    labels: Mapping[str, Pool] = field(default_factory=dict)
    scenarios: tuple[Scenario, ...] = (Scenario(name="Plan A"),)
    title: str = ""
    rules: tuple[ClassRule, ...] = ()
    traffic: Mapping[str, Traffic] = field(default_factory=dict)
    needs: Mapping[str, NeedsSet] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    mappings: tuple[ModelMapping, ...] = ()
    serving: Mapping[str, ServingChoice] = field(default_factory=dict)
    places: Places = NO_PLACES
    plan_from_s: int | None = None
    earlier_offers: tuple[Offer, ...] = ()
    same: tuple[Same, ...] = ()
    currency: str = USD
    exchange: tuple[ExchangeRate, ...] = ()
    budgets: Mapping[str, float | None] = field(default_factory=dict)
    business: tuple[BusinessFigure, ...] = ()
    runs: tuple[StatedRun, ...] = ()
    queue_limits: tuple[Limit, ...] | None = None
    is_fair_share: bool | None = None

    def __post_init__(self) -> None:
        values = self.assumptions
        for name in ("offers", "earlier_offers"):
            stated = getattr(self, name)
            offers = sending(owned_at(stated, values.wacc, values.pue), values.egress_gb_per_gpu_hour)
            if offers is not stated:
                object.__setattr__(self, name, offers)
        object.__setattr__(self, "contracts", sending(self.contracts, values.egress_gb_per_gpu_hour))

    @property
    def is_empty(self) -> bool:
        """Whether no data are loaded.

        Places count as data. Decisions do not: a project with only plans is empty.
        """
        places = self.places
        return not (self.workloads or self.contracts or self.offers or places.cities or places.sites)

    @property
    def request_days(self) -> RequestDays | None:
        """RFQ dates that the plans wait for: those of the newest answered RFQ; None without one."""
        return days_answered(self.intake)

    @property
    def node_gpus(self) -> Mapping[str, int]:
        """GPUs of the usual node by GPU model; empty until a plan is made (`with_nodes`)."""
        return {}

    @property
    def has_log(self) -> bool:
        """Whether a job log was imported, even with an idle window; without one, GPU usage is unknown.

        False with only contracts, prices or places.
        """
        return bool(self.workloads) or any(file.kind == "jobs" for file in self.intake)

    @property
    def has_spend(self) -> bool:
        """Whether contracts or bills tell what is paid; without any, today's spend is unknown."""
        return bool(self.contracts or self.jobs.billed)

    @property
    def plan_window(self) -> Window:
        """The window that plan months are counted from: the lookback period, moved to end at the plan's start.

        Law: equals `window` unless a later start was chosen.
        """
        later_s = (self.plan_from_s or 0) - self.window.end_s
        return self.window if later_s <= 0 else self.window.later(later_s)

    def scenario(self, name: str) -> Scenario:
        """Return the plan with this name. Errors: KeyError."""
        for scenario in self.scenarios:
            if scenario.name == name:
                return scenario
        raise KeyError(name)

    def plan_before(self, name: str) -> Scenario | None:
        """Return the plan that a scratch copy was made from; None for an ordinary plan, Today, or a deleted plan."""
        asked = {scenario.name: scenario for scenario in self.scenarios}
        return asked.get(asked[name].scratch_of) if name in asked else None

    def assumptions_in(self, scenario: Scenario) -> Assumptions:
        """Return the assumptions in force in a scenario: the project's, overridden by the plan's."""
        return self.assumptions.with_values(scenario.assumptions)

    def offers_in(self, scenario: Scenario) -> tuple[Offer, ...]:
        """Return the offers at the rates in force in a scenario: its price case, its assumptions and its providers' end
        dates.

        Law: `offers` itself at the mid case, unless its assumptions change an owned rate.
        """
        values = self.assumptions_in(scenario)
        offers = owned_at(offers_in_case(self.offers, scenario.price_case), values.wacc, values.pue)
        offers = sending(offers, values.egress_gb_per_gpu_hour)
        stops = scenario.provider_ends
        return tuple(_closed(offer, stops.get(offer.provider or "")) for offer in offers) if stops else offers

    def priced_in(self, scenario: Scenario) -> "Project":
        """Return the project with its offers at a scenario's rates and the assumptions in force there.

        Law: the project itself if `offers_in` returns its own offers.
        """
        offers = self.offers_in(scenario)
        if offers is self.offers:
            return self
        return replace(self, offers=offers, assumptions=self.assumptions_in(scenario))


def _closed(offer: Offer, at_s: int | None) -> Offer:
    """Return an offer that ends when its provider stops. at_s: epoch seconds; None: the provider goes on."""
    if at_s is None or (offer.ends_s is not None and offer.ends_s <= at_s):
        return offer
    return replace(offer, ends=iso_utc(at_s))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ProjectToPlan(Project):
    """A project with further inputs for its plans, which are not saved.

    is_asking: vendors are asked for its orders, so that its plan waits for no reply. nodes: GPUs of the usual node, by
    GPU model.
    """

    is_asking: bool = False
    nodes: Mapping[str, int] = field(default_factory=dict)

    @property
    def request_days(self) -> RequestDays | None:
        """The dates of the newest answered RFQ; None while vendors are asked."""
        return None if self.is_asking else days_answered(self.intake)

    @property
    def node_gpus(self) -> Mapping[str, int]:
        """GPUs of the usual node by GPU model, as given."""
        return self.nodes


def while_asking(project: Project) -> Project:
    """Return the project while vendors are asked for its orders: its plan waits for no reply."""
    return _to_plan(project, is_asking=True)


def with_nodes(project: Project, nodes: Mapping[str, int]) -> Project:
    """Return the project with `nodes`, GPUs of the usual node by GPU model; unchanged if no bare-metal offer needs
    them.
    """
    needed = any(
        offer.bare_metal and not offer.unit_gpus and offer.gpu_model in nodes for offer in project.offers
    )
    return _to_plan(project, nodes=nodes) if needed and project.node_gpus != nodes else project


def _to_plan(project: Project, **more: Any) -> ProjectToPlan:
    return ProjectToPlan(**{each.name: getattr(project, each.name) for each in fields(project)} | more)
