"""Forms of contracts that clouds export: AWS, Azure and Google, and the table of all that are read."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Final

from gpuplanner.domain.figures.typed import exact, whole
from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.window import HOURS_PER_MONTH, months_after
from gpuplanner.files.contracts import export_form, focus_commitments
from gpuplanner.files.tables.small_table import Row, RowError, RowLeftOutError
from gpuplanner.files.values.amounts import CODES, quoted, read_amount
from gpuplanner.files.values.gpu_names import name_begun_with
from gpuplanner.files.values.times import utc_seconds
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.files.values.written_dates import read_term
from gpuplanner.lazy_re import lazy_re

# --- AWS: reserved instances and Savings Plans, from the command line's JSON or a console's CSV

AWS_GPU_BY_NAME: Final = lazy_re(r"^(?:p|g|gr)\d[a-z0-9-]*\.")
"""Families with GPUs, whether the table has the type or not."""

_AWS_IDS: Final = ("reservedinstancesid", "reservedinstanceid", "reservationid", "reservedinstancesids", "id")
_TYPES: Final = ("instancetype", "type")
_COUNTS: Final = ("instancecount", "count", "quantity", "numberofinstances")
_AWS_STARTS: Final = ("start", "startdate", "starttime")
_AWS_ENDS: Final = ("end", "enddate", "expires", "endtime", "expirationdate")
_AWS_NOT_IN_FORCE: Final = phrases("payment-failed|queued-deleted|payment failed|returned|pending-return")
_YEAR_H: Final = 8760
_HIGHEST_COUNT: Final = 10**7


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
    if count is None or not 0 < count <= _HIGHEST_COUNT or count != count.to_integral_value():
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


# --- Azure reservations: the list as JSON or the portal's CSV, and the file of transactions, which has the amounts

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
    if count is None or not 0 < count <= _HIGHEST_COUNT or count != count.to_integral_value():
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


# --- Google committed use: `gcloud compute commitments list --format=json`, without amounts, and the export of those in
# dollars, https://cloud.google.com/billing/docs/how-to/export-data-bigquery-tables/cud-export

_SPENT: Final = ("commitentamountvalue", "commitmentamountvalue")
_UNITS: Final = ("commitentamountunit", "commitmentamountunit")
_COMPUTE: Final = lazy_re(r"(?i)flex|compute|\bvm\b|gpu|accelerator")
_GOOGLE_NOT_IN_FORCE: Final = ("cancelled", "canceled", "creating")
_MEMORY_GB: Final = lazy_re(r"-(\d{2,3})gb$")
_MEMORY_OF: Final = {"nvidia-tesla-a100": "40"}


def sniff_google(head: str) -> float:
    """How sure it is that a text begins a list of Google's commitments, 0..1."""
    names = export_form.names_in(head)
    if names & {*_SPENT, "commitentamount", "commitmentamount"} and names & {"term", "endtime"}:
        return 0.95
    if "endtimestamp" in names and "plan" in names:
        return 0.95 if names & {"resources", "starttimestamp"} else 0.7
    return 0.7 if '"compute#commitment"' in head else 0.0


def texts_of_google(record: export_form.Record, row: Row) -> Sequence[Mapping[str, str]]:
    """The GPUs of one commitment, each model as our own columns. Errors: RowLeftOutError without GPUs, RowError."""
    name, status = record.get("name", "subscriptioninstanceid", "id"), record.get("status", "state")
    if status.lower() in _GOOGLE_NOT_IN_FORCE:
        raise RowLeftOutError("left_out", worded("{name} is {status}", name=name, status=status))
    if record.get(*_SPENT):
        return [_spend_based(record)]
    counts = _accelerators(record)
    if not counts:
        raise RowLeftOutError(
            "left_out",
            worded(
                "{name} commits {what}, not GPUs",
                name=name,
                what=record.get("type").lower() or worded("processors and memory"),
            ),
        )
    months = read_term(record.get("plan"))
    if months:
        row.say(
            "computed",
            worded(
                "{name}: {gpus}, {months} months",
                name=name,
                gpus=", ".join(f"{count:f} {kind}" for kind, count in counts.items()),
                months=whole(months),
            ),
        )
    return [
        {
            "contract_id": name if len(counts) == 1 else f"{name} {gpu_model(kind)[0]}",
            "provider": "Google Cloud",
            "gpu_model": gpu_model(kind)[0],
            "gpu_memory_gb": gpu_model(kind)[1],
            "gpus": f"{count:f}",
            "start": record.time("starttimestamp", "creationtimestamp"),
            "end": record.time("endtimestamp"),
            "pricing_category": "COMMITTED",
            "term_months": str(months or ""),
            "region": record.get("region").rstrip("/").rpartition("/")[2],
        }
        for kind, count in counts.items()
    ]


def _spend_based(record: export_form.Record) -> Mapping[str, str]:
    """A row of Google's export of spend-based commitments, `cud_subscriptions_export`, which spells it so.

    Errors: RowLeftOutError where the commitment is not in dollars per hour, or of another product than compute.
    """
    name, unit = record.get("subscriptioninstanceid", "subscriptiondisplayname"), record.get(*_UNITS)
    product = " ".join((record.get("cudproductdisplayname"), record.get("consumptionmodeldescription")))
    if "hr" not in unit.lower().replace("hour", "hr") or not _COMPUTE.search(product):
        raise RowLeftOutError("left_out", worded("{name} commits to {value}", name=name, value=product))
    return {
        "contract_id": name,
        "provider": "Google Cloud",
        "gpu_model": record.get("xgpumodel") or "*",
        "commitment_usd_per_hour": record.get(*_SPENT),
        "discount_percent": record.get("xdiscountpercent"),
        "start": record.time("starttime"),
        "end": record.time("endtime"),
        "pricing_category": "COMMITTED",
        "term_months": str(read_term(record.get("term")) or ""),
        "region": record.get("region"),
    }


def gpu_model(accelerator: str) -> tuple[str, str]:
    """The model as everywhere, and its memory in GB where the name says it.

    >>> gpu_model("nvidia-h100-mega-80gb"), gpu_model("zones/z/acceleratorTypes/nvidia-tesla-t4")
    (('H100', '80'), ('T4', ''))
    """
    kind = accelerator.rstrip("/").rpartition("/")[2].lower()
    memory = _MEMORY_GB.search(kind)
    model = _MEMORY_GB.sub("", kind).removeprefix("nvidia-").removeprefix("tesla-").removesuffix("-mega")
    name = name_begun_with(kind.replace("-mega", "")) or model.upper().replace("-", " ")
    return name, memory[1] if memory else _MEMORY_OF.get(kind, "")


def _accelerators(record: export_form.Record) -> dict[str, Decimal]:
    """GPUs by accelerator type."""
    resources = record.raw.get("resources")
    counts: dict[str, Decimal] = {}
    for resource in resources[:1000] if isinstance(resources, list) else ():
        if not isinstance(resource, dict) or str(resource.get("type", "")).upper() != "ACCELERATOR":
            continue
        kind, count = (
            str(resource.get("acceleratorType") or "")[:200],
            read_amount(str(resource.get("amount"))).number,
        )
        if count is None or not 0 < count < 10**7:
            raise RowError(
                "bad_number",
                worded(
                    "{column} is {text}",
                    column=kind or worded("an accelerator"),
                    text=str(resource.get("amount")),
                ),
            )
        counts[kind] = counts.get(kind, Decimal(0)) + count
    return counts


GOOGLE_COMMITMENTS: Final = export_form.contract_form(
    "google_commitments",
    worded("Google Cloud commitments"),
    sniff_google,
    ("items", "commitments"),
    texts_of_google,
)


# --- The table of forms: every export of contracts that is read ----------------------------------

CONTRACT_FORMS: Final[tuple[export_form.ExportForm[Contract], ...]] = (
    focus_commitments.FORM,
    RESERVATIONS,
    SAVINGS_PLANS,
    AZURE_RESERVATIONS,
    GOOGLE_COMMITMENTS,
)
