"""The four ways to look at the use of what is paid for: by cluster, contract, GPU model or team."""

from typing import Final

from gpuplanner.domain.audit.use.use_by import Use, WindowUse
from gpuplanner.domain.model.worded import worded

VIEWS: Final = {
    "clusters": (worded("By cluster"), worded("Cluster")),
    "contracts": (worded("By contract"), worded("Contract")),
    "gpu_models": (worded("By GPU model"), worded("GPU model")),
    "teams": (worded("By team"), worded("Team")),
}
"""View -> how it is chosen, what its first column is called."""


def uses_of(view: str, use: WindowUse) -> tuple[Use, ...]:
    """The rows of a view in their order: teams by GPU-hours, the others by name."""
    if view == "teams":
        return tuple(sorted(use.teams, key=lambda row: (-row.gpu_hours, row.name or "")))
    rows: tuple[Use, ...] = getattr(use, view)
    return rows
