"""What the name of an activity file adds to its content: a metric, or the node."""

import re
from pathlib import PurePath
from typing import Final

from gpuplanner.files.activity.metrics import METRICS
from gpuplanner.lazy_re import lazy_re

_WORDS: Final = lazy_re(
    r"(?i)nvidia[-_. ]?smi|dcgmi?|dmon|utili[sz]ation|usage|metrics?|samples?|output|logs?|gpu[-_]?util"
    r"|\d{4}-?\d\d-?\d\d(?:[T_-]?\d\d[-:]?\d\d(?:[-:]?\d\d)?)?|\.(?:csv|txt|log|tsv|gz|zst|zip|json|out)\b"
)


_TITLE: Final = lazy_re(r"gpu[ _-]?utili[sz]ation\b")
"""What the panel of a dashboard is called, after which its export is named."""


def metric_in_name(path: str) -> str:
    """The known metric that a file is named after, or nothing: functions over a range drop the name inside.

    >>> metric_in_name("exports/DCGM_FI_DEV_GPU_UTIL-july.json")
    'dcgm_fi_dev_gpu_util'
    >>> metric_in_name("GPU Utilization-data-2026-01-05 10_30_00.csv")
    'dcgm_fi_dev_gpu_util'
    """
    name = PurePath(path).name.casefold()
    found = max((metric for metric in METRICS if len(metric) > 7 and metric in name), key=len, default="")
    return found or ("dcgm_fi_dev_gpu_util" if _TITLE.search(name) else "")


def host_in_name(path: str) -> str:
    """The node that a file is named after, or nothing.

    >>> host_in_name("nvidia-smi_gpu-11.fox_2026-01-31.csv"), host_in_name("nvidia_smi_log.csv")
    ('gpu-11.fox', '')
    """
    name = _WORDS.sub(" ", PurePath(path).name)
    parts = [part.strip(" -_.") for part in re.split(r"[ _]+", name)]
    named = [part for part in parts if any(letter.isdigit() for letter in part) and part[:1].isalpha()]
    return named[0].casefold() if len(named) == 1 else ""
