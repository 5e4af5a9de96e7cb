"""What the planner decided, as JSON and back, exact: plans, their contents, and all around them."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, Final

from gpuplanner.domain.commitment.next_decision import ACTS
from gpuplanner.domain.demand.own_rules import check_rule
from gpuplanner.domain.model import assumptions
from gpuplanner.domain.model.book.exchange import ExchangeRate, check_code, check_rate
from gpuplanner.domain.model.book.offer import Offer, PriceCase
from gpuplanner.domain.model.book.only import ModelMapping, Only, check_mapping, check_only
from gpuplanner.domain.model.book.price_history import with_earlier
from gpuplanner.domain.model.budgets import check_budget
from gpuplanner.domain.model.business_figures import BusinessFigure, check_business
from gpuplanner.domain.model.gpu_family import Same, with_same
from gpuplanner.domain.model.hardware_needs import NeedsSet, check_need
from gpuplanner.domain.model.places import (
    NO_PLACES,
    MeasuredPoint,
    MeasuredTransit,
    Places,
    ResidencyRule,
    ServedModel,
    ServingChoice,
    Site,
    Traffic,
    UserCity,
    WeekRates,
    places_of,
)
from gpuplanner.domain.model.plan.changes import (
    DemandChange,
    PriceChange,
    check_demand_change,
    check_price_change,
)
from gpuplanner.domain.model.plan.merged_cards import check_merges
from gpuplanner.domain.model.plan.planned_work import PlannedWork, check_planned
from gpuplanner.domain.model.plan.scenario import (
    BEFORE_RENEWALS,
    TODAY,
    Decision,
    DoneDecision,
    HandLayer,
    LeakDecision,
    Scenario,
    check_cut,
)
from gpuplanner.domain.model.plan.spells import Spell, check_spell
from gpuplanner.domain.model.plan.splits import ShareSplit, Split, TimeSplit, WeekSplit, check_split
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.queue_limits import Limit
from gpuplanner.domain.model.tables import ClassRule, Pool
from gpuplanner.domain.model.trained import StatedRun, check_run
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.files.project.value_tables import (
    LATEST_SAVED_S,
    Form,
    NewerFieldError,
    as_it_is,
    attributes,
    check_fields,
    checked,
    entry_of,
    forms_of,
    rows_of,
    table,
    values_of,
    whole_number,
)
from gpuplanner.files.values.word_lists import words
from gpuplanner.lazy_dataclass import replace

# --- A plan as JSON and back, exact --------------------------------------------------------------
# {"name", "start", "pools": {key: pool}, "pinned": [key],
#  "hand_layers": [[pool, gpu_model, [[term_months, gpus], ...]], ...], "assumptions": {name: value}, "greenfield",
#  "advised_around": [[pool, gpu_model], ...] (absent: none), "decisions": table of Decision,
#  "leak_decisions": table of LeakDecision, "price_case": low, mid or high (absent: mid),
#  "splits": {key: {"permille"} or {"at_s"} or {"hours"}} (absent: none), "merges": {name: [key, ...]} (absent: none),
#  "spells": {key: {"begins_s", "ends_s"}}, "changes": table of DemandChange, "planned": table of PlannedWork,
#  "price_changes": table of PriceChange (absent: none), "only": {key: {"provider", "region"}} (absent: none; with
#  "not_provider" where one may not), "shares": [[{as of only}, share], ...] (absent: none),
#  "scratch_of": name of a plan (absent: a plan of its own)}


def scenario_entry(scenario: Scenario) -> dict[str, object]:
    """A plan; what JSON has no word for is said at the top."""
    return entry_of(scenario, SCENARIO_FORMS)


def scenario_of(entry: Mapping[str, Any]) -> Scenario:
    """What `scenario_entry` wrote. Errors: as for `rows_of`."""
    scenario = Scenario(**values_of(entry, SCENARIO_FORMS, SCENARIO_FROM_THE_FIRST))
    if "runs_on" not in entry:
        scenario = replace(scenario, decisions=(*scenario.decisions, BEFORE_RENEWALS))
    check_merges(scenario.merges)
    check_fields(Scenario, attributes(scenario).items())
    for layer in (layer for layers in scenario.hand_layers.values() for layer in layers):
        check_fields(HandLayer, attributes(layer).items())
    return scenario


def _hand_layers(
    entries: Sequence[tuple[str, str | None, Sequence[Sequence[int]]]],
) -> dict[tuple[Pool, str | None], tuple[HandLayer, ...]]:
    """Layers set by hand by pool and GPU model; None is all models."""
    return {
        (Pool(pool), gpu_model): tuple(HandLayer(term, gpus) for term, gpus in layers)
        for pool, gpu_model, layers in entries
    }


def _hand_layers_entry(hand_layers: Mapping[tuple[Pool, str | None], tuple[HandLayer, ...]]) -> list[object]:
    """Layers set by hand as lists, as JSON has no pairs for keys."""
    return [
        [pool, gpu_model, [[layer.term_months, layer.gpus] for layer in layers]]
        for (pool, gpu_model), layers in hand_layers.items()
    ]


RETIRED_ASSUMPTIONS: Final = frozenset({"short_leads", *assumptions.REPLACED_BY})
"""Assumptions that older projects may hold and that no formula reads any more: they are dropped."""


def _kept(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values by name of assumptions that there still are."""
    return {name: value for name, value in values.items() if name not in RETIRED_ASSUMPTIONS}


def _changed_assumptions(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The values a plan changes, each checked against its range."""
    values = _kept(values)
    for name, value in values.items():
        assumptions.check_assumption(assumptions.SPEC_BY_NAME[name], value)
    return values


def _split(entry: Mapping[str, Any]) -> Split:
    """A split by the one field that it is made of. Errors: KeyError, ValueError or PlannerError."""
    ((name, value),) = entry.items()
    split: Split
    if name == "hours":
        split = WeekSplit(tuple(map(whole_number, value)))
    elif name == "permille":
        split = ShareSplit(whole_number(value))
    else:
        split = TimeSplit(whole_number(entry["at_s"]))
    check_split(split)
    return split


def _only_entry(only: Only) -> dict[str, object]:
    """Who may serve; who may not, and countries, are left out where there are none, so that older versions read it."""
    return {
        name: value for name, value in attributes(only).items() if value or name in ("provider", "region")
    }


def _numbers(entry: Mapping[str, Any]) -> dict[str, int]:
    """Return numbers by id. Errors: ValueError for one that is used twice or is below 1."""
    numbers = {name: whole_number(number) for name, number in entry.items()}
    if len(set(numbers.values())) < len(numbers) or min(numbers.values(), default=1) < 1:
        raise ValueError("a number of a decision or an order is used twice")
    return numbers


def _done(row: DoneDecision) -> DoneDecision:
    """Return a decision that is done, of a kind that can be shown. Errors: ValueError for another kind."""
    if row.kind not in ACTS:
        raise ValueError(f"{row.kind!r} is no kind of decision")
    return row


def _shares(entries: Sequence[tuple[Mapping[str, Any], float]]) -> dict[Only, float]:
    """Shares by whom they are of, each checked as if it had just been entered. Errors: ValueError for one of two."""
    shares = {
        who: assumptions.check_share(who, share)
        for entry, share in entries
        for who in (checked(Only, entry),)
    }
    if len(shares) < len(entries):
        raise ValueError("one has two shares")
    return dict(sorted(shares.items()))


def _planned(works: tuple[PlannedWork, ...]) -> tuple[PlannedWork, ...]:
    """Planned work by key. Errors: ValueError for two of one key."""
    by_key = {work.key: work for work in works}
    if len(by_key) < len(works):
        raise ValueError("two planned workloads have one key")
    return tuple(by_key[key] for key in sorted(by_key))


def _table(
    row_type: type, check: Callable[[Any], object] = as_it_is, of_all: Callable[[Any], object] = as_it_is
) -> Form:
    """A field that is a table of rows. check: of each, as if it had just been entered; of_all: of all of them."""

    def read(entry: Mapping[str, Any]) -> object:
        """The rows, checked. Errors: as for `rows_of`, and ValueError."""
        return of_all(tuple(map(check, rows_of(row_type, entry))))

    return Form(partial(table, row_type), read)


def _sorted_once(key: Callable[[Any], Any], fault: str) -> Callable[[Any], object]:
    """A check of all rows: ValueError with this fault where a key is there twice, or they are not sorted by it."""

    def check(rows: Sequence[object]) -> Sequence[object]:
        """The rows themselves."""
        keys = [key(row) for row in rows]
        if keys != sorted(set(keys)):
            raise ValueError(fault)
        return rows

    return check


def pools_of(entries: Mapping[str, str]) -> dict[str, Pool]:
    """Pools by their names."""
    return {key: Pool(pool) for key, pool in entries.items()}


def _by_key(make: Callable[[Any], object]) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """A reader of an object whose every value is made by `make`."""
    return lambda values: {str(key): make(value) for key, value in values.items()}


def _by_name(
    kind: type, check: Callable[[str, Any], object]
) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """A reader of an object whose every value is of a kind, and checked with its key."""
    return lambda values: {str(key): check(str(key), checked(kind, value)) for key, value in values.items()}


SCENARIO_FORMS: Final[Mapping[str, Form]] = forms_of(
    Scenario,
    {
        "name": Form(str, as_it_is),
        "start": Form(str, as_it_is),
        "pools": Form(dict, pools_of),
        "pinned": Form(sorted, frozenset),
        "hand_layers": Form(_hand_layers_entry, _hand_layers),
        "assumptions": Form(dict, _changed_assumptions),
        "greenfield": Form(bool, as_it_is),
        "decisions": _table(Decision),
        "leak_decisions": _table(LeakDecision),
        "price_case": Form(as_it_is, PriceCase),
        "advised_around": Form(
            lambda pairs: sorted((list(pair) for pair in pairs), key=lambda pair: (pair[0], pair[1] or "")),
            lambda pairs: frozenset((Pool(pool), gpu_model) for pool, gpu_model in pairs),
        ),
        "splits": Form(_by_key(attributes), _by_key(_split)),
        "merges": Form(_by_key(list), _by_key(lambda keys: tuple(map(str, keys)))),
        "spells": Form(_by_key(attributes), _by_name(Spell, check_spell)),
        "changes": _table(DemandChange, check_demand_change),
        "planned": _table(PlannedWork, check_planned, _planned),
        "price_changes": _table(PriceChange, check_price_change),
        "only": Form(_by_key(_only_entry), _by_name(Only, check_only)),
        "scratch_of": Form(str, as_it_is),
        "shares": Form(lambda shares: [[_only_entry(who), share] for who, share in shares.items()], _shares),
        "notice_given": Form(list, tuple),
        **dict.fromkeys(("runs_on", "kept", "ended"), Form(list, tuple)),
        "left_terms": Form(
            lambda terms: sorted(terms, key=str),
            lambda terms: frozenset((Pool(pool), model, term) for pool, model, term in terms),
        ),
        "is_gap_missing": Form(bool, as_it_is),
        "provider_ends": Form(dict, _by_key(int)),
        "accepted": Form(list, lambda steps: tuple(map(check_cut, steps))),
        "decision_numbers": Form(dict, _numbers),
        "order_numbers": Form(dict, _numbers),
        "postponed": Form(sorted, frozenset),
        "done": _table(DoneDecision, _done),
        "at_list_price": Form(sorted, frozenset),
    },
    without=("whole_decisions",),
)
"""How each field is written and read; a new field of Scenario has a line here, but for what its evaluation decides."""

SCENARIO_FROM_THE_FIRST: Final = frozenset(SCENARIO_FORMS) - words(
    "leak_decisions|price_case|advised_around|splits|merges|spells|changes|planned|price_changes|only"
    "|scratch_of|shares|notice_given|runs_on|kept|ended|left_terms|is_gap_missing|provider_ends|accepted"
    "|decision_numbers|order_numbers|postponed|done|at_list_price"
)
"""Fields that a plan has in every file."""


# --- What the planner decided, as JSON and back, exact: the part `plans` of a project ------------
# {"title", "window": {field: value}, "assumptions": {field: value}, "labels": {key: pool},
#  "needs": {key: {need: value}} (absent: none),
#  "scenarios": [as scenario_entry makes them],
#  "notes": {key: text} (absent: none),
#  "rules": table of ClassRule, absent in files from before them,
#  "traffic": {key: table of Traffic, one row},
#  "mappings": table of ModelMapping, absent in files from before them,
#  "serving": {key: {"model": table of ServedModel, "week": table of WeekRates (each one row or null),
#                    "gpu_model", "precision", "tensor_parallel", "term_months",
#                    "measured": table of MeasuredPoint, "rates": [[GPU model, requests/s]]}}
#             (absent: none),
#  "places": {"cities": table of UserCity, "sites": of Site, "measured": of MeasuredTransit,
#             "residency": of ResidencyRule} (absent: none),
#  "plan_from_s": epoch seconds (absent: plans begin where the window ends),
#  "earlier_offers": table of Offer, absent in files from before them,
#  "same": table of Same, absent in files from before them,
#  "currency": ISO code (absent: USD), "exchange": table of ExchangeRate (absent: none),
#  "budgets": {team: money a month or null} (absent: none), "business": table (absent: none),
#  "runs": table of StatedRun, its model and layout tables of one row (absent: none),
#  "queue_limits": table of Limit (absent: none), "is_fair_share": whether by fair share (absent: by eligible time)}

PARTS_OF_THEIR_OWN: Final = ("jobs", "workloads", "contracts", "offers", "intake", "cube")
"""Fields of a project that are loaded, each of them a part of the file; every other field is one of `plans`."""


def plans_entry(project: Project) -> dict[str, object]:
    """The plans of a project; a field that is None is not there."""
    return entry_of(project, PROJECT_FORMS)


def plans_of(entry: Mapping[str, Any]) -> dict[str, Any]:
    """What `plans_entry` wrote, by field of Project; one that a file from before it lacks has its default.

    Errors: as for `rows_of`.
    """
    plans = values_of(entry, PROJECT_FORMS, PROJECT_FROM_THE_FIRST)
    check_fields(Project, plans.items())
    if len({scenario.name for scenario in plans["scenarios"]} - {TODAY}) < max(1, len(plans["scenarios"])):
        raise ValueError("there is no plan, or two of one name, or one that is called Today")
    rules = plans.get("rules", ())
    if len({rule.rule_id for rule in rules}) < len(rules):
        raise ValueError("two rules have one id")
    return plans


def _window(entry: Mapping[str, Any]) -> Window:
    """The planning window; ValueError where a field is of the wrong type."""
    check_fields(Window, entry.items())
    return Window(**entry)


CHURN_BEFORE: Final = 0.01
"""That of all pools in files from before it went by pool: it was nobody's choice."""


def _assumptions_entry(held: assumptions.Assumptions) -> dict[str, Any]:
    """All of them; churn that nobody set is not there."""
    return {name: value for name, value in attributes(held).items() if name != "lambda_" or value is not None}


def _assumptions(entry: Mapping[str, Any]) -> assumptions.Assumptions:
    """The assumptions, each checked against the range it may have."""
    by_field = {spec.field: spec for spec in assumptions.ASSUMPTIONS}
    replaced = any(entry.get(name, 1.0) != 1.0 for name in assumptions.REPLACED_BY)
    entry = {**_kept(entry), **({"serving_shares_replaced": True} if replaced else {})}
    if "lambda_more" not in entry and entry.get("lambda_") == CHURN_BEFORE:
        del entry["lambda_"]
    for name, value in entry.items():
        if name not in by_field:
            raise NewerFieldError(name)
        assumptions.check_assumption(by_field[name], value)
    return assumptions.Assumptions(**entry)


def _rule(rule: ClassRule) -> ClassRule:
    """One of the planner's own class rules, if it is sound."""
    check_rule(rule)
    return rule


def _moment(at_s: object) -> int:
    """A whole hour that has a date, epoch seconds. Errors: ValueError."""
    if type(at_s) is not int or abs(at_s) > LATEST_SAVED_S or at_s % HOUR_S:
        raise ValueError(f"{at_s!r:.60} is no whole hour with a date")
    return at_s


PLACE_TABLES: Final[Mapping[str, type]] = {
    "cities": UserCity,
    "sites": Site,
    "measured": MeasuredTransit,
    "residency": ResidencyRule,
}
"""The tables of places."""


def _places_entry(places: Places) -> dict[str, object]:
    """Cities, sites, transit and rules as a table each."""
    return {name: table(row_type, getattr(places, name)) for name, row_type in PLACE_TABLES.items()}


def _places(entry: Mapping[str, Any]) -> Places:
    """Places from their tables; ValueError for coordinates beyond the globe."""
    for name in entry:
        if name not in PLACE_TABLES:
            raise NewerFieldError(name)
    made: dict[str, Any] = {name: rows_of(PLACE_TABLES[name], rows) for name, rows in entry.items()}
    for place in (*made.get("cities", ()), *made.get("sites", ())):
        if abs(place.latitude) > 90 or abs(place.longitude) > 180:
            raise ValueError(f"{place!r:.60} is nowhere on the globe")
    return places_of(**made) if any(made.values()) else NO_PLACES


def _earlier(offers: tuple[Offer, ...]) -> tuple[Offer, ...]:
    """Earlier offers; ValueError unless they are sorted and differ in id or day."""
    if offers != with_earlier((), offers, ()):
        raise ValueError("earlier offers are not sorted, or two are of one id and day")
    return offers


def _same(same: tuple[Same, ...]) -> tuple[Same, ...]:
    """Names that mean one thing; ValueError if they contradict each other or are not sorted."""
    if same != with_same((), same):
        raise ValueError("one name is said to be two things, or decisions are not sorted")
    return same


def _budgets(values: Mapping[str, Any]) -> dict[str, float | None]:
    """Budgets of teams, each checked as if it had just been entered."""
    return {team: None if usd is None else check_budget(team, usd) for team, usd in values.items()}


def _needs(values: Mapping[str, Any]) -> NeedsSet:
    """What a workload needs, each value checked."""
    return NeedsSet(**{name: check_need(name, value) for name, value in values.items()})  # type: ignore[arg-type]


_SERVED: Final[Mapping[str, type]] = {"model": ServedModel, "week": WeekRates}
"""Of the choice of a served model, its parts that are tables of one row."""


def _serving_entry(choice: ServingChoice) -> dict[str, object]:
    """The choice of a served model."""
    fields = attributes(choice)
    served = {name: fields[name] and table(kind, (fields[name],)) for name, kind in _SERVED.items()}
    return fields | served | {"measured": table(MeasuredPoint, choice.measured)}


def _serving(entry: Mapping[str, Any]) -> ServingChoice:
    """The inverse of `_serving_entry`, its values checked."""
    parts = {name: entry[name] and rows_of(kind, entry[name])[0] for name, kind in _SERVED.items()}
    measured = rows_of(MeasuredPoint, entry["measured"]) if "measured" in entry else ()
    rates = tuple((str(name), float(rate)) for name, rate in entry.get("rates", ()))
    return checked(ServingChoice, {**entry, **parts, "measured": measured, "rates": rates})


PROJECT_FORMS: Final[Mapping[str, Form]] = forms_of(
    Project,
    {
        "title": Form(str, as_it_is),
        "window": Form(attributes, _window),
        "assumptions": Form(_assumptions_entry, _assumptions),
        "labels": Form(dict, pools_of),
        "scenarios": Form(
            lambda plans: [scenario_entry(plan) for plan in plans],
            lambda entries: tuple(scenario_of(entry) for entry in entries),
        ),
        "rules": _table(ClassRule, _rule),
        "traffic": Form(
            _by_key(lambda traffic: table(Traffic, (traffic,))), _by_key(lambda row: rows_of(Traffic, row)[0])
        ),
        "needs": Form(_by_key(NeedsSet.values), _by_key(_needs)),
        "notes": Form(dict, _by_key(str)),
        "mappings": _table(
            ModelMapping,
            check_mapping,
            _sorted_once(
                attrgetter("key"), "a GPU model is mapped twice onto another, or mappings are not sorted"
            ),
        ),
        "serving": Form(_by_key(_serving_entry), _by_key(_serving)),
        "places": Form(_places_entry, _places),
        "plan_from_s": Form(int, _moment),
        "earlier_offers": _table(Offer, of_all=_earlier),
        "same": _table(Same, of_all=_same),
        "currency": Form(str, check_code),
        "exchange": _table(
            ExchangeRate,
            check_rate,
            _sorted_once(lambda row: row.code, "a currency has two rates, or they are not sorted"),
        ),
        "budgets": Form(dict, _budgets),
        "business": _table(
            BusinessFigure,
            check_business,
            _sorted_once(
                lambda row: row.identity, "a business figure is there twice, or they are not sorted"
            ),
        ),
        "runs": _table(StatedRun, check_run),
        "queue_limits": _table(Limit),
        "is_fair_share": Form(bool, as_it_is),
    },
    without=PARTS_OF_THEIR_OWN,
)
"""How each field is written and read; a new field of Project has a line here, or a part of its own."""

PROJECT_FROM_THE_FIRST: Final = ("title", "window", "assumptions", "labels", "scenarios")
"""Fields that every file has."""
