"""Steps of prices in words: one that is of every GPU model on offer is said once."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from gpuplanner.domain.model.plan.changes import PriceChange
from gpuplanner.ui.words.dated_words import price_changes_words

DAY_S = 1_893_456_000  # 1 Jan 2030
OFFERED: Any = SimpleNamespace(
    offers=[SimpleNamespace(gpu_model=model) for model in ("A100", "H100", "H100")]
)


def test_a_step_of_all_prices_is_said_once_and_others_one_by_one() -> None:
    every = [PriceChange(model, 1.15, DAY_S, True) for model in ("A100", "H100")]
    (evenly,) = price_changes_words(OFFERED, every)
    at_once = [replace(step, by=False) for step in every]
    (abrupt,) = price_changes_words(OFFERED, at_once)
    one, other = price_changes_words(OFFERED, (every[0], at_once[1]))
    assert evenly.startswith("All prices evenly ") and abrupt.startswith("All prices \u00d7")
    assert one.startswith("Prices of A100 ") and other.startswith("Prices of H100 \u00d7")
    assert [" evenly " in words for words in (evenly, one, abrupt, other)] == [True, True, False, False]
    assert all(words.endswith(" by 1 Jan 2030") for words in (evenly, one))
    assert all(words.endswith(" from 1 Jan 2030") for words in (abrupt, other))
    assert all("\u00d7 1.15 " in words for words in (evenly, abrupt, one, other))
    assert price_changes_words(OFFERED, ()) == ()
