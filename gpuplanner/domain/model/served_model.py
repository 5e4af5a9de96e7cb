"""A model that is served, the requests of a week, and what a planner chose to size for an endpoint."""

from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.model.window import HOURS_OF_WEEK


@dataclass(frozen=True, slots=True)
class ServedModel:
    """The architecture of a language model, as far as sizing asks for it.

    parameters: weights, all of them; active_parameters: those that one token passes through (None: all).
    experts, experts_per_token: of each layer, of a mixture of experts (None: there are none).
    kv_values_per_layer: numbers a layer keeps for a token where they are not 2 x kv_heads x head_dim (None: they are).
    source: where the figures are from.
    """

    name: str
    parameters: int
    layers: int
    kv_heads: int
    head_dim: int
    active_parameters: int | None = None
    experts: int | None = None
    experts_per_token: int | None = None
    kv_values_per_layer: int | None = None
    source: str = ""

    def __post_init__(self) -> None:
        """Errors: ValueError for a size below 1."""
        if min(self.parameters, self.layers, self.kv_heads, self.head_dim) < 1:
            raise ValueError(f"{self.name}: parameters, layers, kv_heads and head_dim are 1 or more")

    @property
    def active(self) -> int:
        """Parameters that one token passes through."""
        return self.parameters if self.active_parameters is None else self.active_parameters


@dataclass(frozen=True, slots=True)
class WeekRates:
    """Requests a second in each hour of the week, Monday 0:00 UTC first; None: the file does not say."""

    rates_per_s: tuple[float | None, ...]
    source: str = ""  # the file's name

    def __post_init__(self) -> None:
        """Errors: ValueError unless there are 168 rates."""
        if len(self.rates_per_s) != HOURS_OF_WEEK:
            raise ValueError(f"a week has {HOURS_OF_WEEK} hours, not {len(self.rates_per_s)}")


@dataclass(frozen=True, slots=True)
class ServingChoice:
    """What the planner chose for one endpoint: its model, requests by hour of the week, and the row that is drawn.

    week None: the requests that were read for the endpoint (Project.traffic). gpu_model empty: the row of least cost.
    """

    model: ServedModel | None = None
    week: WeekRates | None = None
    gpu_model: str = ""
    precision: str = ""
    tensor_parallel: int = 0


NOTHING_CHOSEN: Final = ServingChoice()
