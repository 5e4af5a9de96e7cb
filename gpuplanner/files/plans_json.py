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
 "plan_from_s": epoch seconds (absent: plans begin where the window ends)}
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from gpuplanner.domain.demand.own_rules import check_rule
from gpuplanner.domain.model.assumptions import ASSUMPTIONS, Assumptions, check_assumption
from gpuplanner.domain.model.model_mapping import ModelMapping, check_mapping
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
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario import TODAY, Scenario
from gpuplanner.domain.model.served_model import ServedModel, ServingChoice, WeekRates
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.domain.model.traffic import Traffic
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.files.field_types import LATEST_S, check_fields
from gpuplanner.files.scenario_json import pools_of, scenario_entry, scenario_of
from gpuplanner.files.value_tables import attributes, checked, rows_of, table


@dataclass(frozen=True, slots=True)
class Plans:
    """The part of a project that the planner decides, and the window it stands on."""

    title: str
    window: Window
    assumptions: Assumptions
    labels: Mapping[str, Pool]
    scenarios: tuple[Scenario, ...]
    rules: tuple[ClassRule, ...]
    traffic: Mapping[str, Traffic]
    needs: Mapping[str, NeedsSet]
    notes: Mapping[str, str]
    mappings: tuple[ModelMapping, ...]
    serving: Mapping[str, ServingChoice]
    places: Places
    plan_from_s: int | None


def plans_entry(project: Project) -> dict[str, object]:
    """The plans of a project."""
    return {
        "title": project.title,
        "window": attributes(project.window),
        "assumptions": attributes(project.assumptions),
        "labels": dict(project.labels),
        "needs": {key: needs.values() for key, needs in project.needs.items()},
        "scenarios": [scenario_entry(scenario) for scenario in project.scenarios],
        "rules": table(ClassRule, project.rules),
        "notes": dict(project.notes),
        "traffic": {key: table(Traffic, (traffic,)) for key, traffic in project.traffic.items()},
        "mappings": table(ModelMapping, project.mappings),
        "serving": {key: _serving_entry(choice) for key, choice in project.serving.items()},
        "places": {
            name: table(row_type, getattr(project.places, name)) for name, row_type in PLACE_TABLES.items()
        },
        **({} if project.plan_from_s is None else {"plan_from_s": project.plan_from_s}),
    }


def plans_of(entry: Mapping[str, Any]) -> Plans:
    """What `plans_entry` wrote. Errors: as for `rows_of`."""
    check_fields(Window, entry["window"].items())
    by_field = {spec.field: spec for spec in ASSUMPTIONS}
    for name, value in entry["assumptions"].items():
        check_assumption(by_field[name], value)
    plans = Plans(
        title=entry["title"],
        window=Window(**entry["window"]),
        assumptions=Assumptions(**entry["assumptions"]),
        labels=pools_of(entry["labels"]),
        scenarios=tuple(scenario_of(scenario) for scenario in entry["scenarios"]),
        rules=rows_of(ClassRule, entry["rules"]) if "rules" in entry else (),
        traffic={key: rows_of(Traffic, one)[0] for key, one in entry.get("traffic", {}).items()},
        needs={key: _needs(values) for key, values in entry.get("needs", {}).items()},
        notes={str(key): str(text) for key, text in entry.get("notes", {}).items()},
        mappings=_mappings(entry["mappings"]) if "mappings" in entry else (),
        serving={key: _serving(one) for key, one in entry.get("serving", {}).items()},
        places=_places(entry.get("places", {})),
        plan_from_s=_moment(entry.get("plan_from_s")),
    )
    for rule in plans.rules:
        check_rule(rule)
    check_fields(Plans, ((name, getattr(plans, name)) for name in ("title", "scenarios")))
    if len({scenario.name for scenario in plans.scenarios} - {TODAY}) < max(1, len(plans.scenarios)):
        raise ValueError("there is no plan, or two of one name, or one that is called Today")
    if len({rule.rule_id for rule in plans.rules}) < len(plans.rules):
        raise ValueError("two rules have one id")
    return plans


def _moment(at_s: object) -> int | None:
    """A whole hour that has a date, epoch seconds. Errors: ValueError."""
    if at_s is None:
        return None
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


def _places(entry: Mapping[str, Any]) -> Places:
    made: dict[str, Any] = {name: rows_of(PLACE_TABLES[name], rows) for name, rows in entry.items()}
    for place in (*made.get("cities", ()), *made.get("sites", ())):
        if abs(place.latitude) > 90 or abs(place.longitude) > 180:
            raise ValueError(f"{place!r:.60} is nowhere on the globe")
    return places_of(**made) if any(made.values()) else NO_PLACES


def _mappings(entry: Mapping[str, Any]) -> tuple[ModelMapping, ...]:
    mappings = tuple(check_mapping(one) for one in rows_of(ModelMapping, entry))
    pairs = [(one.gpu_model, one.offer_model) for one in mappings]
    if pairs != sorted(set(pairs)):
        raise ValueError("a GPU model is mapped twice onto another, or mappings are not sorted")
    return mappings


def _needs(values: Mapping[str, Any]) -> NeedsSet:
    return NeedsSet(**{name: check_need(name, value) for name, value in values.items()})  # type: ignore[arg-type]


def _serving_entry(choice: ServingChoice) -> dict[str, object]:
    parts: dict[str, tuple[type, object]] = {
        "model": (ServedModel, choice.model),
        "week": (WeekRates, choice.week),
    }
    tables = {name: None if of is None else table(kind, (of,)) for name, (kind, of) in parts.items()}
    return {**attributes(choice), **tables}


def _serving(entry: Mapping[str, Any]) -> ServingChoice:
    values = {
        **entry,
        "model": None if entry["model"] is None else rows_of(ServedModel, entry["model"])[0],
        "week": None if entry["week"] is None else rows_of(WeekRates, entry["week"])[0],
    }
    return checked(ServingChoice, values)
