"""Needs of a workload's hardware that the planner set by hand, and what may be set."""

from dataclasses import dataclass, fields, replace
from typing import Final

from gpuplanner.domain.figures.typed import significant
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.pool import Pool

NeedValue = float | int | Text | bool | None

INTERCONNECTS: Final = ("ethernet", "roce", "roce_400", "infiniband", "nvlink")
"""Names of interconnects, slowest first."""


@dataclass(frozen=True, slots=True)
class NeedSpec:
    """One row of the table: `name` is the attribute of NeedsSet, pools are the classes that ask for it.

    low, high: bounds of numbers, both in. Units: as `unit` says.
    """

    name: str
    title: Message
    unit: Text
    kind: str  # number | integer | flag | interconnect
    low: float
    high: float
    pools: tuple[Pool, ...]


_TRAINED, _SERVED, _BOTH = (Pool.TRAINING,), (Pool.INFERENCE,), (Pool.TRAINING, Pool.INFERENCE)

NEED_SPECS: Final = (
    NeedSpec("memory_gb_per_gpu", worded("Memory per GPU"), "GB", "number", 1, 10_000, _TRAINED),
    NeedSpec("nodes", worded("Nodes"), worded("nodes"), "integer", 1, 100_000, _BOTH),
    NeedSpec("gpus_per_node", worded("GPUs per node"), worded("GPUs"), "number", 0.001, 1024, _BOTH),
    NeedSpec("interconnect", worded("Interconnect"), "", "interconnect", 0, 0, _BOTH),
    NeedSpec("bare_metal", worded("Bare metal"), worded("yes or no"), "flag", 0, 1, _TRAINED),
    NeedSpec("own_cluster", worded("A cluster of its own"), worded("yes or no"), "flag", 0, 1, _TRAINED),
    NeedSpec(
        "parameters_billion",
        worded("Model size"),
        worded("billion parameters"),
        "number",
        0.001,
        100_000,
        _SERVED,
    ),
    NeedSpec(
        "bytes_per_parameter", worded("Bytes per parameter"), worded("bytes"), "number", 0.125, 8, _SERVED
    ),
    NeedSpec("kv_cache_gb", worded("KV cache"), "GB", "number", 0, 100_000, _SERVED),
    NeedSpec(
        "active_hours",
        worded("Active time in the window"),
        worded("hours"),
        "number",
        0.001,
        100_000,
        (Pool.BURST,),
    ),
)
"""What a planner may say of a workload; docs/formulas.md, Needs of a workload."""

NEED_BY_NAME: Final = {spec.name: spec for spec in NEED_SPECS}


@dataclass(frozen=True, slots=True)
class NeedsSet:
    """What the planner set of one workload; None is not set, and then inferred. Units: see NEED_SPECS."""

    memory_gb_per_gpu: float | None = None
    nodes: int | None = None
    gpus_per_node: float | None = None
    interconnect: str | None = None
    bare_metal: bool | None = None
    own_cluster: bool | None = None
    parameters_billion: float | None = None
    bytes_per_parameter: float | None = None
    kv_cache_gb: float | None = None
    active_hours: float | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is set."""
        return self == NOTHING_SET

    def with_value(self, name: str, value: NeedValue) -> "NeedsSet":
        """These with one need set to a checked value, or with None taken back.

        name: of NEED_SPECS; the value is taken as it is, so `check_need` comes first.
        """
        return replace(self, **{name: value})  # type: ignore[arg-type]

    def values(self) -> dict[str, NeedValue]:
        """What is set, by name."""
        every = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: value for name, value in every.items() if value is not None}


NOTHING_SET: Final = NeedsSet()


def check_need(name: str, value: NeedValue) -> NeedValue:
    """The value as its kind has it. Errors: PlannerError where there is no such need or it cannot have the value.

    An integer comes out as int, another number as float; None is no value here.

    >>> check_need("nodes", 4.0), check_need("memory_gb_per_gpu", 80)
    (4, 80.0)
    """
    spec = NEED_BY_NAME.get(name)
    if spec is None:
        raise PlannerError(
            name, "usage", worded("no such need"), worded("use one of ") + ", ".join(NEED_BY_NAME)
        )
    if spec.kind == "interconnect":
        if value not in INTERCONNECTS:
            raise _refused(spec, value, worded("enter one of ") + ", ".join(INTERCONNECTS))
        return value
    if spec.kind == "flag":
        if not isinstance(value, bool):
            raise _refused(spec, value, worded("enter yes or no"))
        return value
    remedy = worded(
        "enter {low} to {high} {unit}",
        low=significant(spec.low),
        high=significant(spec.high),
        unit=spec.unit,
    )
    if isinstance(value, bool) or not isinstance(value, int | float) or not spec.low <= value <= spec.high:
        raise _refused(spec, value, remedy)
    if spec.kind == "integer":
        if value != int(value):
            raise _refused(spec, value, remedy)
        return int(value)
    return float(value)


def parse_need(name: str, text: str) -> NeedValue:
    """The value a planner typed; empty text is None: not set. Errors: as for `check_need`.

    Case, blanks and commas between thousands do not matter.

    >>> parse_need("nodes", " 1,024 "), parse_need("bare_metal", "Yes"), parse_need("nodes", "") is None
    (1024, True, True)
    """
    spec, cleaned = NEED_BY_NAME.get(name), " ".join(text.split()).lower().replace(",", "")
    if not cleaned:
        return None
    if spec is None or spec.kind == "interconnect":
        return check_need(name, cleaned.replace(" ", "_"))
    if spec.kind == "flag":
        known = {"yes": True, "true": True, "no": False, "false": False}
        return check_need(name, known.get(cleaned, cleaned))
    try:
        number = float(cleaned)
    except ValueError:
        remedy = worded(
            "enter {low} to {high} {unit}",
            low=significant(spec.low),
            high=significant(spec.high),
            unit=spec.unit,
        )
        raise _refused(spec, text, remedy) from None
    return check_need(name, int(number) if spec.kind == "integer" and number.is_integer() else number)


def _refused(spec: NeedSpec, value: object, remedy: Message) -> PlannerError:
    """What is wrong with a value and what to enter; of a long one only the beginning is shown."""
    return PlannerError(
        spec.title, "usage", worded("{value} is not a value it can have", value=f"{value!r:.40}"), remedy
    )
