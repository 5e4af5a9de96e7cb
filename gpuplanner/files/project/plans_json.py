"""What the planner decided, as JSON and back, exact: the part `plans` of a project.

{"title", "window": {field: value}, "assumptions": {field: value}, "labels": {key: pool},
 "needs": {key: {need: value}} (absent: none),
 "scenarios": [as in scenario_json.py],
 "notes": {key: text} (absent: none),
 "rules": table of ClassRule, absent in files from before them,
 "traffic": {key: table of Traffic, one row},
 "mappings": table of ModelMapping, absent in files from before them,
 "serving": {key: {"model": table of ServedModel, "week": table of WeekRates (each one row or null),
                   "gpu_model", "precision", "tensor_parallel"}} (absent: none),
 "places": {"cities": table of UserCity, "sites": of Site, "measured": of MeasuredTransit,
            "residency": of ResidencyRule} (absent: none),
 "plan_from_s": epoch seconds (absent: plans begin where the window ends),
 "earlier_offers": table of Offer, absent in files from before them,
 "same": table of Same, absent in files from before them,
 "currency": ISO code (absent: USD), "exchange": table of ExchangeRate (absent: none),
 "budgets": {team: money a month or null} (absent: none), "business": table (absent: none)}
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from gpuplanner.domain.demand.own_rules import check_rule
from gpuplanner.domain.edits.budgets import check_budget
from gpuplanner.domain.edits.business import check_business
from gpuplanner.domain.model.book.exchange import ExchangeRate, check_code, check_rate
from gpuplanner.domain.model.book.model_mapping import ModelMapping, check_mapping
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.offer_history import with_earlier
from gpuplanner.domain.model.business import BusinessFigure
from gpuplanner.domain.model.log.traffic import Traffic
from gpuplanner.domain.model.needs import NeedsSet, check_need
from gpuplanner.domain.model.places import (
    NO_PLACES,
    MeasuredTransit,
    Places,
    ResidencyRule,
    Site,
    UserCity,
    places_of,
)
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.same import Same, with_same
from gpuplanner.domain.model.scenario.assumptions import ASSUMPTIONS, Assumptions, check_assumption
from gpuplanner.domain.model.scenario.plan_inputs import TODAY
from gpuplanner.domain.model.served_model import ServedModel, ServingChoice, WeekRates
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.files.project.field_forms import Form, as_it_is, entry_of, forms_of, values_of
from gpuplanner.files.project.field_types import LATEST_S, NewerFieldError, check_fields
from gpuplanner.files.project.scenario_json import pools_of, scenario_entry, scenario_of
from gpuplanner.files.project.value_tables import attributes, checked, rows_of, table

PARTS_OF_THEIR_OWN: Final = ("jobs", "workloads", "contracts", "offers", "intake", "cube")
"""Fields of a project that are loaded, each of them a part of the file; every other field is one of `plans`."""


def plans_entry(project: Project) -> dict[str, object]:
    """The plans of a project; a field that is None is not there."""
    return entry_of(project, FORMS)


def plans_of(entry: Mapping[str, Any]) -> dict[str, Any]:
    """What `plans_entry` wrote, by field of Project; one that a file from before it lacks has its default.

    Errors: as for `rows_of`.
    """
    plans = values_of(entry, FORMS, FROM_THE_FIRST)
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


def _assumptions(entry: Mapping[str, Any]) -> Assumptions:
    """The assumptions, each checked against the range it may have."""
    by_field = {spec.field: spec for spec in ASSUMPTIONS}
    for name, value in entry.items():
        if name not in by_field:
            raise NewerFieldError(name)
        check_assumption(by_field[name], value)
    return Assumptions(**entry)


def _rules(entry: Mapping[str, Any]) -> tuple[ClassRule, ...]:
    """The planner's own class rules, each checked as if it had just been entered."""
    rules = rows_of(ClassRule, entry)
    for rule in rules:
        check_rule(rule)
    return rules


def _moment(at_s: object) -> int:
    """A whole hour that has a date, epoch seconds. Errors: ValueError."""
    if type(at_s) is not int or abs(at_s) > LATEST_S or at_s % HOUR_S:
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


def _mappings(entry: Mapping[str, Any]) -> tuple[ModelMapping, ...]:
    """Which GPU model stands for which; ValueError if a pair comes twice or they are not sorted."""
    mappings = tuple(check_mapping(one) for one in rows_of(ModelMapping, entry))
    pairs = [(one.gpu_model, one.offer_model) for one in mappings]
    if pairs != sorted(set(pairs)):
        raise ValueError("a GPU model is mapped twice onto another, or mappings are not sorted")
    return mappings


def _earlier(offers: tuple[Offer, ...]) -> tuple[Offer, ...]:
    """Earlier offers; ValueError unless they are sorted and differ in id or day."""
    if offers != with_earlier((), offers, ()):
        raise ValueError("earlier offers are not sorted, or two are of one id and day")
    return offers


def _same(entry: Mapping[str, Any]) -> tuple[Same, ...]:
    """Names that mean one thing; ValueError if they contradict each other or are not sorted."""
    same = rows_of(Same, entry)
    if same != with_same((), same):
        raise ValueError("one name is said to be two things, or decisions are not sorted")
    return same


def _exchange(entry: Mapping[str, Any]) -> tuple[ExchangeRate, ...]:
    """Exchange rates; ValueError if a currency has two, or they are not sorted."""
    rates = tuple(map(check_rate, rows_of(ExchangeRate, entry)))
    codes = [one.code for one in rates]
    if codes != sorted(set(codes)):
        raise ValueError("a currency has two rates, or they are not sorted")
    return rates


def _budgets(values: Mapping[str, Any]) -> dict[str, float | None]:
    """Budgets of teams, each checked as if it had just been entered."""
    return {team: None if usd is None else check_budget(team, usd) for team, usd in values.items()}


def _business(entry: Mapping[str, Any]) -> tuple[BusinessFigure, ...]:
    """Figures of the business, each checked; ValueError if a name and month is there twice or they are not sorted."""
    figures = tuple(map(check_business, rows_of(BusinessFigure, entry)))
    keys = [(one.name, one.month) for one in figures]
    if keys != sorted(set(keys)):
        raise ValueError("a business figure is there twice, or they are not sorted")
    return figures


def _needs(values: Mapping[str, Any]) -> NeedsSet:
    """What a workload needs, each value checked."""
    return NeedsSet(**{name: check_need(name, value) for name, value in values.items()})  # type: ignore[arg-type]


def _serving_entry(choice: ServingChoice) -> dict[str, object]:
    """The choice of a served model, its model and its week of rates as tables of one row."""
    parts: dict[str, tuple[type, object]] = {
        "model": (ServedModel, choice.model),
        "week": (WeekRates, choice.week),
    }
    tables = {name: None if of is None else table(kind, (of,)) for name, (kind, of) in parts.items()}
    return {**attributes(choice), **tables}


def _serving(entry: Mapping[str, Any]) -> ServingChoice:
    """The inverse of `_serving_entry`, its values checked."""
    values = {
        **entry,
        "model": None if entry["model"] is None else rows_of(ServedModel, entry["model"])[0],
        "week": None if entry["week"] is None else rows_of(WeekRates, entry["week"])[0],
    }
    return checked(ServingChoice, values)


def _by_key(make: Callable[[Any], object]) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """A reader of an object whose every value is made by `make`."""
    return lambda values: {str(key): make(value) for key, value in values.items()}


FORMS: Final[Mapping[str, Form]] = forms_of(
    Project,
    {
        "title": Form(str, as_it_is),
        "window": Form(attributes, _window),
        "assumptions": Form(attributes, _assumptions),
        "labels": Form(dict, pools_of),
        "scenarios": Form(
            lambda plans: [scenario_entry(plan) for plan in plans],
            lambda entries: tuple(scenario_of(entry) for entry in entries),
        ),
        "rules": Form(lambda rules: table(ClassRule, rules), _rules),
        "traffic": Form(
            _by_key(lambda traffic: table(Traffic, (traffic,))), _by_key(lambda one: rows_of(Traffic, one)[0])
        ),
        "needs": Form(_by_key(NeedsSet.values), _by_key(_needs)),
        "notes": Form(dict, _by_key(str)),
        "mappings": Form(lambda mappings: table(ModelMapping, mappings), _mappings),
        "serving": Form(_by_key(_serving_entry), _by_key(_serving)),
        "places": Form(_places_entry, _places),
        "plan_from_s": Form(int, _moment),
        "earlier_offers": Form(
            lambda offers: table(Offer, offers), lambda entry: _earlier(rows_of(Offer, entry))
        ),
        "same": Form(lambda same: table(Same, same), _same),
        "currency": Form(str, check_code),
        "exchange": Form(lambda rates: table(ExchangeRate, rates), _exchange),
        "budgets": Form(dict, _budgets),
        "business": Form(lambda figures: table(BusinessFigure, figures), _business),
    },
    without=PARTS_OF_THEIR_OWN,
)
"""How each field is written and read; a new field of Project has a line here, or a part of its own."""

FROM_THE_FIRST: Final = ("title", "window", "assumptions", "labels", "scenarios")
"""Fields that every file has."""
