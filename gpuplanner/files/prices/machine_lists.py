"""Lists of machines with ways to pay for each, as data: SkyPilot, Lambda, RunPod, Vast.ai."""

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import cache, partial
from pathlib import PurePath
from typing import Final

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.files.contracts import export_form
from gpuplanner.files.prices import other_price_lists, price_form
from gpuplanner.files.system.resources import gpu_families, rows_of
from gpuplanner.files.tables.provider_words import provider_named
from gpuplanner.files.tables.small_table import Row
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

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
        raise price_form.NO_GPU
    if _NO_GPU_NAME.match(name.strip().lower()):
        raise price_form.NOT_GPUS
    instance = record.get(*machines.instance)
    base = {
        "provider": machines.provider(record, instance),
        "instance": instance,
        "gpus": f"{gpus.normalize():f}",
        "region": record.get(*machines.region),
        price_form.ZONE: record.get(*machines.zone),
        **price_form.model_texts(name, machines.memory_gb(record)),
    }
    if machines.is_one_machine and gpus == gpus.to_integral_value():
        base |= {"max_gpus": base["gpus"], "unit_gpus": base["gpus"]}
    named, found = other_price_lists.offer_name(base), []
    for way in machines.ways:
        if way.when is not None and not way.when(record):
            continue
        price = record.amount(*way.fields)
        rate = price_form.per_gpu_hour(price, Decimal(1) if way.is_of_one else gpus, row, divisor=way.divisor)
        if not rate or not price or price >= _NO_PRICE_FROM:
            continue  # nothing is offered in this way
        term = str(way.term_months or "")
        suffix = f"{way.term_days} days" if way.term_days else ""
        if not suffix:
            of_way = other_price_lists.offer_id_of_way(named, way.category, term, len(machines.ways))
        else:
            of_way = f"{named}, {suffix}"
        found.append(
            price_form.way_texts(
                base,
                way.category,
                rate,
                offer_id=f"{of_way}, {way.name}" if way.name else of_way,
                term_months=term,
                term_days=str(way.term_days or ""),
            )
        )
    if not found:
        raise price_form.NO_PRICE
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
    return price_form.price_form(
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
