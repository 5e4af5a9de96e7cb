"""What one advice can take over from the last: results kept by the identity of the immutable parts they stand on."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Final, TypeVar, cast

Answer = TypeVar("Answer")

MOST_KEPT: Final = {"busy": 8, "policy": 32, "model": 64, "": 512}
"""How many answers of each kind are kept: tables of busy shares are large, most else is small."""


class AdviceCache:
    """Remembers the newest results, for one thread at a time.

    Law: an advice with it equals one without, to the bit.
    """

    def __init__(self) -> None:
        """By kind, the oldest first; with each answer what it stands on, which keeps those objects alive."""
        self._kept: dict[str, OrderedDict[tuple[object, ...], tuple[tuple[object, ...], object]]] = {}

    def recall(
        self, kind: str, key: tuple[object, ...], stands_on: tuple[object, ...], make: Callable[[], Answer]
    ) -> Answer:
        """The answer of a kind to `key`, made if it is not known.

        `stands_on` are the objects that the answer was made from: they count by identity, and are kept alive so
        that no other object can take their place.
        """
        kept = self._kept.setdefault(kind, OrderedDict())
        full = (*key, *map(id, stands_on))
        found = kept.get(full)
        if found is None:
            found = (stands_on, make())
            kept[full] = found
            if len(kept) > MOST_KEPT.get(kind, MOST_KEPT[""]):
                kept.popitem(last=False)
        else:
            kept.move_to_end(full)
        return cast(Answer, found[1])
