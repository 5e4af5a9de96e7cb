"""Sliders of What if in words: title, scale and value."""

from typing import Final

from gpuplanner.domain.demand.model_names import ModelMix
from gpuplanner.domain.message import Message
from gpuplanner.files.system.resources import rows_as
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.words import numbers

MODELS, SHARE = "models", "share"
MIX: Final = ("demand_training", "demand_inference")
"""The assumptions that the slider of the share sets together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SliderSpec:
    """One slider: the assumption it sets (or MODELS, SHARE), its words, and its scale: value = step x size.

    short: its title where the window is narrow.
    """

    name: str
    title: Message
    short: Message
    tip: Message
    low: int
    high: int
    size: float


SLIDERS: Final = rows_as(SliderSpec, "sliders.csv")


def rate_words(value: float) -> str:
    """1.5%, with a true minus and as many decimals as its steps have."""
    text = numbers.significant(round(abs(100 * value), 2))
    return f"{numbers.MINUS if value < -1e-12 else ''}{text}%"


def models_words(mix: ModelMix, models: int) -> str:
    """2, or 2 with an arrow to 10."""
    now, then = numbers.whole(mix.models), numbers.whole(models)
    return then if models == mix.models else f"{now} \u2192 {then}"
