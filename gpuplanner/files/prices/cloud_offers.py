"""Shared by the offers of clouds: lists in a record, the operating system, and the currency."""

from collections.abc import Mapping
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.contracts import export_form
from gpuplanner.files.tables.small_table import Row, RowError, RowLeftOutError
from gpuplanner.files.values.amounts import CODES

_LINUX: Final = ("", "linux/unix", "linux/unix (amazon vpc)", "linux", "linux/unix (vpc)")


def objects_listed(record: export_form.Record, name: str) -> list[Mapping[str, object]]:
    """The objects of a list inside a record, 200 at most; empty if there is no list."""
    found = record.raw.get(name)
    return [each for each in found[:200] if isinstance(each, dict)] if isinstance(found, list) else []


def need_linux(product: str) -> None:
    """RowLeftOutError for other operating systems, whose licence is part of the price."""
    if product.lower() not in _LINUX:
        raise RowLeftOutError("left_out", worded("instances with {product}", product=product[:60]))


def quoted_in(currency: str, row: Row) -> str:
    """The currency of an offer, which is said; empty: US dollars. Errors: RowError for one that nobody knows."""
    if currency in ("", "USD"):
        return ""
    sentence = worded("{column} is {text}", column="currencyCode", text=currency[:20])
    if currency not in CODES:
        raise RowError("other_currency", sentence)
    row.say("other_currency", sentence)
    return currency
