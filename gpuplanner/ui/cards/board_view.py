"""View settings of the board: sort, groups, filter and folds, and their text in the settings."""

import json
from collections.abc import Mapping

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.message import Text
from gpuplanner.lazy_dataclass import dataclass, field, replace
from gpuplanner.ui.cards.card_order import SORTS
from gpuplanner.ui.cards.facets import FACETS, GROUPS, Chosen

MOST_FOLDED = 500
"""Folded groups that are remembered: more than anyone folds by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardView:
    """sort: a title of SORTS. group: a facet, "" for none. folded: groups whose cards are not shown, as facet:value."""

    sort: str = next(iter(SORTS))
    group: str = ""
    chosen: Chosen = field(default_factory=dict)
    search: str = ""
    folded: frozenset[str] = frozenset()

    @property
    def is_filtered(self) -> bool:
        """Whether cards may be left out."""
        return bool(self.chosen or self.search.split())

    def toggled(self, facet: str, value: Text) -> "BoardView":
        """With one value more to be let through, or one less."""
        values = self.chosen.get(facet, frozenset()) ^ {value}
        others = {name: own for name, own in self.chosen.items() if name != facet}
        return replace(self, chosen={**others, facet: values} if values else others)

    def unfiltered(self) -> "BoardView":
        """With every card let through."""
        return replace(self, chosen={}, search="")

    def folding(self, value: Text) -> "BoardView":
        """With one group folded, or unfolded."""
        return replace(self, folded=self.folded ^ {f"{self.group}:{value}"})

    def is_folded(self, value: Text) -> bool:
        """Whether the cards of a group are not shown."""
        return f"{self.group}:{value}" in self.folded

    def to_text(self) -> str:
        """What is remembered from one session to the next: not the filter, which would hide cards unasked."""
        kept = sorted(self.folded)[:MOST_FOLDED]
        return json.dumps({"sort": self.sort, "group": self.group, "folded": kept})


def view_of_text(text: str) -> BoardView:
    """What `to_text` wrote; what cannot be read is as if nothing had been remembered."""
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError):
        return BoardView()
    if not isinstance(entry, Mapping):
        return BoardView()
    sort, group, folded = entry.get("sort"), entry.get("group"), entry.get("folded")
    names = frozenset(name for name in (folded if isinstance(folded, list) else ()) if isinstance(name, str))
    sort = sort if isinstance(sort, str) and sort in SORTS else BoardView().sort
    return BoardView(
        sort=sort, group=group if isinstance(group, str) and group in GROUPS else "", folded=names
    )


def filter_words(view: BoardView) -> tuple[tuple[str, Text, Text], ...]:
    """What is filtered by, as (facet, value, words): `Team: ml`."""
    return tuple(
        (
            name,
            value,
            value if name == "state" else tr("{title}: {value}", title=FACETS[name].title, value=value),
        )
        for name, values in view.chosen.items()
        for value in sorted(values, key=str)
    )
