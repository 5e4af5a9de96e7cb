"""What AWS offers to commit to: reserved instances, Savings Plans' rates, capacity blocks, training plans."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from math import ceil
from typing import Final

from gpuplanner.domain.figures.typed import exact
from gpuplanner.domain.message import worded
from gpuplanner.files.contracts import export_form
from gpuplanner.files.contracts.aws_commitments import AWS_GPU_BY_NAME
from gpuplanner.files.prices import price_form
from gpuplanner.files.prices.cloud_offers import need_linux, objects_listed, quoted_in
from gpuplanner.files.tables.small_table import Row, RowError, RowLeftOutError
from gpuplanner.files.values.written_dates import read_date

_YEAR_S: Final = 31_536_000


def _sniff_reserved(head: str) -> float:
    """How sure it is that this is `describe-reserved-instances-offerings`."""
    names = export_form.names_in(head)
    prices = names & {"fixedprice", "recurringcharges", "usageprice"}
    return 0.97 if "reservedinstancesofferingid" in names and prices else 0.0


def _reserved_texts(record: export_form.Record, row: Row) -> Sequence[Mapping[str, str]]:
    """One reserved instance on offer. Errors: RowLeftOutError without GPUs or Linux, RowError."""
    instance, gpus = gpus_of_type(record.get("instancetype"))
    need_linux(record.get("productdescription", "platform"))
    currency = quoted_in(record.get("currencycode"), row)
    months, term_h = _term(record.amount("duration"))
    fixed = record.amount("fixedprice")
    for detail in (
        objects_listed(record, "PricingDetails") if record.get("marketplace").lower() == "true" else ()
    ):
        fixed = record.number(detail.get("Price"), fixed)
    hourly = _recurring(record)
    if fixed is None and hourly is None:
        raise RowError("missing_column", worded("no fixed price or hourly charges"))
    kind = " ".join(filter(None, (record.get("offeringclass"), record.get("offeringtype"))))
    zone = record.get("availabilityzone", "scope")
    base = base_texts(instance, gpus, zone, f"{months} months {kind}".strip(), currency)
    return (committed_texts(base, fixed or Decimal(0), hourly or Decimal(0), gpus, months, term_h, row),)


def _savings_texts(record: export_form.Record, row: Row) -> Sequence[Mapping[str, str]]:
    """A Savings Plan's rate of one instance type. Errors: RowLeftOutError, RowError."""
    told = {
        str(one.get("name", "")).lower(): str(one.get("value", ""))
        for one in objects_listed(record, "properties")
    }
    usage = record.get("usagetype")
    instance, gpus = gpus_of_type(told.get("instancetype") or usage.rpartition(":")[2])
    need_linux(told.get("productdescription", ""))
    currency = quoted_in(record.get("savingsplanofferingcurrency", "currency"), row)
    months, term_h = _term(
        record.amount("savingsplanofferingdurationseconds", "durationseconds", "savingsplanofferingduration")
    )
    rate = record.amount("rate")
    if rate is None or rate <= 0:
        raise RowError(
            "bad_number",
            worded("{column} is {text}", column="rate", text=record.get("rate") or worded("empty")),
        )
    option = record.get("savingsplanofferingpaymentoption", "paymentoption")
    plan = record.get("savingsplanofferingplantype", "plantype", "savingsplantype")
    kind = " ".join(filter(None, (plan, "Savings Plan", option, told.get("tenancy", ""))))
    base = base_texts(instance, gpus, told.get("region", ""), f"{months} months {kind}", currency)
    # whatever is paid at once, the rate is the whole price of an hour
    return (committed_texts(base, Decimal(0), rate, gpus, months, term_h, row),)


def _block_texts(record: export_form.Record, row: Row) -> Sequence[Mapping[str, str]]:
    """A block of capacity on offer: a fee for its hours. Errors: RowLeftOutError without GPUs, RowError."""
    if not record.get("instancetype"):
        raise RowError(
            "missing_column", worded("no InstanceType"), worded("export complete offerings, without --query")
        )
    instance, gpus = gpus_of_type(record.get("instancetype"))
    count = record.amount("instancecount") or Decimal(1)
    currency = quoted_in(record.get("currencycode"), row)
    start, end = record.time("startdate"), record.time("enddate")
    minutes = record.amount("capacityblockdurationminutes")
    hours = record.amount("capacityblockdurationhours", "capacitydurationhours") or (
        minutes / 60 if minutes else export_form.hours_between(start, end)
    )
    fee = record.amount("upfrontfee", "fee")
    if not hours or not 0 < hours < 10**5:
        raise RowError("bad_duration", worded("hours missing"))
    if fee is None or not 0 < fee < price_form.PRICE_TO_SHOW:
        raise RowError(
            "bad_number",
            worded(
                "{column} is {text}", column="UpfrontFee", text=record.get("upfrontfee") or worded("empty")
            ),
        )
    rate = price_form.per_gpu_hour(fee, gpus * count, row, hours=hours)
    days = ceil(hours / 24)
    base = base_texts(
        instance, gpus, record.get("availabilityzone"), f"capacity block {start[:10]}", currency
    )
    base["max_gpus"] = base["min_gpus"] = f"{(gpus * count).normalize():f}"
    found = price_form.way_texts(base, "committed", rate, term_days=str(days), starts=start, ends=end)
    row.notes.append("undated_price")
    return (found,)


def _plan_texts(record: export_form.Record, row: Row) -> Sequence[Mapping[str, str]]:
    """A SageMaker training plan on offer: a fee for the hours of its machines.

    Errors: RowLeftOutError without GPUs or with several types of machines, RowError.
    """
    parts = objects_listed(record, "ReservedCapacityOfferings")
    types = {str(part.get("InstanceType") or "").removeprefix("ml.") for part in parts}
    if len(types) != 1:
        raise RowLeftOutError("left_out", worded("a training plan of several instance types"))
    instance, gpus = gpus_of_type(types.pop())
    currency, fee = quoted_in(record.get("currencycode"), row), record.amount("upfrontfee")
    hours_of = [
        record.number(part.get("DurationHours"), Decimal(0))
        + record.number(part.get("DurationMinutes"), Decimal(0)) / 60
        for part in parts
    ]
    counts = [record.number(part.get("InstanceCount"), Decimal(1)) for part in parts]
    machine_h = sum((count * hours for count, hours in zip(counts, hours_of, strict=True)), Decimal(0))
    if not machine_h or fee is None or not 0 < fee < price_form.PRICE_TO_SHOW:
        raise RowError("bad_duration", worded("hours missing"))
    start, end = str(parts[0].get("StartTime") or ""), str(parts[-1].get("EndTime") or "")
    starts, ends = read_date(start) or "", read_date(end) or ""
    count, days = max(counts), ceil(sum(hours_of, Decimal(0)) / 24)
    kind = f"training plan {starts[:10]}".strip()
    base = base_texts(instance, gpus, str(parts[0].get("AvailabilityZone") or ""), kind, currency)
    base["max_gpus"] = base["min_gpus"] = f"{(gpus * count).normalize():f}"
    rate = price_form.per_gpu_hour(fee, gpus, row, hours=machine_h)
    row.notes.append("undated_price")
    more = {"term_days": str(days), "starts": starts, "ends": ends}
    return (price_form.way_texts(base, "committed", rate, **more),)


def committed_texts(
    base: Mapping[str, str],
    fixed: Decimal,
    hourly: Decimal,
    gpus: Decimal,
    months: int,
    term_h: Decimal,
    row: Row,
) -> dict[str, str]:
    """Charges by the hour are the rate, what is paid at once stands beside; all at once is spread over the term."""
    row.notes.append("undated_price")
    if hourly > 0:
        rate = price_form.per_gpu_hour(hourly, gpus, row)
        upfront = export_form.rate_text(fixed / gpus)
    else:
        rate, upfront = price_form.per_gpu_hour(fixed, gpus, row, hours=term_h), ""
    return price_form.way_texts(base, "committed", rate, term_months=str(months), upfront_usd=upfront)


def base_texts(
    instance: export_form.GpuInstance, gpus: Decimal, place: str, kind: str, currency: str
) -> dict[str, str]:
    """The texts that all kinds of AWS offers share; `unit_gpus` only where the machine has whole GPUs."""
    return {
        "offer_id": " ".join(filter(None, ("AWS", instance.instance_type, place, kind))),
        "provider": "AWS",
        "gpu_model": instance.gpu_model,
        "region": place,
        "currency": currency,
        "unit_gpus": f"{gpus.normalize():f}" if gpus == gpus.to_integral_value() else "",
    }


def gpus_of_type(instance_type: str) -> tuple[export_form.GpuInstance, Decimal]:
    """The instance behind a type and its GPUs, which may be a fraction.

    Errors: RowLeftOutError where it has none, RowError where they are not known.
    """
    found = export_form.need_instance(instance_type, AWS_GPU_BY_NAME)
    return found, Decimal(found.gpus.numerator) / Decimal(found.gpus.denominator)


def _term(seconds: Decimal | None) -> tuple[int, Decimal]:
    """Months and hours of a term. Errors: RowError."""
    if seconds is None or not 0 < seconds < 10**10:
        raise RowError("bad_duration", worded("no duration in seconds"))
    months = round(seconds / _YEAR_S * 12)
    if months < 1:
        raise RowError("bad_duration", worded("{column} is {text}", column="duration", text=exact(seconds)))
    return months, seconds / 3600


def _recurring(record: export_form.Record) -> Decimal | None:
    """What an instance costs by the hour; None where nothing is stated."""
    found = [record.amount("usageprice")]
    found += [
        record.number(charge.get("Amount"))
        for charge in objects_listed(record, "RecurringCharges")
        if str(charge.get("Frequency", "Hourly")).lower() == "hourly"
    ]
    known = [number for number in found if number is not None and number >= 0]
    return sum(known, Decimal(0)) if known else None


def _sniff_blocks(head: str) -> float:
    """How sure it is that this is `describe-capacity-block-offerings`."""
    names = export_form.names_in(head)
    return 0.97 if "capacityblockofferingid" in names and names & {"upfrontfee", "fee"} else 0.0


AWS_OFFERS: Final = (
    price_form.price_form(
        "aws_training_plans",
        worded("SageMaker's training plans for sale"),
        lambda head: 0.97 if {"trainingplanofferingid", "upfrontfee"} <= export_form.names_in(head) else 0.0,
        ("trainingplanofferings",),
        _plan_texts,
    ),
    price_form.price_form(
        "aws_offerings",
        worded("AWS's reserved instances for sale"),
        _sniff_reserved,
        ("reservedinstancesofferings",),
        _reserved_texts,
    ),
    price_form.price_form(
        "aws_offerings",
        worded("AWS's Savings Plan rates"),
        lambda head: 0.97 if {"savingsplanoffering", "rate"} <= export_form.names_in(head) else 0.0,
        ("searchresults", "savingsplansofferingrates"),
        _savings_texts,
    ),
    price_form.price_form(
        "aws_capacity_blocks",
        worded("AWS's capacity blocks for sale"),
        _sniff_blocks,
        ("capacityblockofferings",),
        _block_texts,
    ),
)
