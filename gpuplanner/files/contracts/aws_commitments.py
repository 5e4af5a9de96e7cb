"""AWS: reserved instances and Savings Plans, from the command line's JSON or a console's CSV."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Final

from gpuplanner.domain.figures.typed import exact
from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model.window import months_after
from gpuplanner.files.contracts import export_form
from gpuplanner.files.tables.small_table import Row, RowError, RowLeftOutError
from gpuplanner.files.values.amounts import CODES, quoted, read_amount
from gpuplanner.files.values.terms import read_term
from gpuplanner.files.values.times import utc_seconds
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.lazy_re import lazy_re

AWS_GPU_BY_NAME: Final = lazy_re(r"^(?:p|g|gr)\d[a-z0-9-]*\.")
"""Families with GPUs, whether the table has the type or not."""

_AWS_IDS: Final = ("reservedinstancesid", "reservedinstanceid", "reservationid", "reservedinstancesids", "id")
_TYPES: Final = ("instancetype", "type")
_COUNTS: Final = ("instancecount", "count", "quantity", "numberofinstances")
_AWS_STARTS: Final = ("start", "startdate", "starttime")
_AWS_ENDS: Final = ("end", "enddate", "expires", "endtime", "expirationdate")
_AWS_NOT_IN_FORCE: Final = phrases("payment-failed|queued-deleted|payment failed|returned|pending-return")
_YEAR_H: Final = 8760
HIGHEST_COUNT: Final = 10**7


def sniff_reservations(head: str) -> float:
    """How sure it is that a text begins an export of reserved instances, 0..1.

    By AWS' own names: ReservedInstancesId, InstanceType, InstanceCount, and Duration, OfferingType or
    OfferingClass.
    """
    names = export_form.names_in(head)
    has_id = bool(names & {"reservedinstancesid", "reservedinstanceid"})
    if names & {"duration", "offeringtype", "offeringclass"} and {"instancetype", "instancecount"} <= names:
        return 0.95 if has_id or "productdescription" in names or "platform" in names else 0.8
    return 0.8 if has_id and names & set(_TYPES) and names & set(_COUNTS) else 0.0


def reservation_texts(record: export_form.Record, row: Row) -> Sequence[Mapping[str, str]]:
    """One reservation as our own columns. Errors: RowLeftOutError without GPUs or force, RowError."""
    name, state = record.get(*_AWS_IDS), record.get("state", "status")
    if state.lower() in _AWS_NOT_IN_FORCE:
        raise RowLeftOutError("left_out", worded("{name} is {status}", name=name, status=state))
    instance = export_form.need_instance(record.get(*_TYPES), AWS_GPU_BY_NAME)
    count = record.amount(*_COUNTS)
    if count is None or not 0 < count <= HIGHEST_COUNT or count != count.to_integral_value():
        raise RowError(
            "bad_number",
            worded(
                "{column} is {text}", column="InstanceCount", text=record.get(*_COUNTS) or worded("empty")
            ),
        )
    start, end, term_h = _span(record)
    months = read_term(record.get("term")) or (round(term_h / _YEAR_H * 12) if term_h else None)
    gpus = export_form.gpus_of_instances(instance, int(count), name, row)
    return (
        {
            "contract_id": name,
            "provider": "AWS",
            "gpu_model": instance.gpu_model,
            "gpus": export_form.gpus_text(gpus),
            "rate_usd_per_gpu_hour": _reservation_rate(record, name, instance.gpus, term_h, row),
            "currency": _aws_currency(record),
            "start": start,
            "end": end,
            "pricing_category": "COMMITTED",
            "term_months": str(months or ""),
            "region": record.get("region", "availabilityzone", "az", "zone"),
        },
    )


def _span(record: export_form.Record) -> tuple[str, str, Decimal | None]:
    """Start, end and hours of the term: the end as stated, else by the duration in seconds or the term."""
    start, end = record.time(*_AWS_STARTS), record.time(*_AWS_ENDS)
    seconds = record.amount("duration", "termdurationinseconds")
    months = read_term(record.get("term"))
    if not end and start and (months or seconds):
        whole = months or (round(seconds / 3600 / _YEAR_H * 12) if seconds and seconds < 10**10 else 0)
        end = months_after(start, whole) or ""
    if seconds and _YEAR_H * 36 <= seconds < 10**10:
        return start, end, seconds / 3600
    term_h = Decimal(months * _YEAR_H) / 12 if months else export_form.hours_between(start, end)
    return start, end, term_h


def _reservation_rate(
    record: export_form.Record, name: str, gpus_each: Fraction, term_h: Decimal | None, row: Row
) -> str:
    """$ per GPU-hour: what was paid at once spread over the term, and what is paid by the hour."""
    currency = _aws_currency(record)
    fixed = record.amount("fixedprice", "upfrontprice", "upfrontcost", "upfrontfee", "upfront")
    by_hour = _hourly(record)
    if fixed is None and by_hour is None:
        return ""
    if currency:
        row.say("other_currency", worded("{name} is in {currency}", name=name, currency=currency[:20]))
        if currency not in CODES:
            return ""
    if (fixed or 0) < 0 or (by_hour or 0) < 0 or (fixed or 0) > 10**12 or (fixed and not term_h):
        return ""
    spread = (fixed or Decimal(0)) / (term_h or Decimal(1))
    each = Decimal(gpus_each.numerator) / Decimal(gpus_each.denominator)
    rate = export_form.rate_text((spread + (by_hour or 0)) / each)
    if rate:
        row.notes.append("computed")
        paid = joined(
            (
                quoted(exact(fixed or Decimal(0)), currency),
                " / ",
                exact((term_h or Decimal(0)).normalize()),
                " h + ",
                quoted(exact(by_hour or Decimal(0)), currency),
            )
        )
        said = worded(
            "{name}: ({paid}) / {gpus} GPUs = {rate}",
            name=name,
            paid=paid,
            gpus=export_form.gpus_text(gpus_each),
            rate=quoted(exact(Decimal(rate)), currency),
        )
        row.say("computed", said)
    return rate


def _aws_currency(record: export_form.Record) -> str:
    """What the amounts are in; empty: US dollars."""
    return record.get("currencycode", "currency").upper().removeprefix("USD")


def _hourly(record: export_form.Record) -> Decimal | None:
    """What an instance costs by the hour; None where nothing is stated."""
    charges = record.raw.get("RecurringCharges", record.raw.get("recurringCharges"))
    found = [
        record.amount("usageprice", "usagecharge"),
        record.amount("hourlycharges", "hourlyprice", "hourlycost"),
    ]
    if isinstance(charges, list):
        for charge in charges[:100]:
            is_hourly = (
                isinstance(charge, dict) and str(charge.get("Frequency", "Hourly")).lower() == "hourly"
            )
            found.append(read_amount(str(charge.get("Amount", ""))).number if is_hourly else None)
    elif text := record.get("recurringcharges", "recurringcharge"):
        number = lazy_re(r"\d+(?:\.\d+)?").search(text)
        found.append(Decimal(number[0]) if number and len(number[0]) < 20 else None)
    known = [number for number in found if number is not None]
    return sum(known, Decimal(0)) if known else None


def sniff_savings_plans(head: str) -> float:
    """How sure it is that a text begins an export of Savings Plans, 0..1.

    By AWS' own names: savingsPlanId or its ARN, and commitment or savingsPlanType.
    """
    names = export_form.names_in(head)
    if "savingsplanid" in names or "savingsplanarn" in names or "savingsplansid" in names:
        return 0.95 if names & {"commitment", "hourlycommitment", "savingsplantype"} else 0.7
    return 0.0


def savings_plan_texts(record: export_form.Record, row: Row) -> Sequence[Mapping[str, str]]:
    """A plan commits dollars: to the GPUs of its family, or of all where it has none. Errors: RowLeftOutError.

    Its discount is in no export of AWS: x_DiscountPercent, in the form of our own tables, states it.
    """
    name, state = record.get("savingsplanid", "savingsplansid", "id"), record.get("state", "status")
    if state.lower() in _AWS_NOT_IN_FORCE:
        raise RowLeftOutError("left_out", worded("{name} is {status}", name=name, status=state))
    family, kind = record.get("ec2instancefamily", "instancefamily", "family"), record.get("savingsplantype")
    instances = export_form.instances_of_family(family) if family else ()
    if (family and not instances) or (
        not family and kind.lower() not in ("", "compute", "computesavingsplans")
    ):
        raise RowLeftOutError(
            "left_out", worded("{name} commits to {value}", name=name, value=family or kind)
        )
    start, end, term_h = _span(record)
    return (
        {
            "contract_id": name,
            "provider": "AWS",
            "gpu_model": ";".join(sorted({instance.gpu_model for instance in instances})) or "*",
            "commitment_usd_per_hour": record.get("commitment", "hourlycommitment", "commitmentperhour"),
            "discount_percent": record.get("xdiscountpercent", "discountpercent"),
            "currency": _aws_currency(record),
            "start": start,
            "end": end if utc_seconds(end) is not None else "",
            "pricing_category": "COMMITTED",
            "term_months": str(round(term_h / _YEAR_H * 12)) if term_h else "",
            "region": record.get("region"),
        },
    )


RESERVATIONS: Final = export_form.contract_form(
    "aws_reservations",
    worded("AWS reserved instances"),
    sniff_reservations,
    ("reservedinstances", "data", "items"),
    reservation_texts,
)
SAVINGS_PLANS: Final = export_form.contract_form(
    "aws_savings_plans",
    worded("AWS Savings Plans"),
    sniff_savings_plans,
    ("savingsplans", "data", "items"),
    savings_plan_texts,
)
