"""Spot in words: what is lost, and what the best interval of checkpoints saves."""

from dataclasses import replace
from typing import Any

import pytest

from gpuplanner.domain.commitment.outlook_result import SpotAdvice
from gpuplanner.domain.commitment.words.spot import spot_sentences, spot_summary
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.words.sentence_figures import figures


def spot(**values: Any) -> SpotAdvice:
    """A job of one node for 10 h, checkpoints every 4 h: it loses 12% where every 2.5 h it would lose 8%, $90 less."""
    base = SpotAdvice(
        key="a",
        pool=Pool.TRAINING,
        gpu_model="H100",
        nodes=1,
        longest_job_hours=10.0,
        interval_hours=4.0,
        lost_share=0.12,
        best_interval_hours=2.5,
        best_lost_share=0.08,
        on_spot=True,
        on_spot_at_best=True,
        saves_usd_per_month=90.0,
    )
    return replace(base, **values)


def test_spot_says_what_is_lost_and_what_the_best_interval_saves() -> None:
    first, saves = spot_sentences(spot())
    assert figures(first) == ["12.0%", "4", "2.5", "8.0%"]
    assert figures(saves) == ["$90"]
    for least in (1.0, 0.99):
        assert len(spot_sentences(spot(saves_usd_per_month=least))) == (2 if least == 1.0 else 1)
    assert len(spot_sentences(spot(saves_usd_per_month=None))) == 1
    dear = spot_sentences(spot(saves_usd_per_month=None, on_spot_at_best=False))
    assert len(dear) == 2 and not figures(dear[1])
    assert figures(spot_sentences(spot(nodes=3))[0])[0] == "3"


def test_training_that_is_kept_off_spot_says_what_that_costs_and_what_allows_it() -> None:
    kept_off = spot(barrier="too_long", run_hours=10.9, run_usd=1_086.4, run_usd_on_demand=3_000.0)
    lost, run, allow = spot_sentences(kept_off)
    assert figures(lost)[0] == "12.0%" and figures(run) == ["10.0", "10.9", "$1,086", "$3,000"]
    assert "Long training may use spot" in str(allow)
    assert "Training writes checkpoints" in str(
        spot_sentences(replace(kept_off, barrier="no_checkpoints"))[-1]
    )
    (_, dear) = spot_sentences(replace(kept_off, run_usd_on_demand=1_000.0))
    assert figures(dear)[-1] == "$1,000"
    assert "unknown" in str(spot_sentences(replace(kept_off, run_usd_on_demand=None))[1])
    assert spot_summary((kept_off,)) is None  # a better interval saves nothing where none is written


def test_spot_that_cannot_finish_or_is_as_good_as_it_gets() -> None:
    (never,) = spot_sentences(spot(best_lost_share=1.0, lost_share=1.2))
    assert figures(never) == ["100%", "2.5"] and "never finish" in str(never)
    assert len(spot_sentences(spot(best_lost_share=0.99, lost_share=1.2))) == 2
    assert figures(spot_sentences(spot(lost_share=1.0))[0])[:2] == ["100%", "4"]
    assert figures(spot_sentences(spot(lost_share=0.999))[0])[:2] == ["99.9%", "4"]
    (least,) = spot_sentences(spot(best_lost_share=0.1196))
    assert figures(least) == ["12.0%", "4"]
    assert len(spot_sentences(spot(best_lost_share=0.119))) == 2
    short = spot_sentences(spot(longest_job_hours=3.0))[0]
    assert "shorter" in str(short) and "shorter" not in str(spot_sentences(spot(longest_job_hours=4.0))[0])
    assert "without checkpoints" in str(spot_sentences(spot(best_interval_hours=None))[0])


@pytest.mark.parametrize(("hours", "words"), [(0.75, "45 min"), (1.0, "1 h"), (2.5, "2.5 h"), (4.0, "4 h")])
def test_intervals_are_told_in_minutes_below_an_hour(hours: float, words: str) -> None:
    assert words in str(spot_sentences(spot(best_interval_hours=hours))[0])


def test_spot_together_is_worth_saying_from_a_dollar_on() -> None:
    assert spot_summary([spot(saves_usd_per_month=0.9)]) is None
    assert spot_summary([spot(saves_usd_per_month=-5.0), spot(saves_usd_per_month=None)]) is None
    both = spot_summary(
        [
            spot(best_interval_hours=1.5),
            spot(),
            spot(key="b", best_interval_hours=0.5),
            spot(key="c", saves_usd_per_month=0.0),
        ]
    )
    assert both is not None
    title, sentence, usd = both
    assert figures(title) == ["30", "2.5"] and figures(sentence) == ["2", "4"] and usd == 270.0
    alone = spot_summary([spot(saves_usd_per_month=1.0), spot(gpu_model="A100")])
    assert (
        alone is not None
        and figures(alone[0]) == ["2.5"]
        and figures(alone[1])[0] == "1"
        and alone[2] == 91.0
    )
    none = spot_summary([spot(best_interval_hours=None)])
    assert none is not None and not figures(none[0]) and figures(none[1]) == ["1"]
