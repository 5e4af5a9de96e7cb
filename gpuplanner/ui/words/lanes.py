"""The four columns of the board: three pools and the review queue, in their fixed order."""

from enum import StrEnum
from typing import Final

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.pool import POOL_TITLES, Pool
from gpuplanner.ui.words.translation import tr


class Lane(StrEnum):
    """A column of the board; its value names its colours and its icon."""

    TRAINING = "training"
    INFERENCE = "inference"
    BURST = "burst"
    REVIEW = "review"

    @property
    def title(self) -> str:  # type: ignore[override]  # str has a method of that name; no lane is put in capitals
        """The name in headings, in the planner's language."""
        return tr(self.word)

    @property
    def word(self) -> Message:
        """The name in English, for tables that are made before a language is loaded."""
        return _TITLES[self]

    @property
    def icon(self) -> str:
        """The icon that carries the lane beside its colour."""
        return _ICONS[self]

    @property
    def pool(self) -> Pool | None:
        """The pool that a drop on this column chooses; None for the review queue.

        Dropping there is refused: what a workload is, is said and not moved.
        """
        return None if self is Lane.REVIEW else Pool(self.value)


LANES: Final = (Lane.TRAINING, Lane.INFERENCE, Lane.BURST, Lane.REVIEW)

_TITLES: Final = {
    **{Lane(pool.value): title for pool, title in POOL_TITLES.items()},
    Lane.REVIEW: worded("Review"),
}
_ICONS: Final = {Lane.TRAINING: "train", Lane.INFERENCE: "infer", Lane.BURST: "burst", Lane.REVIEW: "review"}
_LANE_OF: Final = {pool: Lane(pool.value) for pool in Pool}


def lane_of(pool: Pool) -> Lane:
    """The column of a pool."""
    return _LANE_OF[pool]
