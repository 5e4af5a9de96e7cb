"""Words over the load duration chart: their figures are those of the level that is tried, and of the log's length."""

import pytest

from gpuplanner.ui.panels.duration_levels import LevelTrial
from gpuplanner.ui.panels.duration_words import idle_words, limit_words, live_words
from gpuplanner.ui.theme import DARK, LIGHT


@pytest.mark.parametrize(
    ("trial", "said"),
    [
        (LevelTrial(-1203.4, 0.987, 310.2), "−$1,203 a month, 98.7% used, regret $310"),
        (LevelTrial(1203.4, 0.5, None), "+$1,203 a month, 50.0% used"),
        (LevelTrial(0.2, 0.987, 0.0), "98.7% used, regret $0"),
        (LevelTrial(None, None, None), "no GPUs"),
    ],
)
def test_a_level_under_the_hand(trial: LevelTrial, said: str) -> None:
    assert live_words(trial) == said


def test_idle_gpus_are_called_as_they_look() -> None:
    assert (idle_words(LIGHT), idle_words(DARK)) == ("Pale: paid, not used", "Dark: paid, not used")


def test_a_short_log_says_what_the_layers_lack() -> None:
    assert limit_words(2160) == ""
    assert limit_words(168) == (
        "No P10–P90 and regret: they need two whole weeks, the log has 7 days. "
        "No growth and volatility of the log's own: they need 30 days, the log has 7 days."
    )
