"""Labels of monitoring: which of them names the node, the GPU, its model and the job that held it."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

HOST: Final = ("hostname", "node", "kubernetes_node", "nodename", "host", "exported_instance", "instance")
UUID: Final = ("uuid", "gpu_uuid", "gpu.uuid")
INDEX: Final = ("gpu", "minor_number", "index", "gpu_id", "gpu_index", "entity", "device", "ordinal")
MODEL: Final = ("modelname", "gpu_model", "gpu_name", "gpu_type", "model", "name")
JOB: Final = ("hpc_job", "slurmjobid", "slurm_job_id", "slurm_jobid", "jobid", "job_id")
"""Not `job`: that is the name of the scrape."""

ROLES: Final = frozenset((*HOST, *UUID, *INDEX, *MODEL, *JOB))
_PORT: Final = lazy_re(r":\d+$")
_LABEL: Final = lazy_re(r'\s*([A-Za-z_][\w.]*)\s*=~?\s*"((?:[^"\\]|\\.)*)"\s*,?')
_LEGEND: Final = lazy_re(r"(?i)^(?:(?P<host>[a-z][\w.-]*\w(?::\d+)?)[ /,|-]+)?gpu[ _#-]?(?P<gpu>\d{1,2})$")
_LONGEST_LEGEND: Final = 200
_ESCAPE: Final = lazy_re(r"\\(.)")
_NUMBERED: Final = lazy_re(r"(?i)^(?:gpu|nvidia|device)[ _-]?(\d+)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Of whom a sample is. All empty where the labels do not say."""

    host: str = ""
    gpu: str = ""
    gpu_model: str = ""
    job_id: str = ""
    pod: str = ""


def held_by(labels: Mapping[str, str]) -> Held:
    """What the labels of a sample say; their names in any case.

    Where the scraper renamed what the exporter said (`exported_pod`), the plain label is the exporter's own.
    """
    known = {name.casefold(): value.strip() for name, value in labels.items()}
    gpu = _first(known, UUID) or _plain_index(_first(known, INDEX))
    instance = known.get("gpu_i_id", "")  # a MIG instance
    return Held(
        host=_PORT.sub("", _first(known, HOST)).casefold(),
        gpu=f"{gpu}/{instance}" if instance else gpu,
        gpu_model=_first(known, MODEL),
        job_id=_first(known, tuple(f"exported_{name}" for name in JOB)) or _first(known, JOB),
        pod=_pod(known),
    )


def _first(known: Mapping[str, str], names: tuple[str, ...]) -> str:
    """The value of the first label that is there and not empty, in the order of the names."""
    return next((known[name] for name in names if known.get(name)), "")


def _plain_index(text: str) -> str:
    """The number of a card out of a name such as `nvidia0`; a text that is no such name stays as it is."""
    found = _NUMBERED.match(text)
    return found[1] if found else text


def _pod(known: Mapping[str, str]) -> str:
    """The pod that held the GPU as `namespace/pod`; empty for none, and for the pod of the exporter itself.

    Prometheus renames a target's own labels to `exported_...`: where one of those is there, only those
    count.
    """
    prefix = (
        "exported_" if any(f"exported_{name}" in known for name in ("pod", "namespace", "container")) else ""
    )
    pod, namespace = known.get(f"{prefix}pod", ""), known.get(f"{prefix}namespace", "")
    if not pod or "exporter" in pod + known.get(f"{prefix}container", ""):
        return ""
    return f"{namespace}/{pod}" if namespace else pod


class Selector(NamedTuple):
    """Name of a series (may be empty), and its labels."""

    name: str
    labels: Mapping[str, str]


def read_selector(text: str) -> Selector | None:
    """`name{label="value",...}` as its name (may be empty) and labels; None where it is something else.

    >>> read_selector('DCGM_FI_DEV_GPU_UTIL{gpu="0",Hostname="n1"}')
    Selector(name='DCGM_FI_DEV_GPU_UTIL', labels={'gpu': '0', 'Hostname': 'n1'})
    >>> read_selector("up"), read_selector("{gpu=0")
    (Selector(name='up', labels={}), None)
    """
    name, brace, rest = text.strip().partition("{")
    if not brace:
        is_name = re.fullmatch(r"[A-Za-z_:][\w:.]*", name.strip())
        return Selector(name=name.strip(), labels={}) if is_name else None
    inside = rest.rstrip()
    if not inside.endswith("}"):
        return None
    return Selector(name=name.strip(), labels=dict(_labels(inside[:-1])))


def read_legend(text: str) -> dict[str, str] | None:
    """A series as dashboards name it, `gpu-01 GPU 3`; None where it is something else.

    >>> read_legend("gpu-01:9400 GPU 3"), read_legend("GPU 0"), read_legend("GPU hours")
    ({'host': 'gpu-01:9400', 'gpu': '3'}, {'gpu': '0'}, None)
    """
    found = _LEGEND.match(text.strip()) if len(text) < _LONGEST_LEGEND else None
    return {name: value for name, value in found.groupdict().items() if value} if found else None


def _labels(text: str) -> Iterator[tuple[str, str]]:
    """Each name and value of a label set in Prometheus' text form, with escapes undone."""
    for found in _LABEL.finditer(text):
        value = found[2]
        yield found[1], _ESCAPE.sub(_unescaped, value) if "\\" in value else value


def _unescaped(found: re.Match[str]) -> str:
    """The character behind a backslash in a label's value.

    `n` is a line break, all others stand for themselves.
    """
    return "\n" if found[1] == "n" else found[1]
