"""The remedy for a trace whose columns are not found."""

from typing import Final

from gpuplanner.domain.message import worded_both

MAP_THEM: Final = worded_both("name the columns with --map", "map its columns")
