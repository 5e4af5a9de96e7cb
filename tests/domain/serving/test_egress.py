"""Egress: gigabytes times rate, text said to be negligible, nothing stated unknown."""

import pytest

from gpuplanner.domain.model.scenario.assumptions import Assumptions
from gpuplanner.domain.serving.egress import egress_of


def test_a_billion_tokens_are_sixty_cents():
    found = egress_of(Assumptions(), tokens_read=1e9)
    assert found.text_gb == 5 and found.text_usd == pytest.approx(0.60) and found.usd == pytest.approx(0.60)
    assert "$0.60" in str(found.sentence) and "negligible" in str(found.sentence)


def test_nothing_stated_is_unknown_and_text_is_said_to_be_negligible_all_the_same():
    found = egress_of(Assumptions())
    assert found.usd is None and found.media_usd is None and found.text_usd is None
    assert "Text is negligible: a billion tokens are 5 GB, $0.60 at $0.12 per GB" in str(found.sentence)
    assert "Media (images, audio, video) is not" in str(found.sentence)


def test_media_is_gigabytes_times_rate():
    found = egress_of(Assumptions(media_gb_per_month=50_000, egress_usd_per_gb=0.08), tokens_read=2e9)
    assert found.media_usd == pytest.approx(4_000) and found.usd == pytest.approx(4_000.8)


def test_bare_metal_leaves_for_nothing_and_that_is_known():
    assert egress_of(Assumptions(media_gb_per_month=50_000, egress_usd_per_gb=0)).usd == 0


def test_tokens_that_the_planner_set_win_over_those_of_files():
    assert egress_of(Assumptions(tokens_per_month=3e9), tokens_read=1e9).text_gb == 15
