"""What a file of rules or budgets was refused for, or rows of it, in words for a message."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import tr

REFUSED_SHOWN: Final = 8


if TYPE_CHECKING:  # readers are imported once there is a file
    from gpuplanner.files.tables.table_files import TablesRead


def refused_words(read: "TablesRead[Any]") -> list[str]:
    """Files and rows that were refused, the first of them in words."""
    refused = [
        *(
            tr("{where}: {what}; {remedy}", where=fault.where, what=fault.what, remedy=fault.remedy)
            for fault in read.refused
        ),
        *(
            tr(
                "{name}, row {row} is refused: {message}",
                name=Path(file.path).name,
                row=numbers.whole(row.row),
                message=row.message,
            )
            for file in read.intake
            for row in file.rejected
        ),
    ]
    more = len(refused) - REFUSED_SHOWN
    return refused[:REFUSED_SHOWN] + ([tr("and {more} more", more=numbers.whole(more))] if more > 0 else [])
