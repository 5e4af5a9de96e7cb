"""The small parts of a project as JSON and back, exact.

A table of values is `{"fields": [...], "rows": [[...], ...]}` by the fields of its dataclass; Decimal is its text,
an enum its value, a tuple a list, None null. A field that a table does not name has its default.

    plans       {"title", "window": {field: value}, "assumptions": {field: value}, "labels": {key: pool},
                 "needs": {key: {need: value}} (absent: none),
                 "scenarios": [{"name", "start", "pools": {key: pool}, "pinned": [key], "hand_layers":
                 [[pool, gpu_model, [[term_months, gpus], ...]], ...], "assumptions": {name: value}, "greenfield",
                 "advised_around": [[pool, gpu_model], ...] (absent: none), "decisions": table of Decision,
                 "leak_decisions": table of LeakDecision, "price_case": low, mid or high (absent: mid),
                 "splits": {key: {"permille"} or {"at_s"} or {"hours"}} (absent: none),
                 "merges": {name: [key, ...]} (absent: none)}],
                 "notes": {key: text} (absent: none),
                 "rules": table of ClassRule, absent in files from before them, "traffic": {key: table of Traffic, one
                 row}, "mappings": table of ModelMapping, absent in files from before them,
                 "serving": {key: {"model": table of ServedModel, "week": table of WeekRates (each one row or
                 null), "gpu_model", "precision", "tensor_parallel"}} (absent: none),
                 "places": {"cities": table of UserCity, "sites": of Site, "measured": of MeasuredTransit,
                 "residency": of ResidencyRule} (absent: none),
                 "plan_from_s": epoch seconds (absent: plans begin where the window ends)}
    jobs        table of JobFacts, one row; its quality is an object by the fields of DataQuality, its lulls are
                [longer_than_s, [[cluster, end_s, [[workload, gpu_model, milli_gpus, until_s], ...]], ...]]
    workloads   table of Workload
    contracts   table of Contract
    offers      table of Offer
    intake      table of FileIntake; issues and rejected are tables inside it, facts are [[name, value], ...]
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from decimal import Decimal
from typing import Any, Final, TypeVar

import numpy as np

from gpuplanner.domain.demand.own_rules import check_rule
from gpuplanner.domain.model.assumptions import ASSUMPTIONS, SPEC_BY_NAME, Assumptions, check_assumption
from gpuplanner.domain.model.contract import Contract
from gpuplanner.domain.model.data_quality import DataQuality, LogGap, SuspiciousValue
from gpuplanner.domain.model.intake import FileIntake, Issue, JobFacts, RejectedRow
from gpuplanner.domain.model.lull import Lull, Lulls, RunningJobs
from gpuplanner.domain.model.merging import check_merges
from gpuplanner.domain.model.model_mapping import ModelMapping, check_mapping
from gpuplanner.domain.model.needs import NeedsSet, check_need
from gpuplanner.domain.model.offer import Offer
from gpuplanner.domain.model.parting import ShareSplit, Split, TimeSplit, WeekSplit, check_split
from gpuplanner.domain.model.places import (
    NO_PLACES,
    MeasuredTransit,
    Places,
    ResidencyRule,
    Site,
    UserCity,
    places_of,
)
from gpuplanner.domain.model.pool import Pool, PricingCategory
from gpuplanner.domain.model.price_case import PriceCase
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario import TODAY, Decision, HandLayer, LeakDecision, LeakStatus, Scenario
from gpuplanner.domain.model.served_model import ServedModel, ServingChoice, WeekRates
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.domain.model.traffic import Traffic
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.domain.model.workload import Workload
from gpuplanner.files.field_types import LARGEST_INTEGER, check_fields

Row = TypeVar("Row")


def quality_of(entry: Mapping[str, Any]) -> DataQuality:
    """The data quality that `to_json` wrote. Errors: as for `rows_of`."""
    made = {
        "gaps": tuple(_made(LogGap, gap) for gap in entry["gaps"]),
        "suspicious": tuple(_made(SuspiciousValue, value) for value in entry["suspicious"]),
    }
    return _made(DataQuality, {**entry, **made})


def _count(value: object) -> int:
    """A whole number. Errors: ValueError."""
    if type(value) is not int or abs(value) > LARGEST_INTEGER:
        raise ValueError(f"{value!r:.60} is no whole number")
    return value


def _made(row_type: type[Row], values: Mapping[str, Any]) -> Row:
    check_fields(row_type, values.items())
    return row_type(**values)


def _lull(cluster: str, end_s: int, running: Sequence[Sequence[Any]]) -> Lull:
    check_fields(Lull, (("cluster", cluster), ("end_s", end_s)))
    if not all(gpu_model is None or isinstance(gpu_model, str) for _, gpu_model, _, _ in running):
        raise ValueError("a GPU model has a name that is no text")
    return Lull(
        cluster,
        end_s,
        tuple(
            RunningJobs(_count(place), gpu_model, _count(milli_gpus), _count(until_s))
            for place, gpu_model, milli_gpus, until_s in running
        ),
    )


VALUE_OF_FIELD: Final[Mapping[tuple[type, str], Callable[[Any], object]]] = {
    (JobFacts, "quality"): quality_of,
    (RejectedRow, "cells"): lambda entry: tuple(map(str, entry)),
    (JobFacts, "lulls"): lambda entry: Lulls(_count(entry[0]), tuple(_lull(*lull) for lull in entry[1])),
    (Workload, "label"): Pool,
    (ClassRule, "pool"): Pool,
    (Workload, "model_time"): lambda entry: tuple((str(model), _count(spent)) for model, spent in entry),
    (Traffic, "hours"): lambda entry: tuple(
        (_count(at_s), _count(context), _count(generated)) for at_s, context, generated in entry
    ),
    (Traffic, "requests"): lambda entry: tuple(
        (_count(requests), _count(busiest), _count(longest)) for requests, busiest, longest in entry
    ),
    (WeekRates, "rates_per_s"): lambda entry: tuple(map(_rate, entry)),
    (Contract, "rate_usd_per_gpu_hour"): Decimal,
    (Contract, "egress_usd_per_gb"): Decimal,
    (Contract, "pricing_category"): PricingCategory,
    (Contract, "pool"): Pool,
    (Offer, "rate_usd_per_gpu_hour"): Decimal,
    (Offer, "rate_low"): Decimal,
    (Offer, "rate_high"): Decimal,
    (Offer, "egress_usd_per_gb"): Decimal,
    (Offer, "pricing_category"): PricingCategory,
    (UserCity, "users"): Decimal,
    (Site, "usd_per_month"): Decimal,
    (MeasuredTransit, "one_way_ms"): Decimal,
    (ResidencyRule, "allowed_site_countries"): lambda entry: tuple(map(str, entry)),
    (LeakDecision, "status"): LeakStatus,
    (LeakDecision, "pool"): Pool,
}
"""Fields that are text or an object in JSON and something else in the value."""


def to_json(value: object) -> bytes:
    """Compact UTF-8 JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain).encode(
        "utf-8", "surrogatepass"
    )


def from_json(plain: bytes) -> Any:
    """What `to_json` wrote. Errors: ValueError."""
    return json.loads(plain.decode("utf-8", "surrogatepass"))


def _plain(value: object) -> object:
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Lulls):
        return [value.longer_than_s, value.each]
    if isinstance(value, Lull):
        return [value.cluster, value.end_s, value.running]
    if isinstance(value, DataQuality):
        return asdict(value)
    raise TypeError(f"{type(value).__name__} cannot be saved: {value!r}")


# ---------------------------------------------------------------- tables of values


def table(row_type: type, rows: Iterable[object]) -> dict[str, object]:
    """Rows of one dataclass as a table."""
    names = [each.name for each in fields(row_type)]
    return {"fields": names, "rows": [[getattr(row, name) for name in names] for row in rows]}


def rows_of(row_type: type[Row], entry: Mapping[str, Any]) -> tuple[Row, ...]:
    """The rows of a table. Errors: TypeError, ValueError, KeyError or PlannerError where it holds something else."""
    names = entry["fields"]
    converted = [(at, VALUE_OF_FIELD.get((row_type, name))) for at, name in enumerate(names)]
    converters = [(at, make) for at, make in converted if make is not None]
    rows = []
    for row in entry["rows"]:
        for at, make in converters:
            if row[at] is not None:
                row[at] = make(row[at])
        values = dict(zip(names, row, strict=True))
        check_fields(row_type, values.items())
        rows.append(row_type(**values))
    return tuple(rows)


# ---------------------------------------------------------------- intake


def intake_table(files: Iterable[FileIntake]) -> dict[str, object]:
    """The intake, with the tables that each file carries inside."""
    inside: dict[str, Callable[[FileIntake], object]] = {
        "issues": lambda file: table(Issue, file.issues),
        "rejected": lambda file: table(RejectedRow, file.rejected),
        "noted": lambda file: table(RejectedRow, file.noted),
        "facts": lambda file: [[name, _tagged(value)] for name, value in file.facts],
    }
    names = [each.name for each in fields(FileIntake)]
    rows = [
        [inside[name](file) if name in inside else getattr(file, name) for name in names] for file in files
    ]
    return {"fields": names, "rows": rows}


def intake_of(entry: Mapping[str, Any]) -> tuple[FileIntake, ...]:
    """What `intake_table` wrote."""
    inside: dict[str, Callable[[Any], Any]] = {
        "issues": lambda value: rows_of(Issue, value),
        "rejected": lambda value: rows_of(RejectedRow, value),
        "noted": lambda value: rows_of(RejectedRow, value),
        "facts": lambda value: tuple((name, _untagged(fact)) for name, fact in value),
        "columns": lambda value: tuple(map(str, value)),
    }
    names = entry["fields"]
    files = []
    for row in entry["rows"]:
        values = dict(zip(names, row, strict=True))
        made = {name: make(values[name]) for name, make in inside.items() if name in values}
        check_fields(FileIntake, (values | made).items())
        files.append(FileIntake(**(values | made)))
    return tuple(files)


def _tagged(value: object) -> object:
    """A fact of any shape; what JSON cannot tell apart carries its kind: {"decimal": "2.75"}, {"dict": [[k, v]]}."""
    if isinstance(value, Decimal):
        return {"decimal": str(value)}
    if isinstance(value, Mapping):
        return {"dict": [[_tagged(key), _tagged(inner)] for key, inner in value.items()]}
    if isinstance(value, list):
        return {"list": [_tagged(inner) for inner in value]}
    return [_tagged(inner) for inner in value] if isinstance(value, tuple) else value


def _untagged(value: Any) -> object:
    if isinstance(value, list):
        return tuple(_untagged(inner) for inner in value)
    if not isinstance(value, dict):
        return value
    ((kind, inside),) = value.items()
    return UNTAG[kind](inside)


UNTAG: Final[Mapping[str, Callable[[Any], object]]] = {
    "decimal": Decimal,
    "dict": lambda pairs: {_untagged(key): _untagged(inner) for key, inner in pairs},
    "list": lambda values: [_untagged(inner) for inner in values],
}


# ---------------------------------------------------------------- plans


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
        "window": _attributes(project.window),
        "assumptions": _attributes(project.assumptions),
        "labels": dict(project.labels),
        "needs": {key: needs.values() for key, needs in project.needs.items()},
        "scenarios": [_scenario_entry(scenario) for scenario in project.scenarios],
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
        labels=_pools(entry["labels"]),
        scenarios=tuple(_scenario(scenario) for scenario in entry["scenarios"]),
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
    """A whole hour, epoch seconds. Errors: ValueError."""
    if at_s is not None and _count(at_s) % HOUR_S:
        raise ValueError(f"{at_s!r:.60} is not on a whole hour")
    return None if at_s is None else _count(at_s)


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
    return {**_attributes(choice), **tables}


def _serving(entry: Mapping[str, Any]) -> ServingChoice:
    values = {
        **entry,
        "model": None if entry["model"] is None else rows_of(ServedModel, entry["model"])[0],
        "week": None if entry["week"] is None else rows_of(WeekRates, entry["week"])[0],
    }
    return _made(ServingChoice, values)


def _rate(value: object) -> float | None:
    """Requests a second; None: not stated. Errors: ValueError."""
    if value is not None and (type(value) not in (int, float) or not 0 <= value <= LARGEST_INTEGER):  # type: ignore[operator]
        raise ValueError(f"{value!r:.60} is no rate")
    return value  # type: ignore[return-value]


def _attributes(value: Any) -> dict[str, object]:
    return {each.name: getattr(value, each.name) for each in fields(value)}


def _scenario_entry(scenario: Scenario) -> dict[str, object]:
    hand_layers = [
        [pool, gpu_model, [[layer.term_months, layer.gpus] for layer in layers]]
        for (pool, gpu_model), layers in scenario.hand_layers.items()
    ]
    return {
        "name": scenario.name,
        "start": scenario.start,
        "pools": dict(scenario.pools),
        "pinned": sorted(scenario.pinned),
        "hand_layers": hand_layers,
        "advised_around": sorted(
            ([pool, gpu_model] for pool, gpu_model in scenario.advised_around),
            key=lambda pair: (pair[0], pair[1] or ""),
        ),
        "assumptions": dict(scenario.assumptions),
        "greenfield": scenario.greenfield,
        "decisions": table(Decision, scenario.decisions),
        "leak_decisions": table(LeakDecision, scenario.leak_decisions),
        "price_case": scenario.price_case,
        "splits": {key: _attributes(split) for key, split in scenario.splits.items()},
        "merges": {name: list(keys) for name, keys in scenario.merges.items()},
    }


def _scenario(entry: Mapping[str, Any]) -> Scenario:
    for name, value in entry["assumptions"].items():
        check_assumption(SPEC_BY_NAME[name], value)
    scenario = Scenario(
        name=entry["name"],
        start=entry["start"],
        pools=_pools(entry["pools"]),
        pinned=frozenset(entry["pinned"]),
        hand_layers={
            (Pool(pool), gpu_model): tuple(HandLayer(term, gpus) for term, gpus in layers)
            for pool, gpu_model, layers in entry["hand_layers"]
        },
        advised_around=frozenset(
            (Pool(pool), gpu_model) for pool, gpu_model in entry.get("advised_around", [])
        ),
        assumptions=entry["assumptions"],
        greenfield=entry["greenfield"],
        decisions=rows_of(Decision, entry["decisions"]),
        leak_decisions=rows_of(LeakDecision, entry.get("leak_decisions", {"fields": [], "rows": []})),
        price_case=PriceCase(entry.get("price_case", PriceCase.MID)),
        splits={str(key): _split(split) for key, split in entry.get("splits", {}).items()},
        merges={str(name): tuple(map(str, keys)) for name, keys in entry.get("merges", {}).items()},
    )
    check_merges(scenario.merges)
    check_fields(Scenario, _attributes(scenario).items())
    for layer in (layer for layers in scenario.hand_layers.values() for layer in layers):
        check_fields(HandLayer, _attributes(layer).items())
    return scenario


def _split(entry: Mapping[str, Any]) -> Split:
    """A split by the one field that it is made of. Errors: KeyError, ValueError or PlannerError."""
    ((name, value),) = entry.items()
    split: Split
    if name == "hours":
        split = WeekSplit(tuple(map(_count, value)))
    elif name == "permille":
        split = ShareSplit(_count(value))
    else:
        split = TimeSplit(_count(entry["at_s"]))
    check_split(split)
    return split


def _pools(entries: Mapping[str, str]) -> dict[str, Pool]:
    return {key: Pool(pool) for key, pool in entries.items()}
