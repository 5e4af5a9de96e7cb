"""Values of the domain as tables in JSON and back, exact.

A table of values is `{"fields": [...], "rows": [[...], ...]}` by the fields of its dataclass; Decimal is its text,
an enum its value, a tuple a list, None null. A field that a table does not name has its default. Of a project:

    jobs        table of JobFacts, one row; its quality is an object by the fields of DataQuality, its idle gaps are
                [longer_than_s, [[cluster, end_s, [[workload, gpu_model, milli_gpus, until_s], ...]], ...]]
    workloads   table of Workload
    contracts   table of Contract
    offers      table of Offer
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from decimal import Decimal
from typing import Any, Final, TypeVar

import numpy as np

from gpuplanner.domain.figures.quality import SHARES
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.exchange import ExchangeRate
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.log.data_quality import DataQuality, LogGap, SuspiciousValue
from gpuplanner.domain.model.log.idle_gap import IdleGap, IdleGaps, RunningJobs
from gpuplanner.domain.model.log.intake import Issue, JobFacts, RejectedRow
from gpuplanner.domain.model.log.traffic import Traffic
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.places import MeasuredTransit, ResidencyRule, Site, UserCity
from gpuplanner.domain.model.pool import Pool, PricingCategory
from gpuplanner.domain.model.same import Same, SameKind
from gpuplanner.domain.model.scenario.dated import DemandChange, PlannedWork
from gpuplanner.domain.model.scenario.plan_inputs import Decision, LeakDecision, LeakStatus
from gpuplanner.domain.model.served_model import WeekRates
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.files.project.field_types import LARGEST_INTEGER, check_fields
from gpuplanner.files.project.worded_json import words_entry, words_of

Row = TypeVar("Row")

ENTRY_OF_FIELD: Final[Mapping[tuple[type, str], Callable[[Any], object]]] = {(Decision, "what"): words_entry}
"""Fields that the window shows again after they were saved, in its language; messages about rows stay in English."""


def quality_of(entry: Mapping[str, Any]) -> DataQuality:
    """The data quality that `to_json` wrote, also when it kept shares and no counts. Errors: as for `rows_of`."""
    gaps = tuple(checked(LogGap, gap) for gap in entry["gaps"])
    made: dict[str, Any] = {
        "gaps": gaps,
        "suspicious": tuple(checked(SuspiciousValue, value) for value in entry["suspicious"]),
        "read_shares": tuple(map(_named_share, entry.get("read_shares", ()))),
    }
    kept = dict(entry)
    if "gap_hours" in kept:
        made["shorter_gap_hours"] = whole_number(kept.pop("gap_hours")) - sum(gap.hours for gap in gaps)
        shares = [(key, kept.pop(key)) for key in SHARES if key in kept]
        made["read_shares"] = tuple(map(_named_share, shares))
    return checked(DataQuality, {**kept, **made})


def _named_share(entry: Sequence[Any]) -> tuple[str, float | None]:
    """A share of the log by its key, 0..1 or unknown. Errors: ValueError."""
    key, share = entry
    if key not in SHARES or not (share is None or (type(share) in (int, float) and 0 <= share <= 1)):
        raise ValueError(f"{key!r:.60} is no share of a log")
    return key, share


def whole_number(value: object) -> int:
    """A whole number. Errors: ValueError.

    True is none, nor is a number beyond what the engine's integers hold.

    >>> whole_number(8)
    8
    """
    if type(value) is not int or abs(value) > LARGEST_INTEGER:
        raise ValueError(f"{value!r:.60} is no whole number")
    return value


def checked(row_type: type[Row], values: Mapping[str, Any]) -> Row:
    """A value whose fields are of their types. Errors: as for `rows_of`."""
    check_fields(row_type, values.items())
    return row_type(**values)


def _idle_gap(cluster: str, end_s: int, running: Sequence[Sequence[Any]]) -> IdleGap:
    """An idle gap from its lists, every number whole; ValueError otherwise."""
    check_fields(IdleGap, (("cluster", cluster), ("end_s", end_s)))
    if not all(gpu_model is None or isinstance(gpu_model, str) for _, gpu_model, _, _ in running):
        raise ValueError("a GPU model has a name that is no text")
    return IdleGap(
        cluster,
        end_s,
        tuple(
            RunningJobs(whole_number(place), gpu_model, whole_number(milli_gpus), whole_number(until_s))
            for place, gpu_model, milli_gpus, until_s in running
        ),
    )


VALUE_OF_FIELD: Final[Mapping[tuple[type, str], Callable[[Any], object]]] = {
    (JobFacts, "quality"): quality_of,
    (Decision, "what"): words_of,
    (Issue, "message"): words_of,
    (RejectedRow, "message"): words_of,
    (RejectedRow, "cells"): lambda entry: tuple(map(str, entry)),
    (JobFacts, "lulls"): lambda entry: IdleGaps(
        whole_number(entry[0]), tuple(_idle_gap(*idle_gap) for idle_gap in entry[1])
    ),
    (JobFacts, "models_written"): lambda entry: tuple(
        (str(cluster), str(model), whole_number(spent)) for cluster, model, spent in entry
    ),
    (Workload, "label"): Pool,
    (ClassRule, "pool"): Pool,
    (Workload, "model_time"): lambda entry: tuple(
        (str(model), whole_number(spent)) for model, spent in entry
    ),
    (Traffic, "hours"): lambda entry: tuple(
        (whole_number(at_s), whole_number(context), whole_number(generated))
        for at_s, context, generated in entry
    ),
    (Traffic, "requests"): lambda entry: tuple(
        (whole_number(requests), whole_number(busiest), whole_number(longest))
        for requests, busiest, longest in entry
    ),
    (WeekRates, "rates_per_s"): lambda entry: tuple(map(_rate, entry)),
    (Contract, "rate_usd_per_gpu_hour"): Decimal,
    (Contract, "egress_usd_per_gb"): Decimal,
    (Contract, "pricing_category"): PricingCategory,
    (Contract, "pool"): Pool,
    (Contract, "exchange"): Decimal,
    (Offer, "exchange"): Decimal,
    (ExchangeRate, "usd_rate"): Decimal,
    (Offer, "rate_usd_per_gpu_hour"): Decimal,
    (Offer, "rate_low"): Decimal,
    (Offer, "rate_high"): Decimal,
    (Offer, "upfront_usd"): Decimal,
    (Offer, "egress_usd_per_gb"): Decimal,
    (Offer, "capex_usd_per_gpu"): Decimal,
    (Offer, "usd_per_kwh"): Decimal,
    (Offer, "space_usd_per_kw_month"): Decimal,
    (Offer, "staff_usd_per_gpu_month"): Decimal,
    (Offer, "pricing_category"): PricingCategory,
    (UserCity, "users"): Decimal,
    (Site, "usd_per_month"): Decimal,
    (MeasuredTransit, "one_way_ms"): Decimal,
    (ResidencyRule, "allowed_site_countries"): lambda entry: tuple(map(str, entry)),
    (LeakDecision, "status"): LeakStatus,
    (LeakDecision, "pool"): Pool,
    (DemandChange, "keys"): lambda entry: tuple(map(str, entry)),
    (PlannedWork, "pool"): Pool,
    (Same, "kind"): SameKind,
    (PlannedWork, "hours"): lambda entry: tuple(map(whole_number, entry)),
}
"""Fields that are text or an object in JSON and something else in the value."""


def to_json(value: object) -> bytes:
    """Compact UTF-8 JSON.

    Errors: TypeError for a value that has no form here.

    >>> to_json({"a": [1, None]})
    b'{"a":[1,null]}'
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain).encode(
        "utf-8", "surrogatepass"
    )


def from_json(plain: bytes) -> Any:
    """What `to_json` wrote. Errors: ValueError, also where it is nested deeper than anything we write.

    >>> from_json(b'{"a":[1,null]}')
    {'a': [1, None]}
    """
    try:
        return json.loads(plain.decode("utf-8", "surrogatepass"))
    except RecursionError as fault:
        raise ValueError("it is nested too deeply") from fault


def _plain(value: object) -> object:
    """What JSON has no form for, as what it has; TypeError for a type nobody thought of."""
    if isinstance(value, Decimal | Message):
        return str(value)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, IdleGaps):
        return [value.longer_than_s, value.each]
    if isinstance(value, IdleGap):
        return [value.cluster, value.end_s, value.running]
    if isinstance(value, DataQuality):
        return asdict(value)
    raise TypeError(f"{type(value).__name__} cannot be saved: {value!r}")


def table(row_type: type, rows: Iterable[object]) -> dict[str, object]:
    """Rows of one dataclass as a table.

    A list of fields and a list of rows: names stand once, not in every row.
    """
    names = [each.name for each in fields(row_type)]
    values = [[getattr(row, name) for name in names] for row in rows]
    for at, name in enumerate(names):
        if (entry := ENTRY_OF_FIELD.get((row_type, name))) is not None:
            for row in values:
                row[at] = entry(row[at])
    return {"fields": names, "rows": values}


def rows_of(row_type: type[Row], entry: Mapping[str, Any]) -> tuple[Row, ...]:
    """The rows of a table. Errors.

    TypeError, ValueError, KeyError or PlannerError where it holds something else.

    A field that is not in the table takes its default if it has one: so older files can be read.
    """
    names = entry["fields"]
    converted = [(at, VALUE_OF_FIELD.get((row_type, name))) for at, name in enumerate(names)]
    converters = [(at, make) for at, make in converted if make is not None]
    rows = []
    for told in entry["rows"]:
        row = list(told)
        for at, make in converters:
            if row[at] is not None:
                row[at] = make(row[at])
        values = dict(zip(names, row, strict=True))
        check_fields(row_type, values.items())
        rows.append(row_type(**values))
    return tuple(rows)


def _rate(value: object) -> float | None:
    """Requests a second; None: not stated. Errors: ValueError."""
    if value is not None and (type(value) not in (int, float) or not 0 <= value <= LARGEST_INTEGER):  # type: ignore[operator]
        raise ValueError(f"{value!r:.60} is no rate")
    return value  # type: ignore[return-value]


def attributes(value: Any) -> dict[str, object]:
    """The fields of a dataclass with their values."""
    return {each.name: getattr(value, each.name) for each in fields(value)}
