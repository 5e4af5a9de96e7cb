"""Lists of machines with ways to pay for each, as data: SkyPilot's catalogues, Lambda, RunPod, Vast."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from pathlib import PurePath
from typing import Final

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.files.contracts.export_form import ExportForm, Record, names_in
from gpuplanner.files.prices.price_tables import (
    NO_GPU,
    NO_PRICE,
    NOT_GPUS,
    ZONE,
    model_texts,
    offer_id_of_way,
    offer_name,
    per_gpu_hour,
    price_form,
    way_texts,
)
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.tables.column_words import provider_named
from gpuplanner.files.tables.small_table import Row

Fields = tuple[str, ...]


@dataclass(frozen=True, slots=True)
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
    when: Callable[[Record], bool] | None = None


@dataclass(frozen=True, slots=True)
class MachineList:
    """A list of machines: what names its fields are under (small letters and digits), and what it sells.

    needed: field names by which a beginning is known: one of each group. gpus: fields of the count; without them one.
    gpu_model: fields, or a function of the record. note: said of records without an instance type, by their price.
    """

    format: str
    title: Message
    needed: tuple[frozenset[str], ...]
    list_names: Fields
    provider: Callable[[Record, str], str]
    gpu_model: Callable[[Record], str]
    ways: tuple[Way, ...]
    gpus: Callable[[Record], Decimal | None]
    instance: Fields = ()
    memory_gb: Callable[[Record], Decimal | None] = lambda record: None
    region: Fields = ()
    zone: Fields = ()
    is_one_machine: bool = False
    alone: Message | None = None


def texts_of(machines: MachineList, record: Record, row: Row) -> Sequence[Mapping[str, str]]:
    """The offers of one record as our own columns. Errors: RowLeftOutError without GPUs or a price, RowError."""
    name, gpus = machines.gpu_model(record), machines.gpus(record)
    if gpus is None or gpus <= 0:
        raise NO_GPU
    if _NO_GPU_NAME.match(name.strip().lower()):
        raise NOT_GPUS
    instance = record.get(*machines.instance)
    base = {
        "provider": machines.provider(record, instance),
        "instance": instance,
        "gpus": f"{gpus.normalize():f}",
        "region": record.get(*machines.region),
        ZONE: record.get(*machines.zone),
        **model_texts(name, machines.memory_gb(record)),
    }
    if machines.is_one_machine and gpus == gpus.to_integral_value():
        base |= {"max_gpus": base["gpus"], "unit_gpus": base["gpus"]}
    named, found = offer_name(base), []
    for way in machines.ways:
        if way.when is not None and not way.when(record):
            continue
        price = record.amount(*way.fields)
        rate = per_gpu_hour(price, Decimal(1) if way.is_of_one else gpus, row, divisor=way.divisor)
        if not rate:
            continue  # nothing is offered in this way
        term = str(way.term_months or "")
        suffix = f"{way.term_days} days" if way.term_days else ""
        of_way = (
            offer_id_of_way(named, way.category, term, len(machines.ways))
            if not suffix
            else f"{named}, {suffix}"
        )
        found.append(
            way_texts(
                base,
                way.category,
                rate,
                offer_id=f"{of_way}, {way.name}" if way.name else of_way,
                term_months=term,
                term_days=str(way.term_days or ""),
            )
        )
    if not found:
        raise NO_PRICE
    if machines.alone is not None and not instance:
        row.say("undecided", machines.alone)
    row.notes.append("undated_price")
    return found


def _sniff(machines: MachineList, head: str) -> float:
    """How sure it is that a head is of this list: it has a name of every needed group."""
    names = names_in(head)
    return 0.96 if all(group & names for group in machines.needed) else 0.0


def _form(machines: MachineList) -> ExportForm[Offer]:
    """The form of export of a list, with its own test and its own reading of a record."""
    return price_form(
        machines.format,
        machines.title,
        partial(_sniff, machines),
        machines.list_names,
        partial(texts_of, machines),
    )


_NO_GPU_NAME: Final = re.compile(r"tpu\b|tpu-|trainium|inferentia|unknown$|$")
_COUNT_IN_NAME: Final = re.compile(r"(?<![a-z0-9])(\d{1,2})x(?![a-z0-9])|gpu_(\d{1,2})x_", re.I)
_FORM: Final = re.compile(r"pcie?\d?|sxm\d?|nvl\d*")
_COUNTED: Final = re.compile(r"^\s*\d{1,2}\s*x\s+", re.I)
_TYPES_OF: Final = (
    (re.compile(r"(?:p|g|gr|trn|inf|dl)\d[a-z0-9-]*\.(?:\d*xlarge|large|metal)"), "AWS"),
    (re.compile(r"standard_"), "Azure"),
    (re.compile(r"(?:vm|bm)\.gpu|vm\.standard"), "Oracle"),
    (re.compile(r"a[2-4]x?-(?:high|mega|ultra)gpu-|g[24]-standard-|n1-"), "Google Cloud"),
    (re.compile(r"gpu_\d+x_"), "Lambda"),
    (re.compile(r"\d+x_.+_(?:secure|community)"), "RunPod"),
    (re.compile(r"(?:vastv2-)?\d+x-.+-\d+-\d+$"), "Vast.ai"),
)
"""Instance types that only one cloud has: SkyPilot's catalogues do not name their cloud."""


def _cloud_of(record: Record, instance: str) -> str:
    """The cloud of a SkyPilot catalogue: by the instance type, else by the folder or the name of its file."""
    found = next((cloud for shape, cloud in _TYPES_OF if shape.match(instance.lower())), "")
    path = PurePath(record.path)
    return found or next(
        (name for part in (path.stem, path.parent.name) if (name := provider_named(part.split("_")[0]))), ""
    )


def _sky_model(record: Record) -> str:
    """The accelerator, with the form that its instance type alone names: `gpu_1x_h100_pcie` of an H100."""
    name = record.get("acceleratorname")
    read = gpu_families().read(name)
    if read is None or read.form:
        return name
    said = re.split(r"[^a-z0-9]+", record.get("instancetype").lower())
    form = next((word for word in said if _FORM.fullmatch(word)), "")
    return f"{name} {form}".strip()


def _gib_of_info(record: Record) -> Decimal | None:
    """The memory of one GPU in SkyPilot's GpuInfo, in GB: MiB, or GiB where the number is small."""
    found = re.search(r"SizeInMiB[\"']?\s*:\s*(\d{1,7})", record.get("gpuinfo"))
    if found is None:
        return None
    size = int(found[1])
    return Decimal(size if size < 1000 else round(size / 1024)) or None


def _count(record: Record, *names: str) -> Decimal | None:
    """The count of a field, else the one in the name of the machine: `gpu_8x_h100`."""
    told = record.amount(*names)
    if told is not None:
        return told
    found = _COUNT_IN_NAME.search(record.get("name", "instancetypename", "instancetype"))
    return Decimal(found[1] or found[2]) if found else None


def _lambda_model(record: Record) -> str:
    """The GPU model in Lambda's words, without count and brackets.

    From the type's name where the description is empty.
    """
    described = record.get("gpudescription", "instancetypegpudescription", "description")
    if described and described.lower() != "n/a":
        return re.sub(
            r"[()]|(?<=\d) (?=GB)", lambda sign: " " * (sign[0] != " "), _COUNTED.sub("", described)
        )
    name = record.get("name", "instancetypename")
    return re.sub(r"^gpu_\d+x_", "", name) if name.startswith("gpu_") else ""


def _gb_of_mb(record: Record) -> Decimal | None:
    """Memory in GB from MB; None where the number is too small or too large to be that."""
    size = record.amount("gpuram", "gpumemmb")
    return Decimal(round(size / 1024)) if size and 1000 < size < 10**7 else None


def _is_bid(record: Record) -> bool:
    """Whether the price of a Vast.ai offer is one of a bid, which others may outbid."""
    return record.get("isbid").lower() == "true"


_SKYPILOT = MachineList(
    "skypilot",
    worded("a SkyPilot catalogue"),
    (frozenset({"acceleratorname"}), frozenset({"price", "priceperaccelerator"})),
    (),
    _cloud_of,
    _sky_model,
    (
        Way(("price",), "standard"),
        Way(("spotprice",), "dynamic"),
        Way(("priceperaccelerator",), "standard", is_of_one=True),
    ),
    lambda record: (
        (record.amount("acceleratorcount") or Decimal(1)) if record.get("acceleratorname") else None
    ),
    ("instancetype",),
    _gib_of_info,
    ("region",),
    ("availabilityzone", "zone"),
    alone=worded(
        "a price of accelerators without an instance type is theirs alone: the machine they are in is priced beside"
    ),
)
_LAMBDA = MachineList(
    "lambda",
    worded("Lambda's list of instance types"),
    (frozenset({"pricecentsperhour"}), frozenset({"instancetype", "specs", "gpudescription", "description"})),
    ("data", "instancetypes"),
    lambda record, instance: "Lambda",
    _lambda_model,
    (Way(("instancetypepricecentsperhour", "pricecentsperhour"), "standard", divisor=100),),
    lambda record: _count(record, "specsgpus", "instancetypespecsgpus", "gpus"),
    ("instancetypename", "name"),
)
_RUNPOD = MachineList(
    "runpod",
    worded("RunPod's list of GPU types"),
    (
        frozenset({"secureprice", "communityprice", "minimumbidprice", "securespotprice"}),
        frozenset({"displayname", "memoryingb", "id", "gputypeid", "gpuname"}),
    ),
    ("data", "gputypes", "myself"),
    lambda record, instance: "RunPod",
    lambda record: record.get("id", "gputypeid", "displayname", "gpuname"),
    (
        Way(("secureprice",), "standard", is_of_one=True, name="secure"),
        Way(("communityprice",), "standard", is_of_one=True, name="community"),
        Way(("securespotprice",), "dynamic", is_of_one=True, name="secure"),
        Way(("communityspotprice",), "dynamic", is_of_one=True, name="community"),
        Way(("lowestpriceminimumbidprice", "minimumbidprice"), "dynamic", is_of_one=True),
        Way(("oneweekprice",), "committed", term_days=7, is_of_one=True),
        Way(("onemonthprice",), "committed", 1, is_of_one=True),
        Way(("threemonthprice",), "committed", 3, is_of_one=True),
        Way(("sixmonthprice",), "committed", 6, is_of_one=True),
        Way(("oneyearprice",), "committed", 12, is_of_one=True),
    ),
    lambda record: Decimal(1),
    memory_gb=lambda record: record.amount("memoryingb"),
)
_VAST = MachineList(
    "vast",
    worded("Vast.ai's list of offers"),
    (frozenset({"dphtotal"}), frozenset({"numgpus"}), frozenset({"gpuname"})),
    ("offers", "data"),
    lambda record, instance: "Vast.ai",
    lambda record: record.get("gpuname"),
    (
        Way(("dphtotal",), "standard", when=lambda record: not _is_bid(record)),
        Way(("dphtotal",), "dynamic", when=_is_bid),
        Way(("minbid",), "dynamic", when=lambda record: not _is_bid(record)),
    ),
    lambda record: record.amount("numgpus"),
    ("id", "askcontractid", "bundleid"),
    _gb_of_mb,
    ("geolocation", "country"),
    is_one_machine=True,
)

MACHINE_LISTS: Final = (_SKYPILOT, _LAMBDA, _RUNPOD, _VAST)
FORMS: Final = tuple(map(_form, MACHINE_LISTS))
