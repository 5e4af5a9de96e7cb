"""Files that are no log, contract or price list and yet are known: said what they are, not taken for something else."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.source import Source


@dataclass(frozen=True, slots=True)
class DescribedKind:
    """kind: activity, users, sites, traffic, model or unknown; format: empty where it has no name; why: words.

    describe: every row counted, and the facts of the file.
    """

    kind: str
    format: str
    why: str
    sniff: Callable[[str], float]
    describe: Callable[[Source], FileIntake]


DESCRIBED: Final[tuple[DescribedKind, ...]] = ()
"""The table of them."""
