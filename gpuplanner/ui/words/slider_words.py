"""The sliders of "What if" in words: what each sets, its title, its scale, and how its value is said."""

from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.demand.model_mix import ModelMix
from gpuplanner.domain.message import Message, worded
from gpuplanner.ui.words import numbers

MODELS, SHARE = "models", "share"
MIX: Final = ("demand_training", "demand_inference")
"""The assumptions that the slider of the share sets together."""


@dataclass(frozen=True, slots=True)
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


SLIDERS: Final = (
    SliderSpec(
        "growth",
        worded("Growth per month"),
        worded("Growth"),
        worded("How much demand grows each month, in every pool"),
        -10,
        20,
        0.005,
    ),
    SliderSpec(
        "delta",
        worded("Price fall per month"),
        worded("Price fall"),
        worded("How much market prices fall each month"),
        0,
        80,
        0.001,
    ),
    SliderSpec(
        "lambda",
        worded("Churn per month"),
        worded("Churn"),
        worded("The chance each month that a slice of demand ends for good"),
        0,
        40,
        0.0025,
    ),
    SliderSpec(
        "growth_inference",
        worded("Traffic per month"),
        worded("Traffic"),
        worded("How much demand for inference grows each month"),
        -10,
        40,
        0.005,
    ),
    SliderSpec(
        MODELS,
        worded("Models"),
        worded("Models"),
        worded("How many models are run: all demand in proportion"),
        1,
        10,
        1,
    ),
    SliderSpec(
        SHARE,
        worded("Inference share"),
        worded("Inference"),
        worded("Inference of the GPU time of training and inference together"),
        1,
        99,
        0.01,
    ),
)


def rate_words(value: float) -> str:
    """1.5%, with a true minus and as many decimals as its steps have."""
    text = numbers.significant(round(abs(100 * value), 2))
    return f"{numbers.MINUS if value < -1e-12 else ''}{text}%"


def models_words(mix: ModelMix, models: int) -> str:
    """2, or 2 with an arrow to 10."""
    now, then = numbers.whole(mix.models), numbers.whole(models)
    return then if models == mix.models else f"{now} \u2192 {then}"
