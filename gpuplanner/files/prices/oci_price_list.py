"""Oracle's price list: products with their prices by currency; those of GPUs are per GPU and hour."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.contracts.export_form import Record, names_in
from gpuplanner.files.prices import price_form
from gpuplanner.files.prices.cloud_offers import objects_listed
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.tables.small_table import Row, RowLeftOutError
from gpuplanner.files.values.gpu_instances import model_within

_WAYS: Final = {"pay_as_you_go": "standard", "preemptible": "dynamic"}


def _texts(record: Record, row: Row) -> Sequence[Mapping[str, str]]:
    """The offers of one product, in US dollars, else in its first currency. Errors: RowLeftOutError, RowError."""
    name, metric = record.get("displayname"), record.get("metricname")
    of_gpus = "gpu" in f"{name} {record.get('servicecategory')}".lower()
    if not of_gpus or "gpu per hour" not in metric.lower():
        raise price_form.NO_GPU
    model = next((part.strip() for part in name.split(" - ") if gpu_families().read(part.strip())), "")
    model = model or model_within(name.replace(" - ", " "))
    if not model:
        raise RowLeftOutError("left_out", worded("“{item}” names no GPU model", item=name[:60]))
    lists = objects_listed(record, "currencyCodeLocalizations")
    dollars = [each for each in lists if each.get("currencyCode") == "USD"]
    base = {
        "offer_id": f"Oracle {record.get('partnumber')} {model}".replace("  ", " "),
        "provider": "Oracle",
        "currency": "" if dollars else str((lists or [{}])[0].get("currencyCode") or ""),
        **price_form.model_texts(model),
    }
    offer_texts = []
    for price in (dollars or lists)[:1]:
        stated = price.get("prices")
        for each in stated if isinstance(stated, list) else ():
            category = _WAYS.get(str(each.get("model")).lower(), "") if isinstance(each, Mapping) else ""
            amount = record.number(each.get("value")) if category else None
            rate = price_form.per_gpu_hour(amount, Decimal(1), row)
            if rate:
                offer_texts.append(price_form.way_texts(base, category, rate))
    if not offer_texts:
        raise price_form.NO_PRICE
    row.notes.append("undated_price")
    return offer_texts


def _sniff(head: str) -> float:
    """How sure it is that this is Oracle's price list."""
    return 0.97 if {"partnumber", "metricname", "currencycodelocalizations"} <= names_in(head) else 0.0


OCI_PRICE_LIST: Final = price_form.price_form(
    "oci_prices", worded("Oracle's price list"), _sniff, ("items",), _texts
)
