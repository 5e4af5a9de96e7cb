"""Azure's retail prices: machines by the hour, spot, and reservations."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.contracts import export_form
from gpuplanner.files.contracts.azure_reservations import AZURE_GPU_BY_NAME
from gpuplanner.files.prices import other_price_lists, price_form
from gpuplanner.files.prices.cloud_offers import need_linux, objects_listed, quoted_in
from gpuplanner.files.tables.headings import price_unit
from gpuplanner.files.tables.small_table import Row, RowError, RowLeftOutError
from gpuplanner.files.values.terms import read_term
from gpuplanner.lazy_re import lazy_re


def _sniff_retail(head: str) -> float:
    """How sure it is that these are answers of Azure's retail prices API, as JSON or as a table."""
    names = export_form.names_in(head)
    is_named = "retailprice" in names and names & {"armskuname", "skuname", "metername"}
    return 0.97 if is_named or {"unitprice", "armskuname"} <= names else 0.0


def _retail_texts(record: export_form.Record, row: Row) -> Sequence[Mapping[str, str]]:
    """What one meter offers. Errors: RowLeftOutError without GPUs, Linux or what anybody may buy, RowError."""
    words = " ".join(record.get(name) for name in ("productname", "skuname", "metername"))
    kind, term = record.get("type", "pricetype").lower(), record.get("reservationterm", "term")
    need_linux("windows" if "windows" in words.lower() else "")
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
        "currency": quoted_in(record.get("currencycode", "currency"), row),
        "unit_gpus": f"{gpus.normalize():f}" if gpus == gpus.to_integral_value() else "",
    }
    name, found = other_price_lists.offer_name(base), list[dict[str, str]]()
    spot = next((way for way in ("low priority", "spot") if way in words.lower()), "")
    if months:
        category = "committed"
    elif spot:
        category = "dynamic"
    else:
        category = "standard"
    hours = Decimal(months * 730) if months else Decimal(1)
    ways = [(category, months, price, hours, f"{name}, {spot}" if spot else name)]
    for plan in objects_listed(record, "savingsPlan"):
        of_plan = record.number(plan.get("retailPrice"), record.number(plan.get("unitPrice")))
        ways.append(
            ("committed", read_term(str(plan.get("term"))), of_plan, Decimal(1), f"{name}, savings plan")
        )
    for way, of_way, amount, over, called in ways:
        rate = price_form.per_gpu_hour(amount, gpus, row, hours=over)
        if rate and (of_way or way != "committed"):
            offer = f"{called}, {of_way} months" if of_way else called
            found.append(price_form.way_texts(base, way, rate, offer_id=offer, term_months=str(of_way or "")))
    if not found:
        raise price_form.NO_PRICE
    row.notes.append("undated_price")
    return found


_NOT_OF_SKU: Final = lazy_re(r"(?i)\s*(?:Low Priority|Spot)\s*")

AZURE_RETAIL: Final = price_form.price_form(
    "azure_retail",
    worded("Azure's retail prices"),
    _sniff_retail,
    ("items", "value", "data", "results"),
    _retail_texts,
)
