"""Forms of price lists: AWS' offers, OpenCost's prices, and the table of all that are read."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from math import ceil
from typing import Final

from gpuplanner.domain.figures.typed import exact
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.files.contracts.contract_forms import AWS_GPU_BY_NAME
from gpuplanner.files.contracts.export_form import (
    ExportForm,
    GpuInstance,
    Record,
    find_instance,
    hours_between,
    names_in,
    need_instance,
    rate_text,
)
from gpuplanner.files.prices import machine_lists
from gpuplanner.files.prices.price_tables import (
    PRICE_TO_SHOW,
    model_texts,
    per_gpu_hour,
    price_form,
    way_texts,
)
from gpuplanner.files.tables.small_table import Row, RowError, RowLeftOutError
from gpuplanner.files.values.numbers import CODES

# --- What AWS offers to commit to: reserved instances, Savings Plans' rates, capacity blocks; JSON of its command line

_YEAR_S: Final = 31_536_000
_LINUX: Final = ("", "linux/unix", "linux/unix (amazon vpc)", "linux", "linux/unix (vpc)")


def _sniff_reserved(head: str) -> float:
    """How sure it is that this is `describe-reserved-instances-offerings`."""
    names = names_in(head)
    prices = names & {"fixedprice", "recurringcharges", "usageprice"}
    return 0.97 if "reservedinstancesofferingid" in names and prices else 0.0


def _sniff_savings(head: str) -> float:
    """How sure it is that these are the rates of Savings Plans."""
    names = names_in(head)
    return 0.97 if {"savingsplanoffering", "rate"} <= names else 0.0


def _reserved_texts(record: Record, row: Row) -> Sequence[Mapping[str, str]]:
    """One reserved instance on offer. Errors: RowLeftOutError without GPUs or Linux, RowError."""
    instance, gpus = _gpus(record.get("instancetype"))
    _need_linux(record.get("productdescription", "platform"))
    currency = _quoted_in(record.get("currencycode"), row)
    months, term_h = _term(record.amount("duration"))
    fixed = record.amount("fixedprice")
    for detail in _listed(record, "PricingDetails") if record.get("marketplace").lower() == "true" else ():
        fixed = record.number(detail.get("Price"), fixed)
    hourly = _recurring(record)
    if fixed is None and hourly is None:
        raise RowError("missing_column", worded("it has neither a fixed price nor charges by the hour"))
    kind = " ".join(filter(None, (record.get("offeringclass"), record.get("offeringtype"))))
    zone = record.get("availabilityzone", "scope")
    base = _base(instance, gpus, zone, f"{months} months {kind}".strip(), currency)
    return (_committed(base, fixed or Decimal(0), hourly or Decimal(0), gpus, months, term_h, row),)


def _savings_texts(record: Record, row: Row) -> Sequence[Mapping[str, str]]:
    """A Savings Plan's rate of one instance type. Errors: RowLeftOutError, RowError."""
    told = {
        str(one.get("name", "")).lower(): str(one.get("value", "")) for one in _listed(record, "properties")
    }
    usage = record.get("usagetype")
    instance, gpus = _gpus(told.get("instancetype") or usage.rpartition(":")[2])
    _need_linux(told.get("productdescription", ""))
    currency = _quoted_in(record.get("savingsplanofferingcurrency", "currency"), row)
    months, term_h = _term(
        record.amount("savingsplanofferingdurationseconds", "durationseconds", "savingsplanofferingduration")
    )
    rate = record.amount("rate")
    if rate is None or rate <= 0:
        raise RowError(
            "bad_number", worded("its rate is {value}", value=record.get("rate") or worded("empty"))
        )
    option = record.get("savingsplanofferingpaymentoption", "paymentoption")
    plan = record.get("savingsplanofferingplantype", "plantype", "savingsplantype")
    kind = " ".join(filter(None, (plan, "Savings Plan", option, told.get("tenancy", ""))))
    base = _base(instance, gpus, told.get("region", ""), f"{months} months {kind}", currency)
    # whatever is paid at once, the rate is the whole price of an hour
    return (_committed(base, Decimal(0), rate, gpus, months, term_h, row),)


def _block_texts(record: Record, row: Row) -> Sequence[Mapping[str, str]]:
    """A block of capacity on offer: a fee for its hours. Errors: RowLeftOutError without GPUs, RowError."""
    if not record.get("instancetype"):
        raise RowError(
            "missing_column",
            worded("it names no InstanceType"),
            worded("export the offerings whole, without --query"),
        )
    instance, gpus = _gpus(record.get("instancetype"))
    count = record.amount("instancecount") or Decimal(1)
    currency = _quoted_in(record.get("currencycode"), row)
    start, end = record.time("startdate"), record.time("enddate")
    minutes = record.amount("capacityblockdurationminutes")
    hours = record.amount("capacityblockdurationhours", "capacitydurationhours") or (
        minutes / 60 if minutes else hours_between(start, end)
    )
    fee = record.amount("upfrontfee", "fee")
    if not hours or not 0 < hours < 10**5:
        raise RowError("bad_duration", worded("it does not say its hours"))
    if fee is None or not 0 < fee < PRICE_TO_SHOW:
        raise RowError(
            "bad_number", worded("its fee is {value}", value=record.get("upfrontfee") or worded("empty"))
        )
    rate = per_gpu_hour(fee, gpus * count, row, hours=hours)
    days = ceil(hours / 24)
    zone = record.get("availabilityzone")
    base = _base(instance, gpus, zone, f"capacity block {start[:10]}", currency)
    base["max_gpus"] = base["min_gpus"] = f"{(gpus * count).normalize():f}"
    found = way_texts(base, "committed", rate, term_days=str(days), starts=start, ends=end)
    row.notes.append("undated_price")
    return (found,)


def _committed(
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
        rate = per_gpu_hour(hourly, gpus, row)
        upfront = rate_text(fixed / gpus)
    else:
        rate, upfront = per_gpu_hour(fixed, gpus, row, hours=term_h), ""
    return way_texts(base, "committed", rate, term_months=str(months), upfront_usd=upfront)


def _base(instance: GpuInstance, gpus: Decimal, place: str, kind: str, currency: str) -> dict[str, str]:
    """The texts that all kinds of AWS offers share; `unit_gpus` only where the machine has whole GPUs."""
    return {
        "offer_id": " ".join(filter(None, ("AWS", instance.instance_type, place, kind))),
        "provider": "AWS",
        "gpu_model": instance.gpu_model,
        "region": place,
        "currency": currency,
        "unit_gpus": f"{gpus.normalize():f}" if gpus == gpus.to_integral_value() else "",
    }


def _gpus(instance_type: str) -> tuple[GpuInstance, Decimal]:
    """The instance behind a type and its GPUs, which may be a fraction.

    Errors: RowLeftOutError where it has none, RowError where they are not known.
    """
    found = need_instance(instance_type, AWS_GPU_BY_NAME)
    return found, Decimal(found.gpus.numerator) / Decimal(found.gpus.denominator)


def _term(seconds: Decimal | None) -> tuple[int, Decimal]:
    """Months and hours of a term. Errors: RowError."""
    if seconds is None or not 0 < seconds < 10**10:
        raise RowError("bad_duration", worded("it does not say its duration in seconds"))
    months = round(seconds / _YEAR_S * 12)
    if months < 1:
        raise RowError("bad_duration", worded("its duration is {value} s", value=exact(seconds)))
    return months, seconds / 3600


def _recurring(record: Record) -> Decimal | None:
    """What an instance costs by the hour; None where nothing is stated."""
    found = [record.amount("usageprice")]
    found += [
        record.number(charge.get("Amount"))
        for charge in _listed(record, "RecurringCharges")
        if str(charge.get("Frequency", "Hourly")).lower() == "hourly"
    ]
    known = [number for number in found if number is not None and number >= 0]
    return sum(known, Decimal(0)) if known else None


def _listed(record: Record, name: str) -> list[Mapping[str, object]]:
    """The objects of a list inside a record, 200 at most; empty if there is no list."""
    found = record.raw.get(name)
    return [each for each in found[:200] if isinstance(each, dict)] if isinstance(found, list) else []


def _need_linux(product: str) -> None:
    """RowLeftOutError for other operating systems, whose licence is part of the price."""
    if product.lower() not in _LINUX:
        raise RowLeftOutError("left_out", worded("instances with {product}", product=product[:60]))


def _quoted_in(currency: str, row: Row) -> str:
    """The currency of an offer, which is said; empty: US dollars. Errors: RowError for one that nobody knows."""
    if currency in ("", "USD"):
        return ""
    said = worded("it is in {currency}", currency=currency[:20])
    if currency not in CODES:
        raise RowError("other_currency", said)
    row.say("other_currency", said)
    return currency


def _sniff_blocks(head: str) -> float:
    """How sure it is that this is `describe-capacity-block-offerings`."""
    names = names_in(head)
    return 0.97 if "capacityblockofferingid" in names and names & {"upfrontfee", "fee"} else 0.0


AWS_OFFERS: Final = (
    price_form(
        "aws_offerings",
        worded("AWS's reserved instances on offer"),
        _sniff_reserved,
        ("reservedinstancesofferings",),
        _reserved_texts,
    ),
    price_form(
        "aws_offerings",
        worded("AWS's rates of Savings Plans"),
        _sniff_savings,
        ("searchresults", "savingsplansofferingrates"),
        _savings_texts,
    ),
    price_form(
        "aws_capacity_blocks",
        worded("AWS's capacity blocks on offer"),
        _sniff_blocks,
        ("capacityblockofferings",),
        _block_texts,
    ),
)


# --- OpenCost's own prices: the JSON of its defaults, and the CSV of prices by node and GPU ------

_MODEL: Final = ("gpumodel", "gputype", "gpulabelvalue")


def _sniff_json(head: str) -> float:
    """How sure it is that these are OpenCost's default prices."""
    names = names_in(head)
    return 0.95 if {"cpu", "ram", "gpu"} <= names and names & {"spotcpu", "spotram", "storage"} else 0.0


def _sniff_csv(head: str) -> float:
    """How sure it is that this is OpenCost's CSV of prices."""
    return 0.96 if {"assetclass", "marketpricehourly"} <= names_in(head) else 0.0


def _default_texts(record: Record, row: Row) -> Sequence[Mapping[str, str]]:
    """The price of a GPU, on demand and on spot nodes. Errors: RowLeftOutError without one, RowError."""
    prices = (("standard", record.amount("gpu")), ("dynamic", record.amount("spotgpu")))
    if not any(price and price > 0 for _, price in prices):
        raise RowLeftOutError("left_out", worded("prices without one of a GPU"))
    model = record.get(*_MODEL)
    if not model:
        raise RowError(
            "missing_column",
            worded("its GPU price names no model"),
            worded('add the model beside it, as in "gpuModel": "H100"'),
        )
    provider = record.get("provider")
    found = []
    for category, price in prices:
        rate = per_gpu_hour(price, Decimal(1), row)
        name = f"OpenCost {model}{', spot' if category == 'dynamic' else ''}"
        if rate:
            base = {"offer_id": name, "provider": provider, **model_texts(model)}
            found.append(way_texts(base, category, rate))
    row.notes.append("undated_price")
    return found


def _asset_texts(record: Record, row: Row) -> Sequence[Mapping[str, str]]:
    """A node with GPUs, divided by them, or a GPU by itself. Errors: RowLeftOutError, RowError."""
    asset, named = record.get("assetclass").lower(), record.get("instanceid")
    if asset == "gpu":
        if not named:
            raise RowError("missing_column", worded("InstanceID is empty"))
        base, gpus = model_texts(named), Decimal(1)
    elif asset == "node":
        instance = find_instance(record.get("instancetype")) or find_instance(named)
        if instance is None:
            raise RowLeftOutError("left_out", worded("nodes whose GPUs are not known by their instance type"))
        base = {"gpu_model": instance.gpu_model, "instance": instance.instance_type}
        gpus = Decimal(instance.gpus.numerator) / Decimal(instance.gpus.denominator)
    else:
        raise RowLeftOutError("left_out", worded("prices of what is no node and no GPU"))
    rate = per_gpu_hour(record.amount("marketpricehourly"), gpus, row)
    day = record.time("endtimestamp")[:10]
    base |= {"region": record.get("region"), "as_of": day}
    base["offer_id"] = " ".join(filter(None, ("OpenCost", named or base["gpu_model"], base["region"])))
    if not day:
        row.notes.append("undated_price")
    return (way_texts(base, "standard", rate),)


OPENCOST_PRICES: Final = (
    price_form("opencost_prices", worded("OpenCost's default prices"), _sniff_json, (), _default_texts),
    price_form("opencost_prices", worded("OpenCost's prices by node"), _sniff_csv, (), _asset_texts),
)


# --- The table of forms: every price list with a form of its own that is read --------------------

PRICE_FORMS: Final[tuple[ExportForm[Offer], ...]] = (
    *machine_lists.FORMS,
    *AWS_OFFERS,
    *OPENCOST_PRICES,
)
