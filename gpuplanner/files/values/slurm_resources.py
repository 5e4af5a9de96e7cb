"""Slurm's trackable resources: how many GPUs a job was given, and of which model."""

import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Final

from gpuplanner.files.values.gpu_counts import GpuReading, from_number, other_devices, read_gpu_count
from gpuplanner.lazy_dataclass import replace
from gpuplanner.lazy_re import lazy_re

_GPU: Final = lazy_re(
    r"(?i)^(?:gres/)?gpu(?::(?P<type>[^=]+?))?[=:](?P<count>\d{1,15}(?:\.\d{1,9})?)(?P<suffix>[KM]?)(?:\(.*\))?$"
)
_GPU_BY_NUMBER: Final = "7696487"
"""What Slurm's database calls the plug-in of GPUs where it lists resources by number."""

_NUMBERED: Final = lazy_re(r"^\d+=[^,=]*(?:,\d+=[^,=]*)*$")
_DIGITS_OF_SITE: Final = 4
"""Slurm's own resources (cpu, mem, energy, node, billing, fs/disk, vmem, pages) have numbers of fewer digits."""

_OF_SITE: Final = lazy_re(r"(?:^|,) *\d{4,}=")
_OTHER: Final = r"(?:gaudi|hpu|tpu|npu|ascend|neuron|ipu|mlu|fpga)[^:=,/]*"
OF_GPUS: Final = rf"gres/(?:gpu|mps|shard|{_OTHER})[:=]"
"""How an entry of a list begins that counts GPUs, shares of them or other accelerators."""

UNKNOWN_GPUS: Final = "gres/gpu=N/A"
"""Of a job whose GPUs nobody tells."""

_MAY_BE_GPUS: Final = lazy_re(rf"(?i){OF_GPUS}|\d{{4,}}=")
_MPS: Final = lazy_re(r"(?i)(?:\bgres[/:])?\bmps(:[^=:,]+(?=[=:]))?[=:](\d{1,9})(?:\([^)]*\))?")
_SHARDS: Final = lazy_re(r"(?i)(?:\bgres[/:])?\bshard[=:][^,]*")
_OTHERS: Final = lazy_re(rf"(?i)gres/({_OTHER})(?::[^=,]+)?[=:](\d{{1,9}})(?=,|$)")
_NODE_BY_NUMBER: Final = {"4": "node"}
_NODES: Final = lazy_re(r"(?i)^node=([1-9]\d{0,5})$")
_MIG: Final = lazy_re(r"(?i)(?:(?:^|[._-])mig)?[._-]?(?<!\d)(\d)g[._-]?\d+gb(?:\.\w+|\+\w+)*$")
_SLICES_OF_A_GPU: Final = 7
_SUFFIX: Final = {"": 1, "K": 1000, "M": 1_000_000}


def is_of_gpus(entry: str) -> bool:
    """Whether an entry of a list may count GPUs: by name, or by a number that a site gave.

    >>> is_of_gpus("gres/gpu:a100=2"), is_of_gpus("1001=2"), is_of_gpus("cpu=8")
    (True, True, False)
    """
    return _MAY_BE_GPUS.match(entry) is not None


def named_tres(text: str, names: Mapping[str, str]) -> str:
    """A list of resources with names in place of the numbers that somebody explained; else the text itself.

    names: of resources by their number. Where a GPU is among those that a row has, the numbers that nobody explained
    are no GPUs; where none is, they may be, so that the text stays as it is and is asked about.

    >>> named_tres("1=4,1001=2,1002=2", {"1002": "gres/gpu:a100"})
    'gres/gpu:a100=2'
    >>> named_tres("1=4,1001=2", {"1003": "gres/gpu"})
    '1=4,1001=2'
    """
    if not names or not is_numbered(text):
        return text
    entries = [
        (number, count) for number, _, count in (part.strip().partition("=") for part in text.split(","))
    ]
    told = [
        (name, count)
        for number, count in entries
        if (name := names.get(number) or _NODE_BY_NUMBER.get(number))
    ]
    has_gpu = any(_GPU.match(f"{name}={count}") for name, count in told)
    is_all_told = all(number in names for number, _ in entries if len(number) >= _DIGITS_OF_SITE)
    return ",".join(f"{name}={count}" for name, count in told) if has_gpu or is_all_told else text


def is_numbered(text: str) -> bool:
    """Whether resources stand by number, some of them by a number that a site gave: `1=8,1001=2`.

    >>> is_numbered("1=8,1001=2"), is_numbered("cpu=8,gres/gpu=2")
    (True, False)
    """
    return _NUMBERED.match(text.strip()) is not None and _OF_SITE.search(text) is not None


def read_tres(text: str) -> GpuReading:
    """GPUs of a list like `billing=6,gres/gpu:a100=1,gres/gpu=1,node=1`: that is one GPU, an a100.

    The typed entries repeat the untyped total, so the two are never added. A MIG slice counts as its sevenths of a
    GPU. With several models the count is their sum and the model the one with most (ties: the first by name).
    """
    text = with_shares(text)
    if (match := _OTHERS.search(text)) and not _HAS_GPUS.search(text):
        return read_gpu_count(other_devices(match[1], Fraction(match[2])))
    if is_numbered(text):
        return GpuReading(fault="bad_number")  # 1=8,1001=2: which number is a GPU is in the database alone
    typed: dict[str, Fraction] = {}
    untyped = Fraction(0)
    slices = False
    nodes: int | None = None
    for entry in filter(None, (part.strip() for part in text.split(","))):
        if match := _NODES.match(entry):
            nodes = int(match[1])
        elif match := _GPU.match(entry):
            count = Fraction(match["count"]) * _SUFFIX[match["suffix"].upper()]
            if not count and match["suffix"]:  # 0.00K: too few for the unit that was asked for
                return GpuReading(fault="bad_number", nodes=nodes)
            model = match["type"]
            if model is None:
                untyped += count
                continue
            mig = _MIG.search(model)
            if mig is not None:
                slices = True
                count, model = count * Fraction(int(mig[1]), _SLICES_OF_A_GPU), model[: mig.start()]
            typed[model] = typed.get(model, Fraction(0)) + count
        elif re.match(r"^(gres/)?gpu[:=]", entry, re.I):
            fault = "gpus_unknown" if entry.endswith("=N/A") else "bad_number"
            return GpuReading(fault=fault, nodes=nodes)
    total = sum(typed.values(), Fraction(0))
    gpus = total if slices else max(total, untyped)
    reading = from_number(Decimal(gpus.numerator) * 1000 / Decimal(gpus.denominator))
    model = min(typed, key=lambda name: (-typed[name], name)) if typed else None
    return GpuReading(
        milli_gpus=reading.milli_gpus,
        fault=reading.fault,
        gpu_model=model or None,
        nodes=nodes,
        is_mixed=len(typed) > 1,
    )


def with_shares(text: str) -> str:
    """A list of resources with GPUs in place of what CUDA's MPS shares, hundredths of them; with GPUs in it as it is.

    How many shards are a GPU no job says.

    >>> with_shares("gres/mps:a100=50,node=1"), with_shares("shard:4"), with_shares("gres/gpu=1,gres/shard=4")
    ('gres/gpu:a100=0.5,node=1', 'gres/gpu=N/A', 'gres/gpu=1,gres/shard=4')
    """
    shares = _MPS.sub(lambda match: f"gres/gpu{match[1] or ''}={Decimal(match[2]) / 100}", text)
    return text if _HAS_GPUS.search(text) else _SHARDS.sub(UNKNOWN_GPUS, shares)


_HAS_GPUS: Final = lazy_re(r"(?i)\bgpu[:=]")


def read_gres(text: str, nodes: int = 1) -> GpuReading:
    """GPUs of the older `gpu:a100:2`, `gpu:2` or `PER_NODE:gpu:2`, times a number of nodes.

    As Slurm's GRES columns print it (AllocGRES, ReqGRES, `--gres`); what is in brackets, indices of cards,
    is left out.

    >>> read_gres("gpu:a100:2(IDX:0-1)", nodes=4).milli_gpus, read_gres("gpu").milli_gpus
    (8000, 1000)
    """
    entries = []
    for part in with_shares(text.replace(":(null):", ":")).split(","):
        entry = re.sub(r"\(.*\)$", "", re.sub(r"^PER_\w+:", "", part.strip(), flags=re.I))
        entry = re.sub(rf"^{_GPU_BY_NUMBER}(?=:)", "gpu", entry)
        if not re.match(r"^(gres[/:])?gpu(?:[:=]|$)", entry, re.I):
            continue
        match = re.match(
            r"^(?P<name>.*?)(?:[:=](?P<count>\d{1,15}(?:\.\d{1,9})?[KM]?|N/A))?$",
            re.sub(r"^gres[/:]", "", entry, flags=re.I),
        )
        assert match is not None
        entries.append(f"gres/{match['name']}={match['count'] or 1}")
    reading = read_tres(",".join(entries))
    if reading.fault is not None:
        return reading
    of_all_nodes = from_number(Decimal(reading.milli_gpus) * nodes)
    return replace(reading, milli_gpus=of_all_nodes.milli_gpus, fault=of_all_nodes.fault)
