"""Bills of clouds as logs of GPU usage, and OpenCost's allocations: what each form is, and what it says."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any, Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.intake import Facts
from gpuplanner.domain.model.window import DAY_S, iso_utc
from gpuplanner.files.job_logs.dialects.bill_rows import Bill, BillForm, Names, bill_jobs, load_bill
from gpuplanner.files.job_logs.dialects.kubernetes_pods import strip_hash
from gpuplanner.files.job_logs.judging import dialect
from gpuplanner.files.sources.json_values import json_members, json_paths, json_records, object_at, text_of
from gpuplanner.files.sources.raw_table import load_raw
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine, open_engine
from gpuplanner.files.tables.delimited import bare, header_columns, no_column
from gpuplanner.files.values.numbers import phrases, read_decimal
from gpuplanner.files.values.times import utc_seconds
from gpuplanner.lazy_re import lazy_re

# --- OpenCost and Kubecost allocation: CSV exports and the JSON of the allocation API

FIELDS: Final = (
    *("job_id", "cluster", "name", "account", "gpu_model", "gpus", "start", "end", "activity", "hosts"),
)

HEADINGS: Final = {
    "name": ("name", "allocation"),
    "cluster": ("cluster", "clusterid", "propertiescluster"),
    "namespace": ("namespace", "propertiesnamespace"),
    "controller": ("controllername", "controller", "propertiescontroller"),
    "controller_kind": ("controllerkind", "propertiescontrollerkind"),
    "pod": ("pod", "podname", "propertiespod"),
    "container": ("container", "containername", "propertiescontainer"),
    "node": ("node", "nodename", "propertiesnode"),
    "start": ("start", "starttime", "windowstart", "date"),
    "end": ("end", "endtime", "windowend"),
    "minutes": ("minutes",),
    "gpus": ("gpucount", "gpus", "gpu"),
    "gpu_hours": ("gpuhours", "gpuhour"),
    "gpu_model": ("gpumodel", "gpuallocationgpumodel", "gpudevicemodel"),
}
"""Column names without case and signs, the best first."""

_MARKS_OF_JSON: Final = (
    {"gpuHours", "start"},
    {"gpuCost", "cpuCost", "minutes"},
    {"gpuCost", "cpuCost", "allocations"},
)
_SETS: Final = "data.sets.item.allocations"
"""Where the summary of the allocation API has its allocations by name."""

_ALLOCATED: Final = {"gpucost", "cpucost", "ramcost", "totalcost", "gpuhours", "cpucorehours", "rambytehours"}
_OF_JOBS: Final = {"jobid", "contractid", "offerid"}
_NOT_USED: Final = ("__idle__", "__unmounted__")
"""Parts of names of what is no work: GPUs that nobody asked for, disks that nobody mounted."""

_NAIVE: Final = lazy_re(r"^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?$")
_MIDNIGHT: Final = "T00:00:00Z"
_DATE_LENGTH: Final = 10
_MINUTES_AT_MOST: Final = 10**8


def sniff_opencost(head: str) -> float:
    """How sure it is that a text begins an allocation export, 0..1."""
    paths = json_paths(head)
    if paths:
        names = {path.rpartition(".")[2] for path in paths}
        is_one = any(names >= marks for marks in _MARKS_OF_JSON)
        return 0.95 if is_one else 0.0
    columns = header_columns(head)[1]
    keys, names = dialect.located(columns, HEADINGS).keys(), {bare(name) for name in columns}
    has_place = keys & {"namespace", "pod"} or {"name", "minutes"} <= keys
    is_allocation = "start" in keys and has_place and names & _ALLOCATED
    return 0.9 if is_allocation and not names & _OF_JOBS else 0.0


def opencost_rows(source: Source, engine: Engine, table: str) -> dialect.JobTable:
    """Every allocation; idle ones are ignored, since nobody used them.

    Errors: PlannerError missing_column without GPUs; truncated_file, file_unreadable.
    """
    if json_paths(source.head):
        return dialect.table_of_texts(engine, source, table, FIELDS, _json_jobs(source))
    delimiter, columns = header_columns(source.head)
    places = dialect.located(columns, HEADINGS)
    missing = ["gpuCount or gpuHours"] if not places.keys() & {"gpus", "gpu_hours"} else []
    missing += [] if "start" in places else ["start"]
    if missing:
        raise no_column(source.path, missing, worded("export the allocation with its GPUs"))
    raw = load_raw(engine, source, f"{table}_cells", columns, delimiter=delimiter, is_whole=True)
    has_id = {"pod", "container"} <= places.keys()
    jobs = dialect.table_jobs(engine, raw, places, lambda told: _table_job(told, has_id=has_id))
    return dialect.table_of_texts(engine, source, table, FIELDS, jobs, ragged=raw.ragged)


def _table_job(told: Mapping[str, str], *, has_id: bool) -> dialect.JobTexts:
    """One container of one pod in one window is one row; with less, several rows may be alike and yet not one."""
    ids = (told.get("namespace", ""), told.get("pod", ""), told.get("container", ""))
    return allocation_texts({**told, "key": "/".join(ids) if has_id and told["pod"] else ""})


def _json_jobs(source: Source) -> Iterator[tuple[int, dialect.JobTexts]]:
    """Of the API's sets of allocations by name, of such sets alone, or of allocations in an array or by line."""
    paths = json_paths(source.head)
    if _SETS in paths:
        for row, (name, value) in enumerate(json_members(source, _SETS), 1):
            yield row, _json_job(name, value)
    elif "data.item" in paths or "data" in paths:
        for row, (name, value) in enumerate(json_members(source, "data.item"), 1):
            yield row, _json_job(name, value)
    elif "item" in paths and "item.start" not in paths:
        for row, (name, value) in enumerate(json_members(source, "item"), 1):
            yield row, _json_job(name, value)
    else:
        for row, value in json_records(source):
            yield row, _json_job(text_of(object_at(value).get("name")), value)


def _json_job(name: str, value: object) -> dialect.JobTexts:
    """An allocation of the API as texts of a job; a total that only has costs is no job."""
    if not isinstance(value, dict):
        return {dialect.RAW: name or text_of(value)}
    of, window, device = (object_at(value, key) for key in ("properties", "window", "gpuAllocation"))
    told: dict[str, str] = {
        "name": text_of(value.get("name")) or name,
        "start": text_of(value.get("start")) or text_of(window.get("start")),
        "end": text_of(value.get("end")) or text_of(window.get("end")),
        "minutes": text_of(value.get("minutes")),
        "gpus": text_of(value.get("gpuCount")) or text_of(value.get("gpuRequestAverage")),
        "gpu_hours": text_of(value.get("gpuHours")),
        "gpu_model": text_of(device.get("gpuModel")) or text_of(device.get("gpuDevice")),
        "activity": _percent(device.get("gpuUsageAverage")),
    }
    told |= {
        key: text_of(of.get(key))
        for key in ("cluster", "namespace", "controller", "pod", "node", "container")
    }
    told["controller_kind"] = text_of(of.get("controllerKind"))
    if not told["gpus"] and not told["gpu_hours"] and read_decimal(text_of(value.get("gpuCost"))):
        told["gpus"] = "not told, though GPUs cost something"
    return allocation_texts({**told, "key": told["name"]})


def allocation_texts(told: Mapping[str, str]) -> dialect.JobTexts:
    """An allocation as the texts of a job. told: texts by key of HEADINGS, and `key`, which names it in its window."""

    def text_at(key: str) -> str:
        """A field's text, empty without it."""
        return told.get(key, "")

    everything = " ".join(text_at(key) for key in ("name", "namespace", "pod", "container"))
    start, end = _in_utc(text_at("start")), _in_utc(text_at("end"))
    if not end and start.endswith(_MIDNIGHT) and len(text_at("start")) == _DATE_LENGTH:
        end = _later(start, Fraction(DAY_S))
    elif not end:
        end = _later(start, _minutes(text_at("minutes")))
    kind, controller = text_at("controller_kind").lower(), text_at("controller")
    name = controller or text_at("pod") or text_at("name").rpartition("/")[2]
    return {
        "job_id": text_at("key"),
        "cluster": text_at("cluster"),
        "name": strip_hash(name) if kind == "replicaset" or not controller else name,
        "account": text_at("namespace"),
        "gpu_model": text_at("gpu_model"),
        "gpus": _allocated_gpus(
            text_at("gpu_hours"), text_at("gpus"), _seconds(text_at("minutes"), start, end)
        ),
        "start": start,
        "end": end,
        "activity": text_at("activity"),
        "hosts": text_at("node"),
        dialect.IGNORED: "1"
        if any(word in everything for word in _NOT_USED) or _is_total(text_at("name"), start)
        else "",
    }


def _is_total(name: str, start: str) -> bool:
    """Whether a row without a start is the sum line of an export."""
    return not start and name.strip().casefold().rstrip("s:") in ("total", "sum", "grand total")


def _allocated_gpus(hours_text: str, count_text: str, seconds: Fraction | None) -> str:
    """GPU-hours over their time; the number that is told where there are none, or where one of them is no number."""
    hours = read_decimal(hours_text)
    if hours is None or not seconds:
        return count_text or hours_text
    gpus = Fraction(hours) * 3600 / seconds
    return f"{Decimal(gpus.numerator) / Decimal(gpus.denominator):.9f}"


def _seconds(minutes_text: str, start: str, end: str) -> Fraction | None:
    """How long the job row lasts, so that its GPUs times its length are the GPU-hours that are told."""
    first, last = utc_seconds(start), utc_seconds(end)
    if first is not None and last is not None and last > first:
        return Fraction(last - first)
    return _minutes(minutes_text)


def _minutes(text: str) -> Fraction | None:
    """Seconds of a text in minutes; None unless it is a positive number of sane size."""
    minutes = read_decimal(text)
    return Fraction(minutes) * 60 if minutes is not None and 0 < minutes < _MINUTES_AT_MOST else None


def _later(start: str, seconds: Fraction | None) -> str:
    """A time plus so many seconds in ISO; empty if either is unknown."""
    first = utc_seconds(start)
    return "" if first is None or seconds is None else iso_utc(first + int(seconds))


def _percent(ratio: object) -> str:
    """A ratio from 0 to 1 as a percentage; empty where it is none."""
    value = read_decimal(text_of(ratio))
    return "" if value is None or not 0 <= value <= 1 else f"{100 * value:.3f}"


def _in_utc(text: str) -> str:
    """The tools write UTC, also where they do not say so; a date alone is its midnight."""
    if not _NAIVE.match(text):
        return text
    return text + (_MIDNIGHT if len(text) == _DATE_LENGTH else "Z")


OPENCOST: Final = dialect.Dialect(
    "opencost", worded("Kubecost or OpenCost allocation"), sniff_opencost, opencost_rows
)


# --- Facts of a bill: every cost column added up exactly, by currency; counts by kind; GPU usage and what nobody used

_KINDS_AT_MOST: Final = 100  # of one field, the most frequent; a file of garbage has as many as rows
_COST_AT_MOST: Final = "1e12"  # of one row: more is no cost, and would not fit the sums
_NONE: Final = "none"

Costs = dict[str, float | None]
"""Sums by heading as it stands in the file; None where no row states a number."""


def bill_dialect(form: BillForm) -> dialect.Dialect:
    """A form of bill as a dialect: what stands for use of GPUs in it stands in for a log."""
    jobs, facts = partial(bill_jobs, form), partial(bill_facts, form)
    return dialect.Dialect(form.format, form.title, form.sniff, jobs, "billing", facts)


def bill_facts(form: BillForm, source: Source) -> Facts:
    """What a bill says, over all its rows, whether they are usage of GPUs or not; currencies are never added.

    Errors: PlannerError file_unreadable.
    """
    with open_engine(size_bytes=source.size) as engine:
        bill = load_bill(form, source, engine, "bill")
        return (
            *_size(engine, bill),
            *_money(engine, bill),
            *_kinds(engine, bill),
            *_stranded(engine, bill),
            *_gpus(engine, bill),
        )


def _size(engine: Engine, bill: Bill) -> Facts:
    """Rows, columns, those that hold the text NULL, and the period charged.

    A last day by date alone counts whole.
    """
    (rows,) = engine.one(f'select count(*) from "{bill.records.name}"')
    last = DAY_S if bill.form.is_daily and bill.columns.text(bill.form.end) is None else 0
    first_s, last_s = engine.one(
        f"""select (select min(at_s) from "{bill.times}" where text in (select {bill.start} from "{bill.raw.name}")),
            (select max(at_s) from "{bill.times}" where text in (select {bill.end} from "{bill.raw.name}"))"""
    )
    nulls = ", ".join(
        f"count(*) filter (where c{index} in ('NULL', 'null'))" for index in range(len(bill.columns.headings))
    )
    found = engine.one(f'select 0, {nulls} from "{bill.raw.name}"') if nulls else (0,)
    return (
        ("rows", rows),
        ("columns", len(bill.columns.headings)),
        ("columns_with_text_null", sum(count > 0 for count in found)),
        ("charge_period_start", None if first_s is None else iso_utc(first_s)),
        ("charge_period_end", None if last_s is None else iso_utc(last_s + last)),
    )


# --- Money -------------------------------------------------------------------------------------


def _amount(text: str) -> str:
    """SQL: a cost as an exact number, null where it is none. Scientific forms go by way of a float."""
    number = f"coalesce(try_cast({text} as decimal(38, 18)), try_cast(try_cast({text} as double) as decimal(38, 18)))"
    return f"case when abs(try_cast({text} as double)) <= {_COST_AT_MOST} then {number} end"


def _sums(
    engine: Engine, bill: Bill, costs: Mapping[str, str], group: str | None, where: str = "true"
) -> dict[str, Costs]:
    """Sums of cost columns by the text of a group, such as a currency; empty where it is not stated."""
    if not costs:
        return {}
    figures = ", ".join(f"sum({_amount(text)})" for text in costs.values())
    found = engine.all(
        f"select coalesce({group or 'null'}, '') as of_group, {figures} from \"{bill.raw.name}\" "
        f"where {where} group by 1 order by 1"
    )
    return {row[0]: dict(zip(costs, map(_float, row[1:]), strict=True)) for row in found}


def _float(value: Decimal | None) -> float | None:
    """An exact sum as a float for JSON; None, nothing added up, stays None."""
    return None if value is None else float(value)


def _in_pricing_currency(heading: str) -> bool:
    """Whether a cost column is stated in the pricing currency of FOCUS, not the billing currency."""
    return "pricingcurrency" in bare(heading)


def _billing_costs(bill: Bill) -> dict[str, str]:
    """The cost columns in the billing currency: SQL of the amount by heading."""
    return {name: sql for name, sql in bill.columns.costs.items() if not _in_pricing_currency(name)}


def _money(engine: Engine, bill: Bill) -> Facts:
    """Every cost column added up by currency.

    A sum of several currencies is None, and cells without amount are counted.
    """
    currency = bill.columns.text(bill.form.currency)
    costs = _billing_costs(bill)
    by_currency = _sums(engine, bill, costs, currency)
    stated = [name for name in by_currency if name]
    in_pricing = {name: sql for name, sql in bill.columns.costs.items() if _in_pricing_currency(name)}
    faults = "".join(
        f", count(*) filter (where {text} is not null and {_amount(text)} is null)"
        for text in bill.columns.costs.values()
    )
    _, *counts = engine.one(f'select count(*){faults} from "{bill.raw.name}"')
    unread = {heading: count for heading, count in zip(bill.columns.costs, counts, strict=True) if count}
    pricing = _sums(engine, bill, in_pricing, bill.columns.text(bill.form.pricing_currency))
    return (
        ("currency", stated[0] if len(stated) == 1 and len(by_currency) == 1 else None),
        ("currencies", stated),
        ("costs", next(iter(by_currency.values())) if len(by_currency) == 1 else None),
        ("costs_by_currency", {name or "unknown": sums for name, sums in by_currency.items()}),
        *(
            (("costs_by_pricing_currency", {n or "unknown": s for n, s in pricing.items()}),)
            if pricing
            else ()
        ),
        ("unreadable_costs", unread),
    )


def _stranded(engine: Engine, bill: Bill) -> Facts:
    """What commitments cost that nobody used; None where this form of bill does not tell."""
    form = bill.form
    told = [heading for heading in bill.columns.headings if bare(heading) in map(bare, form.stranded_costs)]
    costs = {heading: text for heading, text in bill.columns.costs.items() if heading in told}
    is_there = bill.columns.text(next(iter(form.stranded))) is not None if form.stranded else True
    if not costs or not is_there:
        return (("stranded_rows", None), ("stranded_costs_by_currency", None))
    where = bill.columns.has_words(form.stranded, otherwise=False) if form.stranded else "true"
    (rows,) = engine.one(f'select count(*) from "{bill.raw.name}" where {where}')
    currency = bill.columns.text(form.currency)
    sums = _sums(engine, bill, costs, currency, where)
    unused = _unused_commitment(engine, bill, currency)
    return (
        ("stranded_rows", rows if form.stranded else None),
        ("stranded_costs_by_currency", {name or "unknown": amounts for name, amounts in sums.items()}),
        *((("unused_commitment_by_currency", unused),) if unused is not None else ()),
    )


def _unused_commitment(engine: Engine, bill: Bill, currency: str | None) -> dict[str, float | None] | None:
    """Committed money that covered no usage, from rows that tell both; None where the bill has no such columns."""
    committed, used = map(bill.columns.text, bill.form.unused_commitment)
    if committed is None or used is None:
        return None
    rest = f"{_amount(committed)} - {_amount(used)}"
    found = engine.all(
        f"select coalesce({currency or 'null'}, ''), sum({rest}) from \"{bill.raw.name}\" group by 1 order by 1"
    )
    return {name or "unknown": _float(amount) for name, amount in found if amount is not None}


# --- Kinds of rows and GPUs --------------------------------------------------------------------


def _counts(engine: Engine, bill: Bill, text: str) -> dict[str, int]:
    """How many rows have each value of a column, the most frequent ones if there are too many."""
    found = engine.all(
        f"select coalesce({text}, '{_NONE}') as kind, count(*) as rows from \"{bill.raw.name}\" "
        f"group by 1 order by rows desc, kind limit {_KINDS_AT_MOST}"
    )
    return dict(sorted(found))


def _kinds(engine: Engine, bill: Bill) -> Facts:
    """Counts of rows by provider, charge, pricing, commitment, service and region, where there are such columns."""
    form = bill.form
    fields: tuple[tuple[str, Names], ...] = (
        ("providers", form.provider),
        ("charge_categories", form.charge),
        ("pricing_categories", form.pricing),
        ("commitment_statuses", form.commitment),
        ("services", form.service),
        ("regions", form.region),
    )
    (rows,) = engine.one(f'select count(*) from "{bill.raw.name}"')
    facts: list[tuple[str, object]] = []
    for name, names in fields:
        text = bill.columns.text(names)
        if text is not None:
            facts.append((name, _counts(engine, bill, text)))
        elif name == "providers" and form.provider_name:
            facts.append((name, {form.provider_name: rows}))
    return tuple(facts)


def _gpus(engine: Engine, bill: Bill) -> Facts:
    """Usage of GPUs as it is billed, to the last digit; what cannot be told of some row is unknown of all."""
    quantity = _amount("g.quantity")
    currency = bill.columns.text(bill.form.currency) or "null"
    price = bill.columns.text(bill.form.list_price) or "null"
    region = bill.columns.text(bill.form.region) or "null"
    costs = _billing_costs(bill)
    figures = "".join(f", sum({_amount(text)})" for text in costs.values())
    found = engine.all(
        f"""select g.instance_type, g.gpu_model, g.gpus, g.seconds_per_unit, coalesce({currency}, ''), count(*),
            sum({quantity}), count({quantity}), list(distinct {price}), list(distinct {region}){figures}
        from "{bill.gpu}" g join "{bill.raw.name}" r using (line) group by all order by all"""
    )
    instances = [_instance(row, tuple(costs)) for row in found]
    return (
        ("gpu_rows", sum(instance["rows"] for instance in instances)),
        ("gpu_instance_hours", _total(instances, "instance_hours")),
        ("gpu_hours_billed", _total(instances, "gpu_hours")),
        ("gpu_costs_by_currency", _gpu_costs(instances)),
        ("gpu_instances", instances),
    )


def _instance(row: tuple[Any, ...], headings: Names) -> dict[str, Any]:
    """One instance type of the bill: hours, GPU-hours, list prices, regions and costs.

    Hours are None unless every row of it has a quantity and a unit that could be read.
    """
    instance_type, model, gpus, seconds, currency, rows, quantity, read, prices, regions, *sums = row
    is_known = seconds is not None and quantity is not None and read == rows
    hours = Fraction(quantity) * Fraction(seconds) / 3600 if is_known else None
    return {
        "instance_type": instance_type,
        "gpu_model": model,
        "gpus": None if gpus is None else float(Fraction(gpus)),
        "rows": rows,
        "instance_hours": None if hours is None else float(hours),
        "gpu_hours": None if hours is None or gpus is None else float(hours * Fraction(gpus)),
        "list_unit_prices": sorted({number for number in map(_number, prices or ()) if number is not None}),
        "regions": sorted(name for name in set(regions or ()) if name is not None),
        "currency": currency or None,
        "costs": dict(zip(headings, map(_float, sums), strict=True)),
    }


def _number(text: str | None) -> float | None:
    """A text as a number; None where it is none or larger than any cost."""
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if abs(number) < float(_COST_AT_MOST) else None


def _total(instances: list[dict[str, Any]], field: str) -> float | None:
    """The exact sum of a field over all instance types; None as soon as one of them is unknown."""
    values = [instance[field] for instance in instances]
    return None if None in values else float(sum(map(Fraction, values), Fraction(0)))


def _gpu_costs(instances: list[dict[str, Any]]) -> dict[str, Costs]:
    """The costs of all instance types by currency and heading; a heading is None if no type has it."""
    found: dict[str, Costs] = {}
    for instance in instances:
        sums = found.setdefault(instance["currency"] or "unknown", {})
        for heading, cost in instance["costs"].items():
            if cost is not None:
                sums[heading] = (sums.get(heading) or 0.0) + cost
            else:
                sums.setdefault(heading, None)
    return found


# --- FOCUS cost and usage exports, 1.0 to 1.3, of any provider -----------------------------------

_UNUSED: Final = frozenset(phrases("unused|unusedreservation|unusedsavingsplan"))
"""Words of a status, or of a kind of charge, for what is paid of a commitment that nobody used."""
FOCUS_FORM: Final = BillForm(
    format="focus",
    title=worded("FOCUS bill"),
    provider=("ProviderName", "ServiceProviderName", "HostProviderName", "Provider", "InvoiceIssuerName"),
    start=("ChargePeriodStart",),
    end=("ChargePeriodEnd",),
    quantities=(
        (("ConsumedQuantity", "UsageQuantity"), ("ConsumedUnit", "UsageUnit")),
        (("PricingQuantity",), ("PricingUnit",)),
    ),
    products=phrases(
        "x_SkuInstanceType|x_InstanceType|x_UsageType|SkuMeter|x_SkuMeterName|x_SkuMeterCategory"
        "|x_SkuDescription|ChargeDescription|ServiceName"
    ),
    details=("SkuPriceDetails", "x_SkuDetails"),
    only={("ChargeCategory", "ChargeType"): frozenset({"usage"})},
    without={("CommitmentDiscountStatus",): _UNUSED, ("CapacityReservationStatus",): _UNUSED},
    stranded={("CommitmentDiscountStatus",): _UNUSED},
    stranded_costs=("EffectiveCost",),
    cost=(("EffectiveCost", "BilledCost", "ContractedCost"),),
    currency=("BillingCurrency",),
    pricing_currency=("PricingCurrency",),
    charge=("ChargeCategory", "ChargeType"),
    pricing=("PricingCategory",),
    commitment=("CommitmentDiscountStatus",),
    service=("ServiceName",),
    region=("RegionId", "Region", "RegionName"),
    account=("SubAccountName", "SubAccountId"),
    resource=("ResourceId",),
    resource_name=("ResourceName",),
    tags=("Tags",),
    key=phrases(
        "ResourceId|SkuPriceId|SkuId|ChargeDescription|PricingCategory|CommitmentDiscountId|ChargeClass"
        "|SubAccountId"
    ),
    other_dates=("BillingPeriodStart", "BillingPeriodEnd"),
    list_price=("ListUnitPrice",),
    needed=(("ChargePeriodStart",), ("BilledCost", "EffectiveCost", "ListCost", "ContractedCost")),
    usual=("ChargePeriodEnd", "BillingPeriodStart", "ChargeCategory", "BilledCost", "EffectiveCost"),
    never=("ContractCommitmentId",),  # of contract commitments, which share columns with bills
)

FOCUS: Final = bill_dialect(FOCUS_FORM)


# --- AWS Cost and Usage Reports: legacy CUR (`lineItem/...`) and CUR 2.0 of Data Exports (`line_item_...`)

AWS_CUR_FORM: Final = BillForm(
    format="aws_cur",
    title=worded("AWS Cost and Usage Report"),
    provider_name="AWS",
    start=("lineItem/UsageStartDate",),
    end=("lineItem/UsageEndDate",),
    interval=("identity/TimeInterval",),
    quantities=((("lineItem/UsageAmount",), ("pricing/unit",)),),
    unit="Hrs",  # instance usage is metered in hours, also where a report leaves the unit out
    products=("product/instanceType", "lineItem/UsageType", "lineItem/LineItemDescription"),
    details=("product",),
    only={
        ("lineItem/LineItemType",): frozenset({"usage", "discountedusage", "savingsplancoveredusage"}),
        ("lineItem/ProductCode",): frozenset({"amazonec2", "amazonsagemaker", ""}),
    },
    stranded_costs=(
        "reservation/UnusedRecurringFee",
        "reservation/UnusedAmortizedUpfrontFeeForBillingPeriod",
    ),
    cost=(
        ("reservation/EffectiveCost",),
        ("savingsPlan/SavingsPlanEffectiveCost",),
        ("lineItem/UnblendedCost", "lineItem/NetUnblendedCost", "lineItem/BlendedCost"),
    ),
    currency=("lineItem/CurrencyCode",),
    charge=("lineItem/LineItemType",),
    pricing=("pricing/term",),
    service=("lineItem/ProductCode",),
    region=("product/regionCode", "product/region", "lineItem/AvailabilityZone"),
    account=("lineItem/UsageAccountName", "lineItem/UsageAccountId"),
    resource=("lineItem/ResourceId",),
    resource_name=("resourceTags/user:Name",),
    tags=("resource_tags", "tags"),
    line_id=("identity/LineItemId",),
    key=("lineItem/ResourceId", "lineItem/UsageType", "lineItem/Operation", "lineItem/LineItemType"),
    other_dates=("bill/BillingPeriodStartDate", "bill/BillingPeriodEndDate"),
    list_price=("pricing/publicOnDemandRate",),
    label=("resourceTags/user:class", "resourceTags/user:pool", "resourceTags/user:workload-class"),
    unused_commitment=(("savingsPlan/TotalCommitmentToDate",), ("savingsPlan/UsedCommitment",)),
    needed=(
        ("lineItem/UsageStartDate", "identity/TimeInterval"),
        phrases("lineItem/UnblendedCost|lineItem/UsageAmount|lineItem/BlendedCost|lineItem/NetUnblendedCost"),
    ),
    usual=phrases(
        "identity/LineItemId|bill/PayerAccountId|lineItem/LineItemType|lineItem/ProductCode"
        "|lineItem/UsageType"
    ),
)

AWS_CUR: Final = bill_dialect(AWS_CUR_FORM)


# --- Azure cost and usage details: Enterprise Agreement, Customer Agreement, pay as you go, old and new

AZURE_FORM: Final = BillForm(
    format="azure",
    title=worded("Azure cost details export"),
    provider=("Provider",),
    provider_name="Azure",
    start=("Date", "UsageDateTime", "UsageDate", "Usage Date Time"),
    end=(),
    is_daily=True,
    quantities=(
        (("Quantity", "UsageQuantity", "Consumed Quantity", "Usage Quantity"), ("UnitOfMeasure", "Unit")),
    ),
    products=("MeterName", "ProductName", "Product", "MeterSubCategory", "MeterCategory"),
    details=("AdditionalInfo",),
    only={("ChargeType",): frozenset({"usage", ""})},
    stranded={("ChargeType",): _UNUSED},
    stranded_costs=("CostInBillingCurrency", "Cost", "PreTaxCost", "ExtendedCost"),
    cost=(("CostInBillingCurrency", "Cost", "PreTaxCost", "ExtendedCost"),),
    currency=("BillingCurrencyCode", "BillingCurrency", "Currency"),
    pricing_currency=("PricingCurrency", "PricingCurrencyCode"),
    charge=("ChargeType",),
    pricing=("PricingModel",),
    service=("MeterCategory",),
    region=("ResourceLocation", "Location", "ResourceLocationNormalized", "MeterRegion"),
    account=("SubscriptionName", "SubscriptionId", "SubscriptionGuid"),
    resource=("ResourceId", "InstanceId", "InstanceName"),
    resource_name=("ResourceName",),
    tags=("Tags",),
    key=("ResourceId", "InstanceId", "MeterId", "ChargeType", "PricingModel", "ReservationId", "benefitId"),
    other_dates=phrases(
        "BillingPeriodStartDate|BillingPeriodEndDate|ServicePeriodStartDate|ServicePeriodEndDate"
    ),
    list_price=("PayGPrice",),
    needed=(
        ("MeterCategory", "MeterSubCategory", "MeterName", "MeterId"),
        ("Date", "UsageDateTime", "UsageDate", "Usage Date Time"),
        ("CostInBillingCurrency", "CostInPricingCurrency", "CostInUsd", "Cost", "PreTaxCost", "ExtendedCost"),
    ),
    usual=("MeterId", "MeterCategory", "Quantity", "ConsumedService", "UnitOfMeasure"),
    never=("ChargePeriodStart",),
)

AZURE: Final = bill_dialect(AZURE_FORM)


# --- Oracle Cloud cost and usage reports (`lineItem/intervalUsageStart`, `cost/myCost`) ----------

OCI_FORM: Final = BillForm(
    format="oci",
    title=worded("Oracle Cloud cost report"),
    provider_name="Oracle",
    start=("lineItem/intervalUsageStart",),
    end=("lineItem/intervalUsageEnd",),
    quantities=(
        (
            ("usage/billedQuantity", "usage/consumedQuantity"),
            phrases(
                "cost/billingUnitReadable|usage/consumedQuantityUnits|usage/consumedQuantityMeasure"
                "|cost/skuUnitDescription"
            ),
        ),
    ),
    machine_unit="instance",
    other_unit="ocpu",
    products=("product/resource", "product/Description"),
    cost=(("cost/myCost",),),
    currency=("cost/currencyCode",),
    service=("product/service",),
    region=("product/region",),
    account=("product/compartmentName", "product/compartmentId", "lineItem/tenantId"),
    resource=("product/resourceId",),
    line_id=("lineItem/referenceNo",),
    key=("product/resourceId", "cost/productSku", "product/resource"),
    list_price=("cost/unitPrice",),
    needed=(("lineItem/intervalUsageStart",), ("lineItem/tenantId", "product/service")),
    usual=("lineItem/intervalUsageEnd", "product/compartmentId", "lineItem/referenceNo", "cost/myCost"),
)

OCI: Final = bill_dialect(OCI_FORM)
