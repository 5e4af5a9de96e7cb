"""Words over the load duration chart: a tried level, and the pale area."""

from textwrap import fill
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from gpuplanner.charts.kit.plain_text import Markup, MarkupLabel, escaped, set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.commitment.outlook_result import CostOfLevels, LevelValues
from gpuplanner.domain.commitment.words.assumed import WHAT_THE_ADVICE_MINIMISES
from gpuplanner.domain.commitment.words.level_costs import cost_of_levels_sentences
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.cube import log_support, short_advice_words
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.kit.palettes import Palette
from gpuplanner.ui.panels.duration.levels import LevelTrial
from gpuplanner.ui.words import numbers

LINE: Final = 64
"""Characters of a line in the narrowest panel."""
READ_ONLY: Final = worded("Layers of the last plan. To set them, open a plan.")
LATER_MONTH: Final = worded("Set levels in the first month: move the year slider there.")
OTHERS: Final = worded("Setting one level fixes the others. <a href='#'>Reset them to the advice</a>")
OTHERS_TIP: Final = worded("Keep the last level; the advice sets all others (Tab, Enter).")
LIVE_TIP: Final = long_text("level_live")


def live_words(trial: LevelTrial, *, is_wide: bool = True) -> str:
    """−$1,203 a month, +$31,400 in 60 months, 98.7% used, cost of being wrong $310; less where it is narrow."""
    said = [tr("{used} used", used=numbers.percent(trial.used)) if trial.used is not None else tr("no GPUs")]
    if trial.change_usd is not None and abs(trial.change_usd) >= 0.5:
        said.insert(0, tr("{value} per month", value=numbers.dollar_change(trial.change_usd)))
    has_horizon = trial.horizon_usd is not None and abs(trial.horizon_usd) >= 0.5
    if has_horizon:
        usd, months = numbers.dollar_change(trial.horizon_usd), numbers.counted(trial.horizon_months, "month")
        over = tr("{horizon_usd} in {months}", horizon_usd=usd, months=months)
        said.insert(len(said) - 1, over)
    if has_horizon and not is_wide:
        return ", ".join(said[:-1])
    if trial.regret_usd is not None:
        said.append(tr("cost of being wrong {usd}", usd=numbers.dollars(trial.regret_usd)))
    return ", ".join(said)


def levels_words(cost: CostOfLevels | None, values: LevelValues | None) -> str:
    """What the levels set by hand cost beside the advice, and what the advice minimises; lines broken by hand."""
    said = [] if cost is None or values is None else list(cost_of_levels_sentences(cost, values))
    lines = map(spoken, [*said, WHAT_THE_ADVICE_MINIMISES])
    return "\n".join(fill(line, LINE) for line in lines)


def others_label() -> QLabel:
    """What became of the other levels when one was set, and a link to have the advice set them."""
    label = MarkupLabel()
    label.setText(Markup(tr(OTHERS)))
    label.setObjectName("linked")  # shows that it has the keyboard
    label.setWordWrap(True)
    set_tip(label, tr(OTHERS_TIP))
    label.setAccessibleName(tr("Reset the other levels to the advice"))
    keys = Qt.TextInteractionFlag.LinksAccessibleByKeyboard
    mouse = Qt.TextInteractionFlag.LinksAccessibleByMouse
    label.setTextInteractionFlags(keys | mouse)
    return label


def short_words(hours: int, palette: Palette) -> Markup:
    """The amber words for advice on a short log, as markup; empty for a long one."""
    words = short_advice_words(hours)
    amber = f"<span style='color:{palette.amber}'>\u25b2 {escaped(spoken(words))}</span><br>"
    return Markup(amber if words else "")


def against_words(cost: CostOfLevels | None, *, is_wide: bool = True) -> str:
    """Against advice: −$2,847 first month, +$3,054 in 60 months; empty where it is not known, or nothing."""
    if cost is None or max(abs(cost.usd), abs(cost.month_0_usd)) < 0.5:
        return ""
    now, later = numbers.dollar_change(cost.month_0_usd), numbers.dollar_change(cost.usd)
    months = numbers.counted(cost.horizon_months, "month")
    words = tr("{now} first month, {later} in {months}", now=now, later=later, months=months)
    return tr("Against advice: {said}", said=words) if is_wide else words


def limit_words(hours: int) -> str:
    """What a log of so many hours says not about layers: range, cost of being wrong, trend; empty for a long one."""
    notes = (note for note in log_support(hours) if note.figure in ("range", "trend"))
    return " ".join(spoken(note.message) for note in notes if note.message)


def idle_words(palette: Palette) -> str:
    """What the area of GPUs that stand idle is called: it fades towards the ground, which may be dark."""
    return tr("Dark: paid, idle") if palette.is_dark else tr("Pale: paid, idle")
