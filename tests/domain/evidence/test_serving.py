"""Answers about a sized endpoint at its edges: 20 requests a second, 5 on a replica."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.evidence import serving
from gpuplanner.domain.evidence.serving import OF_PLACES, OF_SIZING
from gpuplanner.domain.evidence.trace import Trace, figure
from tests.domain import worlds
from tests.domain.reports.reported_results import MODEL, sizing
from tests.domain.tables import plain

ROW = "H100\tBF16\t2"


def size(kind: str, scope: str = "", subject: str = ROW, **changes: Any) -> Trace:
    of = sizing()
    costs = tuple(
        replace(cost, row=replace(cost.row, **changes)) if cost.row.gpu_model == "H100" else cost
        for cost in of.costs
    )
    return OF_SIZING.answer(replace(of, costs=costs), figure(kind, subject, scope))


def numbers(text: object) -> list[str]:
    return [word.strip("().,;%:") for word in str(text).split() if any(letter.isdigit() for letter in word)]


def test_memory_says_of_how_large_a_model_it_is() -> None:
    assert numbers(size("size_memory").note)[0] == "8.0"
    of = sizing()
    bare = replace(of, choice=replace(of.choice, rates={"H100": 5.0}, model=None))  # type: ignore[arg-type]
    assert bare.model is None and MODEL.parameters == 8_000_000_000
    trace = OF_SIZING.answer(bare, figure("size_memory", ROW))
    assert numbers(trace.note)[0] == "0.0"


def test_replicas_say_the_peak_in_four_digits() -> None:
    of = sizing()
    load = replace(of.load, hours=tuple(replace(hour, requests_per_s=12.34567) for hour in of.load.hours))
    costs = tuple(replace(cost, row=replace(cost.row, requests_per_s=5.123456)) for cost in of.costs)
    trace = OF_SIZING.answer(replace(of, load=load, costs=costs), figure("size_replicas", ROW))
    assert numbers(trace.rows[0].name)[0] == "12.35" and "5.123" in numbers(trace.rows[0].name)
    unknown = size("size_replicas", requests_per_s=None)
    assert "\u00f7" not in str(unknown.rows[0].name)


def test_what_is_not_known_of_a_first_token_is_nothing() -> None:
    assert numbers(size("size_ttft").note)[:2] == ["25", "80.0"]
    assert numbers(size("size_ttft", way_share=None, busy_at_peak=None).note)[:2] == ["0", "0.0"]
    assert numbers(size("size_ttft", busy_at_peak=0.12345).note)[1] == "12.3"


def test_a_token_is_said_with_its_requests_and_the_band_of_its_formula() -> None:
    words = size("size_tpot", low=0.123456, high=1.98765).rows[0].name
    assert numbers(words) == ["30", "80", "0.12", "2"]
    unknown = size("size_tpot", concurrency=None, low=None, high=None).rows[0].name
    assert numbers(unknown) == ["0", "80", "0", "0"]


def test_a_ratio_is_said_in_three_digits() -> None:
    of = sizing()
    ratios = tuple(replace(match, ratio=0.123456, low=0.0987654, high=0.222222) for match in of.ratios)
    trace = OF_SIZING.answer(replace(of, ratios=ratios), figure("size_ratio", "A100", "ratio"))
    assert trace.value == 0.123456
    assert {"0.123", "0.0988", "0.222"} <= set(numbers(trace.rows[0].name))


@pytest.mark.parametrize(("site_id", "words"), [("east", "London east"), (None, "London")])
def test_a_way_is_called_by_its_city_and_its_site_where_there_is_one(
    site_id: str | None, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    leg = SimpleNamespace(city=SimpleNamespace(city="London"), site_id=site_id, one_way_ms=3.0)
    monkeypatch.setattr(serving, "_leg", lambda evidence, subject: leg)
    trace = OF_PLACES.answer(worlds.evidence_of_places(), figure("city_both", "London"))
    assert trace.value == 6.0 and plain(trace.title).strip().endswith(words)
