"""Google committed use: `gcloud compute commitments list --format=json`, and the export of spend-based ones."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.files.contracts import export_form
from gpuplanner.files.tables.small_table import Row, RowError, RowLeftOutError
from gpuplanner.files.values.amounts import read_amount
from gpuplanner.files.values.gpu_names import name_begun_with
from gpuplanner.files.values.terms import read_term
from gpuplanner.lazy_re import lazy_re

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
            "contract_id": name if len(counts) == 1 else f"{name} {gpu_model(kind).name}",
            "provider": "Google Cloud",
            "gpu_model": gpu_model(kind).name,
            "gpu_memory_gb": gpu_model(kind).memory_gb,
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


class NamedModel(NamedTuple):
    """GPU model of an accelerator type, and its memory where the name states it."""

    name: str
    memory_gb: str


def gpu_model(accelerator: str) -> NamedModel:
    """The model as everywhere, and its memory in GB where the name says it.

    >>> gpu_model("nvidia-h100-mega-80gb"), gpu_model("zones/z/acceleratorTypes/nvidia-tesla-t4")
    (NamedModel(name='H100', memory_gb='80'), NamedModel(name='T4', memory_gb=''))
    """
    kind = accelerator.rstrip("/").rpartition("/")[2].lower()
    memory = _MEMORY_GB.search(kind)
    model = _MEMORY_GB.sub("", kind).removeprefix("nvidia-").removeprefix("tesla-").removesuffix("-mega")
    name = name_begun_with(kind.replace("-mega", "")) or model.upper().replace("-", " ")
    return NamedModel(name=name, memory_gb=memory[1] if memory else _MEMORY_OF.get(kind, ""))


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
