"""Google committed use: `gcloud compute commitments list --format=json`; the amounts are not in it."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.files.contracts.export_form import Record, contract_form, names_in
from gpuplanner.files.tables.small_table import Row, RowError, RowLeftOutError
from gpuplanner.files.values.amounts import read_amount
from gpuplanner.files.values.gpu_names import name_begun_with
from gpuplanner.files.values.written_terms import read_term

_NOT_IN_FORCE: Final = ("cancelled", "canceled", "creating")
_MEMORY_GB: Final = re.compile(r"-(\d{2,3})gb$")
_MEMORY_OF: Final = {"nvidia-tesla-a100": "40"}


def sniff(head: str) -> float:
    """How sure it is that a text begins a list of Google's commitments, 0..1."""
    names = names_in(head)
    if "endtimestamp" in names and "plan" in names:
        return 0.95 if names & {"resources", "starttimestamp"} else 0.7
    return 0.7 if '"compute#commitment"' in head else 0.0


def texts_of(record: Record, row: Row) -> Sequence[Mapping[str, str]]:
    """The GPUs of one commitment, each model as our own columns. Errors: RowLeftOutError without GPUs, RowError."""
    name, status = record.get("name", "id"), record.get("status")
    if status.lower() in _NOT_IN_FORCE:
        raise RowLeftOutError("left_out", worded("{name} is {status}", name=name, status=status))
    counts = _accelerators(record)
    if not counts:
        raise RowLeftOutError(
            "left_out",
            worded(
                "{name} commits {what}, no GPUs",
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


def _accelerators(record: Record) -> dict[str, Decimal]:
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
                    "the amount of {kind} is {amount}",
                    kind=kind or worded("an accelerator"),
                    amount=str(resource.get("amount")),
                ),
            )
        counts[kind] = counts.get(kind, Decimal(0)) + count
    return counts


FORM: Final = contract_form(
    "google_commitments",
    worded("Google Cloud commitments"),
    sniff,
    ("items", "commitments"),
    texts_of,
)
