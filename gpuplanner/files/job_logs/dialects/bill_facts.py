"""What a bill says over all its rows: exact sums of every cost column by currency, kinds of rows, GPU usage."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any, Final

from gpuplanner.domain.model.intake import Facts
from gpuplanner.domain.model.window import DAY_S, iso_utc
from gpuplanner.files.job_logs.dialects.bill_forms import Bill, BillForm, Names
from gpuplanner.files.job_logs.dialects.bill_rows import bill_jobs, load_bill
from gpuplanner.files.job_logs.judging import dialect
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine, open_engine
from gpuplanner.files.tables.delimited import bare

# --- Facts of a bill: every cost column added up exactly, by currency; counts by kind; GPU usage and what nobody used

_KINDS_AT_MOST: Final = 100  # of one field, the most frequent; a file of garbage has as many as rows
_COST_AT_MOST: Final = "1e12"  # of one row: more is no cost, and would not fit the sums
_NONE: Final = "none"

Costs = dict[str, float | None]
"""Sums by heading as it stands in the file; None where no row states a number."""


def bill_dialect(form: BillForm) -> dialect.Dialect:
    """A form of bill as a dialect: what stands for use of GPUs in it stands in for a log."""
    jobs, facts = partial(bill_jobs, form), partial(bill_facts, form)
    return dialect.Dialect(
        format=form.format, title=form.title, sniff=form.sniff, rows=jobs, kind="billing", facts=facts
    )


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
    row = engine.one(f'select 0, {nulls} from "{bill.raw.name}"') if nulls else (0,)
    return (
        ("rows", rows),
        ("columns", len(bill.columns.headings)),
        ("columns_with_text_null", sum(count > 0 for count in row)),
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
    rows = engine.all(
        f"select coalesce({group or 'null'}, '') as of_group, {figures} from \"{bill.raw.name}\" "
        f"where {where} group by 1 order by 1"
    )
    return {row[0]: dict(zip(costs, map(_float, row[1:]), strict=True)) for row in rows}


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
    by_currency = _sums(engine, bill, _billing_costs(bill), bill.columns.text(bill.form.currency))
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
    headings = [
        heading for heading in bill.columns.headings if bare(heading) in map(bare, form.stranded_costs)
    ]
    costs = {heading: text for heading, text in bill.columns.costs.items() if heading in headings}
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
    rows = engine.all(
        f"select coalesce({currency or 'null'}, ''), sum({rest}) from \"{bill.raw.name}\" group by 1 order by 1"
    )
    return {name or "unknown": _float(amount) for name, amount in rows if amount is not None}


# --- Kinds of rows and GPUs --------------------------------------------------------------------


def _counts(engine: Engine, bill: Bill, text: str) -> dict[str, int]:
    """How many rows have each value of a column, the most frequent ones if there are too many."""
    rows = engine.all(
        f"select coalesce({text}, '{_NONE}') as kind, count(*) as rows from \"{bill.raw.name}\" "
        f"group by 1 order by rows desc, kind limit {_KINDS_AT_MOST}"
    )
    return dict(sorted(rows))


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
    rows = engine.all(
        f"""select g.instance_type, g.gpu_model, g.gpus, g.seconds_per_unit, coalesce({currency}, ''), count(*),
            sum({quantity}), count({quantity}), list(distinct {price}), list(distinct {region}){figures}
        from "{bill.gpu}" g join "{bill.raw.name}" r using (line) group by all order by all"""
    )
    instances = [_instance(row, tuple(costs)) for row in rows]
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
    costs: dict[str, Costs] = {}
    for instance in instances:
        sums = costs.setdefault(instance["currency"] or "unknown", {})
        for heading, cost in instance["costs"].items():
            if cost is not None:
                sums[heading] = (sums.get(heading) or 0.0) + cost
            else:
                sums.setdefault(heading, None)
    return costs
