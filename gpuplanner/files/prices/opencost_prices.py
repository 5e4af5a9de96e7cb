"""OpenCost's own prices: the JSON of its defaults, and the CSV of prices by node and GPU."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.contracts import export_form
from gpuplanner.files.prices import price_form
from gpuplanner.files.tables.small_table import Row, RowError, RowLeftOutError

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
        rate = price_form.per_gpu_hour(price, Decimal(1), row)
        name = f"OpenCost {model}{', spot' if category == 'dynamic' else ''}"
        if rate:
            base = {"offer_id": name, "provider": provider, **price_form.model_texts(model)}
            found.append(price_form.way_texts(base, category, rate))
    row.notes.append("undated_price")
    return found


def _asset_texts(record: export_form.Record, row: Row) -> Sequence[Mapping[str, str]]:
    """A node with GPUs, divided by them, or a GPU by itself. Errors: RowLeftOutError, RowError."""
    asset, named = record.get("assetclass").lower(), record.get("instanceid")
    if asset == "gpu":
        if not named:
            raise RowError("missing_column", worded("InstanceID is empty"))
        base, gpus = price_form.model_texts(named), Decimal(1)
    elif asset == "node":
        instance = export_form.find_instance(record.get("instancetype")) or export_form.find_instance(named)
        if instance is None:
            raise RowLeftOutError("left_out", worded("nodes with an unknown instance type"))
        base = {"gpu_model": instance.gpu_model, "instance": instance.instance_type}
        gpus = Decimal(instance.gpus.numerator) / Decimal(instance.gpus.denominator)
    else:
        raise RowLeftOutError("left_out", worded("not prices of nodes or GPUs"))
    rate = price_form.per_gpu_hour(record.amount("marketpricehourly"), gpus, row)
    day = record.time("endtimestamp")[:10]
    base |= {"region": record.get("region"), "as_of": day}
    base["offer_id"] = " ".join(filter(None, ("OpenCost", named or base["gpu_model"], base["region"])))
    if not day:
        row.notes.append("undated_price")
    return (price_form.way_texts(base, "standard", rate),)


OPENCOST_PRICES: Final = (
    price_form.price_form(
        "opencost_prices", worded("OpenCost's default prices"), _sniff_json, (), _default_texts
    ),
    price_form.price_form(
        "opencost_prices", worded("OpenCost's prices by node"), _sniff_csv, (), _asset_texts
    ),
)
