"""GPUs of an LSF job: what `-gpu`, resource requirements and allocations say, each in its own words."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from gpuplanner.files.values.gpu_names import name_begun_with

_REQUEST: Final = re.compile(
    r"(?:^|[:<\"\s])num=(?P<count>\d{1,6})(?P<per>/task|/host)?(?=[:>\"\s;]|$)", re.I
)
_USAGE: Final = re.compile(
    r"\bngpus(?:_physical|_excl_p|_excl_t|_shared)?=(?P<count>\d{1,6}(?:\.\d{1,3})?)(?P<per>/task|/host|/job)?",
    re.I,
)
_MODEL: Final = re.compile(r"\bgmodel=(?P<model>[^:,\s\]>\"]+)", re.I)
_MIG: Final = re.compile(r"\bmig=(?P<sevenths>\d)(?:/\d)?", re.I)


@dataclass(frozen=True, slots=True)
class LsfGpus:
    """gpus over all hosts and tasks, as text; empty without any."""

    gpus: str = ""
    gpu_model: str = ""


def lsf_gpus(requests: Iterable[str], hosts: int, tasks: int) -> LsfGpus:
    """What the first of several texts that speaks of GPUs says: effective requirements before what was asked for.

    A count is of each host the job ran on, unless it says `/task` or `/job`.

    >>> lsf_gpus(["rusage[ngpus_physical=2.00:gmem=4]"], hosts=2, tasks=8)
    LsfGpus(gpus='4', gpu_model='')
    >>> lsf_gpus(["num=1/task:mode=shared:gmodel=TeslaV100_SXM2_32GB"], hosts=1, tasks=3)
    LsfGpus(gpus='3', gpu_model='V100 SXM 32GB')
    """
    count, model = "", ""
    for text in requests:
        if not model and (named := _MODEL.search(text)):
            model = _short_model(named["model"])
        if count:
            continue
        found = _USAGE.search(text) or _REQUEST.search(text)
        if found is not None:
            places = {"/task": max(1, tasks), "/job": 1}.get((found["per"] or "").lower(), max(1, hosts))
            gpus = float(found["count"]) * places
            if part := _MIG.search(text):
                gpus *= int(part["sevenths"]) / 7
            count = f"{gpus:.9f}".rstrip("0").rstrip(".")
    return LsfGpus("" if count == "0" else count, model if count else "")


def _short_model(name: str) -> str:
    """LSF writes `TeslaV100_SXM2_32GB`, `NVIDIAA100_SXM4_40GB`, and more behind a dash."""
    return (
        name_begun_with(name)
        or re.sub(r"^(?:NVIDIA|Tesla|GeForce|AMD)+", "", name.split("-", maxsplit=1)[0])
        or name
    )
