"""AWS's price list query, `aws pricing get-products`: products as JSON in texts, on demand and reserved."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.contracts.export_form import Record, names_in
from gpuplanner.files.prices import price_form
from gpuplanner.files.prices.aws_offers import base_texts, committed_texts, gpus_of_type
from gpuplanner.files.prices.cloud_offers import need_linux
from gpuplanner.files.tables.small_table import Row, RowLeftOutError
from gpuplanner.files.values.terms import read_term

_HOURS: Final = ("hrs", "hours", "hour")
_YEAR_H: Final = 8760


def _texts(record: Record, row: Row) -> Sequence[Mapping[str, str]]:
    """The offers of one product: shared Linux machines without licences. Errors: RowLeftOutError, RowError."""
    product = _inside(record.raw, "product", "attributes")
    instance, gpus = gpus_of_type(_text(product, "instanceType"))
    need_linux(_text(product, "operatingSystem") or "Linux")
    wanted = {"preInstalledSw": ("", "NA"), "tenancy": ("", "Shared"), "capacitystatus": ("", "Used")}
    for name, usual in wanted.items():
        if _text(product, name) not in usual:
            raise RowLeftOutError(
                "left_out", worded("{name} is {text}", name=name, text=_text(product, name)[:40])
            )
    region, offer_texts = _text(product, "regionCode") or _text(product, "location"), []
    for term in _objects(_inside(record.raw, "terms", "OnDemand")):
        hourly, _, currency = _prices(term, record)
        base = base_texts(instance, gpus, region, "", currency)
        if rate := price_form.per_gpu_hour(hourly, gpus, row):
            offer_texts.append(price_form.way_texts(base, "standard", rate))
    for term in _objects(_inside(record.raw, "terms", "Reserved")):
        attributes = _inside(term, "termAttributes")
        months = read_term(_text(attributes, "LeaseContractLength"), "months")
        hourly, upfront, currency = _prices(term, record)
        if not months or not (hourly or upfront):
            continue
        kind = f"{months} months {_text(attributes, 'OfferingClass')} {_text(attributes, 'PurchaseOption')}"
        base, term_h = base_texts(instance, gpus, region, kind, currency), Decimal(months * _YEAR_H) / 12
        offer_texts.append(committed_texts(base, upfront, hourly, gpus, months, term_h, row))
    if not offer_texts:
        raise price_form.NO_PRICE
    if "undated_price" not in row.notes:
        row.notes.append("undated_price")
    return offer_texts


def _prices(term: Mapping[str, object], record: Record) -> tuple[Decimal, Decimal, str]:
    """The price of an hour, what is paid at once, and their currency, empty for US dollars."""
    hourly = upfront = Decimal(0)
    currency = ""
    for dimension in _objects(_inside(term, "priceDimensions")):
        for code, value in _inside(dimension, "pricePerUnit").items():
            amount = record.number(value) or Decimal(0)
            if _text(dimension, "unit").lower() in _HOURS:
                hourly += amount
            else:
                upfront += amount
            currency = "" if code == "USD" else code
    return hourly, upfront, currency


def _inside(value: object, *names: str) -> Mapping[str, object]:
    """The object under some keys, one inside the other; empty without it."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def _objects(value: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """The objects that an object holds under any key."""
    return (each for each in value.values() if isinstance(each, Mapping))


def _text(value: Mapping[str, object], name: str) -> str:
    """A field as text; empty without it."""
    return str(value.get(name) or "")


def _sniff(head: str) -> float:
    """How sure it is that this is an answer of `get-products`, or its products alone."""
    names, texts = names_in(head), head[:20_000]
    is_product = all(word in texts for word in ("productFamily", "instanceType", "priceDimensions"))
    return 0.97 if is_product and ("pricelist" in names or {"product", "terms"} <= names) else 0.0


AWS_PRODUCTS: Final = price_form.price_form(
    "aws_products", worded("AWS's products with prices"), _sniff, ("pricelist",), _texts
)
