"""Merged names: names of one owner on one cluster that are alike but for digits."""

from collections.abc import Iterable, Sequence
from typing import Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.intake import Issue
from gpuplanner.files.job_logs.reduce.names import digits_aside
from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS
from gpuplanner.lazy_dataclass import dataclass

NAMES_MERGED: Final = "names_merged"
ALIKE_AT_MOST: Final = 20
"""So many names that are alike but for digits are still workloads of their own."""

_NAMES_SAID: Final = 5
_MERGED_SAID: Final = 3


@dataclass(frozen=True, slots=True, order=True)
class Merged:
    """Folded names that are one workload, sorted; name: what they have in common, with # for digits."""

    cluster: str
    owner: str
    name: str
    names: tuple[str, ...]

    @property
    def text(self) -> Message:
        """What was merged, with the first of the names."""
        return worded(
            "{name} of {owner} on {cluster} ({count} names: {first} ...)",
            name=self.name,
            owner=self.owner or worded("nobody"),
            cluster=self.cluster or worded("no cluster"),
            count=whole(len(self.names)),
            first=", ".join(self.names[:_NAMES_SAID]),
        )


def merged_names(names: Iterable[tuple[str, str, str]]) -> tuple[Merged, ...]:
    """What is to be one workload of these (cluster, owner, folded name), sorted.

    Laws: the order and repeats do not matter; an owner's names are merged whatever names others have.
    """
    alike: dict[tuple[str, str, str], set[str]] = {}
    for cluster, owner, name in names:
        aside = digits_aside(name)
        if aside != name:
            alike.setdefault((cluster, owner, aside), set()).add(name)
    return tuple(
        sorted(Merged(*of, tuple(sorted(same))) for of, same in alike.items() if len(same) > ALIKE_AT_MOST)
    )


def names_merged_issue(merged: Sequence[Merged], count: int, first_row: int | None) -> Issue:
    """The issue of a file of which so many rows are of merged names: the largest are said."""
    by_size = sorted(merged, key=lambda one: (-len(one.names), one))
    said = joined([one.text for one in by_size[:_MERGED_SAID]], "; ")
    more = len(by_size) - _MERGED_SAID
    groups = worded("{said}; and {more} more", said=said, more=whole(more)) if more > 0 else said
    what, remedy = ISSUE_TEXTS[NAMES_MERGED]
    return Issue(NAMES_MERGED, count, first_row, joined((joined((what, groups), ": "), remedy), "; "))
