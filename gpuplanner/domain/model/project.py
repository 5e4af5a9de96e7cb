"""A project: everything a planner has loaded and decided, as one immutable value."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from math import isfinite
from typing import Any, Final

from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.message import Message, Text, capital, worded
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.exchange import USD, ExchangeRate
from gpuplanner.domain.model.book.extras import sending
from gpuplanner.domain.model.book.offer import Offer, offers_in_case, owned_at
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.cube import Cube, Workload
from gpuplanner.domain.model.errors import PlannerError, refusal
from gpuplanner.domain.model.gpu_family import Same
from gpuplanner.domain.model.intake import FileIntake, JobFacts, RequestDays, days_answered
from gpuplanner.domain.model.places import NO_PLACES, Places, ServingChoice, Traffic
from gpuplanner.domain.model.plan_inputs import Scenario
from gpuplanner.domain.model.tables import ClassRule, Pool
from gpuplanner.domain.model.trained import StatedRun
from gpuplanner.domain.model.window import HOUR_S, Window, has_calendar, iso_utc
from gpuplanner.lazy_dataclass import dataclass, field, fields, replace
from gpuplanner.lazy_re import lazy_re

# --- Needs of a workload's hardware that the planner set by hand, and what may be set ------------

NeedValue = float | int | Text | bool | None

INTERCONNECTS: Final = ("ethernet", "roce", "roce_400", "infiniband", "nvlink")
"""Names of interconnects, slowest first."""


@dataclass(frozen=True, slots=True)
class NeedSpec:
    """One row of the table: `name` is the attribute of NeedsSet, pools are the classes that ask for it.

    low, high: bounds of numbers, both in. Units: as `unit` says.
    """

    name: str
    title: Message
    unit: Text
    low: float
    high: float
    pools: tuple[Pool, ...]
    kind: str = "number"  # number | integer | flag | interconnect


_TRAINED, _SERVED, _BOTH = (Pool.TRAINING,), (Pool.INFERENCE,), (Pool.TRAINING, Pool.INFERENCE)

NEED_SPECS: Final = (
    NeedSpec("memory_gb_per_gpu", worded("Memory per GPU"), "GB", 1, 10_000, _TRAINED),
    NeedSpec("nodes", capital(worded("nodes")), worded("nodes"), 1, 100_000, _BOTH, "integer"),
    NeedSpec("gpus_per_node", worded("GPUs per node"), worded("GPUs"), 0.001, 1024, _BOTH),
    NeedSpec("interconnect", worded("Interconnect"), "", 0, 0, _BOTH, "interconnect"),
    NeedSpec("bare_metal", worded("Bare metal"), worded("yes or no"), 0, 1, _TRAINED, "flag"),
    NeedSpec("own_cluster", worded("A cluster of its own"), worded("yes or no"), 0, 1, _TRAINED, "flag"),
    NeedSpec("parameters_billion", worded("Model size"), worded("billion parameters"), 0.001, 100_000, _BOTH),
    NeedSpec("bytes_per_parameter", worded("Bytes per parameter"), worded("bytes"), 0.125, 8, _SERVED),
    NeedSpec("kv_cache_gb", worded("KV cache"), "GB", 0, 100_000, _SERVED),
    NeedSpec(
        "active_hours",
        worded("Active time in the lookback period"),
        worded("hours"),
        0.001,
        100_000,
        (Pool.BURST,),
    ),
)
"""What a planner may say of a workload; docs/formulas/hardware-fit.md, Needs of a workload."""

NEED_BY_NAME: Final = {spec.name: spec for spec in NEED_SPECS}


@dataclass(frozen=True, slots=True)
class NeedsSet:
    """What the planner set of one workload; None is not set, and then inferred. Units: see NEED_SPECS."""

    memory_gb_per_gpu: float | None = None
    nodes: int | None = None
    gpus_per_node: float | None = None
    interconnect: str | None = None
    bare_metal: bool | None = None
    own_cluster: bool | None = None
    parameters_billion: float | None = None
    bytes_per_parameter: float | None = None
    kv_cache_gb: float | None = None
    active_hours: float | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is set."""
        return self == NOTHING_SET

    def with_value(self, name: str, value: NeedValue) -> "NeedsSet":
        """These with one need set to a checked value, or with None taken back.

        name: of NEED_SPECS; the value is taken as it is, so `check_need` comes first.
        """
        return replace(self, **{name: value})  # type: ignore[arg-type]

    def values(self) -> dict[str, NeedValue]:
        """What is set, by name."""
        every = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: value for name, value in every.items() if value is not None}


NOTHING_SET: Final = NeedsSet()


def check_need(name: str, value: NeedValue) -> NeedValue:
    """The value as its kind has it. Errors: PlannerError where there is no such need or it cannot have the value.

    An integer comes out as int, another number as float; None is no value here.

    >>> check_need("nodes", 4.0), check_need("memory_gb_per_gpu", 80)
    (4, 80.0)
    """
    spec = NEED_BY_NAME.get(name)
    if spec is None:
        raise refusal(name, worded("no such need"), worded("use one of ") + ", ".join(NEED_BY_NAME))
    if spec.kind == "interconnect":
        if value not in INTERCONNECTS:
            raise _refused(spec, value, worded("enter one of ") + ", ".join(INTERCONNECTS))
        return value
    if spec.kind == "flag":
        if not isinstance(value, bool):
            raise _refused(spec, value, worded("enter yes or no"))
        return value
    remedy = _range_words(spec)
    if isinstance(value, bool) or not isinstance(value, int | float) or not spec.low <= value <= spec.high:
        raise _refused(spec, value, remedy)
    if spec.kind == "integer":
        if value != int(value):
            raise _refused(spec, value, remedy)
        return int(value)
    return float(value)


def parse_need(name: str, text: str) -> NeedValue:
    """The value a planner typed; empty text is None: not set. Errors: as for `check_need`.

    Case, blanks and commas between thousands do not matter.

    >>> parse_need("nodes", " 1,024 "), parse_need("bare_metal", "Yes"), parse_need("nodes", "") is None
    (1024, True, True)
    """
    spec, cleaned = NEED_BY_NAME.get(name), " ".join(text.split()).lower().replace(",", "")
    if not cleaned:
        return None
    if spec is None or spec.kind == "interconnect":
        return check_need(name, cleaned.replace(" ", "_"))
    if spec.kind == "flag":
        known = {"yes": True, "true": True, "no": False, "false": False}
        return check_need(name, known.get(cleaned, cleaned))
    try:
        number = float(cleaned)
    except ValueError:
        raise _refused(spec, text, _range_words(spec)) from None
    return check_need(name, int(number) if spec.kind == "integer" and number.is_integer() else number)


def _range_words(spec: NeedSpec) -> Message:
    """What may be entered for a number."""
    low, high = significant(spec.low), significant(spec.high)
    return worded("enter {low} to {high} {unit}", low=low, high=high, unit=spec.unit)


def _refused(spec: NeedSpec, value: object, remedy: Message) -> PlannerError:
    """What is wrong with a value and what to enter; of a long one only the beginning is shown."""
    return refusal(spec.title, worded("{value} is not allowed", value=f"{value!r:.40}"), remedy)


# --- Figures of the business by month, such as orders or users: what spend is set beside ---------

MONTHS_OF_YEAR: Final = 12


@dataclass(frozen=True, slots=True, order=True)
class BusinessFigure:
    """What the business counted in a calendar month (UTC). name: of what, as orders; month: 2026-08; value: above 0.

    key: key or name of the workload whose cost it stands beside; "": all spend.
    """

    name: str
    month: str
    value: float
    key: str = ""

    @property
    def identity(self) -> tuple[str, str, str]:
        """What one project has but once, and is sorted by."""
        return self.name, self.key, self.month


def month_bounds(month: str) -> tuple[int, int]:
    """First second of a calendar month and of the next one, epoch seconds UTC.

    >>> month_bounds("1970-02")
    (2678400, 5097600)
    """
    year, number = map(int, month.split("-"))
    after = (year + 1, 1) if number == MONTHS_OF_YEAR else (year, number + 1)
    begin, end = (datetime(*first, 1, tzinfo=UTC) for first in ((year, number), after))
    return int(begin.timestamp()), int(end.timestamp())


def month_of(at_s: int) -> str:
    """The calendar month of a moment.

    >>> month_of(2678400)
    '1970-02'
    """
    return f"{datetime.fromtimestamp(at_s, UTC):%Y-%m}"


def month_windows(log: Window) -> Iterator[Window]:
    """The calendar months (UTC) of a whole log, the first and the last cut to it; none of a log without a calendar.

    >>> [(month_of(one.start_s), one.hours) for one in month_windows(Window(1_790_812_800 - 7200, 4))]
    [('2026-09', 2), ('2026-10', 2)]
    """
    start_s = log.start_s
    while has_calendar(start_s) and start_s < log.end_s:
        next_s = min(month_bounds(month_of(start_s))[1], log.end_s)
        yield Window(start_s, (next_s - start_s) // HOUR_S, log.timezone)
        start_s = next_s


# --- A project: everything a planner has loaded and decided, as one immutable value --------------


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
    runs: training runs that the planner stated, in the order in which they were.
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
    runs: tuple[StatedRun, ...] = ()

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
        """Whether nothing is loaded.

        Places count, decisions do not: a project with plans alone is still empty.
        """
        places = self.places
        return not (self.workloads or self.contracts or self.offers or places.cities or places.sites)

    @property
    def request_days(self) -> RequestDays | None:
        """The days of the request that its plans wait for: the newest that came back; None where none did."""
        return days_answered(self.intake)

    @property
    def node_gpus(self) -> Mapping[str, int]:
        """GPUs of the usual node, by GPU model; empty until a plan is made (`with_nodes`)."""
        return {}

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
        offers = owned_at(offers_in_case(self.offers, scenario.price_case), values.wacc, values.pue)
        offers = sending(offers, values.egress_gb_per_gpu_hour)
        stops = scenario.provider_ends
        return tuple(_closed(offer, stops.get(offer.provider or "")) for offer in offers) if stops else offers

    def priced_in(self, scenario: Scenario) -> "Project":
        """The project with its offers at the rates of a scenario; law: itself where `offers_in` are its own.

        Its assumptions are then those in force in the scenario, at which owned offers stay as they are.
        """
        offers = self.offers_in(scenario)
        if offers is self.offers:
            return self
        return replace(self, offers=offers, assumptions=self.assumptions_in(scenario))


def _closed(offer: Offer, at_s: int | None) -> Offer:
    """An offer whose capacity ends where its provider stops, epoch seconds; None: it goes on."""
    if at_s is None or (offer.ends_s is not None and offer.ends_s <= at_s):
        return offer
    return replace(offer, ends=iso_utc(at_s))


# --- Budgets of teams and figures of the business: what each may be ------------------------------

LARGEST_BUDGET: Final = 10**12
"""A month."""
LONGEST_TEAM: Final = 200
"""Signs of a name."""


def check_budget(team: str, usd_per_month: object) -> float:
    """The budget as a number. Errors: PlannerError for no name, or no amount from 0 to a thousand billion."""
    if not 1 <= len(team.strip()) <= LONGEST_TEAM:
        problem = worded(
            "a budget needs a team name of at most {longest} characters", longest=whole(LONGEST_TEAM)
        )
        raise refusal("team", problem, worded("name the team as the log does"))
    is_number = isinstance(usd_per_month, int | float) and not isinstance(usd_per_month, bool)
    if not is_number or not isfinite(float(usd_per_month)) or not 0 <= float(usd_per_month) <= LARGEST_BUDGET:  # type: ignore[arg-type]
        problem = worded("{value} is no budget", value=str(usd_per_month)[:40])
        raise refusal(team, problem, worded("enter an amount per month, 0 or more"))
    return float(usd_per_month)  # type: ignore[arg-type]


LARGEST: Final = 10**15
LONGEST_NAME: Final = 80
_MONTH: Final = lazy_re(r"(19|20|21)\d\d-(0[1-9]|1[0-2])")


def check_business(figure: BusinessFigure) -> BusinessFigure:
    """The figure with its name trimmed. Errors: PlannerError for no name, no month, or no number above 0."""
    name = str(figure.name).strip()
    if not 1 <= len(name) <= LONGEST_NAME:
        problem = worded(
            "a business figure needs a name of at most {longest} characters", longest=whole(LONGEST_NAME)
        )
        raise refusal("figure", problem, worded("name it, as in orders"))
    if not isinstance(figure.month, str) or not _MONTH.fullmatch(figure.month):
        raise refusal(
            name, worded("{month} is no month", month=repr(figure.month)[:40]), worded("write it as 2026-08")
        )
    value = figure.value
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not isfinite(value) or not 0 < value <= LARGEST:
        problem = worded("{value} is no count of {name}", value=repr(value)[:40], name=name)
        raise refusal(name, problem, worded("enter a number above 0"))
    return BusinessFigure(name, figure.month, float(value), str(figure.key).strip())


# --- A project as it is planned: with what nobody saves of it ------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class ProjectToPlan(Project):
    """A project with what its plans are made with besides; nobody saves it.

    is_asking: a request is being written; asked: the days of it that its plans wait for, whatever came back of others.
    nodes: GPUs of the usual node, by GPU model.
    """

    is_asking: bool = False
    asked: RequestDays | None = None
    nodes: Mapping[str, int] = field(default_factory=dict)

    @property
    def request_days(self) -> RequestDays | None:
        """Those of the request that is being written, else of the newest that came back."""
        return self.asked if self.is_asking else days_answered(self.intake)

    @property
    def node_gpus(self) -> Mapping[str, int]:
        """As they were told."""
        return self.nodes


def while_asking(project: Project, days: RequestDays | None) -> Project:
    """The project while a request is written; None: while nobody is asked for anything."""
    return _to_plan(project, is_asking=True, asked=days)


def with_nodes(project: Project, nodes: Mapping[str, int]) -> Project:
    """The project with the GPUs of the usual node of each model; itself where no offer of bare metal needs them."""
    needed = any(
        offer.bare_metal and not offer.unit_gpus and offer.gpu_model in nodes for offer in project.offers
    )
    return _to_plan(project, nodes=nodes) if needed and project.node_gpus != nodes else project


def _to_plan(project: Project, **more: Any) -> ProjectToPlan:
    return ProjectToPlan(**{each.name: getattr(project, each.name) for each in fields(project)} | more)
