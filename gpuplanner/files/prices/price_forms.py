"""Forms of price lists: machines with ways to pay for each, AWS' offers, OpenCost's prices, and the table of all."""

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import cache, partial
from math import ceil
from pathlib import PurePath
from typing import Final

from gpuplanner.domain.figures.typed import exact
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.files.contracts import export_form
from gpuplanner.files.contracts.contract_forms import AWS_GPU_BY_NAME, AZURE_GPU_BY_NAME
from gpuplanner.files.prices import price_tables
from gpuplanner.files.system.resources import gpu_families, rows_of
from gpuplanner.files.tables.headings import price_unit
from gpuplanner.files.tables.price_columns import provider_named
from gpuplanner.files.tables.small_table import Row, RowError, RowLeftOutError
from gpuplanner.files.values.numbers import CODES
from gpuplanner.files.values.written_dates import read_term
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

# --- Lists of machines with ways to pay for each, as data: SkyPilot's catalogues, Lambda, RunPod, Vast

Fields = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way to pay: the fields of its price, its category and term. is_of_one: of one GPU, not of the machine.

    divisor: 100 where it is in cents. name: added to the offer's name where a list has several of one category.
    when: of which records alone.
    """

    fields: Fields
    category: str
    term_months: int = 0
    term_days: int = 0
    is_of_one: bool = False
    divisor: int = 1
    name: str = ""
    when: Callable[[export_form.Record], bool] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineList:
    """A list of machines: what names its fields are under (small letters and digits), and what it sells.

    needed: field names by which a beginning is known: one of each group. gpus: fields of the count; without them one.
    gpu_model: fields, or a function of the record. note: said of records without an instance type, by their price.
    """

    format: str
    title: Message
    needed: tuple[frozenset[str], ...]
    list_names: Fields
    provider: Callable[[export_form.Record, str], str]
    gpu_model: Callable[[export_form.Record], str]
    ways: tuple[Way, ...]
    gpus: Callable[[export_form.Record], Decimal | None]
    instance: Fields = ()
    memory_gb: Callable[[export_form.Record], Decimal | None] = lambda record: None
    region: Fields = ()
    zone: Fields = ()
    is_one_machine: bool = False
    alone: Message | None = None


def texts_of(machines: MachineList, record: export_form.Record, row: Row) -> Sequence[Mapping[str, str]]:
    """The offers of one record as our own columns. Errors: RowLeftOutError without GPUs or a price, RowError."""
    name, gpus = machines.gpu_model(record), machines.gpus(record)
    if gpus is None or gpus <= 0:
        raise price_tables.NO_GPU
    if _NO_GPU_NAME.match(name.strip().lower()):
        raise price_tables.NOT_GPUS
    instance = record.get(*machines.instance)
    base = {
        "provider": machines.provider(record, instance),
        "instance": instance,
        "gpus": f"{gpus.normalize():f}",
        "region": record.get(*machines.region),
        price_tables.ZONE: record.get(*machines.zone),
        **price_tables.model_texts(name, machines.memory_gb(record)),
    }
    if machines.is_one_machine and gpus == gpus.to_integral_value():
        base |= {"max_gpus": base["gpus"], "unit_gpus": base["gpus"]}
    named, found = price_tables.offer_name(base), []
    for way in machines.ways:
        if way.when is not None and not way.when(record):
            continue
        price = record.amount(*way.fields)
        rate = price_tables.per_gpu_hour(
            price, Decimal(1) if way.is_of_one else gpus, row, divisor=way.divisor
        )
        if not rate or not price or price >= _NO_PRICE_FROM:
            continue  # nothing is offered in this way
        term = str(way.term_months or "")
        suffix = f"{way.term_days} days" if way.term_days else ""
        if not suffix:
            of_way = price_tables.offer_id_of_way(named, way.category, term, len(machines.ways))
        else:
            of_way = f"{named}, {suffix}"
        found.append(
            price_tables.way_texts(
                base,
                way.category,
                rate,
                offer_id=f"{of_way}, {way.name}" if way.name else of_way,
                term_months=term,
                term_days=str(way.term_days or ""),
            )
        )
    if not found:
        raise price_tables.NO_PRICE
    if machines.alone is not None and not instance:
        row.say("undecided", machines.alone)
    row.notes.append("undated_price")
    return found


def _sniff(machines: MachineList, head: str) -> float:
    """How sure it is that a head is of this list: it has a name of every needed group."""
    names = export_form.names_in(head)
    return 0.96 if all(group & names for group in machines.needed) else 0.0


def _form(machines: MachineList) -> export_form.ExportForm[Offer]:
    """The form of export of a list, with its own test and its own reading of a record."""
    return price_tables.price_form(
        machines.format,
        machines.title,
        partial(_sniff, machines),
        machines.list_names,
        partial(texts_of, machines),
    )


_NO_GPU_NAME: Final = lazy_re(r"tpu\b|tpu-|trainium|inferentia|unknown$|$")
_COUNT_IN_NAME: Final = lazy_re(r"(?i)(?<![a-z0-9])(\d{1,2})x(?![a-z0-9])|gpu_(\d{1,2})x_")
_FORM: Final = lazy_re(r"pcie?\d?|sxm\d?|nvl\d*")
_ABOVE: Final = 1.3
"""By how much the memory that a list states may be above that of the table."""
_NO_PRICE_FROM: Final = 10**6
"""$ an hour: so much asks nobody, and 99999999 says that nothing is offered."""
_COUNTED: Final = lazy_re(r"(?i)^\s*\d{1,2}\s*x\s+")


@cache
def _types_of() -> Sequence[tuple[str, str]]:
    """How instance types begin that only one cloud has, and this: SkyPilot's catalogues do not name their cloud."""
    return [(row["machines"], row["provider"]) for row in rows_of("provider_words.csv") if row["machines"]]


def _cloud_of(record: export_form.Record, instance: str) -> str:
    """The cloud of a SkyPilot catalogue: by the instance type, else by the folder or the name of its file."""
    provider = next((cloud for shape, cloud in _types_of() if re.match(shape, instance.lower())), "")
    path = PurePath(record.path)
    return provider or next(
        (name for part in (path.stem, path.parent.name) if (name := provider_named(part.split("_")[0]))), ""
    )


def _sky_model(record: export_form.Record) -> str:
    """The accelerator, with the form that its instance type alone names: `gpu_1x_h100_pcie` of an H100."""
    name = record.get("acceleratorname")
    read = gpu_families().read(name)
    if read is None or read.form:
        return name
    said = lazy_re(r"[^a-z0-9]+").split(record.get("instancetype").lower())
    form = next((word for word in said if _FORM.fullmatch(word)), "")
    return f"{name} {form}".strip()


def _gib_of_info(record: export_form.Record) -> Decimal | None:
    """The memory of one GPU in SkyPilot's GpuInfo, in GB: MiB, or GiB where the number is small.

    More than any of its family has is that of all its GPUs or, where that fits none either, of the machine: None.
    """
    found = lazy_re(r"SizeInMiB[\"']?\s*:\s*(\d{1,7})").search(record.get("gpuinfo"))
    if found is None:
        return None
    size, read = int(found[1]), gpu_families().read(record.get("acceleratorname"))
    told = Decimal(size if size < 1000 else round(size / 1024)) or None
    family = read.family.split()[0] if read is not None else ""
    sizes = [
        one.memory_gb for one in gpu_families().models if one.name.split()[0] == family and one.memory_gb
    ]
    if not told or not sizes or told <= _ABOVE * max(sizes):
        return told
    each = told / (record.amount("acceleratorcount") or 1)
    return each if min(sizes) <= each <= _ABOVE * max(sizes) else None


def _count(record: export_form.Record, *names: str) -> Decimal | None:
    """The count of a field, else the one in the name of the machine: `gpu_8x_h100`."""
    told = record.amount(*names)
    if told is not None:
        return told
    found = _COUNT_IN_NAME.search(record.get("name", "instancetypename", "instancetype"))
    return Decimal(found[1] or found[2]) if found else None


def _lambda_model(record: export_form.Record) -> str:
    """The GPU model in Lambda's words, without count and brackets.

    From the type's name where the description is empty.
    """
    described = record.get("gpudescription", "instancetypegpudescription", "description")
    if described and described.lower() != "n/a":
        return lazy_re(r"[()]|(?<=\d) (?=GB)").sub(
            lambda sign: " " * (sign[0] != " "), _COUNTED.sub("", described)
        )
    name = record.get("name", "instancetypename")
    return lazy_re(r"^gpu_\d+x_").sub("", name) if name.startswith("gpu_") else ""


def _gb_of_mb(record: export_form.Record) -> Decimal | None:
    """Memory in GB from MB; None where the number is too small or too large to be that."""
    size = record.amount("gpuram", "gpumemmb")
    return Decimal(round(size / 1024)) if size and 1000 < size < 10**7 else None


def _is_bid(record: export_form.Record) -> bool:
    """Whether the price of a Vast.ai offer is one of a bid, which others may outbid."""
    return record.get("isbid").lower() == "true" or record.get("type").lower() in ("bid", "interruptible")


_SKYPILOT = MachineList(
    format="skypilot",
    title=worded("a SkyPilot catalogue"),
    needed=(frozenset({"acceleratorname"}), frozenset({"price", "priceperaccelerator"})),
    list_names=(),
    provider=_cloud_of,
    gpu_model=_sky_model,
    ways=(
        Way(fields=("price",), category="standard"),
        Way(fields=("spotprice",), category="dynamic"),
        Way(fields=("priceperaccelerator",), category="standard", is_of_one=True),
    ),
    gpus=lambda record: (
        (record.amount("acceleratorcount") or Decimal(1)) if record.get("acceleratorname") else None
    ),
    instance=("instancetype",),
    memory_gb=_gib_of_info,
    region=("region",),
    zone=("availabilityzone", "zone"),
    alone=worded("without an instance type, the price excludes the machine"),
)
_LAMBDA = MachineList(
    format="lambda",
    title=worded("Lambda's instance types"),
    needed=(
        frozenset({"pricecentsperhour"}),
        frozenset({"instancetype", "specs", "gpudescription", "description"}),
    ),
    list_names=("data", "instancetypes"),
    provider=lambda record, instance: "Lambda",
    gpu_model=_lambda_model,
    ways=(
        Way(fields=("instancetypepricecentsperhour", "pricecentsperhour"), category="standard", divisor=100),
    ),
    gpus=lambda record: _count(record, "specsgpus", "instancetypespecsgpus", "gpus"),
    instance=("instancetypename", "name"),
)
_RUNPOD = MachineList(
    format="runpod",
    title=worded("RunPod's GPU types"),
    needed=(
        frozenset({"secureprice", "communityprice", "minimumbidprice", "securespotprice"}),
        frozenset({"displayname", "memoryingb", "id", "gputypeid", "gpuname"}),
    ),
    list_names=("data", "gputypes", "myself"),
    provider=lambda record, instance: "RunPod",
    gpu_model=lambda record: record.get("id", "gputypeid", "displayname", "gpuname"),
    ways=(
        Way(fields=("secureprice",), category="standard", is_of_one=True, name="secure"),
        Way(fields=("communityprice",), category="standard", is_of_one=True, name="community"),
        Way(fields=("securespotprice",), category="dynamic", is_of_one=True, name="secure"),
        Way(fields=("communityspotprice",), category="dynamic", is_of_one=True, name="community"),
        Way(fields=("lowestpriceminimumbidprice", "minimumbidprice"), category="dynamic", is_of_one=True),
        Way(fields=("oneweekprice",), category="committed", term_days=7, is_of_one=True),
        Way(fields=("onemonthprice",), category="committed", term_months=1, is_of_one=True),
        Way(fields=("threemonthprice",), category="committed", term_months=3, is_of_one=True),
        Way(fields=("sixmonthprice",), category="committed", term_months=6, is_of_one=True),
        Way(fields=("oneyearprice",), category="committed", term_months=12, is_of_one=True),
    ),
    gpus=lambda record: Decimal(1),
    memory_gb=lambda record: record.amount("memoryingb"),
)
_VAST = MachineList(
    format="vast",
    title=worded("Vast.ai's offers"),
    needed=(frozenset({"dphtotal"}), frozenset({"numgpus"}), frozenset({"gpuname"})),
    list_names=("offers", "data"),
    provider=lambda record, instance: "Vast.ai",
    gpu_model=lambda record: record.get("gpuname"),
    ways=(
        Way(fields=("dphtotal",), category="standard", when=lambda record: not _is_bid(record)),
        Way(fields=("dphtotal",), category="dynamic", when=_is_bid),
        Way(fields=("minbid",), category="dynamic", when=lambda record: not _is_bid(record)),
    ),
    gpus=lambda record: record.amount("numgpus"),
    instance=("id", "askcontractid", "bundleid"),
    memory_gb=_gb_of_mb,
    region=("geolocation", "country"),
    is_one_machine=True,
)

MACHINE_LISTS: Final = (_SKYPILOT, _LAMBDA, _RUNPOD, _VAST)
FORMS: Final = tuple(map(_form, MACHINE_LISTS))


# --- What AWS offers to commit to: reserved instances, Savings Plans' rates, capacity blocks; JSON of its command line

_YEAR_S: Final = 31_536_000
_LINUX: Final = ("", "linux/unix", "linux/unix (amazon vpc)", "linux", "linux/unix (vpc)")


def _sniff_reserved(head: str) -> float:
    """How sure it is that this is `describe-reserved-instances-offerings`."""
    names = export_form.names_in(head)
    prices = names & {"fixedprice", "recurringcharges", "usageprice"}
    return 0.97 if "reservedinstancesofferingid" in names and prices else 0.0


def _reserved_texts(record: export_form.Record, row: Row) -> Sequence[Mapping[str, str]]:
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
        raise RowError("missing_column", worded("no fixed price or hourly charges"))
    kind = " ".join(filter(None, (record.get("offeringclass"), record.get("offeringtype"))))
    zone = record.get("availabilityzone", "scope")
    base = _base(instance, gpus, zone, f"{months} months {kind}".strip(), currency)
    return (_committed(base, fixed or Decimal(0), hourly or Decimal(0), gpus, months, term_h, row),)


def _savings_texts(record: export_form.Record, row: Row) -> Sequence[Mapping[str, str]]:
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
            "bad_number",
            worded("{column} is {text}", column="rate", text=record.get("rate") or worded("empty")),
        )
    option = record.get("savingsplanofferingpaymentoption", "paymentoption")
    plan = record.get("savingsplanofferingplantype", "plantype", "savingsplantype")
    kind = " ".join(filter(None, (plan, "Savings Plan", option, told.get("tenancy", ""))))
    base = _base(instance, gpus, told.get("region", ""), f"{months} months {kind}", currency)
    # whatever is paid at once, the rate is the whole price of an hour
    return (_committed(base, Decimal(0), rate, gpus, months, term_h, row),)


def _block_texts(record: export_form.Record, row: Row) -> Sequence[Mapping[str, str]]:
    """A block of capacity on offer: a fee for its hours. Errors: RowLeftOutError without GPUs, RowError."""
    if not record.get("instancetype"):
        raise RowError(
            "missing_column", worded("no InstanceType"), worded("export complete offerings, without --query")
        )
    instance, gpus = _gpus(record.get("instancetype"))
    count = record.amount("instancecount") or Decimal(1)
    currency = _quoted_in(record.get("currencycode"), row)
    start, end = record.time("startdate"), record.time("enddate")
    minutes = record.amount("capacityblockdurationminutes")
    hours = record.amount("capacityblockdurationhours", "capacitydurationhours") or (
        minutes / 60 if minutes else export_form.hours_between(start, end)
    )
    fee = record.amount("upfrontfee", "fee")
    if not hours or not 0 < hours < 10**5:
        raise RowError("bad_duration", worded("hours missing"))
    if fee is None or not 0 < fee < price_tables.PRICE_TO_SHOW:
        raise RowError(
            "bad_number",
            worded(
                "{column} is {text}", column="UpfrontFee", text=record.get("upfrontfee") or worded("empty")
            ),
        )
    rate = price_tables.per_gpu_hour(fee, gpus * count, row, hours=hours)
    days = ceil(hours / 24)
    base = _base(instance, gpus, record.get("availabilityzone"), f"capacity block {start[:10]}", currency)
    base["max_gpus"] = base["min_gpus"] = f"{(gpus * count).normalize():f}"
    found = price_tables.way_texts(base, "committed", rate, term_days=str(days), starts=start, ends=end)
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
        rate = price_tables.per_gpu_hour(hourly, gpus, row)
        upfront = export_form.rate_text(fixed / gpus)
    else:
        rate, upfront = price_tables.per_gpu_hour(fixed, gpus, row, hours=term_h), ""
    return price_tables.way_texts(base, "committed", rate, term_months=str(months), upfront_usd=upfront)


def _base(
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


def _gpus(instance_type: str) -> tuple[export_form.GpuInstance, Decimal]:
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
        for charge in _listed(record, "RecurringCharges")
        if str(charge.get("Frequency", "Hourly")).lower() == "hourly"
    ]
    known = [number for number in found if number is not None and number >= 0]
    return sum(known, Decimal(0)) if known else None


def _listed(record: export_form.Record, name: str) -> list[Mapping[str, object]]:
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
    sentence = worded("{column} is {text}", column="currencyCode", text=currency[:20])
    if currency not in CODES:
        raise RowError("other_currency", sentence)
    row.say("other_currency", sentence)
    return currency


def _sniff_blocks(head: str) -> float:
    """How sure it is that this is `describe-capacity-block-offerings`."""
    names = export_form.names_in(head)
    return 0.97 if "capacityblockofferingid" in names and names & {"upfrontfee", "fee"} else 0.0


AWS_OFFERS: Final = (
    price_tables.price_form(
        "aws_offerings",
        worded("AWS's reserved instances for sale"),
        _sniff_reserved,
        ("reservedinstancesofferings",),
        _reserved_texts,
    ),
    price_tables.price_form(
        "aws_offerings",
        worded("AWS's Savings Plan rates"),
        lambda head: 0.97 if {"savingsplanoffering", "rate"} <= export_form.names_in(head) else 0.0,
        ("searchresults", "savingsplansofferingrates"),
        _savings_texts,
    ),
    price_tables.price_form(
        "aws_capacity_blocks",
        worded("AWS's capacity blocks for sale"),
        _sniff_blocks,
        ("capacityblockofferings",),
        _block_texts,
    ),
)


# --- Azure's retail prices: machines by the hour, spot, and reservations, whose price is of their whole term


def _sniff_retail(head: str) -> float:
    """How sure it is that these are answers of Azure's retail prices API, as JSON or as a table."""
    names = export_form.names_in(head)
    is_named = "retailprice" in names and names & {"armskuname", "skuname", "metername"}
    return 0.97 if is_named or {"unitprice", "armskuname"} <= names else 0.0


def _retail_texts(record: export_form.Record, row: Row) -> Sequence[Mapping[str, str]]:
    """What one meter offers. Errors: RowLeftOutError without GPUs, Linux or what anybody may buy, RowError."""
    words = " ".join(record.get(name) for name in ("productname", "skuname", "metername"))
    kind, term = record.get("type", "pricetype").lower(), record.get("reservationterm", "term")
    _need_linux("windows" if "windows" in words.lower() else "")
    if kind.startswith("devtest"):
        raise RowLeftOutError("left_out", worded("prices for development only"))
    named = record.get("armskuname") or f"Standard_{_NOT_OF_SKU.sub('', record.get('skuname', 'metername'))}"
    instance = export_form.need_instance(named, AZURE_GPU_BY_NAME)
    gpus = Decimal(instance.gpus.numerator) / Decimal(instance.gpus.denominator)
    price, unit = record.amount("retailprice", "unitprice"), record.get("unitofmeasure")
    months = read_term(term) if term else None
    if (kind == "reservation" and not months) or (months is None and unit and price_unit(unit) != "hour"):
        fault = worded("priced per “{unit}” without a term", unit=unit or "?")
        raise RowError("bad_duration", fault)
    base = {
        "provider": "Azure",
        "instance": instance.instance_type,
        "gpu_model": instance.gpu_model,
        "gpus": f"{gpus.normalize():f}",
        "region": record.get("armregionname", "location"),
        "currency": _quoted_in(record.get("currencycode", "currency"), row),
        "unit_gpus": f"{gpus.normalize():f}" if gpus == gpus.to_integral_value() else "",
    }
    name, found = price_tables.offer_name(base), list[dict[str, str]]()
    spot = next((way for way in ("low priority", "spot") if way in words.lower()), "")
    if months:
        category = "committed"
    elif spot:
        category = "dynamic"
    else:
        category = "standard"
    hours = Decimal(months * 730) if months else Decimal(1)
    ways = [(category, months, price, hours, f"{name}, {spot}" if spot else name)]
    for plan in _listed(record, "savingsPlan"):
        of_plan = record.number(plan.get("retailPrice"), record.number(plan.get("unitPrice")))
        ways.append(
            ("committed", read_term(str(plan.get("term"))), of_plan, Decimal(1), f"{name}, savings plan")
        )
    for way, of_way, amount, over, called in ways:
        rate = price_tables.per_gpu_hour(amount, gpus, row, hours=over)
        if rate and (of_way or way != "committed"):
            offer = f"{called}, {of_way} months" if of_way else called
            found.append(
                price_tables.way_texts(base, way, rate, offer_id=offer, term_months=str(of_way or ""))
            )
    if not found:
        raise price_tables.NO_PRICE
    row.notes.append("undated_price")
    return found


_NOT_OF_SKU: Final = lazy_re(r"(?i)\s*(?:Low Priority|Spot)\s*")

AZURE_RETAIL: Final = price_tables.price_form(
    "azure_retail",
    worded("Azure's retail prices"),
    _sniff_retail,
    ("items", "value", "data", "results"),
    _retail_texts,
)


# --- OpenCost's own prices: the JSON of its defaults, and the CSV of prices by node and GPU ------

_MODEL: Final = ("gpumodel", "gputype", "gpulabelvalue")


def _sniff_json(head: str) -> float:
    """How sure it is that these are OpenCost's default prices."""
    names = export_form.names_in(head)
    return 0.95 if {"cpu", "ram", "gpu"} <= names and names & {"spotcpu", "spotram", "storage"} else 0.0


def _sniff_csv(head: str) -> float:
    """How sure it is that this is OpenCost's CSV of prices."""
    return 0.96 if {"assetclass", "marketpricehourly"} <= export_form.names_in(head) else 0.0


def _default_texts(record: export_form.Record, row: Row) -> Sequence[Mapping[str, str]]:
    """The price of a GPU, on demand and on spot nodes. Errors: RowLeftOutError without one, RowError."""
    prices = (("standard", record.amount("gpu")), ("dynamic", record.amount("spotgpu")))
    if not any(price and price > 0 for _, price in prices):
        raise RowLeftOutError("left_out", worded("prices without a GPU price"))
    model = record.get(*_MODEL)
    if not model:
        raise RowError(
            "missing_column",
            worded("GPU price without a model"),
            worded('add the model, such as "gpuModel": "H100"'),
        )
    provider = record.get("provider")
    found = []
    for category, price in prices:
        rate = price_tables.per_gpu_hour(price, Decimal(1), row)
        name = f"OpenCost {model}{', spot' if category == 'dynamic' else ''}"
        if rate:
            base = {"offer_id": name, "provider": provider, **price_tables.model_texts(model)}
            found.append(price_tables.way_texts(base, category, rate))
    row.notes.append("undated_price")
    return found


def _asset_texts(record: export_form.Record, row: Row) -> Sequence[Mapping[str, str]]:
    """A node with GPUs, divided by them, or a GPU by itself. Errors: RowLeftOutError, RowError."""
    asset, named = record.get("assetclass").lower(), record.get("instanceid")
    if asset == "gpu":
        if not named:
            raise RowError("missing_column", worded("InstanceID is empty"))
        base, gpus = price_tables.model_texts(named), Decimal(1)
    elif asset == "node":
        instance = export_form.find_instance(record.get("instancetype")) or export_form.find_instance(named)
        if instance is None:
            raise RowLeftOutError("left_out", worded("nodes with an unknown instance type"))
        base = {"gpu_model": instance.gpu_model, "instance": instance.instance_type}
        gpus = Decimal(instance.gpus.numerator) / Decimal(instance.gpus.denominator)
    else:
        raise RowLeftOutError("left_out", worded("not prices of nodes or GPUs"))
    rate = price_tables.per_gpu_hour(record.amount("marketpricehourly"), gpus, row)
    day = record.time("endtimestamp")[:10]
    base |= {"region": record.get("region"), "as_of": day}
    base["offer_id"] = " ".join(filter(None, ("OpenCost", named or base["gpu_model"], base["region"])))
    if not day:
        row.notes.append("undated_price")
    return (price_tables.way_texts(base, "standard", rate),)


OPENCOST_PRICES: Final = (
    price_tables.price_form(
        "opencost_prices", worded("OpenCost's default prices"), _sniff_json, (), _default_texts
    ),
    price_tables.price_form(
        "opencost_prices", worded("OpenCost's prices by node"), _sniff_csv, (), _asset_texts
    ),
)


# --- The table of forms: every price list with a form of its own that is read --------------------

PRICE_FORMS: Final[tuple[export_form.ExportForm[Offer], ...]] = (
    *FORMS,
    *AWS_OFFERS,
    AZURE_RETAIL,
    *OPENCOST_PRICES,
)
