"""The scale of a heatmap: round ends that hold most of what is shown, in as many even classes as there are colours."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats

OUTLIERS_PERCENT: Final = 5
STEPS: Final = (1.0, 2.0, 5.0)


@dataclass(frozen=True, slots=True)
class HeatScale:
    """Classes between low and high; is_cut says at which end values lie outside and share the last class."""

    low: float
    high: float
    classes: int
    is_cut_low: bool
    is_cut_high: bool

    def class_of(self, value: float) -> int:
        """The class of a value, 0 for the lowest.

        value: not NaN. What lies outside has the first or last class.

        >>> HeatScale(0.0, 1.0, 5, False, False).class_of(0.5), HeatScale(0.0, 1.0, 5, False, True).class_of(7.0)
        (2, 4)
        """
        place = int((value - self.low) / (self.high - self.low) * self.classes + 1e-9)
        return min(max(place, 0), self.classes - 1)


def heat_scale(values: Floats, classes: int, most: float | None = None) -> HeatScale:
    """A scale for the values; NaN are left out. most: what no value can exceed (1 for a share).

    Classes are 1, 2 or 5 of a power of ten wide, the least that hold all but the lowest and highest 5%.
    """
    known = values[~np.isnan(values)]
    if not len(known):
        return HeatScale(0.0, 1.0 if most is None else most, classes, False, False)
    inner_low, inner_high = np.percentile(known, (OUTLIERS_PERCENT, 100 - OUTLIERS_PERCENT)).tolist()
    low, high = _ends(inner_low, inner_high, classes, most)
    return HeatScale(low, high, classes, bool(known.min() < low - 1e-9), bool(known.max() > high + 1e-9))


def _ends(inner_low: float, inner_high: float, classes: int, most: float | None) -> tuple[float, float]:
    """Ends that hold from inner_low to inner_high in round classes; within `most` where there is such."""
    least = max((inner_high - inner_low) / classes, 0.01 if most is not None else 0.1)
    power = 10.0 ** np.floor(np.log10(least))
    for width in _widths(float(power)):
        low = round(np.floor(inner_low / width + 1e-9) * width, 9)
        if low + classes * width < inner_high - 1e-9:
            continue
        if most is None or low + classes * width <= most + 1e-9:
            return float(low), float(round(low + classes * width, 9))
        if classes * width <= most:
            return float(round(most - classes * width, 9)), most
        return 0.0, most
    raise AssertionError("steps grow without end")


def _widths(power: float) -> Sequence[float]:
    """Widths of a class to be tried, ascending, from a power of ten on."""
    return [step * power * ten for ten in (1.0, 10.0, 100.0) for step in STEPS]
