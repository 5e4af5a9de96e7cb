"""Hardware needs that the user sets for a workload, with their ranges."""

from typing import Final

from gpuplanner.domain.figures.typed import significant
from gpuplanner.domain.message import Message, Text, capital, worded
from gpuplanner.domain.model.errors import PlannerError, refusal
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import dataclass, fields, replace

NeedValue = float | int | Text | bool | None
INTERCONNECTS: Final = ("ethernet", "roce", "roce_400", "infiniband", "nvlink")
"""Names of interconnects, slowest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedSpec:
    """A hardware need that the user may set. name: attribute of NeedsSet. pools: the classes with this need.

    low, high: smallest and largest number allowed, in `unit`.
    """

    name: str
    title: Message
    unit: Text
    low: float
    high: float
    pools: tuple[Pool, ...]
    kind: str = "number"  # number | integer | flag | interconnect


_TRAINED, _SERVED, _BOTH = (Pool.TRAINING,), (Pool.INFERENCE,), (Pool.TRAINING, Pool.INFERENCE)
NEED_SPECS: Final = (
    NeedSpec(
        name="memory_gb_per_gpu",
        title=worded("Memory per GPU"),
        unit="GB",
        low=1,
        high=10_000,
        pools=_TRAINED,
    ),
    NeedSpec(
        name="nodes",
        title=capital(worded("nodes")),
        unit=worded("nodes"),
        low=1,
        high=100_000,
        pools=_BOTH,
        kind="integer",
    ),
    NeedSpec(
        name="gpus_per_node",
        title=worded("GPUs per node"),
        unit=worded("GPUs"),
        low=0.001,
        high=1024,
        pools=_BOTH,
    ),
    NeedSpec(
        name="interconnect",
        title=worded("Interconnect"),
        unit="",
        low=0,
        high=0,
        pools=_BOTH,
        kind="interconnect",
    ),
    NeedSpec(
        name="bare_metal",
        title=worded("Bare metal"),
        unit=worded("yes or no"),
        low=0,
        high=1,
        pools=_TRAINED,
        kind="flag",
    ),
    NeedSpec(
        name="own_cluster",
        title=worded("Own cluster"),
        unit=worded("yes or no"),
        low=0,
        high=1,
        pools=_TRAINED,
        kind="flag",
    ),
    NeedSpec(
        name="parameters_billion",
        title=worded("Model size"),
        unit=worded("billion parameters"),
        low=0.001,
        high=100_000,
        pools=_BOTH,
    ),
    NeedSpec(
        name="bytes_per_parameter",
        title=worded("Bytes per parameter"),
        unit=worded("bytes"),
        low=0.125,
        high=8,
        pools=_SERVED,
    ),
    NeedSpec(name="kv_cache_gb", title=worded("KV cache"), unit="GB", low=0, high=100_000, pools=_SERVED),
    NeedSpec(
        name="active_hours",
        title=worded("Active time in the lookback period"),
        unit=worded("hours"),
        low=0.001,
        high=100_000,
        pools=(Pool.BURST,),
    ),
)
"""Needs that the user may set for a workload; docs/formulas/hardware-fit.md, Needs of a workload."""
NEED_BY_NAME: Final = {spec.name: spec for spec in NEED_SPECS}


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedsSet:
    """Needs that the user set for one workload; None is not set, so the need is inferred. Units: see NEED_SPECS."""

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
        """Whether no need is set."""
        return self == NOTHING_SET

    def with_value(self, name: str, value: NeedValue) -> "NeedsSet":
        """Return a copy with one need set, or cleared with None.

        name: in NEED_SPECS. value: not checked here; call `check_need` first.
        """
        return replace(self, **{name: value})  # type: ignore[arg-type]

    def values(self) -> dict[str, NeedValue]:
        """Return the needs that are set, by name."""
        every = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: value for name, value in every.items() if value is not None}


NOTHING_SET: Final = NeedsSet()


def check_need(name: str, value: NeedValue) -> NeedValue:
    """Return a checked value in the need's type: int, float, bool or the name of an interconnect.

    value: None is refused. Errors: PlannerError for an unknown need or a value out of range.

    >>> check_need("nodes", 4.0), check_need("memory_gb_per_gpu", 80)
    (4, 80.0)
    """
    spec = NEED_BY_NAME.get(name)
    if spec is None:
        raise refusal(
            name, worded("no such need"), worded("use one of {known}", known=", ".join(NEED_BY_NAME))
        )
    if spec.kind == "interconnect":
        if value not in INTERCONNECTS:
            raise _refused(spec, value, worded("use one of {known}", known=", ".join(INTERCONNECTS)))
        return value
    if spec.kind == "flag":
        if not isinstance(value, bool):
            raise _refused(spec, value, worded("enter yes or no"))
        return value
    remedy = _range_words(spec)
    if isinstance(value, bool) or not isinstance(value, int | float) or not spec.low <= value <= spec.high:
        raise _refused(spec, value, remedy)
    if spec.kind == "integer":
        if value != int(value):
            raise _refused(spec, value, remedy)
        return int(value)
    return float(value)


def parse_need(name: str, text: str) -> NeedValue:
    """Parse a typed value; empty text is None (not set). Case, spaces and thousands separators are ignored.

    Errors: as for `check_need`.

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
        raise _refused(spec, text, _range_words(spec)) from None
    return check_need(name, int(number) if spec.kind == "integer" and number.is_integer() else number)


def _range_words(spec: NeedSpec) -> Message:
    """Return the remedy for a number out of range."""
    low, high = significant(spec.low), significant(spec.high)
    return worded("enter {low} to {high} {unit}", low=low, high=high, unit=spec.unit)


def _refused(spec: NeedSpec, value: object, remedy: Message) -> PlannerError:
    """Return the error for a refused value; a long value is cut to 40 characters."""
    return refusal(spec.title, worded("{value} is not allowed", value=f"{value!r:.40}"), remedy)
