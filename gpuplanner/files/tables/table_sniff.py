"""How sure it is that a text begins a table of contracts or of prices: ours by name, others by what they tell."""

from typing import Final

from gpuplanner.files.sources.json_values import begins_json
from gpuplanner.files.tables.fields import OWN_NEEDED
from gpuplanner.files.tables.headers import header_columns
from gpuplanner.files.tables.propose_mapping import how_sure
from gpuplanner.files.tables.table_layout import layout_of_head

SURELY_OURS: Final = 0.95
"""How sure it is where all columns that are needed have our names."""

_NAMES: Final = {"contracts": "contract_id", "prices": "offer_id"}
"""The column that says in our own tables what a row is called."""


def sniff_table(head: str, kind: str) -> float:
    """How sure it is that a text begins a table of a kind, contracts or prices, 0..1.

    1 with all columns of ours in the first line, nearly so where titles stand above
    (docs/interface.md, Contracts).
    """
    if begins_json(head):
        return 0.0
    _, columns = header_columns(head)
    required = set(OWN_NEEDED[kind])
    if required <= set(columns):
        return 1.0
    layout = layout_of_head(head, kind)
    if layout is not None and required <= {heading.lower() for heading in layout.headings}:
        return SURELY_OURS
    return max(0.6 if _NAMES[kind] in columns else 0.0, how_sure(layout, kind))
