"""A project: everything a planner has loaded and decided, as one immutable value."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.exchange import USD, ExchangeRate
from gpuplanner.domain.model.book.model_mapping import ModelMapping
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.owned import owned_at
from gpuplanner.domain.model.book.price_case import offers_in_case
from gpuplanner.domain.model.business import BusinessFigure
from gpuplanner.domain.model.log.cube import Cube
from gpuplanner.domain.model.log.intake import FileIntake, JobFacts
from gpuplanner.domain.model.log.traffic import Traffic
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.needs import NeedsSet
from gpuplanner.domain.model.places import NO_PLACES, Places
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.same import Same
from gpuplanner.domain.model.scenario.assumptions import Assumptions
from gpuplanner.domain.model.scenario.plan_inputs import Scenario
from gpuplanner.domain.model.served_model import ServingChoice
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.domain.model.window import Window


@dataclass(frozen=True, slots=True, eq=False)
class Project:
    """Everything that is saved.

    Laws: workloads sorted by key (the cube's workload_index points into them), contracts by contract_id, offers
    by offer_id; one spelling of each GPU model throughout (names are unified on import, ignoring case); owned offers
    have the rate that follows at the project's assumptions.
    labels: classes the planner gave, by workload key; they win over everything else.
    rules: the planner's own class rules, each with its own rule_id; the first that matches a workload decides.
    traffic: tokens of endpoints, by workload key; kept when an import no longer brings the workload.
    needs: what the planner set of the needs of workloads, by workload key; one with nothing set is not there.
    notes: what the planner wrote about a workload, by its key; never empty.
    mappings: which GPU model may do the work of which, at most one a pair of models, sorted by them; kept when an
    import no longer brings a model.
    serving: what is sized for an endpoint, by workload key ("": for none of the log); kept as traffic is.
    places: users' cities, sites, measured transit and data residency.
    plan_from_s: the moment that every plan begins, on a whole hour after the window; None: where the window ends.
    earlier_offers: dated rates that newer ones took the place of, as the offers that they were; by id and day.
    currency: what its money is counted and reported in (ISO code): every amount in it that is not a quoted one, and
    every figure of it. exchange: the dated rates that the planner states, one a currency, sorted by code; what is
    quoted in a currency without one is unknown.
    same: what the planner says is one though files call it by two names, sorted; kept when an import brings neither.
    budgets: what a team may be charged a month, by its name as it was given; None: unknown in the money of the project.
    business: figures of the business by month, at most one a name and month, sorted by them.
    scenarios: the plans, in the order of the tabs; Today is not among them (it is read only and derived).
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
    scenarios: tuple[Scenario, ...] = (Scenario("Plan A"),)
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

    def __post_init__(self) -> None:
        values = self.assumptions
        for name in ("offers", "earlier_offers"):
            stated = getattr(self, name)
            found = owned_at(stated, values.wacc, values.pue)
            if found is not stated:
                object.__setattr__(self, name, found)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is loaded.

        Places count, decisions do not: a project with plans alone is still empty.
        """
        places = self.places
        return not (self.workloads or self.contracts or self.offers or places.cities or places.sites)

    @property
    def has_log(self) -> bool:
        """Whether a job log was read, also one of an idle window; without one no use of GPUs is known.

        False where only contracts, prices or places were read.
        """
        return bool(self.workloads) or any(file.kind == "jobs" for file in self.intake)

    @property
    def plan_window(self) -> Window:
        """The window that months of a plan are counted from: as if the log had ended where the plan begins.

        Law: `window` itself where no later day was chosen.
        """
        later_s = (self.plan_from_s or 0) - self.window.end_s
        return self.window if later_s <= 0 else self.window.later(later_s)

    def scenario(self, name: str) -> Scenario:
        """The plan of that name. Errors: KeyError where there is none."""
        for scenario in self.scenarios:
            if scenario.name == name:
                return scenario
        raise KeyError(name)

    def plan_before(self, name: str) -> Scenario | None:
        """The plan that a scratch copy asks a question of; None for a plan of its own, Today, and where it is gone."""
        asked = {scenario.name: scenario for scenario in self.scenarios}
        return asked.get(asked[name].scratch_of) if name in asked else None

    def assumptions_in(self, scenario: Scenario) -> Assumptions:
        """The assumptions in force in a scenario.

        The project's own, with those that the plan sets in their place.
        """
        return self.assumptions.with_values(scenario.assumptions)

    def offers_in(self, scenario: Scenario) -> tuple[Offer, ...]:
        """The offers at the rates that count in a scenario; law: `offers` itself at mid, with nothing owned that costs
        something else at its assumptions.
        """
        values = self.assumptions_in(scenario)
        return owned_at(offers_in_case(self.offers, scenario.price_case), values.wacc, values.pue)

    def priced_in(self, scenario: Scenario) -> "Project":
        """The project with its offers at the rates of a scenario; law: itself where `offers_in` are its own.

        Its assumptions are then those in force in the scenario, at which owned offers stay as they are.
        """
        offers = self.offers_in(scenario)
        if offers is self.offers:
            return self
        return replace(self, offers=offers, assumptions=self.assumptions_in(scenario))
