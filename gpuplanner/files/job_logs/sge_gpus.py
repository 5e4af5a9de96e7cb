"""GPUs of a Grid Engine job: those it was given by number, else what its hard requests ask for."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from gpuplanner.files.job_logs.sge_forms import BEYOND
from gpuplanner.files.numbers import read_decimal

_GIVEN: Final = re.compile(r"\bn?gpus?(?:_\w+)?=[^=(\s,]+=\(([^)]*)\)", re.I)
_HARD: Final = re.compile(r"(?:^|\s)-l\s+(?P<asked>\S+)")
_SOFT: Final = re.compile(r"(?:^|\s)-soft\b.*?(?=\s-hard\b|$)")
_BOARD: Final = r"[abhlptv]\d{1,3}[a-z]?|gh200|gb200|rtx\w+|mi\d{3}x?|k\d0m?"
_COUNT: Final = re.compile(
    rf"^(?:(?:num_|n)?gpus?(?:_?(?:cards?|devices?|count|num|dev))?|(?:nvidia|cuda)_?(?:gpus?|cards?|devices?)?"
    rf"|(?:(?:gpus?|coproc|cuda|nvidia)[_.-]?)?(?P<board>{_BOARD}))$",
    re.I,
)
_MODEL: Final = re.compile(r"^(?:gpu|cuda)_?(?:type|model|name|arch)$", re.I)


@dataclass(frozen=True, slots=True)
class SgeGpus:
    """gpus over all slots, as text; empty without any. is_assumed: one asked for may be one of each slot."""

    gpus: str = ""
    gpu_model: str = ""
    is_assumed: bool = False


def sge_gpus(said: Mapping[str, str]) -> SgeGpus:
    """What a record says of GPUs. A part of one is what each slot asks for, since nobody asks for half of a job's.

    >>> sge_gpus({"category": "-U gpu -l gpu=2,h_rt=3600 -pe smp 8", "slots": "8"})
    SgeGpus(gpus='2', gpu_model='', is_assumed=True)
    >>> sge_gpus({"category": "-l gpus=0.25,gpu_type=V100 -pe omp 8", "slots": "8"})
    SgeGpus(gpus='2.00', gpu_model='V100', is_assumed=False)
    """
    slots = read_decimal(said.get("slots", "")) or Decimal(1)
    count, model = "", ""
    for name, value in _asked(said):
        if _MODEL.match(name):
            model = value.strip("*")
        elif (found := _COUNT.match(name)) and value not in ("0", "") and not count:
            count = value
            model = model or (found["board"] or "")
    if given := _GIVEN.findall(f"{said.get('resource_map', '')} {said.get(BEYOND, '')}"):
        return SgeGpus(str(sum(len(ids.split()) for ids in given)), model)
    number = read_decimal(count) if count else None
    if number is not None and 0 < number < 1 and slots > 1:
        return SgeGpus(f"{number * slots:f}", model)
    return SgeGpus(count, model if count else "", bool(count) and slots > 1)


def _asked(said: Mapping[str, str]) -> list[tuple[str, str]]:
    """Every `name=value` that was asked for and had to be given."""
    category = _SOFT.sub("", said.get("category", ""))
    texts = [found["asked"] for found in _HARD.finditer(category)] or [said.get("hard_resources", "")]
    pairs = (pair.partition("=") for text in texts for pair in text.split(","))
    return [(name.strip(), value.strip()) for name, sign, value in pairs if sign]
