"""Listings that are known and lack what jobs need: what they are, and what to export in their place."""

import re
from typing import Final

from gpuplanner.domain.message import Message, worded
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.resources import read_known_listings
from gpuplanner.files.tables.headings import are_of_bill
from gpuplanner.files.tables.layout import layout_of_head

_LETTERS_LOOKED_AT: Final = 4000


def known_listing(head: str) -> Message | None:
    """What a text is that no reader takes, and what to give instead; None where nobody knows it."""
    beginning = head[:_LETTERS_LOOKED_AT]
    found = (why for pattern, why in read_known_listings() if re.search(pattern, beginning, re.M | re.I))
    return next(found, None)


def bill_in_sums(source: Source) -> Message | None:
    """What to give in place of invoice lines, whose sums tell no use of GPUs; None where a file is no such list."""
    layout = layout_of_head(source.head, "prices")
    if layout is None or layout.header_row > 5 or not are_of_bill(layout.headings).may_be_bill:
        return None
    return worded(
        "this bill has no GPUs and hours. Use the usage export (FOCUS, AWS CUR, Azure, Oracle), or a job log "
        "and contracts"
    )
