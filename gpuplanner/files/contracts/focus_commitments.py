"""FOCUS Contract Commitments, 1.3 and later: those in GPU-hours become GPUs, the others are told."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Final

from gpuplanner.domain.figures.titles import GPU_HOURS
from gpuplanner.domain.figures.typed import exact
from gpuplanner.domain.message import Part, joined, worded, worded_count
from gpuplanner.domain.model.intake import Facts
from gpuplanner.domain.model.window import HOURS_OF_WEEK, HOURS_PER_MONTH
from gpuplanner.files.contracts import export_form
from gpuplanner.files.system.resources import read_gpu_instances
from gpuplanner.files.tables.fields import OWN_COLUMNS
from gpuplanner.files.tables.headings import is_gpu_name
from gpuplanner.files.tables.small_table import Row, RowError, RowLeftOutError
from gpuplanner.files.values.amounts import CODES, quoted
from gpuplanner.files.values.terms import read_term
from gpuplanner.files.values.unit_words import HOURS_OF_PERIOD
from gpuplanner.lazy_dataclass import replace
from gpuplanner.lazy_re import lazy_re

_C: Final = "contractcommitment"
_NEEDED: Final = {_C + "id"}
_KNOWN: Final = {
    _C + name for name in ("unit", "quantity", "category", "cost", "periodstart", "periodend", "type")
}

INTERVAL, PERIOD = "interval", "period"
OF_QUANTITY: Final = {
    INTERVAL: worded("interval (--focus-quantity interval)"),
    PERIOD: worded("whole period (--focus-quantity period)"),
}
"""What a quantity may be for, where a commitment names an interval, in words."""

_INTERVAL_HOURS: Final = {
    "hourly": 1,
    "daily": 24,
    "weekly": HOURS_OF_WEEK,
    "monthly": HOURS_PER_MONTH,
    "quarterly": 3 * HOURS_PER_MONTH,
    "semiannual": 6 * HOURS_PER_MONTH,
    "annual": 12 * HOURS_PER_MONTH,
}
"""Hours of a fulfilment interval; of any other the quantity is for the whole period."""

_UNIT: Final = lazy_re(
    r"(?i)^(?:\w{1,20}\W{1,3}){0,4}(?:gpus?|[abhlv]\d{2,3}s?|mi\d{3}x?)[\s_-]*(second|minute|hour|day|month|year|hr|h)?s?$"
)
"""GPU-Hours, H100 GPU-hours, H100-Hours; GPUs by themselves."""

_INSTANCE_UNIT: Final = lazy_re(r"(?i)^(?:instance|vm|node)[\s_-]*(?:hour|hr|h)s?$")
_NOT_IN_FORCE: Final = ("proposed", "canceled", "cancelled", "superseded")
_GPU_FIELDS: Final = {export_form.plain(name): name for name in OWN_COLUMNS["contracts"]} | {
    "gpucount": "gpus",
    "gputype": "gpu_model",
    "gpumemory": "gpu_memory_gb",
    "rate": "rate_usd_per_gpu_hour",
    "term": "term_months",
}
"""Our own columns as FOCUS would have them: x_GpuModel, x_Gpus, x_RateUsdPerGpuHour and so on."""


_LATER: Final = (
    *(_C + name for name in ("durationtype", "fulfillmentinterval", "lifecyclestatus")),
    *("pricingcurrency", f"pricingcurrency{_C}cost", "serviceprovidername"),
)
"""Fields of the specification's next version, which files of 1.3 have as x_ columns."""


def _as_named(record: export_form.Record) -> export_form.Record:
    """The record with what its x_ columns say of fields of the next version under the names of these."""
    later = {name: record.texts[f"x{name}"] for name in _LATER if f"x{name}" in record.texts}
    return replace(record, texts={**later, **record.texts}) if later else record


def sniff(head: str) -> float:
    """How sure it is that a text begins a table of contract commitments, 0..1.

    By FOCUS' own names of columns; the more of them, the surer.
    """
    names = export_form.names_in(head)
    return min(1.0, 0.7 + 0.1 * len(names & _KNOWN)) if names >= _NEEDED else 0.0


def texts_of(
    record: export_form.Record, row: Row, quantity_is_for: str = INTERVAL
) -> Sequence[Mapping[str, str]]:
    """One commitment as our own columns; quantity_is_for: how it is read. Errors: RowLeftOutError, RowError."""
    record = _as_named(record)
    name = record.get(_C + "id")
    unit, status = record.get(_C + "unit"), record.get(_C + "lifecyclestatus", _C + "status").lower()
    if status in _NOT_IN_FORCE:
        raise RowLeftOutError("left_out", worded("{name} is {status}", name=name, status=status))
    # what x_ columns say, by our own names
    known = {field: record.get("x" + name) for name, field in _GPU_FIELDS.items() if record.get("x" + name)}
    start, end = (
        record.time(_C + "periodstart", "contractperiodstart"),
        record.time(_C + "periodend", "contractperiodend"),
    )
    quantity = record.amount(_C + "quantity")
    period_h = export_form.hours_between(start, end)
    gpus = known.get("gpus") or _gpus(record, name, unit, quantity, period_h, row, quantity_is_for)
    texts = {
        "contract_id": name,
        "provider": record.get("serviceprovidername", "providername", "invoiceissuername", "publishername"),
        "start": start,
        "end": end,
        "pricing_category": "COMMITTED",
        "term_months": str(read_term(record.get(_C + "durationtype", _C + "duration")) or ""),
        "region": record.get("regionid", "regionname"),
        "gpu_model": _model_in(record, unit),
        **known,
        "gpus": gpus,
    }
    if not texts.get("rate_usd_per_gpu_hour"):
        texts["rate_usd_per_gpu_hour"], texts["currency"] = _rate(
            record, gpus, export_form.hours_between(start, end), row
        )
    return (texts,)


def _gpus(
    record: export_form.Record,
    name: str,
    unit: str,
    quantity: Decimal | None,
    period_h: Decimal | None,
    row: Row,
    quantity_is_for: str,
) -> str:
    """GPUs of a quantity in GPU-hours, or of instance-hours where the type is told; the arithmetic is said.

    Where the commitment names an interval and a period the other reading is said too.
    """
    per_gpu = _UNIT.match(unit)
    if _INSTANCE_UNIT.match(unit):
        instance = export_form.find_instance(record.get("xinstancetype", "xskuinstancetype"))
    else:
        instance = None
    if per_gpu is None and instance is None:
        raise RowLeftOutError(
            "left_out",
            worded(
                "{name} commits {quantity} {unit}",
                name=name,
                quantity=record.get(_C + "quantity") or worded("an amount"),
                unit=unit or worded("of no unit"),
            ),
        )
    if quantity is None or quantity < 0 or quantity > 10**15:
        raise RowError(
            "bad_number",
            worded(
                "{column} is {text}", column="quantity", text=record.get(_C + "quantity") or worded("empty")
            ),
        )
    if quantity == 0:
        raise RowLeftOutError(
            "left_out", worded("{name} commits {quantity} {unit}", name=name, quantity="0", unit=unit)
        )
    if per_gpu is not None and per_gpu[1] is None:
        row.say("computed", worded("{name} counts {quantity} GPUs", name=name, quantity=exact(quantity)))
        return f"{quantity:f}"
    of_one = HOURS_OF_PERIOD.get(per_gpu[1].lower()) if per_gpu is not None else None
    of_one = instance.gpus if instance is not None else of_one or Fraction(1)  # "h" and "hr" are hours
    each = Decimal(of_one.numerator) / Decimal(of_one.denominator)
    interval = record.get(_C + "fulfillmentinterval", _C + "interval")
    interval_h = _INTERVAL_HOURS.get(export_form.plain(interval))
    other_h = period_h if interval_h is not None else None
    if quantity_is_for == PERIOD and period_h is not None:
        interval_h, other_h = None, interval_h and Decimal(interval_h)
    hours = Decimal(interval_h) if interval_h is not None else period_h
    if hours is None:
        raise RowError("bad_time", worded("no period start and end: GPU-hours give no GPU count"))
    gpus = quantity * each / hours
    if interval_h is None:
        of = worded("of its period")
    else:
        of = worded("of its {interval} interval", interval=interval.lower())
    times = joined((" x ", exact(each.normalize()), " ", GPU_HOURS)) if each != 1 else ""
    row.say(
        "computed",
        worded_count(
            float(gpus),
            "{name}: {quantity} {unit}{times} / {hours} h {of} = {gpus} GPU",
            "{name}: {quantity} {unit}{times} / {hours} h {of} = {gpus} GPUs",
            name=name,
            quantity=exact(quantity),
            unit=unit,
            times=times,
            hours=exact(hours.normalize()),
            of=of,
            gpus=_short(gpus),
        ),
    )
    if other_h and other_h != hours:
        other = PERIOD if interval_h is not None else INTERVAL
        row.say(
            "computed",
            worded_count(
                float(quantity * each / other_h),
                "{gpus} GPU if the quantity is for its {other}",
                "{gpus} GPUs if the quantity is for its {other}",
                gpus=_short(quantity * each / other_h),
                other=OF_QUANTITY[other],
            ),
        )
    return f"{gpus:f}"


def _rate(record: export_form.Record, gpus: str, period_h: Decimal | None, row: Row) -> tuple[str, str]:
    """The cost over the GPU-hours of the whole period, and its currency; empty where it is unknown."""
    cost, currency = record.amount("pricingcurrency" + _C + "cost"), record.get("pricingcurrency")
    if cost is None or currency.upper() != "USD":
        cost, currency = record.amount(_C + "cost"), record.get("billingcurrency", _C + "currency")
    if not cost or cost < 0 or cost > 10**12 or not period_h:
        return "", ""
    if (code := currency.upper()) != "USD":
        row.say(
            "other_currency",
            worded(
                "{name} costs {amount} {currency}",
                name=record.get(_C + "id"),
                amount=exact(cost),
                currency=currency or worded("of no currency"),
            ),
        )
        if code not in CODES:
            return "", ""
    try:
        count = Decimal(gpus)
    except ArithmeticError:
        return "", ""
    if not count.is_finite() or count <= 0:
        return "", ""
    rate = export_form.rate_text(cost / (count * period_h))
    if rate:
        said = worded_count(
            float(count),
            "{cost} / ({gpus} GPU x {hours} h) = {rate}",
            "{cost} / ({gpus} GPUs x {hours} h) = {rate}",
            cost=quoted(exact(cost), code),
            gpus=_short(count),
            hours=exact(period_h.normalize()),
            rate=quoted(exact(Decimal(rate)), code),
        )
        row.say("computed", said)
    return rate, code


def _model_in(record: export_form.Record, unit: str) -> str:
    """The one GPU model that the commitment's words name; empty where they name none, or several."""
    instance = export_form.find_instance(record.get("xinstancetype", "xskuinstancetype"))
    if instance is not None:
        return instance.gpu_model
    words = " ".join(
        (unit, record.get(_C + "description"), record.get(_C + "type"), record.get(_C + "applicability"))
    )
    if not is_gpu_name(words):
        return ""
    models = {row["gpu_model"] for row in read_gpu_instances()} | {"A100"}
    found = {model for model in models if re.search(rf"(?<![\w-]){re.escape(model)}(?!\w)", words, re.I)}
    if len(found) > 1:
        found.discard("A100")  # its size is said, too
    return found.pop() if len(found) == 1 else ""


def _short(number: Decimal) -> Part:
    """A number as it is told in a message: three decimals at most, large ones with an exponent."""
    return exact(number.quantize(Decimal("0.001")).normalize()) if abs(number) < 10**15 else f"{number:.3e}"


def facts(records: Sequence[export_form.Record]) -> Facts:
    """What a file of commitments holds, GPUs or not: amounts by currency and by unit, statuses, rates of exchange."""
    records = [_as_named(record) for record in records]
    return (
        ("rows", len(records)),
        ("commitments", len({record.get(_C + "id") for record in records})),
        (
            "contract_ids",
            sorted({record.get("contractid") for record in records if record.get("contractid")}),
        ),
        ("commitments_by_unit", _counted(record.get(_C + "unit") for record in records)),
        ("quantity_by_unit", _summed(records, _C + "unit", _C + "quantity")),
        ("commitments_by_category", _counted(record.get(_C + "category") for record in records)),
        ("fulfillment_intervals", _counted(record.get(_C + "fulfillmentinterval") for record in records)),
        ("statuses", _counted(record.get(_C + "lifecyclestatus", _C + "status") for record in records)),
        ("rows_with_quantity_0", sum(record.amount(_C + "quantity") == 0 for record in records)),
        ("cost_by_billing_currency", _summed(records, "billingcurrency", _C + "cost")),
        ("cost_by_pricing_currency", _summed(records, "pricingcurrency", f"pricingcurrency{_C}cost")),
        ("exchange_rates", _exchange_rates(records)),
        ("period_start", min(filter(None, (r.time(_C + "periodstart") for r in records)), default=None)),
        ("period_end", max(filter(None, (r.time(_C + "periodend") for r in records)), default=None)),
        ("currency", " ".join(sorted({r.get("billingcurrency") for r in records} - {""})) or None),
    )


def _counted(texts: Iterable[str]) -> dict[str, int]:
    """How often each text occurs, by name; empty texts are left out."""
    return dict(sorted(Counter(filter(None, texts)).items()))


def _summed(records: Sequence[export_form.Record], by: str, amount: str) -> dict[str, float]:
    """The sum of an amount by the value of another field; records without either are left out."""
    sums: dict[str, Decimal] = {}
    for record in records:
        number = record.amount(amount)
        if number is not None and record.get(by):
            sums[record.get(by)] = sums.get(record.get(by), Decimal(0)) + number
    return {name: float(total) for name, total in sorted(sums.items())}


def _exchange_rates(records: Sequence[export_form.Record]) -> dict[str, float]:
    """Billing over pricing amount, where all rows of a pair of currencies agree; else each by its commitment."""
    found: dict[str, dict[str, float]] = {}
    for record in records:
        billed, priced = record.amount(_C + "cost"), record.amount(f"pricingcurrency{_C}cost")
        if not billed or not priced or record.get("billingcurrency") == record.get("pricingcurrency"):
            continue
        pair = f"{record.get('billingcurrency')} per {record.get('pricingcurrency')}"
        found.setdefault(pair, {})[record.get(_C + "id")] = round(float(billed / priced), 6)
    rates: dict[str, float] = {}
    for pair, by_id in found.items():
        if len(set(by_id.values())) == 1:
            rates[pair] = next(iter(by_id.values()))
        else:
            rates.update({f"{pair} ({name})": rate for name, rate in sorted(by_id.items())})
    return rates


FORM: Final = export_form.contract_form(
    "focus",
    worded("FOCUS contract commitments"),
    sniff,
    ("contractcommitments", "commitments", "data", "value", "items"),
    texts_of,
    facts,
    {PERIOD: partial(texts_of, quantity_is_for=PERIOD), INTERVAL: texts_of},
)
