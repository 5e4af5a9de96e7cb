"""Words over the load duration chart: what a level under the hand comes to, and what the pale area is."""

from typing import Final

from gpuplanner.domain.model.log_length import log_support
from gpuplanner.ui import numbers
from gpuplanner.ui.localized import localized
from gpuplanner.ui.panels.duration_levels import LevelTrial
from gpuplanner.ui.theme import Palette

READ_ONLY: Final = "Today is read only: these are the layers of the plan last shown. Open a plan to set them."
LIVE_TIP: Final = (
    "$ a month of the plan against before, and how much of the layer is used.\n"
    "Regret: what its best size would have saved; 90% of resampled months of the log have less.\n"
    "Only month 0 counts here, not what a shorter term leaves open."
)


def live_words(trial: LevelTrial) -> str:
    """−$1,203 a month, 98.7% used, regret $310."""
    said = [f"{numbers.percent(trial.used)} used" if trial.used is not None else "no GPUs"]
    if trial.change_usd is not None and abs(trial.change_usd) >= 0.5:
        said.insert(0, f"{numbers.dollar_change(trial.change_usd)} a month")
    if trial.regret_usd is not None:
        said.append(f"regret {numbers.dollars(trial.regret_usd)}")
    return ", ".join(said)


def limit_words(hours: int) -> str:
    """What a log of so many hours does not say about layers: their range, regret and trend; empty for a long one."""
    return " ".join(
        localized(one.message)
        for one in log_support(hours)
        if one.message and one.figure in ("range", "trend")
    )


def idle_words(palette: Palette) -> str:
    """What the area of GPUs that stand idle is called: it fades towards the ground, which may be dark."""
    return "Dark: paid, not used" if palette.is_dark else "Pale: paid, not used"
