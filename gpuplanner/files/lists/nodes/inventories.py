"""Inventories of nodes: rows of tables and JSON, without nodes that are gone or not there yet."""

from contextlib import suppress
from typing import Final

from gpuplanner.domain.message import joined, worded
from gpuplanner.files.lists.nodes.inventory_json import json_rows
from gpuplanner.files.lists.nodes.inventory_tables import inventory_rows
from gpuplanner.files.lists.nodes.node import Node, held_in_words, nodes_of_row
from gpuplanner.files.sources import json_values
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables import small_table
from gpuplanner.files.tables.mapped_cells import starts_as_total
from gpuplanner.files.values.word_lists import words

_GONE: Final = words(
    "retired|decommissioned|decommissioning|disposed|scrapped|sold|returned|rma|missing|ausgemustert|verschrottet"
    "|verkauft|planned|ordered|on order|geplant|bestellt"
)
"""Of nodes that are no longer there, or not yet; spare ones and those in a store cost money, and can be used."""
_IF_THERE: Final = worded("skipped; if usable, write active or another status")


def rows_in_force(source: Source, *_: object) -> small_table.Rows:
    """The rows of an inventory; those of nodes that are gone are left out: each says how many all are, and why."""
    read = json_rows if json_values.begins_json(source.head) else inventory_rows
    rows, gone = [*read(source)], dict[str, list[Node]]()
    why = small_table.RowLeftOutError("left_out", remedy=_IF_THERE)
    for _line, row, cells in rows:
        if starts_as_total(cells.strip()):
            row.left_out = small_table.RowLeftOutError("not_a_row", joined((f"“{cells.strip()[:40]}”",)))
        elif (status := (row.text("status") or "").lower()) in _GONE:
            row.left_out = why
            with suppress(small_table.RowError):
                gone.setdefault(status, []).extend(nodes_of_row(row))
    why.what = joined((held_in_words(joined((status,)), nodes) for status, nodes in gone.items()), ", ")
    yield from rows
