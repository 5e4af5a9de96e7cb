"""Azure reservations: the list as JSON or the portal's CSV, and the file of transactions."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Final

from gpuplanner.domain.figures.typed import exact, whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.window import HOURS_PER_MONTH, months_after
from gpuplanner.files.contracts import export_form
from gpuplanner.files.contracts.aws_commitments import HIGHEST_COUNT
from gpuplanner.files.tables.small_table import Row, RowError, RowLeftOutError
from gpuplanner.files.values.amounts import CODES, quoted
from gpuplanner.files.values.terms import read_term
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.lazy_re import lazy_re

AZURE_GPU_BY_NAME: Final = lazy_re(r"^n[cdgv]{1,2}\d")
_SKUS: Final = ("armskuname", "skuname", "sku", "vmsize", "size", "productname", "product")
_AZURE_IDS: Final = ("reservationid", "reservationorderid", "reservationname", "name", "id")
_AZURE_STARTS: Final = phrases(
    "effectivedatetime|benefitstarttime|purchasedatetime|purchasedate|startdate|eventdate|createddatetime"
)
_AZURE_ENDS: Final = ("expirydatetime", "expirydate", "expirationdate", "expirationdatetime", "enddate")
_AZURE_NOT_IN_FORCE: Final = phrases(
    "cancelled|canceled|failed|refund|cancel|refunded|exchanged|merged|split"
)


def sniff_azure(head: str) -> float:
    """How sure it is that a text begins a list of Azure reservations or their transactions, 0..1.

    By Azure's own names: reservedResourceType or reservationId, with term, quantity or expiryDate. What was
    used of reservations, and bills, are none.
    """
    names = export_form.names_in(head)
    if names & {"usagedate", "usedhours", "reservedhours", "chargeperiodstart", "billingperiodstartdate"}:
        return 0.0  # what was used of them, or a bill
    if names & {"reservedresourcetype"} and names & {"expirydate", "expirydatetime", "term", "quantity"}:
        return 0.95
    has_id = bool(names & {"reservationid", "reservationorderid"})
    return 0.9 if has_id and names & set(_SKUS) and names & {"term", "quantity", *_AZURE_ENDS} else 0.0


def texts_of_azure(record: export_form.Record, row: Row) -> Sequence[Mapping[str, str]]:
    """One reservation as our own columns. Errors: RowLeftOutError without GPUs or force, RowError."""
    # The reservation's own id: the last part of a path, or of `order/reservation`.
    name = record.get(*_AZURE_IDS).rstrip("/").rpartition("/")[2]
    state = record.get("displayprovisioningstate", "provisioningstate", "status", "eventtype")
    if state.lower() in _AZURE_NOT_IN_FORCE:
        raise RowLeftOutError("left_out", worded("{name} is {status}", name=name, status=state))
    resource = record.get("reservedresourcetype")
    if resource and resource.replace(" ", "").lower() not in ("virtualmachines", "virtualmachine"):
        raise RowLeftOutError(
            "left_out", worded("{name} reserves {resource}", name=name, resource=resource[:60])
        )
    sku = next((text for key in _SKUS if (text := record.get(key))), "")
    instance = export_form.need_instance(_sku(sku), AZURE_GPU_BY_NAME)
    count = record.amount("quantity", "instances", "count")
    if count is None or not 0 < count <= HIGHEST_COUNT or count != count.to_integral_value():
        raise RowError(
            "bad_number",
            worded("{column} is {text}", column="quantity", text=record.get("quantity") or worded("empty")),
        )
    months = read_term(record.get("term"))
    start, end = record.time(*_AZURE_STARTS), record.time(*_AZURE_ENDS)
    if not start and end and months:
        start = months_after(end, -months) or ""
        row.say(
            "computed",
            worded(
                "{name} starts {months} months before {end}", name=name, months=whole(months), end=end[:10]
            ),
        )
    if not end and start and months:
        end = months_after(start, months) or ""
    gpus = export_form.gpus_of_instances(instance, int(count), name, row)
    return (
        {
            "contract_id": name,
            "provider": "Azure",
            "gpu_model": instance.gpu_model,
            "gpus": export_form.gpus_text(gpus),
            "rate_usd_per_gpu_hour": _rate(record, name, gpus, months, row),
            "currency": _azure_currency(record),
            "start": start,
            "end": end,
            "pricing_category": "COMMITTED",
            "term_months": str(months or ""),
            "region": record.get("location", "region"),
        },
    )


def _sku(text: str) -> str:
    """The size in a product's words: `Standard_ND96isr_H100_v5`, or `Reserved VM Instance, Standard_ND96…, ...`."""
    found = lazy_re(r"(?i)standard[_ ][a-z0-9_]+").search(text)
    return found[0] if found else text


def _rate(record: export_form.Record, name: str, gpus: Fraction, months: int | None, row: Row) -> str:
    """$ per GPU-hour of what is paid at once or every month; empty where no amount is stated."""
    amount = record.amount("amount", "cost", "totalamount", "price")
    currency = _azure_currency(record)
    if not amount or not 0 < amount < 10**12 or not months:
        return ""
    if currency:
        row.say(
            "other_currency",
            worded(
                "{name} costs {amount} {currency}", name=name, amount=exact(amount), currency=currency[:20]
            ),
        )
        if currency not in CODES:
            return ""
    is_monthly = record.get("billingfrequency", "billingplan").lower() in ("recurring", "monthly")
    hours = HOURS_PER_MONTH * (1 if is_monthly else months)
    count = Decimal(gpus.numerator) / Decimal(gpus.denominator)
    rate = export_form.rate_text(amount / (count * hours))
    if rate:
        said = worded(
            "{name}: {amount} / ({gpus} GPUs x {hours} h) = {rate}",
            name=name,
            amount=quoted(exact(amount), currency),
            gpus=export_form.gpus_text(gpus),
            hours=whole(hours),
            rate=quoted(exact(Decimal(rate)), currency),
        )
        row.say("computed", said)
    return rate


def _azure_currency(record: export_form.Record) -> str:
    """What the amounts are in; empty: US dollars."""
    return record.get("currency", "billingcurrency").upper().removeprefix("USD")


AZURE_RESERVATIONS: Final = export_form.contract_form(
    "azure_reservations",
    worded("Azure reservations"),
    sniff_azure,
    ("value", "reservations", "data", "items"),
    texts_of_azure,
)
