"""How large a model is, as far as its name says: parameters and bytes of each. A guess, and called one."""

import re
from dataclasses import dataclass
from typing import Final

EXPERTS: Final = re.compile(r"(?<![a-z0-9.])(\d{1,3})x(\d{1,4}(?:\.\d+)?)b(?![a-z0-9])")
BILLIONS: Final = re.compile(r"(?<![a-z0-9.])(\d{1,4}(?:\.\d+)?)b(?![a-z0-9])")
MILLIONS: Final = re.compile(r"(?<![a-z0-9.])(\d{2,4})m(?![a-z0-9])")

BYTES_BY_WORD: Final = (
    (re.compile(r"(?<![a-z0-9])(?:fp32|f32)(?![a-z0-9])"), 4.0),
    (re.compile(r"(?<![a-z0-9])(?:fp8|int8|w8a8|q8|8bit)(?![a-z0-9])"), 1.0),
    (re.compile(r"(?<![a-z0-9])(?:int4|fp4|nvfp4|awq|gptq|q4|4bit)(?![a-z0-9])"), 0.5),
)
BF16_BYTES: Final = 2.0


@dataclass(frozen=True, slots=True)
class ModelSize:
    """Parameters in billions and bytes of each, with the word of the name that said so; None: it does not say."""

    parameters_billion: float | None = None
    word: str = ""
    bytes_per_parameter: float = BF16_BYTES
    precision_word: str = ""


def size_in_name(name: str) -> ModelSize:
    """What a name says: `llama-3.1-70b-awq` is 70 billion parameters of half a byte, `8x7b` at most 56 billion.

    Case does not matter, and `_` reads as `-`. Bytes of each parameter are 2 (BF16) where no word names
    another precision.

    >>> size_in_name("llama-3.1-70b-awq").parameters_billion, size_in_name("mixtral-8x7b").parameters_billion
    (70.0, 56.0)
    >>> size_in_name("nightly-batch").parameters_billion is None
    True
    """
    folded = name.casefold().replace("_", "-")
    found, word = _parameters(folded)
    for pattern, size in BYTES_BY_WORD:
        match = pattern.search(folded)
        if match:
            return ModelSize(found, word, size, match.group())
    return ModelSize(found, word)


def _parameters(folded: str) -> tuple[float | None, str]:
    """Billions, and the word that says so. Experts come first, for `8x7b` holds `7b`; None and "" where the
    name says no size.
    """
    if match := EXPERTS.search(folded):
        return int(match[1]) * float(match[2]), match.group()
    if match := BILLIONS.search(folded):
        return (float(match[1]), match.group()) if float(match[1]) > 0 else (None, "")
    if match := MILLIONS.search(folded):
        return float(match[1]) / 1000, match.group()
    return None, ""
