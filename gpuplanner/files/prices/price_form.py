"""A form of price list: what its readers share, and how offers of one name are told apart."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Final

from gpuplanner.domain.figures.typed import exact
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.files.contracts.export_form import ExportForm, Record, rate_text
from gpuplanner.files.prices.price_tables import read_offer_row
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.tables import column_mapping
from gpuplanner.files.tables.mapped_cells import clean_model
from gpuplanner.files.tables.small_table import Names, Row, RowError, RowLeftOutError
from gpuplanner.lazy_dataclass import replace

NO_GPU: Final = RowLeftOutError("left_out", worded("a machine without GPUs"))
NO_PRICE: Final = RowLeftOutError("left_out", worded("a machine without a price"))
NOT_GPUS: Final = RowLeftOutError("left_out", worded("accelerators other than GPUs"))
ZONE: Final = "zone"
"""Beside our own columns: what tells two offers of one name apart, where their rates differ."""

PRICE_TO_SHOW: Final = 10**9


def price_form(
    format: str,
    title: Message,
    sniff: Callable[[str], float],
    list_names: tuple[str, ...],
    texts_of: Callable[[Record, Row], Sequence[Mapping[str, str]]],
) -> ExportForm[Offer]:
    """A form of price list."""
    return ExportForm(
        kind="prices",
        format=format,
        title=title,
        sniff=sniff,
        list_names=list_names,
        texts_of=texts_of,
        read_row=read_offer_row,
        id_of=lambda offer: f"{offer.offer_id}\t{offer.as_of or ''}",
        named=lambda: _Apart().named,
    )


class _Apart:
    """Offers of one name with other rates are named after their zone, else numbered; alike in all they are one."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], list[Offer]] = {}
        self._names = Names()

    def named(self, offer: Offer, texts: Mapping[str, str]) -> Offer:
        """The offer under the name that it has in this file."""
        day = offer.as_of or ""  # a rate of another day is an earlier one of the offer
        alike = self._seen.setdefault((offer.offer_id, day), [])
        for held in alike:
            if replace(held, offer_id=offer.offer_id) == offer:
                return held
        name = offer.offer_id
        if alike and texts.get(ZONE) and texts[ZONE] != offer.region:
            name = f"{name} {texts[ZONE]}"
        unique_name, _ = self._names.next(f"{name}\t{day}")
        again = unique_name.removeprefix(f"{name}\t{day}")
        own = replace(offer, offer_id=name + again)
        alike.append(own)
        return own


def per_gpu_hour(
    price: Decimal | None, gpus: Decimal, row: Row, *, hours: Decimal = Decimal(1), divisor: int = 1
) -> str:
    """The rate of a machine's price as text, empty for none; the arithmetic is said. divisor: 100 for cents."""
    if price is None or not 0 < price < 10**12 or gpus <= 0:
        return ""
    rate = rate_text(price / divisor / gpus / hours)
    parts = [joined((exact(hours.normalize()), " h"))] * (hours != 1)
    parts += [worded("{gpus} GPUs", gpus=exact(gpus.normalize()))] * (gpus != 1)
    shown = joined((exact(price), *((f" / {divisor}",) if divisor != 1 else ())))
    if rate and (parts or divisor != 1):
        by = joined((" / (", joined(parts, " x "), ")")) if parts else ""
        said = exact(Decimal(rate))
        row.say("computed", worded("{price}{by} = {rate} per GPU-hour", price=shown, by=by, rate=said))
    return rate


def model_texts(name: str, memory_gb: Decimal | None = None) -> dict[str, str]:
    """The columns of a GPU by a cloud's name of it: `A100-80GB` is an A100 of 80 GB. Errors: RowError without one."""
    if not name.strip():
        raise RowError("missing_column", worded("no GPU model"))
    plain = name.replace("_", " ").strip()
    read = gpu_families().read(plain)
    if read is not None and read.is_unsized and memory_gb:
        plain = f"{plain} {memory_gb.normalize():f}GB"  # its families are told apart by their memory
    model, told = clean_model(plain)
    if told is not None:
        memory = f"{told:g}"
    elif memory_gb:
        memory = f"{memory_gb.normalize():f}"
    else:
        memory = ""
    return {"gpu_model": model, "gpu_memory_gb": memory}


def way_texts(base: Mapping[str, str], category: str, rate: str, **more: str) -> dict[str, str]:
    """The columns of one way to pay for what `base` offers."""
    return {
        **base,
        "pricing_category": category,
        column_mapping.RATE: rate,
        **{key: text for key, text in more.items() if text},
    }
