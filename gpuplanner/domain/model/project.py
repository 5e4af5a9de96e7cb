"""A project: imported data and the user's decisions, in one immutable value."""

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
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import ClassRule, Pool
from gpuplanner.domain.model.trained import StatedRun
from gpuplanner.domain.model.window import HOUR_S, Window, has_calendar, iso_utc
from gpuplanner.lazy_dataclass import dataclass, field, fields, replace
from gpuplanner.lazy_re import lazy_re

# --- Hardware needs that the user sets for a workload, with their ranges --------------------------

NeedValue = float | int | Text | bool | None

INTERCONNECTS: Final = ("ethernet", "roce", "roce_400", "infiniband", "nvlink")
"""Names of interconnects, slowest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedSpec:
    """A hardware need that the user may set. name: attribute of NeedsSet. pools: the classes with this need.

    low, high: smallest and largest number allowed, in `unit`.
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
    NeedSpec(
        name="memory_gb_per_gpu",
        title=worded("Memory per GPU"),
        unit="GB",
        low=1,
        high=10_000,
        pools=_TRAINED,
    ),
    NeedSpec(
        name="nodes",
        title=capital(worded("nodes")),
        unit=worded("nodes"),
        low=1,
        high=100_000,
        pools=_BOTH,
        kind="integer",
    ),
    NeedSpec(
        name="gpus_per_node",
        title=worded("GPUs per node"),
        unit=worded("GPUs"),
        low=0.001,
        high=1024,
        pools=_BOTH,
    ),
    NeedSpec(
        name="interconnect",
        title=worded("Interconnect"),
        unit="",
        low=0,
        high=0,
        pools=_BOTH,
        kind="interconnect",
    ),
    NeedSpec(
        name="bare_metal",
        title=worded("Bare metal"),
        unit=worded("yes or no"),
        low=0,
        high=1,
        pools=_TRAINED,
        kind="flag",
    ),
    NeedSpec(
        name="own_cluster",
        title=worded("Own cluster"),
        unit=worded("yes or no"),
        low=0,
        high=1,
        pools=_TRAINED,
        kind="flag",
    ),
    NeedSpec(
        name="parameters_billion",
        title=worded("Model size"),
        unit=worded("billion parameters"),
        low=0.001,
        high=100_000,
        pools=_BOTH,
    ),
    NeedSpec(
        name="bytes_per_parameter",
        title=worded("Bytes per parameter"),
        unit=worded("bytes"),
        low=0.125,
        high=8,
        pools=_SERVED,
    ),
    NeedSpec(name="kv_cache_gb", title=worded("KV cache"), unit="GB", low=0, high=100_000, pools=_SERVED),
    NeedSpec(
        name="active_hours",
        title=worded("Active time in the lookback period"),
        unit=worded("hours"),
        low=0.001,
        high=100_000,
        pools=(Pool.BURST,),
    ),
)
"""Needs that the user may set for a workload; docs/formulas/hardware-fit.md, Needs of a workload."""

NEED_BY_NAME: Final = {spec.name: spec for spec in NEED_SPECS}


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedsSet:
    """Needs that the user set for one workload; None is not set, so the need is inferred. Units: see NEED_SPECS."""

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
        """Whether no need is set."""
        return self == NOTHING_SET

    def with_value(self, name: str, value: NeedValue) -> "NeedsSet":
        """Return a copy with one need set, or cleared with None.

        name: in NEED_SPECS. value: not checked here; call `check_need` first.
        """
        return replace(self, **{name: value})  # type: ignore[arg-type]

    def values(self) -> dict[str, NeedValue]:
        """Return the needs that are set, by name."""
        every = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: value for name, value in every.items() if value is not None}


NOTHING_SET: Final = NeedsSet()


def check_need(name: str, value: NeedValue) -> NeedValue:
    """Return a checked value in the need's type: int, float, bool or the name of an interconnect.

    value: None is refused. Errors: PlannerError for an unknown need or a value out of range.

    >>> check_need("nodes", 4.0), check_need("memory_gb_per_gpu", 80)
    (4, 80.0)
    """
    spec = NEED_BY_NAME.get(name)
    if spec is None:
        raise refusal(
            name, worded("no such need"), worded("use one of {known}", known=", ".join(NEED_BY_NAME))
        )
    if spec.kind == "interconnect":
        if value not in INTERCONNECTS:
            raise _refused(spec, value, worded("use one of {known}", known=", ".join(INTERCONNECTS)))
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
    """Parse a typed value; empty text is None (not set). Case, spaces and thousands separators are ignored.

    Errors: as for `check_need`.

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
    """Return the remedy for a number out of range."""
    low, high = significant(spec.low), significant(spec.high)
    return worded("enter {low} to {high} {unit}", low=low, high=high, unit=spec.unit)


def _refused(spec: NeedSpec, value: object, remedy: Message) -> PlannerError:
    """Return the error for a refused value; a long value is cut to 40 characters."""
    return refusal(spec.title, worded("{value} is not allowed", value=f"{value!r:.40}"), remedy)


# --- Business figures by month, such as orders or users, for unit costs ---------------------------

MONTHS_OF_YEAR: Final = 12


@dataclass(frozen=True, slots=True, order=True)
class BusinessFigure:
    """A count of the business in a calendar month (UTC), such as orders.

    name: of the count. month: as 2026-08. value: above 0. key: key or name of the workload whose cost is divided by the
    count; "": all spend.
    """

    name: str
    month: str
    value: float
    key: str = ""

    @property
    def identity(self) -> tuple[str, str, str]:
        """Name, key and month: unique in a project, and its sort order."""
        return self.name, self.key, self.month


def month_bounds(month: str) -> tuple[int, int]:
    """Return the first second of a calendar month and of the next month, epoch seconds UTC.

    month: as 2026-08.

    >>> month_bounds("1970-02")
    (2678400, 5097600)
    """
    year, number = map(int, month.split("-"))
    after = (year + 1, 1) if number == MONTHS_OF_YEAR else (year, number + 1)
    begin, end = (datetime(*first, 1, tzinfo=UTC) for first in ((year, number), after))
    return int(begin.timestamp()), int(end.timestamp())


def month_of(at_s: int) -> str:
    """Return the calendar month (UTC) of an instant, epoch seconds, as 2026-08.

    >>> month_of(2678400)
    '1970-02'
    """
    return f"{datetime.fromtimestamp(at_s, UTC):%Y-%m}"


def month_windows(log: Window) -> Iterator[Window]:
    """Yield the calendar months (UTC) of a log; the first and last are cut to the log. Empty for a log without dates.

    >>> [(month_of(one.start_s), one.hours) for one in month_windows(Window(1_790_812_800 - 7200, 4))]
    [('2026-09', 2), ('2026-10', 2)]
    """
    start_s = log.start_s
    while has_calendar(start_s) and start_s < log.end_s:
        next_s = min(month_bounds(month_of(start_s))[1], log.end_s)
        yield Window(start_s, (next_s - start_s) // HOUR_S, log.timezone)
        start_s = next_s


# --- Limits of a scheduler: how many GPUs jobs may hold together ----------------------------------

EACH: Final = "*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """The GPUs that jobs of a user, account, QOS and partition may hold together.

    user, account, qos, partition: empty: any; EACH: each by itself. gpu_model: empty: all models together. max_gpus:
    None: no limit. shares: of the account in fair share, or of the user if jobs have no account; None: 1.
    """

    user: str = ""
    account: str = ""
    qos: str = ""
    partition: str = ""
    gpu_model: str = ""
    max_gpus: float | None = None
    shares: float | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """User, account, QOS, partition and GPU model."""
        return self.user, self.account, self.qos, self.partition, self.gpu_model

    def group_of(self, *theirs: str) -> tuple[str, ...] | None:
        """Return the names of a job that this limit states as EACH: jobs of one group share it.

        theirs: as in `names`. None if the limit is not for such jobs.
        """
        pairs = [pair for pair in zip(self.names, theirs, strict=True) if pair[0]]
        if any(not own or name not in (EACH, own) for name, own in pairs):
            return None
        return tuple(own for name, own in pairs if name == EACH)


# --- A project: imported data and decisions in one immutable value --------------------------------


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


# --- Budgets of teams and business figures: checks ------------------------------------------------

LARGEST_BUDGET: Final = 10**12
"""Largest budget per month, in the project's currency."""
LONGEST_TEAM: Final = 200
"""Characters in a team name."""


def check_budget(team: str, usd_per_month: object) -> float:
    """Return a checked budget as a float.

    usd_per_month: in the project's currency. Errors: PlannerError for a team without a name, or an amount that is not
    between 0 and 10**12.
    """
    if not 1 <= len(team.strip()) <= LONGEST_TEAM:
        problem = worded("team names have at most {longest} characters", longest=whole(LONGEST_TEAM))
        raise refusal("team", problem, worded("name the team as the log does"))
    is_number = isinstance(usd_per_month, int | float) and not isinstance(usd_per_month, bool)
    if not is_number or not isfinite(float(usd_per_month)) or not 0 <= float(usd_per_month) <= LARGEST_BUDGET:  # type: ignore[arg-type]
        problem = worded("{value} is not allowed", value=str(usd_per_month)[:40])
        raise refusal(team, problem, worded("enter an amount per month, 0 or more"))
    return float(usd_per_month)  # type: ignore[arg-type]


LARGEST: Final = 10**15
LONGEST_NAME: Final = 80
_MONTH: Final = lazy_re(r"(19|20|21)\d\d-(0[1-9]|1[0-2])")


def check_business(figure: BusinessFigure) -> BusinessFigure:
    """Return the figure with its name and key trimmed. Errors: PlannerError for a bad name or month, or a value not
    above 0.
    """
    name = str(figure.name).strip()
    if not 1 <= len(name) <= LONGEST_NAME:
        problem = worded(
            "business figure names have at most {longest} characters", longest=whole(LONGEST_NAME)
        )
        raise refusal("figure", problem, worded("name it, as in orders"))
    if not isinstance(figure.month, str) or not _MONTH.fullmatch(figure.month):
        raise refusal(
            name,
            worded("{value} is not allowed", value=repr(figure.month)[:40]),
            worded("write it as 2026-08"),
        )
    value = figure.value
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not isfinite(value) or not 0 < value <= LARGEST:
        problem = worded("{value} is not allowed", value=repr(value)[:40])
        raise refusal(name, problem, worded("enter a number above 0"))
    return BusinessFigure(name, figure.month, float(value), str(figure.key).strip())


# --- A project for planning: with inputs that are not saved ---------------------------------------


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ProjectToPlan(Project):
    """A project with further inputs for its plans, which are not saved.

    is_asking: an RFQ is being written. asked: its dates, which replace those of answered RFQs. nodes: GPUs of the usual
    node, by GPU model.
    """

    is_asking: bool = False
    asked: RequestDays | None = None
    nodes: Mapping[str, int] = field(default_factory=dict)

    @property
    def request_days(self) -> RequestDays | None:
        """The dates of the RFQ that is being written, otherwise of the newest answered RFQ."""
        return self.asked if self.is_asking else days_answered(self.intake)

    @property
    def node_gpus(self) -> Mapping[str, int]:
        """GPUs of the usual node by GPU model, as given."""
        return self.nodes


def while_asking(project: Project, days: RequestDays | None) -> Project:
    """Return the project while an RFQ with these dates is written; None: the RFQ asks for no quote."""
    return _to_plan(project, is_asking=True, asked=days)


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
