"""The four columns of the board: three pools and the review queue."""

from enum import StrEnum
from typing import Final

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.tables import POOL_TITLES, Pool


class Lane(StrEnum):
    """A column of the board; its value names its colors and its icon."""

    TRAINING = "training"
    INFERENCE = "inference"
    BURST = "burst"
    REVIEW = "review"

    @property
    def title(self) -> str:  # type: ignore[override]  # str has a method of that name; no lane is put in capitals
        """Name in headings, translated."""
        return tr(self.word)

    @property
    def word(self) -> Message:
        """Name in English, for tables made before a language is loaded."""
        return _TITLES[self]

    @property
    def icon(self) -> str:
        """Icon of the lane, in addition to its color."""
        return _ICONS[self]

    @property
    def pool(self) -> Pool | None:
        """Pool that a drop on this column selects; None for Review, which refuses drops."""
        return None if self is Lane.REVIEW else Pool(self.value)


LANES: Final = (Lane.TRAINING, Lane.INFERENCE, Lane.BURST, Lane.REVIEW)

_TITLES: Final = {
    **{Lane(pool.value): title for pool, title in POOL_TITLES.items()},
    Lane.REVIEW: worded("Review"),
}
_ICONS: Final = {Lane.TRAINING: "train", Lane.INFERENCE: "infer", Lane.BURST: "burst", Lane.REVIEW: "review"}
_LANE_OF: Final = {pool: Lane(pool.value) for pool in Pool}


def lane_of(pool: Pool) -> Lane:
    """Return the column of a pool."""
    return _LANE_OF[pool]
